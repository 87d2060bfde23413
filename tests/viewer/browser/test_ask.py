"""Questions in Cypher in a real browser."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from ..desk import indexed_desk


@pytest.fixture(scope="module")
def viewed(tmp_path_factory: pytest.TempPathFactory, viewing: Callable[..., Any]) -> Iterator[Any]:
    with viewing(indexed_desk(tmp_path_factory.mktemp("browser-ask")), "--no-watch") as started:
        yield started


@pytest.fixture
def ask(viewed: Any, tab: Any) -> Any:
    viewed.let_in(tab)
    tab.goto(f"{viewed.origin}/ask")
    return tab


def options(tab: Any) -> list[str]:
    return [text.split("\n")[0] for text in tab.locator("#completions [role=option]").all_inner_texts()]


# Verifies REQ-WEB-009, REQ-WEB-011.
def test_a_query_is_completed_by_the_keyboard_and_run(ask: Any) -> None:
    ask.focus("textarea")
    ask.keyboard.type("MATCH (f:Fun")
    ask.wait_for_selector("#completions:not([hidden])")
    assert options(ask) == ["Function"]
    ask.keyboard.press("Enter")
    ask.keyboard.type(")-[:CA")
    assert options(ask) == ["CALLS"]
    ask.keyboard.press("Tab")
    ask.keyboard.type("]->(g:Function) RETURN f.")
    assert {"id", "name", "complexity"} <= set(options(ask))
    ask.keyboard.type("comp")
    ask.keyboard.press("Enter")
    ask.keyboard.type(" AS c, g.id AS id ORDER BY c, id LIMIT 3")
    assert ask.input_value("textarea") == (
        "MATCH (f:Function)-[:CALLS]->(g:Function) RETURN f.complexity AS c, g.id AS id ORDER BY c, id LIMIT 3"
    )
    ask.keyboard.press("Control+Enter")
    ask.wait_for_selector("table.rows")
    assert ask.locator("table.rows tbody tr").count() == 3
    ask.go_back()
    assert ask.locator("table.rows").count() == 0
    ask.go_forward()
    assert ask.locator("table.rows tbody tr").count() == 3


def test_the_list_is_told_to_whoever_cannot_see_it_and_closes(ask: Any) -> None:
    ask.focus("textarea")
    ask.keyboard.type("MATCH (f:")
    assert ask.get_attribute("textarea", "aria-controls") == "completions"
    first = ask.get_attribute("textarea", "aria-activedescendant")
    ask.keyboard.press("ArrowDown")
    second = ask.get_attribute("textarea", "aria-activedescendant")
    assert (first, second) == ("completion-0", "completion-1")
    assert ask.get_attribute(f"#{second}", "aria-selected") == "true"
    ask.keyboard.press("Escape")
    assert ask.get_attribute("textarea", "aria-controls") is None
    ask.keyboard.press("Tab")
    assert ask.evaluate("document.activeElement.localName") == "button"


def test_nothing_is_completed_within_a_text(ask: Any) -> None:
    ask.focus("textarea")
    ask.keyboard.type("MATCH (f {name: 'x:Fun")
    assert options(ask) == [] or not ask.is_visible("#completions")


def test_a_mistake_is_marked_in_the_query(ask: Any) -> None:
    ask.fill("textarea", "MATCH (f:Function) DELETE f")
    ask.click("button:has-text('Run')")
    ask.wait_for_selector("[data-query-error]")
    selected = "area => area.value.slice(area.selectionStart, area.selectionEnd)"
    assert ask.locator("textarea").evaluate(selected) == "DELETE"


def test_a_saved_query_asks_for_its_values(ask: Any, viewed: Any) -> None:
    ask.click("text=A class with what it extends")
    ask.fill("input[name=p_class]", "Desk")
    ask.keyboard.press("Enter")
    ask.wait_for_selector(".answer")
    assert "p_class=Desk" in ask.url


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 400])
def test_an_answer_can_be_read_by_all(ask: Any, accessible: Callable[[Any], None], width: int, scheme: str) -> None:
    ask.emulate_media(color_scheme=scheme)
    ask.set_viewport_size({"width": width, "height": 800})
    ask.fill("textarea", "MATCH (f:File)-[i:IMPORTS]->(g:File) RETURN f, i, g.id AS id, g.lines AS lines")
    ask.click("button:has-text('Run')")
    ask.wait_for_selector("table.rows")
    accessible(ask)
    assert ask.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
    ask.click("a.chip:text-is('Graph')")
    ask.wait_for_selector(".picture svg")
    accessible(ask)
    assert ask.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")


def test_a_node_of_a_picture_is_reached_by_the_keyboard(ask: Any) -> None:
    ask.fill("textarea", "MATCH (f:File)-[:IMPORTS]->(g:File) RETURN f, g")
    ask.click("button:has-text('Run')")
    ask.click("a.chip:text-is('Graph')")
    ask.wait_for_selector(".picture svg")
    ask.focus(".picture")
    ask.keyboard.press("Tab")
    assert "node" in ask.evaluate("document.activeElement.getAttribute('class')")
