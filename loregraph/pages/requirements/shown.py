"""Links and states in the form in which every page of requirements prints them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from hashlib import blake2b
from typing import Final, NamedTuple

from loregraph.analysis.tracing.formats.states import coverage_state
from loregraph.analysis.tracing.junit import FAILED, NOT_RUN, PASSED, SKIPPED
from loregraph.analysis.tracing.traces import CodeLink, DesignLink, MemoryLink, RequirementTrace

MOST_NAME: Final = 120
MOST_TITLE: Final = 300
MOST_EVIDENCE: Final = 300
MOST_ID: Final = 1_000
"""Characters printed of each; an id that is longer leads nowhere."""

COVERED, UNTESTED, ONLY_TESTED, MISSING = "covered", "untested", "only tested", "missing"
STATES: Final = (MISSING, ONLY_TESTED, UNTESTED, COVERED)
"""States of requirements that count, what is missing first; the others are in the state of their status."""
STATE_KINDS: Final = {MISSING: "bad", ONLY_TESTED: "fair", UNTESTED: "fair", COVERED: "good"}
RESULTS: Final = (FAILED, NOT_RUN, SKIPPED, PASSED)
RESULT_KINDS: Final = {FAILED: "bad", SKIPPED: "fair", PASSED: "good"}


class Linked(NamedTuple):
    """One end of a link. `id` is "" for what has no page; `anchor` is its fragment on a page."""

    id: str
    name: str
    path: str
    line: int
    how: str = ""
    confidence: float = 1.0
    evidence: str = ""
    result: str = ""
    kind: str = ""
    anchor: str = ""


class Badge(NamedTuple):
    """A word in a coloured field; `kind` as in `parts.badge`."""

    text: str
    kind: str


class Listed(NamedTuple):
    """The first of some links, and how many more there are."""

    items: tuple[Linked, ...]
    more: int


def clipped(text: str, most: int) -> str:
    """`text` on one line with at most `most` characters. Only what may be shown is looked at, however long it is."""
    line = " ".join(text[: 4 * most].split())
    return line if len(line) <= most else line[: most - 1] + "…"


def title_of(one: RequirementTrace) -> str:
    """The title; where the document has none and it is the shortened text, more of the text."""
    title = one.title
    if title.endswith("…") and one.text:
        title = one.text[: 4 * MOST_TITLE]
    return clipped(title.replace("`", "").replace("**", ""), MOST_TITLE)


def state_of(one: RequirementTrace) -> Badge:
    state = coverage_state(one)
    return Badge(clipped(state, 40) or "not counted", STATE_KINDS.get(state, "none"))


def result_of(result: str) -> Badge:
    return Badge(result, RESULT_KINDS.get(result, "none"))


def anchor(identity: str) -> str:
    """The fragment of what has that id, the same on every page."""
    return "l-" + blake2b(identity.encode("utf-8", "replace"), digest_size=6).hexdigest()


def code(link: CodeLink) -> Linked:
    path, _, name = link.id.partition("::")
    return Linked(
        id=link.id if len(link.id) <= MOST_ID else "",
        name=clipped(name or path, MOST_NAME),
        path=link.file_path if len(link.file_path) <= MOST_ID else "",
        line=link.line,
        how=link.how,
        confidence=link.confidence,
        evidence=clipped(link.evidence, MOST_EVIDENCE),
        result=link.result,
        kind="symbol" if name else "file",
        anchor=anchor(link.id),
    )


def design(link: DesignLink) -> Linked:
    return Linked(
        id=link.id if len(link.id) <= MOST_ID else "",
        name=clipped(link.title, MOST_NAME),
        path=link.path if len(link.path) <= MOST_ID else "",
        line=link.line,
        how=link.how,
        evidence=clipped(link.evidence, MOST_EVIDENCE),
        kind=clipped(link.status, 40),
        anchor=anchor(link.id),
    )


def memory(link: MemoryLink) -> Linked:
    return Linked(link.id if len(link.id) <= MOST_ID else "", clipped(link.title, MOST_NAME), "", 0)


def first(links: Iterable[Linked], count: int, most: int) -> Listed:
    """At most `most` of `count` links; one more than that is shown rather than counted."""
    kept = tuple(link for link, _ in zip(links, range(most + 1), strict=False))
    return Listed(kept, 0) if count <= most + 1 else Listed(kept[:most], count - most)


def codes(links: Sequence[CodeLink], most: int) -> Listed:
    return first(map(code, links), len(links), most)
