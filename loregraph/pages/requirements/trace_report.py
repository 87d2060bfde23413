"""The report in HTML of `trace`: the matrix as one self-contained page, to keep beside a build's other results.

Everything is on the page, since there is no other one: texts, designs, memories, mentions and suggestions are folded.
What is missing comes first, so that what a bound leaves out is what needs nobody.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple
from urllib.parse import quote

from msgspec import UNSET

from loregraph.analysis.tracing.formats.states import says_more
from loregraph.analysis.tracing.report import TraceReport
from loregraph.analysis.tracing.traces import RequirementTrace
from loregraph.pages.document import Unlinked, document
from loregraph.pages.prose import prose
from loregraph.pages.requirements import documents, matrix, one, shown
from loregraph.pages.requirements.matrix import Choice, Filters, Matrix, Row
from loregraph.pages.requirements.shown import Linked

if TYPE_CHECKING:
    from markupsafe import Markup

ROWS: Final = 1_500
"""Requirements on the page."""
OPEN: Final = 4
"""Links shown directly in a cell; the others are expanded."""
FOLDED: Final = 50
"""Links of one kind for a requirement, expanded ones included; the others are counted."""
LINKS: Final = 12_000
"""Links on the page; requirements after so many have OPEN links of a kind."""
SUGGESTED: Final = 5
BYTES: Final = 3_000_000
"""Characters of texts of requirements on the page; later ones are left out, which is said of each."""
MOST_BROKEN: Final = 200
MOST_UNJOINED: Final = 100


class Cell(NamedTuple):
    """Links in a cell: shown, expanded by a click, and how many are left out."""

    open: tuple[Linked, ...]
    folded: tuple[Linked, ...]
    more: int


class Line(NamedTuple):
    """A requirement on the page. `has_text`: it says more than its title, shown or not."""

    row: Row
    text: Markup | str
    has_text: bool
    parts: Cell
    designs: Cell
    code: Cell
    tests: Cell
    memories: Cell
    mentions: Cell
    suggestions: tuple[one.Suggested, ...]


class Anchors(Unlinked):
    """Requirements are places on the page, and there is nothing else to go to."""

    def __init__(self, known: frozenset[str]) -> None:
        self._known = known

    def requirement(self, requirement_id: str, **_: object) -> str:
        return f"#{quote(requirement_id)}" if requirement_id in self._known else ""


# Implements REQ-WEB-012, REQ-TRC-007.
def trace_report(report: TraceReport, project: str = "") -> str:
    """The whole page as text; `project` is its name. At most ROWS requirements are on it."""
    made = matrix.matrix(report, report.places, Filters(), rows=ROWS)
    known = {each.id: each for each in report.requirements}
    title = f"{project}: requirements" if project else "Requirements"
    return document(
        title,
        "trace_report.html",
        {
            "links": Anchors(frozenset(row.id for row in made.rows)),
            "title": title,
            "matrix": made,
            "columns": _columns(report),
            "lines": _lines(made, known),
            "left_out": made.found - len(made.rows),
            "tree": documents.tree([known[row.id] for row in made.rows], report.places) if report.places else None,
            "results": report.results,
            "unjoined": report.results.unjoined[:MOST_UNJOINED] if report.results is not None else (),
            "broken": report.broken[:MOST_BROKEN],
            "more_broken": max(0, len(report.broken) - MOST_BROKEN),
            "boxes": _boxes(report, made),
            "clipped": shown.clipped,
            "writes": False,
        },
        styles=["requirements.css"],
        scripts=["matrix_filter.js"],
    )


def _columns(report: TraceReport) -> list[str]:
    names = [name for name in matrix.columns(report) if name != "Result"]
    names[1:1] = ["State", "Verified"] if report.results is not None else ["State"]
    return [*names, "Memories"] if any(each.memories for each in report.requirements) else names


def _boxes(report: TraceReport, made: Matrix) -> list[tuple[str, Choice]]:
    """(kind, choice) of the filters: states, and results where any were read."""
    counts = Counter(row.state.text for row in made.rows)
    states = [choice._replace(number=counts[choice.value]) for choice in made.states if counts[choice.value]]
    return [("state", each) for each in states] + [("result", each) for each in made.results]


def _lines(made: Matrix, known: Mapping[str, RequirementTrace]) -> list[Line]:
    lines = []
    left, links = BYTES, LINKS
    for row in made.rows:
        trace = known[row.id]
        has_text = says_more(trace)
        text: Markup | str = prose(trace.text, trace.path) if has_text and left > 0 else ""
        left -= len(text)
        lines.append(_line(row, trace, text, has_text, known, FOLDED if links > 0 else OPEN))
        links -= sum(len(cell.open) + len(cell.folded) for cell in lines[-1] if isinstance(cell, Cell))
    return lines


def _line(
    row: Row,
    trace: RequirementTrace,
    text: Markup | str,
    has_text: bool,
    known: Mapping[str, RequirementTrace],
    most: int,
) -> Line:
    suggestions = () if trace.suggestions is UNSET else tuple(one.suggested(trace.suggestions)[:SUGGESTED])
    return Line(
        row=row,
        text=text,
        has_text=has_text,
        parts=_cell([matrix.refined(part, known) for part in trace.parts[:most]], len(trace.parts)),
        designs=_cell([shown.design(link) for link in trace.designs[:most]], len(trace.designs)),
        code=_cell([shown.code(link) for link in trace.implementations[:most]], len(trace.implementations)),
        tests=_cell([shown.code(link) for link in trace.tests[:most]], len(trace.tests)),
        memories=_cell([shown.memory(link) for link in trace.memories[:most]], len(trace.memories)),
        mentions=_cell([shown.code(link) for link in trace.mentions[:most]], len(trace.mentions)),
        suggestions=suggestions,
    )


def _cell(links: Sequence[Linked], number: int) -> Cell:
    more = number - len(links)
    if number <= OPEN + 1:
        return Cell(tuple(links), (), more)
    return Cell(tuple(links[:OPEN]), tuple(links[OPEN:]), more)
