"""The matrix as one self-contained page."""

from __future__ import annotations

from html.parser import HTMLParser

import msgspec
import pytest

from loregraph.analysis.tracing.places import Place
from loregraph.analysis.tracing.report import TraceReport
from loregraph.pages.requirements import trace_report as module
from loregraph.pages.requirements.trace_report import OPEN, ROWS
from loregraph.pages.requirements.trace_report import trace_report as write
from tests.analysis.tracing.formats.conftest import HOSTILE, link, requirement
from tests.analysis.tracing.formats.conftest import report as report  # noqa: PLC0414 - a fixture

VOID = {"meta", "input", "br", "img", "link", "hr"}


class Page(HTMLParser):
    """The elements of a page, that each is closed, and its text."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data

    def all(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.tags if name == tag]


# Verifies REQ-WEB-012.
def test_the_page_is_well_formed_and_fetches_nothing(report: TraceReport) -> None:
    page = Page(write(report, "shop"))
    assert page.open == []
    assert [a for _, a in page.tags if "src" in a] == []
    assert not page.all("link")
    assert not page.all("img")
    assert "default-src 'none'" in next(a["content"] or "" for a in page.all("meta") if "http-equiv" in a)


def test_texts_of_others_are_texts(report: TraceReport) -> None:
    text = write(report, "</title><b>")
    page = Page(text)
    assert len(page.all("script")) == 1
    assert "alert(1)</script>" not in text
    assert HOSTILE in page.text


def test_a_row_a_requirement_with_what_filters_it(report: TraceReport) -> None:
    page = Page(write(report))
    rows = [row for row in page.all("tr") if "data-state" in row]
    assert [(row["id"], row["data-state"], row["data-result"]) for row in rows] == [
        # What is missing comes first.
        ("R-2", "missing", "not run"),
        ("R-1", "covered", "passed"),
        ("R-3", "planned", "not run"),
    ]
    boxes = {(box["data-kind"], box["value"]) for box in page.all("input") if box.get("type") == "checkbox"}
    assert boxes == {
        ("state", "covered"),
        ("state", "missing"),
        ("state", "planned"),
        ("result", "passed"),
        ("result", "not run"),
    }
    for words in ("50 %", "R-9 is named here", "other::test", "0.50", "Cents are whole"):
        assert words in page.text


def test_without_results_nothing_is_said_of_them(report: TraceReport) -> None:
    text = write(msgspec.structs.replace(report, results=None))
    assert "Verified" not in text
    assert 'data-kind="result"' not in text


def test_many_links_are_folded() -> None:
    from loregraph.analysis.tracing.traces import coverage

    one = requirement("R-1", tests=tuple(link(f"t.py::test_{i:02}") for i in range(30)))
    page = Page(write(TraceReport(requirements=(one,), coverage=coverage([one]), orphans=())))
    assert f"{30 - OPEN} more" in page.text
    assert "test_29" in page.text


def test_only_its_own_style_and_script_may_run(report: TraceReport) -> None:
    page = Page(write(report, "shop"))
    (policy,) = [a["content"] or "" for a in page.all("meta") if "http-equiv" in a]
    assert "unsafe-inline" not in policy
    assert policy.count("sha256-") == 2
    assert not [a for _, a in page.tags if "style" in a or any(name.startswith("on") for name in a)]


def test_sections_and_refined_requirements_lead_to_rows_of_the_page(report: TraceReport) -> None:
    placed = {one.id: Place("docs/r.md", "Needs", ("Part",), (one.line,)) for one in report.requirements}
    one = msgspec.structs.replace(report.requirements[0], parts=("R-2", "gone"))
    changed = msgspec.structs.replace(report, requirements=(one, *report.requirements[1:]), places=placed)
    page = Page(write(changed))
    rows = {row["id"] for row in page.all("tr") if "id" in row}
    targets = {(a["href"] or "").removeprefix("#") for a in page.all("a")}
    assert targets == rows
    assert "Needs" in page.text
    assert "gone" in page.text


def test_a_page_of_many_is_bounded_and_says_what_it_leaves_out() -> None:
    from loregraph.analysis.tracing.traces import coverage

    many = [
        requirement(f"R-{n:05}", implementations=(link("a.py::f"),), tests=(link("t.py::t"),)) for n in range(ROWS + 10)
    ]
    lacking = requirement("R-last")
    text = write(TraceReport(requirements=(*many, lacking), coverage=coverage([*many, lacking]), orphans=()))
    page = Page(text)
    assert len([row for row in page.all("tr") if "data-state" in row]) == ROWS
    assert 'id="R-last"' in text
    assert f"11 requirements of {ROWS + 11:,} are not on this page" in page.text
    assert len(text) < 4_000_000


def test_long_texts_are_left_out_beyond_a_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    from loregraph.analysis.tracing.traces import coverage

    monkeypatch.setattr(module, "BYTES", 10_000)
    many = [requirement(f"R-{n}", text="word " * 1_500) for n in range(10)]
    text = write(TraceReport(requirements=tuple(many), coverage=coverage(many), orphans=()))
    assert text.count("Its text is left out") == 8
