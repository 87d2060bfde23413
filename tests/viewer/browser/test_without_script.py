"""What works in a browser that runs no scripts: forms, tables, links."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import expect

from ..desk import indexed_desk, written_by_ann


@pytest.fixture(scope="module")
def viewed(tmp_path_factory: pytest.TempPathFactory, viewing: Callable[..., Any]) -> Iterator[Any]:
    folder = tmp_path_factory.mktemp("without-script")
    with written_by_ann(folder), viewing(indexed_desk(folder), "--no-watch") as started:
        yield started


@pytest.fixture
def plain(viewed: Any, browser: Any) -> Iterator[Any]:
    context = browser.new_context(java_script_enabled=False)
    context.set_default_timeout(15_000)
    page = context.new_page()
    viewed.let_in(page)
    yield page
    context.close()


def test_everything_is_searched_by_the_form_of_the_frame(plain: Any, viewed: Any) -> None:
    plain.fill("header input[name=q]", "service")
    plain.press("header input[name=q]", "Enter")
    plain.wait_for_url(f"{viewed.origin}/find?q=service")
    assert plain.locator("main a:text-is('service.py')").count() == 1


# Verifies REQ-WEB-011.
def test_a_query_is_asked_and_its_values_given(plain: Any, viewed: Any) -> None:
    plain.goto(f"{viewed.origin}/ask")
    plain.fill("textarea", "MATCH (f:File) WHERE f.language = $language RETURN f.id AS id ORDER BY id")
    plain.click("button:text-is('Run')")
    plain.fill("input[name=p_language]", "python")
    plain.click("button:text-is('Run')")
    plain.wait_for_selector("table.rows tbody tr:nth-child(2)")
    plain.click("a.chip:text-is('Graph')")
    plain.wait_for_selector(".picture svg a.node >> nth=1")


def test_a_memory_is_written_changed_and_deleted(plain: Any, viewed: Any) -> None:
    plain.goto(f"{viewed.origin}/memories")
    plain.click("summary:has-text('Add a memory')")
    plain.fill("textarea[name=content]", "Written without a script")
    plain.click("button:text-is('Keep it')")
    plain.click("summary:text-is('Edit')")
    plain.fill("input[name=tags]", "plain")
    plain.click("button:text-is('Save')")
    expect(plain.locator("ol.versions > li")).to_have_count(2)
    plain.click("button:text-is('Delete')")
    expect(plain.locator("button:text-is('Restore it')")).to_have_count(1)
