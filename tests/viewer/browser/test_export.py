"""An export in a real browser, opened as files."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from loregraph.cli.main import main
from loregraph.viewer.export import export

DESK = Path(__file__).resolve().parents[3] / "fixtures" / "gates" / "base"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = Path(shutil.copytree(DESK, tmp_path_factory.mktemp("exported") / "desk"))
    assert main(["--root", str(root), "index", "--no-embed", "--jobs", "1"], standalone_mode=False) == 0
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
        assert tab.url == (site / "index.html").as_uri()
