"""An export in a real browser, opened as files."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from loregraph.viewer.export import export

from ..desk import indexed_desk


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = indexed_desk(tmp_path_factory.mktemp("exported"))
    export(root, root.parent / "a site", jobs=1)
    return root.parent / "a site"


# Verifies REQ-WEB-010.
def test_every_page_opens_from_files_without_a_server(site: Path, tab: Any, accessible: Callable[[Any], None]) -> None:
    pages = sorted(site.rglob("*.html"))
    seen = set()
    for page in pages:
        kind = page.parent.name if page.parent != site else page.name
        tab.goto(page.as_uri())
        assert tab.locator("h1").count() == 1, page
        assert tab.locator("nav a").count() > 0, page
        if kind not in seen:  # one page of each kind
            seen.add(kind)
            accessible(tab)
            # axe wants to fetch the style sheet, which the page's policy refuses.
            tab.expected_errors("Connecting to", "ProgressEvent")
            assert tab.evaluate("typeof window.loregraphData") == "function", "the script did not run"
    assert "index.html" in seen


def test_pages_lead_to_one_another(site: Path, tab: Any) -> None:
    tab.goto((site / "index.html").as_uri())
    addresses = tab.eval_on_selector_all("nav a", "links => links.map(link => link.href)")
    assert all(address.startswith(site.as_uri()) for address in addresses)
    for address in addresses:
        tab.goto(address)
        tab.click("a.brand")
        tab.wait_for_url((site / "index.html").as_uri())


def test_a_box_of_the_map_leads_to_its_own_page_and_back(site: Path, tab: Any) -> None:
    tab.goto((site / "map.html").as_uri())
    boxes = tab.locator(".map-box > a[href]")
    addresses = boxes.evaluate_all("boxes => boxes.map(box => box.href.baseVal)")
    opened = next(address for address in addresses if address.startswith("map/"))
    boxes.nth(addresses.index(opened)).focus()
    tab.keyboard.press("Enter")
    tab.wait_for_url(f"{site.as_uri()}/{opened}")
    tab.go_back()
    tab.wait_for_url(f"{site.as_uri()}/map.html")


# Verifies REQ-WEB-010.
def test_names_are_found_from_any_page_and_lead_to_their_place(site: Path, tab: Any) -> None:
    page = next(iter(sorted(site.glob("requirement/*.html"))))
    tab.goto(page.as_uri())
    tab.keyboard.press("/")
    tab.keyboard.type("not found")
    tab.wait_for_selector("[role=option]")
    assert "not_found" in tab.inner_text("[role=option]")
    tab.keyboard.press("Enter")
    tab.wait_for_url("**/file/*.html#s.not_found")
    assert tab.locator("[id='s.not_found']").count() == 1
    assert "loan" in tab.inner_text("pre")


def test_source_is_linked_from_file_to_file(site: Path, tab: Any) -> None:
    page = next(iter(sorted(site.glob("file/*tests-test-*.html")) or sorted(site.glob("file/*.html"))))
    tab.goto(page.as_uri())
    links = tab.locator("pre a[href*='.html#s.']")
    address = links.first.get_attribute("href")
    links.first.click()
    tab.wait_for_url(f"**/file/{address}")
    assert tab.locator(f"[id='{address.partition('#')[2]}']").count() == 1
