"""The pages of requirements: the matrix and its documents, one requirement, two revisions; and deciding about links."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from loregraph import git
from loregraph.analysis.tracing.comparison import Comparison, SuspectLink
from loregraph.analysis.tracing.places import Places
from loregraph.analysis.tracing.report import TraceReport
from loregraph.analysis.tracing.traces import RequirementTrace
from loregraph.errors import LoregraphError, NothingToTraceError, UsageError
from loregraph.memory.links import DECISIONS, REJECTED, LinkDecision
from loregraph.pages.page import Moved, Page, Part
from loregraph.pages.prose import prose
from loregraph.pages.requirements import documents, files, matrix, one, revisions, shown
from loregraph.viewer.asked import Asked

SECTION: Final = "requirements"
MOST_PAGES: Final = 100_000
MOST_BROKEN: Final = 40
READ: Final = 60
"""Requirements on a page of a document that is read."""
MOST_TEXT: Final = 400
"""Characters of a filter."""
MOST_DECISIONS: Final = 3
"""Decisions about one requirement, the newest, for which it is looked what changed since."""
WORKING: Final = "working"
"""In an address: the files as they are."""


class Traced(NamedTuple):
    """The trace of all requirements, where they stand, and each by its id."""

    report: TraceReport
    places: Places
    known: Mapping[str, RequirementTrace]


class Since(NamedTuple):
    """What changed since the tests ran whose results are read: the commit, and the suspect links by requirement, None
    if nobody has compared yet."""

    commit: str
    suspects: Mapping[str, tuple[SuspectLink, ...]] | None


class Changes(NamedTuple):
    """Of one requirement: the links that are suspect since the tests ran after `commit`, "" where none are read, and
    those that are since somebody accepted them."""

    commit: str
    verified: revisions.Ends
    accepted: revisions.Ends


def traced(asked: Asked) -> Traced:
    """Computed once for a graph and its decisions. Raises NothingToTraceError where there is no requirement."""

    def make() -> Traced:
        report = asked.project.trace()
        places = asked.project.requirement_places(report)
        return Traced(report, places, {each.id: each for each in report.requirements})

    return asked.kept.get("requirements", make)


def since_verified(asked: Asked, *, wait: bool = True) -> Since | None:
    """None where no test results are read, or the project's history does not reach back to them. Comparing takes
    seconds for a large project: without `wait` the suspects are those that are known already, None if not."""
    verified = asked.project.verified_at()
    if verified is None:
        return None
    done: set[str] = asked.kept.get("requirements compared since", set)
    if not wait and verified.commit not in done:
        return Since(verified.commit, None)

    def make() -> Since:
        return Since(verified.commit, asked.project.compare_requirements(verified.commit).suspects)

    since = asked.kept.get(("since", verified.commit), make)
    done.add(verified.commit)
    return since


def filters_of(asked: Asked) -> matrix.Filters:
    def text(name: str) -> str:
        return asked.value(name)[:MOST_TEXT]

    order = asked.value("order", matrix.BY_NEED)
    if order not in (matrix.BY_NEED, matrix.BY_DOCUMENT):
        raise UsageError(f"there is no order {order[:40]!r}", f"use {matrix.BY_NEED} or {matrix.BY_DOCUMENT}")
    return matrix.Filters(
        text=text("text"),
        state=text("state"),
        document=asked.value("document"),
        section=asked.value("section"),
        status=text("status").lower(),
        result=text("result"),
        suspect=bool(asked.value("suspect")),
        order=order,
    )


# Implements REQ-WEB-005.
def requirements_page(asked: Asked) -> Page:
    """The matrix; with `read` the document that is named, as text in its own order; with `files` the files."""
    try:
        found = traced(asked)
    except NothingToTraceError as error:
        told = {"message": error.message, "suggestion": error.suggestion}
        return Page("Requirements", "requirements_none.html", told, SECTION)
    filters = filters_of(asked)
    since = since_verified(asked, wait=filters.suspect or not asked.writes)
    suspects = since.suspects if since is not None else None
    counts = None if suspects is None else {identity: len(links) for identity, links in suspects.items()}
    page = asked.number("page", 1, MOST_PAGES)
    values: dict[str, object]
    if asked.value("files"):
        by_file = files.files(asked.project.reader().columns, found.known, filters.text, page)
        values = {"files": by_file, "filters": filters}
        return Page("Files and their requirements", "requirements_files.html", values, SECTION)
    tree = asked.kept.get("requirements tree", lambda: documents.tree(found.report.requirements, found.places))
    is_read = bool(asked.value("read")) and bool(filters.document)
    values = {
        "tree": tree,
        "filters": filters,
        "options": filters.options(),
        # In an export each combination would be a page.
        "state_options": filters.options() if asked.writes else {},
        "since": since,
        "is_read": is_read,
        "compare": asked.links.compare() if git.in_repository(asked.project.root) else "",
    }
    if is_read:
        return Page("Requirements", "requirements_read.html", {**values, **_read(found, filters, page)}, SECTION)
    made = matrix.matrix(found.report, found.places, filters, page, suspects=counts)
    broken = found.report.broken
    values |= {
        "matrix": made,
        "broken": broken[:MOST_BROKEN],
        "more_broken": max(0, len(broken) - MOST_BROKEN),
        "results_read": found.report.results,
        "missing_results": found.report.missing_results,
        "clipped": shown.clipped,
    }
    return Page("Requirements", "requirements.html", values, SECTION)


def _read(found: Traced, filters: matrix.Filters, page: int) -> dict[str, object]:
    own = [each for each in found.report.requirements if matrix.fits(each, found.places, filters, {})]
    ordered = matrix.in_order(own, found.places)
    pages = max(1, -(-len(ordered) // READ))
    page = min(max(1, page), pages)
    start = (page - 1) * READ
    before = found.places[ordered[start - 1].id].section if start and ordered else ()
    title = matrix.title_of(found.places[ordered[0].id]) if ordered else filters.document
    return {
        "document_title": shown.clipped(title, shown.MOST_TITLE),
        "passages": [
            (passage.headings, each, prose(each.text or each.title, each.path), shown.state_of(each))
            for passage in documents.passages(ordered[start : start + READ], found.places, before)
            for each in (passage.one,)
        ],
        "found": len(ordered),
        "page": page,
        "pages": pages,
        "clipped": shown.clipped,
    }


# Implements REQ-WEB-005.
def requirement_page(asked: Asked) -> Page:
    """One requirement. With `suggest` the suggestions are on the page at once, for browsers without scripts."""
    identity = asked.value("id")
    found = traced(asked)
    if identity not in found.known:
        asked.project.trace(identity)  # raises, with the nearest ids
    trace = found.known[identity]
    columns = asked.project.reader().columns
    decisions = asked.project.memory.links()
    values = {
        "one": one.record(
            trace,
            found.known,
            found.places,
            columns,
            asked.project.source_lines,
            verified=found.report.results is not None,
        ),
        "changes": _changes(asked, identity, decisions, wait=bool(asked.value("suspect"))),
        "decided": one.decided(decisions, identity),
        "suggestions": _suggestions(asked, identity) if asked.value("suggest") else None,
        "compare": asked.links.compare() if git.in_repository(asked.project.root) else "",
    }
    return Page(f"{shown.clipped(identity, 80)} {shown.clipped(trace.title, 80)}", "requirement.html", values, SECTION)


def _changes(asked: Asked, identity: str, decisions: Sequence[LinkDecision], *, wait: bool) -> Changes | None:
    """What changed since a requirement was verified, and since its links were accepted: the newest few are looked at.
    Without `wait` None where that has to be computed. An export says nothing of decisions: each is a comparison."""
    accepted = sorted(
        (each for each in decisions if (each.requirement, each.link) == (identity, "accepted")),
        key=lambda decision: decision.order,
        reverse=True,
    )[: MOST_DECISIONS if asked.writes else 0]
    since = since_verified(asked, wait=wait or not asked.writes)
    if not wait and (accepted or (since is not None and since.suspects is None)):
        return None
    suspects = (since.suspects or {}).get(identity, ()) if since is not None else ()
    later = []
    for each in accepted:
        commit = git.commit_before(asked.project.root, each.order[0].timestamp())
        if commit is not None:
            links = _compared(asked, commit, "").suspects.get(identity, ())
            later += [(link.end, revisions.WHY[link.why]) for link in links if link.end.id == each.code]
    own = [(link.end, revisions.WHY[link.why]) for link in suspects]
    return Changes(since.commit if since is not None else "", revisions.ends(own), revisions.ends(later))


def suspects_part(asked: Asked) -> Part:
    """How many requirements are suspect since the tests ran; of one, what changed since it was verified."""
    if identity := asked.value("id"):
        changes = _changes(asked, identity, asked.project.memory.links(), wait=True)
        return Part("requirement_changes.html", {"changes": changes})
    since = since_verified(asked)
    number = len(since.suspects or ()) if since is not None else 0
    return Part("requirement_suspects.html", {"since": since, "suspect_requirements": number})


def suggestions_part(asked: Asked) -> Part:
    """The suggestions for one requirement: they take seconds, the first time."""
    identity = asked.value("id")
    return Part("requirement_suggestions.html", {"suggestions": _suggestions(asked, identity), "requirement": identity})


def _suggestions(asked: Asked, identity: str) -> list[one.Suggested]:
    def make() -> Mapping[str, RequirementTrace]:
        return {each.id: each for each in asked.project.trace(suggest=True).requirements}

    trace = asked.kept.get("requirements suggested", make).get(identity)
    return one.suggested(trace.suggestions or ()) if trace is not None else []


def decide(asked: Asked) -> Moved:
    """Accepts or rejects a link, or takes that back: as `loregraph trace --accept` does, by the same author."""
    decision, requirement, code = asked.value("decision"), asked.value("requirement"), asked.value("code")
    if decision not in DECISIONS:
        raise UsageError(f"{decision[:40]!r} is no decision", f"use one of {', '.join(DECISIONS)}")
    (made,) = asked.project.decide_links([(decision, requirement, code)])
    where = "suggestions" if made.link == REJECTED else shown.anchor(made.code)
    return Moved(f"{asked.links.requirement(requirement)}#{where}")


# Implements REQ-WEB-006.
def compare_page(asked: Asked) -> Page:
    """Two revisions: `old`, by default the last commit, and `new`, by default the files as they are."""
    old, new = asked.value("old"), asked.value("new", WORKING)
    values: dict[str, object] = {"old": old, "new": new, "working": WORKING, "groups": (), "counts": (), "left_out": 0}
    found = traced(asked)
    if not git.in_repository(asked.project.root):
        message = "This project is in no git repository: there are no revisions to compare."
        return Page("Compare", "compare.html", {**values, "asked_for": False, "message": message}, SECTION)
    if not old:
        return Page("Compare", "compare.html", {**values, "asked_for": False, "message": ""}, SECTION)
    try:
        comparison = _compared(asked, old, "" if new == WORKING else new)
    except LoregraphError as error:
        message = f"{error.message}; {error.suggestion}" if error.suggestion else error.message
        return Page("Compare", "compare.html", {**values, "asked_for": False, "message": message}, SECTION, status=400)
    values |= {
        "groups": revisions.groups(comparison, frozenset(found.known)),
        "counts": revisions.counts(comparison),
        "left_out": comparison.left_out,
        "asked_for": True,
        "message": "",
    }
    return Page("Compare", "compare.html", values, SECTION)


def _compared(asked: Asked, old: str, new: str) -> Comparison:
    """Kept by commits, which unlike names of revisions do not move."""
    root = asked.project.root
    commits = tuple(git.commit_of(root, rev) if rev else "" for rev in (old, new))
    return asked.kept.get(("compared", *commits), lambda: asked.project.compare_requirements(*commits))
