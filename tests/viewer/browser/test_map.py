"""The map in a real browser: opening boxes, going back, arrows, by mouse and keyboard, narrow and in the dark."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from loregraph.cli.main import main
from tests.shop import SHOP, written

CYCLE = {
    "shop/money.py": "import shop.cart\n\n\ndef round_price(amount: float) -> float:\n    return round(amount, 2)\n"
}


@pytest.fixture(scope="module")
def viewed(tmp_path_factory: pytest.TempPathFactory, viewing: Callable[..., Any], engine_later: None) -> Iterator[Any]:
    root = written(tmp_path_factory.mktemp("map") / "shop", {**SHOP, **CYCLE})
    assert main(["--root", str(root), "index", "--no-embed", "--jobs", "1"], standalone_mode=False) == 0
    with viewing(root, "--no-watch") as started:
        yield started


def box(key: str) -> str:
    return f'[data-key="{key}"]'


# Verifies REQ-WEB-003, REQ-WEB-011.
def test_a_box_opens_in_place_by_the_keyboard_and_keeps_the_focus(tab: Any, let_in: Callable[[str], None]) -> None:
    let_in("/map?open=.")
    tab.evaluate("window.stays = true")
    tab.focus(box("shop"))
    tab.keyboard.press("Enter")
    tab.wait_for_selector(box("shop/cart.py"))
    assert tab.evaluate("window.stays")  # no other page was loaded
    assert tab.url.endswith("/map?open=shop")
    assert tab.evaluate("document.activeElement.dataset.key") == "shop"
    tab.focus(box("shop/cart.py"))
    tab.keyboard.press("Enter")
    tab.wait_for_selector(box("shop/cart.py::Cart"))
    tab.go_back()
    tab.wait_for_selector(box("shop/cart.py::Cart"), state="detached")
    assert tab.is_visible(box("shop/cart.py"))
    tab.go_back()
    tab.wait_for_selector(box("shop/cart.py"), state="detached")
    assert tab.evaluate("window.stays")


def test_an_address_opens_what_it_says(tab: Any, let_in: Callable[[str], None]) -> None:
    let_in("/map?open=shop%2Fcart.py&colour=complexity")
    assert tab.is_visible(box("shop/cart.py::Cart"))
    assert "complexity" in tab.inner_text(".map-legend")


def test_a_symbol_leads_to_its_page(viewed: Any, tab: Any, let_in: Callable[[str], None]) -> None:
    let_in("/map?open=shop%2Fcart.py")
    assert tab.get_attribute(box("shop/cart.py::Cart"), "href") == "/symbol?id=shop%2Fcart.py%3A%3ACart"


def test_what_is_pointed_at_is_told_from_the_rest(tab: Any, let_in: Callable[[str], None]) -> None:
    let_in("/map?open=shop")
    tab.focus(box("shop/cart.py"))
    tab.wait_for_selector(".map-picture.pointing")
    tab.wait_for_function("() => document.querySelector('[data-map-panel]').innerText.includes('Used by')")
    assert "shop/money.py" in tab.inner_text("[data-map-panel]")
    assert tab.locator(".map-arrow.near").count() == 2


def test_an_arrow_shows_the_places_that_make_it(tab: Any, let_in: Callable[[str], None]) -> None:
    let_in("/map?open=shop")
    tab.focus(".map-arrow.against")
    tab.keyboard.press("Enter")
    tab.wait_for_selector(".map-places")
    panel = tab.inner_text("[data-map-panel]")
    assert "Part of a cycle" in panel
    assert "source=shop" in tab.url
    tab.reload()
    assert "Part of a cycle" in tab.inner_text("[data-map-panel]")
    tab.click("text=Back to the boxes")
    tab.wait_for_selector(".map-places", state="detached")


def test_zoom_by_keys_and_buttons(tab: Any, let_in: Callable[[str], None]) -> None:
    let_in("/map?open=shop")
    width = "document.querySelector('.map-picture').getBoundingClientRect().width"
    before = tab.evaluate(width)
    tab.focus("[data-canvas]")
    tab.keyboard.press("+")
    larger = tab.evaluate(width)
    assert larger > before
    tab.click("[data-canvas-zoom=out]")
    assert tab.evaluate(width) < larger


def test_a_drag_moves_the_picture_and_opens_nothing(tab: Any, let_in: Callable[[str], None]) -> None:
    tab.set_viewport_size({"width": 600, "height": 700})
    let_in("/map?open=shop%2Fcart.py")
    for _ in range(8):
        tab.click("[data-canvas-zoom=in]")
    tab.locator("[data-canvas]").scroll_into_view_if_needed()
    place = tab.locator("[data-canvas]").bounding_box()
    tab.evaluate("document.querySelector('[data-canvas]').scrollTo(0, 0)")
    address = tab.url
    tab.mouse.move(place["x"] + 300, place["y"] + 200)
    tab.mouse.down()
    tab.mouse.move(place["x"] + 280, place["y"] + 190, steps=4)
    tab.mouse.up()
    assert tab.evaluate("document.querySelector('[data-canvas]').scrollLeft") == 20
    assert tab.url == address
    assert tab.is_visible(box("shop/cart.py"))


# Verifies REQ-WEB-011.
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 400])
def test_the_map_can_be_read_by_all(
    tab: Any, let_in: Callable[[str], None], accessible: Callable[[Any], None], width: int, scheme: str
) -> None:
    tab.emulate_media(color_scheme=scheme)
    tab.set_viewport_size({"width": width, "height": 800})
    let_in("/map?open=shop&colour=complexity&source=shop%2Fmoney.py&target=shop%2Fcart.py")
    accessible(tab)
    assert tab.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")


# Verifies REQ-WEB-011.
def test_without_script_boxes_and_arrows_are_links(viewed: Any, browser: Any) -> None:
    context = browser.new_context(java_script_enabled=False)
    tab = context.new_page()
    viewed.let_in(tab)
    tab.goto(f"{viewed.origin}/map?open=.")
    tab.click("#map-table >> text=shop")
    tab.wait_for_url(f"{viewed.origin}/map?open=shop")
    tab.click('#map-table [title="shop/money.py"]')
    tab.wait_for_selector("#map-table >> text=round_price")
    assert not tab.is_visible("[data-canvas-tools]")
    context.close()


def test_the_map_follows_the_graph_and_stays_where_it_was(
    tmp_path: Path, tab: Any, viewing: Callable[..., Any], engine_later: None
) -> None:
    root = written(tmp_path / "shop", {**SHOP, **CYCLE})
    assert main(["--root", str(root), "index", "--no-embed", "--jobs", "1"], standalone_mode=False) == 0
    with viewing(root, "--no-watch") as started:
        started.let_in(tab)
        tab.set_viewport_size({"width": 500, "height": 700})
        tab.goto(f"{started.origin}/map?open=shop%2Fcart.py")
        for _ in range(4):
            tab.click("[data-canvas-zoom=in]")
        look = """[document.querySelector('.map-picture').getAttribute('width'),
            document.querySelector('[data-canvas]').scrollLeft]"""
        tab.evaluate("document.querySelector('[data-canvas]').scrollTo(12, 0)")
        before = tab.evaluate(look)
        assert before[1] > 0
        tab.focus(box("shop/cart.py"))
        (root / "shop" / "tax.py").write_text("def tax():\n    return 1\n")
        assert main(["--root", str(root), "index", "--no-embed", "--jobs", "1"], standalone_mode=False) == 0
        tab.wait_for_selector(box("shop/tax.py"))
        assert tab.evaluate(look)[1] == before[1]
        assert tab.evaluate("document.activeElement.dataset.key") == "shop/cart.py"
        tab.focus(box("shop/tax.py"))
        tab.keyboard.press("Enter")
        tab.wait_for_selector(box("shop/tax.py::tax"))
