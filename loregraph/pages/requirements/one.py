"""One requirement: its text, what it is linked to on each level, and what may be linked."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, NamedTuple

from loregraph.analysis.tracing.formats.states import says_more
from loregraph.analysis.tracing.places import Places
from loregraph.analysis.tracing.traces import WEAK, CodeLink, RequirementTrace, SuggestedLink
from loregraph.graph.columns import GraphColumns
from loregraph.memory.links import LinkDecision
from loregraph.pages.highlight import cut, highlighted
from loregraph.pages.prose import prose
from loregraph.pages.requirements import shown
from loregraph.pages.requirements.matrix import refined, section_option, title_of
from loregraph.pages.requirements.shown import Badge, Linked

if TYPE_CHECKING:
    from markupsafe import Markup

MOST_LINKS: Final = 200
"""Links of one kind on the page of a requirement."""
MOST_KIN: Final = 150
MOST_DEPTH: Final = 8
"""Requirements that another one refines, directly or not, and steps to them; the same for those that refine it."""
MOST_EXCERPTS: Final = 6
MOST_LINES: Final = 40
"""Sources shown, and lines of each."""
MOST_SUGGESTED: Final = 12

Lines = Callable[[str], Sequence[str]]


class Excerpt(NamedTuple):
    """Source of what implements a requirement: its lines from `first` (1-based) as (kind, text) of their pieces; `more`
    lines are left out."""

    link: Linked
    path: str
    language: str
    first: int
    lines: tuple[tuple[tuple[str, str], ...], ...]
    more: int


class Suggested(NamedTuple):
    """Code that may implement a requirement. `fits`: the score is one at which suggestions are often right."""

    link: Linked
    code: str
    score: float
    fits: bool
    evidence: str


class Decided(NamedTuple):
    """What somebody said about a link. `holds`: it is in force and can be taken back; `code` is the id to say it of."""

    link: Linked
    code: str
    decision: Badge
    author: str
    at: str
    holds: bool


class Level(NamedTuple):
    """Links of one kind; `more` of them are left out."""

    name: str
    items: tuple[Linked, ...]
    more: int
    empty: str = ""


class Crumb(NamedTuple):
    """A document or section around a requirement, as options of the matrix."""

    title: str
    options: Mapping[str, object]


@dataclass
class Kin:
    """A requirement that another one refines or is refined by, and in turn its own; `more` are left out."""

    link: Linked
    kin: list[Kin] = field(default_factory=list)
    more: int = 0


class Record(NamedTuple):
    """What the page of one requirement shows."""

    id: str
    title: str
    text: Markup | str
    state: Badge
    result: Badge | None
    status: str
    priority: str
    path: str
    line: int
    crumbs: tuple[Crumb, ...]
    parents: Kin
    parts: Kin
    levels: tuple[Level, ...]
    excerpts: tuple[Excerpt, ...]
    mentions: Level


def record(
    one: RequirementTrace,
    known: Mapping[str, RequirementTrace],
    places: Places,
    columns: GraphColumns,
    lines: Lines,
    *,
    verified: bool,
) -> Record:
    """`known` are all requirements by id; `verified`: test results were read."""
    place = places.get(one.id)
    node = columns.find_id(one.id)
    priority = (columns.own(node, "priority") or "") if node is not None else ""
    crumbs = []
    if place is not None:
        crumbs.append(Crumb(shown.clipped(title_of(place), shown.MOST_NAME), {"document": place.document}))
        for depth in range(1, len(place.section) + 1):
            option = section_option(place.section[:depth])
            title = shown.clipped(place.section[depth - 1], shown.MOST_NAME)
            crumbs.append(Crumb(title, {"document": place.document, "section": option}))
    return Record(
        id=one.id,
        title=shown.clipped(one.title, shown.MOST_TITLE),
        text=prose(one.text, one.path) if says_more(one) else "",
        state=shown.state_of(one),
        result=shown.result_of(one.verified) if verified else None,
        status=shown.clipped(one.status, 80),
        priority=shown.clipped(priority, 80),
        path=one.path,
        line=one.line,
        crumbs=tuple(crumbs),
        parents=lineage(one.id, known, lambda each: each.parents),
        parts=lineage(one.id, known, lambda each: each.parts),
        levels=(
            level("Code", map(shown.code, one.implementations), len(one.implementations), "No code implements it."),
            level("Tests", map(shown.code, one.tests), len(one.tests), "No test verifies it."),
            level("Designs", map(shown.design, one.designs), len(one.designs)),
            level("Memories", map(shown.memory, one.memories), len(one.memories)),
        ),
        excerpts=tuple(excerpts(one.implementations, columns, lines)),
        mentions=level("Mentions", map(shown.code, one.mentions), len(one.mentions)),
    )


def lineage(
    identity: str, known: Mapping[str, RequirementTrace], next_of: Callable[[RequirementTrace], Sequence[str]]
) -> Kin:
    """What a requirement refines, or is refined by, and what these do: the nearest MOST_KIN, each once."""
    root = Kin(refined(identity, known))
    waiting = [(root, identity, 0)]
    seen = {identity}
    for kin, name, depth in waiting:
        one = known.get(name)
        for other in next_of(one) if one is not None else ():
            if other in seen:
                continue
            if len(seen) > MOST_KIN or depth >= MOST_DEPTH:
                kin.more += 1
                continue
            seen.add(other)
            kin.kin.append(Kin(refined(other, known)))
            waiting.append((kin.kin[-1], other, depth + 1))
    return root


def level(name: str, links: Iterable[Linked], count: int, empty: str = "") -> Level:
    listed = shown.first(links, count, MOST_LINKS)
    return Level(name, listed.items, listed.more, empty)


def excerpts(links: Sequence[CodeLink], columns: GraphColumns, lines: Lines) -> Iterable[Excerpt]:
    """The source of functions and classes, the first ones; a file as a whole says too little."""
    left = MOST_EXCERPTS
    for link in links:
        node = columns.find_id(link.id)
        if node is None or columns.label(node) not in ("Function", "Class") or not left:
            continue
        start, end = int(columns.start_line[node]), int(columns.end_line[node])
        text = lines(columns.path(node))[start - 1 : end]
        if not text:
            continue
        left -= 1
        kept = tuple(
            tuple((piece.kind, piece.text) for piece in line)
            for line in highlighted(cut(text[:MOST_LINES]).lines, columns.language(node))
        )
        yield Excerpt(shown.code(link), columns.path(node), columns.language(node), start, kept, len(text) - len(kept))


def suggested(links: Sequence[SuggestedLink]) -> list[Suggested]:
    return [
        Suggested(
            link=Linked(
                id=link.id if len(link.id) <= shown.MOST_ID else "",
                name=shown.clipped(link.id.partition("::")[2] or link.file_path, shown.MOST_NAME),
                path=link.file_path if len(link.file_path) <= shown.MOST_ID else "",
                line=0,
                kind="symbol" if "::" in link.id else "file",
                anchor=shown.anchor(link.id),
            ),
            code=link.id,
            score=link.score,
            fits=link.score >= WEAK,
            evidence=shown.clipped(link.evidence, shown.MOST_EVIDENCE),
        )
        for link in links[:MOST_SUGGESTED]
    ]


_DECISIONS: Final = {"accepted": "good", "rejected": "bad", "withdrawn": "none"}


def decided(decisions: Iterable[LinkDecision], requirement: str) -> list[Decided]:
    """The latest decision about each link of a requirement, the newest first."""
    own = sorted((one for one in decisions if one.requirement == requirement), key=lambda one: one.order, reverse=True)
    return [
        Decided(
            link=Linked(
                id=one.code if len(one.code) <= shown.MOST_ID else "",
                name=shown.clipped(one.code, shown.MOST_NAME),
                path="",
                line=0,
                kind="symbol" if "::" in one.code else "file",
                anchor=shown.anchor(one.code),
            ),
            code=one.code,
            decision=Badge(one.link, _DECISIONS.get(one.link, "none")),
            author=shown.clipped(one.author, 80),
            at=one.created_at[:10],
            holds=one.link != "withdrawn",
        )
        for one in own[:MOST_LINKS]
    ]
