"""The pages of symbols and files in a real browser."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import quote

import pytest

from loregraph.cli.main import main
from tests.shop import SHOP, written

NAME = "<img src=x onerror=alert(1)>"
HOSTILE = f'''
"""{NAME}\u202e</script>"""


class Money:
    def __add__(self, other: "Money") -> "Money":
        return self

    def go(self) -> int:
        """{NAME}\u202e\x1b[31m"""
        return 1


class Other:
    def go(self) -> int:
        return 2


def either(one: Money | Other) -> int:
    return one.go()  # {"x" * 100_000}
'''


@pytest.fixture(scope="module")
def viewed(tmp_path_factory: pytest.TempPathFactory, viewing: Callable[..., Any], engine_later: None) -> Iterator[Any]:
    root = written(tmp_path_factory.mktemp("symbol") / "shop", {**SHOP, "shop/money2.py": HOSTILE})
    assert main(["--root", str(root), "index", "--no-embed", "--jobs", "1"], standalone_mode=False) == 0
    with viewing(root, "--no-watch") as started:
        yield started


def symbol(id: str) -> str:
    return f"/symbol?id={quote(id, safe='')}"


def test_one_walks_along_calls_and_back(tab: Any, let_in: Callable[[str], None]) -> None:
    let_in(symbol("shop/cart.py::checkout"))
    tab.click("pre.source >> text=total")
    tab.wait_for_selector("h1:has-text('Cart.total')")
    tab.focus("#callers a.symbol")
    tab.keyboard.press("Enter")
    tab.wait_for_selector("h1:has-text('checkout')")
    tab.go_back()
    tab.wait_for_selector("h1:has-text('Cart.total')")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 400])
def test_the_pages_can_be_read_by_all(
    tab: Any, let_in: Callable[[str], None], accessible: Callable[[Any], None], width: int, scheme: str
) -> None:
    tab.emulate_media(color_scheme=scheme)
    tab.set_viewport_size({"width": width, "height": 800})
    for path in (symbol("shop/cart.py::Cart.total"), symbol("shop/money2.py::either"), "/file?path=shop/cart.py"):
        let_in(path)
        accessible(tab)
        assert tab.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")


def test_a_line_has_an_address(tab: Any, let_in: Callable[[str], None]) -> None:
    let_in("/file?path=shop/cart.py")
    tab.click("#L12")
    tab.wait_for_url("**#L12")
    assert tab.evaluate("document.querySelector(':target').id") == "L12"
    tab.go_back()
    assert tab.evaluate("document.querySelector(':target')") is None


def test_candidates_of_a_call_are_unfolded_where_it_leads_to_them(tab: Any, let_in: Callable[[str], None]) -> None:
    let_in(symbol("shop/money2.py::either"))
    tab.evaluate("document.querySelector('details.choices').open = false")
    tab.click("pre.source a.m")
    tab.wait_for_selector("details.choices[open]")
    assert sorted(tab.eval_on_selector_all("tr:target a.symbol", "all => all.map(one => one.title)")) == [
        "shop/money2.py::Money.go",
        "shop/money2.py::Other.go",
    ]


def test_history_and_copies_come_when_unfolded(tab: Any, let_in: Callable[[str], None]) -> None:
    let_in(symbol("shop/cart.py::checkout"))
    tab.click("summary:has-text('much alike')")
    tab.wait_for_selector("text=No other function is much like it.")
    tab.click("summary:has-text('The commits')")
    tab.wait_for_selector("text=in no git repository")


def test_hostile_text_stays_text(tab: Any, let_in: Callable[[str], None]) -> None:
    for path in (symbol("shop/money2.py::Money.go"), "/file?path=shop/money2.py"):
        let_in(path)
        assert NAME in tab.inner_text("pre.source")
        assert tab.eval_on_selector_all("main img, main script", "all => all.length") == 0
        assert "\\u202e" in tab.inner_text("pre.source")
        assert "\u202e" not in tab.content()
    assert "more characters" in tab.inner_text("pre.source")


def test_source_is_scrolled_by_the_keyboard(tab: Any, let_in: Callable[[str], None]) -> None:
    tab.set_viewport_size({"width": 400, "height": 500})
    let_in("/file?path=shop/money2.py")
    tab.focus(".code.scroll")
    tab.keyboard.press("ArrowRight")
    tab.wait_for_function("() => document.querySelector('.code.scroll').scrollLeft > 0")
