"""Two revisions of the requirements side by side."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import SequenceMatcher
from typing import Final, NamedTuple

from loregraph.analysis.tracing import comparison
from loregraph.analysis.tracing.comparison import Comparison, Difference, LinkedEnd
from loregraph.graph.model import Requirement
from loregraph.pages.requirements import shown
from loregraph.pages.requirements.shown import Badge, Linked

ROWS: Final = 60
"""Differences of one kind on a page."""
MOST_ENDS: Final = 8
"""Links of a kind for one requirement."""
MOST_WORDS: Final = 400
"""Words of a text that are compared one by one."""
_TITLES: Final = {
    comparison.LOST: ("Lost", "bad", "They were there, and are in no document any more."),
    comparison.GAINED: ("Gained", "good", "They are new."),
    comparison.CHANGED: ("Changed", "fair", "Their own text, status or parents changed."),
    comparison.RELINKED: (
        "Linked otherwise",
        "fair",
        "They are the same, and their code, tests or designs are others.",
    ),
    comparison.SUSPECT: ("Suspect", "fair", "What is linked to them changed, and they did not."),
}


class Word(NamedTuple):
    """Words of a text; `kind` is "same", "removed" or "added"."""

    kind: str
    text: str


class Side(NamedTuple):
    """A requirement at one of the two times; `words` are those of its title and text."""

    status: str
    place: str
    words: tuple[Word, ...]


class End(NamedTuple):
    """A link that was gained or lost, or is suspect; `why` says which end changed."""

    link: Linked
    kind: str
    why: str


class Ends(NamedTuple):
    """Some ends of links; `more` are left out."""

    items: tuple[End, ...]
    more: int


class Compared(NamedTuple):
    """One requirement that differs. `there`: it has a page now."""

    id: str
    title: str
    changed: tuple[str, ...]
    old: Side | None
    new: Side | None
    gained: Ends
    lost: Ends
    suspect: Ends
    there: bool


class Group(NamedTuple):
    """Requirements that differ in the same way; `more` are left out."""

    kind: str
    title: str
    badge: str
    meaning: str
    number: int
    rows: tuple[Compared, ...]
    more: int


def groups(found: Comparison, known: frozenset[str], rows: int = ROWS) -> list[Group]:
    """The differences by kind. `known` are the requirements that there are now."""
    made = []
    for kind, (title, badge, meaning) in _TITLES.items():
        own = found.of(kind)
        if own:
            shown_rows = tuple(compared(one, known) for one in own[:rows])
            made.append(Group(kind, title, badge, meaning, len(own), shown_rows, max(0, len(own) - rows)))
    return made


def counts(found: Comparison) -> list[Badge]:
    """How many were lost, gained, …, and how many have suspect links, whatever else became of them."""
    badges = [
        Badge(f"{len(found.of(kind)):,} {_TITLES[kind][0].lower()}", _TITLES[kind][1])
        for kind in comparison.KINDS
        if kind != comparison.SUSPECT and found.of(kind)
    ]
    if found.suspects:
        badges.append(Badge(f"{len(found.suspects):,} with suspect links", "fair"))
    return [*badges, Badge(f"{found.same:,} the same", "none")]


def compared(one: Difference, known: frozenset[str]) -> Compared:
    either = one.new or one.old
    before = _words(one.old)
    after = _words(one.new)
    old, new = marked(before, after) if one.old and one.new else (None, None)
    return Compared(
        id=one.id,
        title=shown.clipped(either.title if either else "", shown.MOST_TITLE),
        changed=one.changed,
        old=None if one.old is None else _side(one.old, old if old is not None else plain(before)),
        new=None if one.new is None else _side(one.new, new if new is not None else plain(after)),
        gained=ends([(end, "") for end in one.gained]),
        lost=ends([(end, "") for end in one.lost]),
        suspect=ends([(suspect.end, WHY[suspect.why]) for suspect in one.suspect]),
        there=one.id in known,
    )


WHY: Final = {
    comparison.TEXT_CHANGED: "the requirement changed, this did not",
    comparison.CODE_CHANGED: "this changed, the requirement did not",
}


def ends(links: Sequence[tuple[LinkedEnd, str]]) -> Ends:
    items = tuple(End(_linked(end), end.kind, why) for end, why in links[:MOST_ENDS])
    return Ends(items, max(0, len(links) - MOST_ENDS))


def _linked(end: LinkedEnd) -> Linked:
    path, _, name = end.id.partition("::")
    return Linked(
        id=end.id if len(end.id) <= shown.MOST_ID else "",
        name=shown.clipped(name or path, shown.MOST_NAME),
        path=path if len(path) <= shown.MOST_ID else "",
        line=0,
        how=end.how,
        evidence=shown.clipped(end.evidence, shown.MOST_EVIDENCE),
        kind="symbol" if name else "file",
    )


def _side(one: Requirement, words: tuple[Word, ...]) -> Side:
    return Side(shown.clipped(one.status, 40), f"{one.path}:{one.line}", words)


def _words(one: Requirement | None) -> list[str]:
    if one is None:
        return []
    title, text = " ".join(one.title.split()), " ".join(one.text.split())
    begins = text.replace("`", "").startswith(title.rstrip(".…"))
    whole = text if begins and text else f"{title}. {text}" if text else title
    return [word[: shown.MOST_NAME] for word in whole.split(" ")]


def plain(words: Sequence[str]) -> tuple[Word, ...]:
    kept = " ".join(words[:MOST_WORDS])
    return (Word("same", f"{kept} …" if len(words) > MOST_WORDS else kept),)


def marked(before: Sequence[str], after: Sequence[str]) -> tuple[tuple[Word, ...], tuple[Word, ...]]:
    """Both texts with what differs marked; at most MOST_WORDS words of each are compared."""
    old, new = before[:MOST_WORDS], after[:MOST_WORDS]
    left: list[Word] = []
    right: list[Word] = []
    for kind, a, b, c, d in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if a < b:
            left.append(Word("same" if kind == "equal" else "removed", " ".join(old[a:b])))
        if c < d:
            right.append(Word("same" if kind == "equal" else "added", " ".join(new[c:d])))
    for side, words in ((left, before), (right, after)):
        if len(words) > MOST_WORDS:
            side.append(Word("same", "…"))
    return tuple(left), tuple(right)
