"""The frame of every page in a real browser: opening it, the keyboard, and following the graph."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from loregraph.cli.main import main

from ..desk import indexed_desk


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return indexed_desk(tmp_path_factory.mktemp("frame"))


@pytest.fixture(scope="module")
def viewed(desk: Path, viewing: Callable[..., Any]) -> Iterator[Any]:
    with viewing(desk, "--no-watch") as started:
        yield started


def test_the_address_lets_a_browser_in_and_the_token_leaves_the_address(viewed: Any, tab: Any) -> None:
    viewed.let_in(tab)
    assert tab.inner_text("h1") == "desk"
    assert "token" not in tab.evaluate("document.cookie")


def test_without_the_address_nothing_is_shown(viewed: Any, tab: Any) -> None:
    tab.goto(viewed.origin)
    tab.expected_errors("403")
    assert "Open the address" in tab.inner_text("body")
    assert "desk" not in tab.content()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 400])
def test_the_overview_can_be_read_by_all(
    viewed: Any, tab: Any, accessible: Callable[[Any], None], width: int, scheme: str
) -> None:
    tab.emulate_media(color_scheme=scheme)
    tab.set_viewport_size({"width": width, "height": 800})
    viewed.let_in(tab)
    accessible(tab)
    assert tab.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")


def test_the_page_follows_the_graph(desk: Path, viewed: Any, tab: Any) -> None:
    viewed.let_in(tab)
    before = tab.inner_text(".lead")
    (desk / "lending" / "added.py").write_text("def added():\n    return 1\n")
    try:
        assert main(["--root", str(desk), "index", "--no-embed", "--jobs", "1"], standalone_mode=False) == 0
        tab.wait_for_function("text => document.querySelector('.lead').innerText !== text", arg=before)
        assert tab.inner_text(".lead") != before
    finally:
        (desk / "lending" / "added.py").unlink()


def test_a_viewer_that_goes_away_and_comes_back(desk: Path, tab: Any, viewing: Callable[..., Any]) -> None:
    with viewing(desk, "--no-watch") as first:
        first.let_in(tab)
        port = first.port
    tab.wait_for_selector("[data-connection]")
    assert "does not answer" in tab.inner_text("[data-connection]")
    with viewing(desk, "--no-watch", "--port", str(port)) as again:
        # Another run has other secrets: opening its address once lets all tabs of the browser in again.
        other = tab.context.new_page()
        again.let_in(other)
        tab.wait_for_selector("[data-connection]", state="detached", timeout=30_000)
        tab.reload()
        assert tab.inner_text("h1") == "desk"
    tab.expected_errors("ERR_", "403", "Failed to load resource")


# Verifies REQ-CLI-017, REQ-WEB-001.
def test_what_changes_while_somebody_looks_is_indexed_and_shown(
    desk: Path, tab: Any, viewing: Callable[..., Any], tmp_path: Path
) -> None:
    root = indexed_desk(tmp_path)
    with viewing(root) as viewed:
        viewed.let_in(tab)
        before = tab.inner_text(".lead")
        (root / "lending" / "added.py").write_text("def added():\n    return 1\n")
        tab.wait_for_function("text => document.querySelector('.lead').innerText !== text", arg=before, timeout=60_000)
        assert "Reload" not in tab.inner_text("main")


def test_on_a_narrow_screen_the_navigation_shows_where_one_is(viewed: Any, tab: Any) -> None:
    tab.set_viewport_size({"width": 400, "height": 800})
    viewed.let_in(tab)
    tab.goto(f"{viewed.origin}/ask")
    box = tab.locator("header [aria-current]").bounding_box()
    assert 0 <= box["x"] <= 400 - box["width"]


def test_everything_in_the_frame_is_reached_by_the_keyboard(viewed: Any, tab: Any) -> None:
    viewed.let_in(tab)
    reached = []
    for _ in range(12):
        tab.keyboard.press("Tab")
        reached.append(tab.evaluate("document.activeElement.innerText || document.activeElement.name"))
    assert reached[0] == "Skip to the content"
    assert {"desk", "Map", "Requirements", "Findings", "Memories", "Ask", "q"} <= set(reached)
