"""Memories in a real browser."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from loregraph.project import Project

from ..desk import indexed_desk, written_by_ann


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    folder = tmp_path_factory.mktemp("browser-memories")
    with written_by_ann(folder):
        made = indexed_desk(folder)
        with Project(made) as project:
            memory = project.memory
            memory.add("Fines stop at a limit\n\nSee https://example.org/fines.", anchors=["lending/service.py"])
            memory.add("<img src=x onerror=alert(1)> \u202eturned", anchors=["lending/gone.py::f"], tags=["odd"])
            changed = memory.add("Loans end after three weeks").memory_id
            memory.update(changed, content="Loans end after four weeks")
            memory.close()
        yield made


@pytest.fixture(scope="module")
def viewed(root: Path, viewing: Callable[..., Any]) -> Iterator[Any]:
    with viewing(root, "--no-watch") as started:
        yield started


@pytest.fixture
def memories(viewed: Any, tab: Any) -> Any:
    viewed.let_in(tab)
    tab.goto(f"{viewed.origin}/memories")
    return tab


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 400])
def test_memories_can_be_read_by_all(memories: Any, accessible: Callable[[Any], None], width: int, scheme: str) -> None:
    memories.emulate_media(color_scheme=scheme)
    memories.set_viewport_size({"width": width, "height": 800})
    memories.click("summary:has-text('Add a memory')")
    accessible(memories)
    assert memories.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
    memories.click("text=Loans end after four weeks")
    memories.wait_for_selector("ol.versions")
    memories.click("summary:has-text('Edit')")
    accessible(memories)
    assert memories.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")


def test_markup_in_a_memory_is_text(memories: Any) -> None:
    assert memories.locator("main img").count() == 0
    assert "<img src=x onerror=alert(1)>" in memories.inner_text("main")


def test_a_memory_is_added_edited_deleted_and_brought_back(memories: Any) -> None:
    memories.click("summary:has-text('Add a memory')")
    memories.fill("textarea[name=content]", "Reminders go out by mail")
    memories.fill("input[name=tags]", "mail")
    memories.click("button:has-text('Keep it')")
    memories.wait_for_selector("h1:has-text('Reminders go out by mail')")
    memories.click("summary:has-text('Edit')")
    memories.fill("textarea[name=content]", "Reminders go out by mail and letter")
    memories.click("button:has-text('Save')")
    memories.wait_for_selector("text=Version 2")
    assert memories.locator(".differences ins").inner_text() == " and letter"
    memories.click("button:has-text('Delete')")
    memories.wait_for_selector("text=This memory is deleted")
    memories.click("button:has-text('Restore it')")
    memories.wait_for_selector("text=restored")
    assert memories.locator("text=This memory is deleted").count() == 0


def test_what_is_being_written_stays_when_the_memory_changes(memories: Any, root: Path) -> None:
    memories.click("text=Fines stop at a limit")
    memories.wait_for_selector("summary:has-text('Edit')")
    memories.click("summary:has-text('Edit')")
    memories.fill("textarea[name=content]", "Fines stop at ten euros")
    identifier = re.search("id=([0-9a-f-]+)", memories.url)
    assert identifier is not None
    with Project(root) as project:
        project.memory.update(identifier[1], content="Fines stop at a limit of the house")
    memories.wait_for_selector("[data-changed]", timeout=20_000)
    assert memories.input_value("textarea[name=content]") == "Fines stop at ten euros"
    memories.click("button:has-text('Save')")
    memories.wait_for_selector("#refused")
    memories.expected_errors("409")
    assert "of the house" in memories.inner_text("#refused")
    assert memories.input_value("textarea[name=content]") == "Fines stop at ten euros"
    memories.click("button:has-text('Save')")
    memories.wait_for_selector("h1:has-text('Fines stop at ten euros')")
    assert memories.locator("ol.versions > li").count() == 3
