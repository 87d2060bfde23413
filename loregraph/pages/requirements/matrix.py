"""The matrix: one requirement a row, one level a column, what is missing first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from loregraph.analysis.tracing.formats.states import percent
from loregraph.analysis.tracing.junit import FAILED, PASSED
from loregraph.analysis.tracing.places import Path, Place, Places
from loregraph.analysis.tracing.report import TraceReport
from loregraph.analysis.tracing.traces import RequirementTrace
from loregraph.pages.requirements import shown
from loregraph.pages.requirements.shown import Badge, Linked, Listed

ROWS: Final = 100
"""Requirements on a page."""
LINKS: Final = 4
"""Links of one kind in a row."""
MOST_CHOICES: Final = 60
"""Documents, or statuses, to choose among; the rarest are left out."""
BY_NEED, BY_DOCUMENT = "need", "document"


class Filters(NamedTuple):
    """What is asked for, "" for everything. `section` is a path of titles joined by SEPARATOR, below `document`."""

    text: str = ""
    state: str = ""
    document: str = ""
    section: str = ""
    status: str = ""
    result: str = ""
    suspect: bool = False
    order: str = BY_NEED

    def options(self) -> dict[str, object]:
        """The options of an address, without those that ask for nothing."""
        found: dict[str, object] = {name: value for name, value in self._asdict().items() if value}
        if self.order == BY_NEED:
            found.pop("order", None)
        return found


SEPARATOR: Final = "\x1f"
"""Between titles of sections in an address: no title has it."""


class Row(NamedTuple):
    """One requirement. `state` and `result` are badges, the latter None where no results were read; `suspect` is the
    number of links that changed since they were verified."""

    id: str
    title: str
    status: str
    state: Badge
    result: Badge | None
    suspect: int
    path: str
    line: int
    section: str
    parts: Listed
    designs: Listed
    code: Listed
    mentions: int
    tests: Listed
    memories: int


class Choice(NamedTuple):
    """A value of a filter, and how many requirements have it."""

    value: str
    name: str
    number: int
    kind: str = "none"


class Share(NamedTuple):
    """A part of the counted requirements."""

    name: str
    number: int
    total: int
    percent: str
    width: float


class Matrix(NamedTuple):
    """`found` requirements pass the filters, and `rows` are those of the page `page` of `pages`, 1-based. The choices
    are counted among all requirements."""

    rows: tuple[Row, ...]
    found: int
    total: int
    page: int
    pages: int
    columns: tuple[str, ...]
    shares: tuple[Share, ...]
    excluded: tuple[tuple[str, int], ...]
    states: tuple[Choice, ...]
    results: tuple[Choice, ...]
    statuses: tuple[Choice, ...]
    documents: tuple[Choice, ...]
    suspects: int


def matrix(
    report: TraceReport,
    places: Places,
    filters: Filters,
    page: int = 1,
    *,
    suspects: Mapping[str, int] | None = None,
    rows: int = ROWS,
) -> Matrix:
    """One page of the matrix. `suspects` are the numbers of suspect links by requirement, None where nothing is known
    of them; a page beyond the last is the last."""
    by_need = filters.order != BY_DOCUMENT
    kept = [one for one in report.requirements if fits(one, places, filters, suspects or {})]
    kept.sort(key=lambda one: (rank(one) if by_need else 0, _order(one, places)))
    pages = max(1, -(-len(kept) // rows))
    page = min(max(1, page), pages)
    titles = {one.id: one for one in report.requirements}
    return Matrix(
        rows=tuple(row(one, titles, places, report, suspects or {}) for one in kept[(page - 1) * rows : page * rows]),
        found=len(kept),
        total=len(report.requirements),
        page=page,
        pages=pages,
        columns=columns(report),
        shares=shares(report),
        excluded=tuple(report.coverage.excluded.items()),
        states=states(report.requirements),
        results=results(report),
        statuses=statuses(report.requirements),
        documents=documents(report.requirements, places),
        suspects=sum(bool(count) for count in (suspects or {}).values()),
    )


def columns(report: TraceReport) -> tuple[str, ...]:
    """The levels that something is in; code and tests always, since these are what may be missing."""
    all_of = report.requirements
    found = ["Requirement"]
    if any(one.parts for one in all_of):
        found.append("Refined by")
    if any(one.designs for one in all_of):
        found.append("Designs")
    found += ["Code", "Tests"]
    return (*found, "Result") if report.results is not None else tuple(found)


def shares(report: TraceReport) -> tuple[Share, ...]:
    covered = report.coverage
    counts = [("implemented", covered.implemented), ("tested", covered.tested)]
    if report.results is not None:
        counts.append(("verified", covered.verified))
    total = covered.total
    return tuple(
        Share(name, count, total, percent(count, total), round(100 * count / total, 1) if total else 100.0)
        for name, count in counts
    )


def fits(one: RequirementTrace, places: Places, filters: Filters, suspects: Mapping[str, int]) -> bool:
    place = places.get(one.id)
    if filters.state and shown.state_of(one).text != filters.state:
        return False
    if filters.status and (one.status.strip().lower() or "none") != filters.status:
        return False
    if filters.result and one.verified != filters.result:
        return False
    if filters.suspect and not suspects.get(one.id):
        return False
    if filters.document and (place is None or place.document != filters.document):
        return False
    if filters.section:
        wanted = tuple(filters.section.split(SEPARATOR))
        if place is None or place.section[: len(wanted)] != wanted:
            return False
    return not filters.text or has_words(one, filters.text.lower().split())


def has_words(one: RequirementTrace, words: Sequence[str]) -> bool:
    """Whether each word is somewhere in the requirement, or in the names of what is linked to it."""
    own = f"{one.id} {one.title} {one.text} {one.status} {one.path}".lower()
    rest = [word for word in words if word not in own]
    if not rest:
        return True
    names = [link.id for link in (*one.implementations, *one.tests)] + [link.id for link in one.designs]
    linked = " ".join(names).lower()
    return all(word in linked for word in rest)


def rank(one: RequirementTrace) -> int:
    """What needs somebody first: failed tests, no code, no tests, tests that did not run; last what does not count."""
    if not one.counted:
        return 9
    if one.verified == FAILED:
        return 0
    state = shown.state_of(one).text
    if state != shown.COVERED:
        return 1 + shown.STATES.index(state)
    return 6 if one.verified in ("", PASSED) else 5


def _order(one: RequirementTrace, places: Places) -> tuple[str, tuple[int, ...], str]:
    place = places.get(one.id)
    return (place.document, place.order, one.id) if place is not None else (one.path, (one.line,), one.id)


def in_order(traces: Sequence[RequirementTrace], places: Places) -> list[RequirementTrace]:
    """As a reader of the documents meets them."""
    return sorted(traces, key=lambda one: _order(one, places))


def row(
    one: RequirementTrace,
    known: Mapping[str, RequirementTrace],
    places: Places,
    report: TraceReport,
    suspects: Mapping[str, int],
) -> Row:
    place = places.get(one.id)
    return Row(
        id=one.id,
        title=shown.title_of(one),
        status=shown.clipped(one.status, 40) if one.counted else "",
        state=shown.state_of(one),
        result=shown.result_of(one.verified) if report.results is not None else None,
        suspect=suspects.get(one.id, 0),
        path=one.path,
        line=one.line,
        section=shown.clipped(" / ".join(place.section), shown.MOST_TITLE) if place else "",
        parts=shown.first((refined(part, known) for part in one.parts), len(one.parts), LINKS),
        designs=shown.first(map(shown.design, one.designs), len(one.designs), LINKS),
        code=shown.codes(one.implementations, LINKS),
        mentions=len(one.mentions),
        tests=shown.codes(one.tests, LINKS),
        memories=len(one.memories),
    )


def refined(identity: str, known: Mapping[str, RequirementTrace]) -> Linked:
    """A requirement as a link: its title as evidence, its state as result."""
    one = known.get(identity)
    if one is None:
        return Linked("", shown.clipped(identity, shown.MOST_NAME), "", 0)
    return Linked(
        id=identity,
        name=shown.clipped(identity, shown.MOST_NAME),
        path=one.path,
        line=one.line,
        evidence=shown.clipped(one.title, shown.MOST_TITLE),
        result=shown.state_of(one).text,
        kind=shown.state_of(one).kind,
    )


def states(traces: Sequence[RequirementTrace]) -> tuple[Choice, ...]:
    badges = Counter(map(shown.state_of, traces))
    ordered = sorted(badges, key=lambda one: (one.kind == "none", _state_order(one.text), one.text))
    return tuple(Choice(one.text, one.text, badges[one], one.kind) for one in ordered)[:MOST_CHOICES]


def _state_order(state: str) -> int:
    return shown.STATES.index(state) if state in shown.STATES else len(shown.STATES)


def results(report: TraceReport) -> tuple[Choice, ...]:
    if report.results is None:
        return ()
    counts = Counter(one.verified for one in report.requirements)
    return tuple(
        Choice(one, one, counts[one], shown.RESULT_KINDS.get(one, "none")) for one in shown.RESULTS if counts[one]
    )


def statuses(traces: Sequence[RequirementTrace]) -> tuple[Choice, ...]:
    """The statuses that documents give; nothing to choose where there is only one."""
    counts = Counter(one.status.strip().lower() or "none" for one in traces)
    found = sorted(counts.items(), key=lambda item: (-item[1], item[0]))[:MOST_CHOICES]
    return tuple(Choice(name, shown.clipped(name, 40), count) for name, count in found) if len(counts) > 1 else ()


def documents(traces: Sequence[RequirementTrace], places: Places) -> tuple[Choice, ...]:
    counts = Counter(places[one.id].document for one in traces if one.id in places)
    largest = sorted(counts, key=lambda name: (-counts[name], name))[:MOST_CHOICES]
    return tuple(Choice(name, shown.clipped(name, shown.MOST_NAME), counts[name]) for name in sorted(largest))


def section_option(section: Path) -> str:
    return SEPARATOR.join(section)


def title_of(place: Place) -> str:
    """The name of a document: its title, else its path."""
    return place.title or place.document
