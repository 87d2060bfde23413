"""The matrix as one HTML file."""

from __future__ import annotations

from html.parser import HTMLParser

import msgspec

from loregraph.analysis.tracing.formats.html_page import OPEN, write
from loregraph.analysis.tracing.report import TraceReport

from .conftest import HOSTILE, link, requirement

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
        ("R-1", "covered", "passed"),
        ("R-2", "missing", "not run"),
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
    assert "data-kind=result" not in text


def test_many_links_are_folded() -> None:
    from loregraph.analysis.tracing.traces import coverage

    one = requirement("R-1", tests=tuple(link(f"t.py::test_{i:02}") for i in range(30)))
    page = Page(write(TraceReport(requirements=(one,), coverage=coverage([one]), orphans=())))
    assert f"{30 - OPEN} more" in page.text
    assert "test_29" in page.text
