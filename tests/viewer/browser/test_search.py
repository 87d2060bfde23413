"""Search everywhere in a real browser: opened by `/`, used by the keyboard."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from loregraph.pages import assets
from loregraph.pages.names import NameIndex, exported_names, name_within
from loregraph.project import Project

from ..desk import indexed_desk


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = indexed_desk(tmp_path_factory.mktemp("browser-search"))
    (made / "lending" / "shelf.py").write_text("class Shelf:\n    def __init__(self):\n        self.books = []\n")
    with Project(made) as project:
        project.index(embed=False, jobs=1)
    return made


@pytest.fixture(scope="module")
def viewed(root: Path, viewing: Callable[..., Any]) -> Iterator[Any]:
    with viewing(root, "--no-watch") as started:
        yield started


@pytest.fixture
def page(viewed: Any, tab: Any) -> Any:
    viewed.let_in(tab)
    return tab


# Verifies REQ-WEB-009, REQ-WEB-011.
def test_a_slash_opens_it_arrows_choose_and_enter_goes_there(page: Any) -> None:
    page.keyboard.press("/")
    page.keyboard.insert_text("service")
    page.wait_for_selector("[role=option]")
    assert page.get_attribute("[role=combobox]", "aria-expanded") == "true"
    first = page.get_attribute("[role=combobox]", "aria-activedescendant")
    assert "service.py" in page.inner_text(f"#{first}")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowUp")
    assert page.get_attribute("[role=combobox]", "aria-activedescendant") == first
    address = page.get_attribute(f"#{first}", "href")
    page.keyboard.press("Enter")
    page.wait_for_url(f"**{address}")
    page.expected_errors("404")


def test_escape_gives_the_focus_back(page: Any) -> None:
    page.focus("nav a")
    page.keyboard.press("/")
    page.wait_for_selector("dialog[open]")
    page.keyboard.press("Escape")
    page.wait_for_selector("dialog[open]", state="detached")
    assert page.evaluate("document.activeElement.closest('nav') !== null")


def test_a_slash_in_a_field_is_a_slash(page: Any, viewed: Any) -> None:
    page.goto(f"{viewed.origin}/ask")
    page.focus("textarea")
    page.keyboard.type("a/b")
    assert page.input_value("textarea") == "a/b"
    assert page.locator("dialog[open]").count() == 0


def test_typing_in_the_field_of_the_frame_opens_it_with_what_was_typed(page: Any) -> None:
    page.focus("input[data-search-open]")
    page.keyboard.type("lend")
    page.wait_for_selector("[role=option]")
    assert page.input_value("[role=combobox]") == "lend"


def test_only_the_last_question_is_answered(page: Any) -> None:
    page.keyboard.press("/")
    page.keyboard.type("zzz")
    page.keyboard.press("Control+a")
    page.keyboard.type("LEND-3")
    page.wait_for_selector("[role=option]:has-text('LEND-3')")
    page.keyboard.press("Control+a")
    page.keyboard.type("zzzzqqqq")
    page.wait_for_selector("text=Nothing is found for zzzzqqqq")
    assert page.locator("[role=option]").count() == 0


@pytest.mark.parametrize("width", [1280, 400])
def test_the_box_can_be_used_by_all(page: Any, accessible: Callable[[Any], None], width: int) -> None:
    page.set_viewport_size({"width": width, "height": 800})
    page.keyboard.press("/")
    page.keyboard.type("book")
    page.wait_for_selector("[role=option]")
    accessible(page)
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")


# Verifies REQ-WEB-010.
def test_an_export_is_searched_by_the_same_rules(root: Path, tab: Any, tmp_path: Path) -> None:
    with Project(root) as project:
        columns = project.reader().columns
        index = NameIndex(columns, lambda path: path.startswith("tests/"))
        value = exported_names(index, columns, lambda node: f"pages/{node}.html")
        document = json.dumps({name: getattr(value, name) for name in value.__struct_fields__})
        (tmp_path / "names.js").write_text(f"loregraphData('names.js', {document});\n", encoding="utf-8")
        (tmp_path / "app.js").write_text(assets.script(), encoding="utf-8")
        (tmp_path / "index.html").write_text(
            '<!doctype html><title>export</title><body data-names="names.js"><main></main>'
            '<button data-search-open hidden>Search</button><script src="app.js" defer></script>',
            encoding="utf-8",
        )
        tab.goto((tmp_path / "index.html").as_uri())
        tab.click("[data-search-open]")
        for query in ("service", "lend", "LEND-3", "desk", "test fine", "init", "__init__", "lending/store", "rb"):
            tab.fill("[role=combobox]", query)
            tab.wait_for_selector(f"[role=listbox][data-query='{query}']", state="attached")
            shown = tab.locator(".finder-results [role=group]").all()
            found = {one.locator("p").inner_text().lower(): one.locator("b").all_inner_texts() for one in shown}
            expected = {
                group: {name_within(columns, match.node).split(" ")[0] for match in matches.best}
                for group, matches in index.find(query, 8).items()
            }
            assert {group: {name.split(" ")[0] for name in names} for group, names in found.items()} == expected, query
