"""Findings, copies and a change in a real browser."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from loregraph.cli.main import main

from ..desk import indexed_desk

COPY = '''
def {name}(path, {value}):
    """Rows of a table."""
    found = []
    for line in open(path):
        if line.startswith("#"):
            continue
        found.append([cell.strip() for cell in line.split({value})])
    if not found:
        raise ValueError("no rows")
    head, *rows = found
    widths = [0] * len(head)
    for row in rows:
        for at, cell in enumerate(row):
            widths[at] = max(widths[at], len(cell))
    for row in rows:
        row.extend("" for _ in range(len(head) - len(row)))
    lines = [head, *rows]
    return {value}, lines, widths
'''


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project with a copy, a function of many paths, and a change that is not committed."""
    root = indexed_desk(tmp_path_factory.mktemp("browser-findings"))
    (root / "lending" / "tables.py").write_text(COPY.format(name="rows_of", value="sign"))
    (root / "lending" / "<b>ills.py").write_text(COPY.format(name="bills_of", value="separator"))
    branches = "".join(f"    if x == {n}:\n        return {n}\n" for n in range(40))
    (root / "lending" / "tall.py").write_text(
        "".join(f"def short_{n}(x):\n    return x + {n}\n\n\n" for n in range(20)) + f"def tall(x):\n{branches}"
    )
    identity = ["-c", "user.name=A", "-c", "user.email=a@example.org"]
    first = [*identity, "commit", "-q", "--allow-empty", "-m", "Nothing"]
    for words in (["init", "-q"], first, ["add", "-A"], [*identity, "commit", "-qm", "Begin"]):
        subprocess.run(["git", *words], cwd=root, check=True)
    service = root / "lending" / "service.py"
    service.write_text(service.read_text().replace("def lend(store, book,", "def lend(store, book, days,"))
    assert main(["--root", str(root), "index", "--no-embed", "--jobs", "1"], standalone_mode=False) == 0
    return root


@pytest.fixture(scope="module")
def viewed(root: Path, viewing: Callable[..., Any]) -> Iterator[Any]:
    with viewing(root, "--no-watch") as started:
        yield started


@pytest.fixture
def opened(viewed: Any, tab: Any) -> Callable[[str], Any]:
    def go(path: str) -> Any:
        tab.goto(f"{viewed.origin}{path}")
        return tab

    viewed.let_in(tab)
    return go


PAGES = {
    "/findings": "section.rule",
    "/findings?rule=complexity": "figure.case",
    "/duplicates": "details.family",
    "/pair?a=lending%2Ftables.py%3A%3Arows_of&b=lending%2F%3Cb%3Eills.py%3A%3Abills_of": "table.beside",
    "/change": ".reach svg",
}


# Verifies REQ-WEB-011.
@pytest.mark.parametrize(("path", "shows"), PAGES.items(), ids=[path.partition("?")[0] for path in PAGES])
def test_pages_can_be_read_by_all(
    opened: Callable[[str], Any], accessible: Callable[[Any], None], path: str, shows: str
) -> None:
    tab = opened(path)
    tab.wait_for_selector(shows)
    for summary in tab.query_selector_all("main summary"):
        summary.evaluate("one => { one.parentElement.open = true }")
    for width, scheme in ((1280, "light"), (400, "dark")):
        tab.emulate_media(color_scheme=scheme)
        tab.set_viewport_size({"width": width, "height": 800})
        accessible(tab)
        assert tab.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")


# Verifies REQ-WEB-007.
def test_from_a_family_to_both_side_by_side_and_back_by_the_keyboard(opened: Callable[[str], Any]) -> None:
    tab = opened("/duplicates?path=tables.py")
    summary = tab.wait_for_selector("details.family summary")
    summary.focus()
    tab.keyboard.press("Enter")
    link = tab.wait_for_selector("details.family a.compare")
    while not tab.evaluate("document.activeElement.matches('a.compare')"):
        tab.keyboard.press("Tab")
    tab.keyboard.press("Enter")
    tab.wait_for_selector("table.beside")
    assert tab.inner_text("ul.renamings") != ""
    tab.go_back()
    tab.wait_for_selector("details.family")
    assert tab.input_value("input[name=path]") == "tables.py"
    assert link is not None


def test_what_is_the_same_is_unfolded_without_script(viewed: Any, browser: Any) -> None:
    context = browser.new_context(java_script_enabled=False)
    tab = context.new_page()
    viewed.let_in(tab)
    pair = next(path for path in PAGES if path.startswith("/pair"))
    tab.goto(f"{viewed.origin}{pair}")
    folded = tab.locator("tbody.same tr").first
    assert not folded.is_visible()
    tab.get_by_role("checkbox").first.check()
    assert folded.is_visible()
    tab.goto(f"{viewed.origin}/change?since=HEAD~1")
    tab.get_by_role("link", name="wait for it on a page of its own").click()
    tab.wait_for_selector(".reach svg")
    context.close()


def test_narrow_pages_show_one_side_below_the_other(opened: Callable[[str], Any]) -> None:
    tab = opened(next(path for path in PAGES if path.startswith("/pair")))
    left, right = (f"tr.renamed td.half:nth-child({n})" for n in (2, 4))

    def places() -> tuple[Any, Any]:
        return tab.locator(left).first.bounding_box(), tab.locator(right).first.bounding_box()

    one, other = places()
    assert one["y"] == other["y"]
    assert one["x"] < other["x"]
    tab.set_viewport_size({"width": 400, "height": 800})
    one, other = places()
    assert one["y"] < other["y"]
    assert one["x"] == other["x"]


def test_findings_are_filtered_by_a_form(opened: Callable[[str], Any]) -> None:
    tab = opened("/findings")
    tab.wait_for_selector("section.rule")
    tab.select_option("select[name=rule]", "complexity")
    tab.fill("input[name=path]", "tall")
    tab.click("form.filters button")
    tab.wait_for_selector("ol.found")
    assert "rule=complexity" in tab.url
    assert "tall has 41 paths" in tab.inner_text("ol.found")
    tab.reload()
    tab.wait_for_selector("ol.found")
    assert tab.input_value("input[name=path]") == "tall"


def test_a_box_of_the_rings_leads_to_its_symbol(opened: Callable[[str], Any]) -> None:
    tab = opened("/change?since=HEAD")
    box = tab.wait_for_selector(".reach a.box.breaks")
    assert "lend" in box.text_content()
    box.focus()
    tab.keyboard.press("Enter")
    tab.wait_for_url("**/symbol?id=*")
    tab.go_back()
    tab.wait_for_selector(".reach")
    assert "lend" in tab.inner_text(".signatures .new")
    tab.click("ul.summary a[href='#tests']")
    tab.wait_for_url("**#tests")


def test_a_revision_that_is_an_option_is_refused(opened: Callable[[str], Any], tab: Any) -> None:
    opened("/change?since=--output=/tmp/x")
    assert "git knows no revision" in tab.inner_text("main")
    tab.expected_errors("400")
