"""What became of the requirements between two times: gained, lost, changed, and links that somebody should look at.

A link is suspect where one of its ends changed and the other did not: the text of a requirement but not the code that
implements it, or the code but not the text. That is how doorstop and DOORS use the word; where both changed they were
probably changed together. Code that moved, by its content or its name, keeps its link.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Final

import msgspec

from loregraph.graph.declarations import Declarations
from loregraph.graph.model import Edge, Requirement

GAINED: Final = "gained"
LOST: Final = "lost"
CHANGED: Final = "changed"
"""The requirement's own title, text, status or parents."""
RELINKED: Final = "relinked"
"""The requirement is the same and other code, tests or designs are linked to it."""
SUSPECT: Final = "suspect"
"""Nothing else, and linked code changed."""
KINDS: Final = (LOST, GAINED, CHANGED, RELINKED, SUSPECT)

TEXT_CHANGED: Final = "text"
CODE_CHANGED: Final = "code"


Key = tuple[str, str]
"""The kind of an end, and what it is known by."""


class LinkedEnd(msgspec.Struct, frozen=True):
    """The other end of a link to a requirement. `kind` is "code", "test" or "design"; `line` that of the evidence in
    `evidence`, as `path:line: text`."""

    kind: str
    id: str
    how: str
    evidence: str


class SuspectLink(msgspec.Struct, frozen=True):
    """A link that both sides have. `why` is TEXT_CHANGED or CODE_CHANGED: the end that changed alone."""

    end: LinkedEnd
    why: str


class Difference(msgspec.Struct, frozen=True, kw_only=True):
    """One requirement that differs. `kind` is the first of KINDS that applies; `old` is None for a gained one, `new`
    for a lost one. `changed` names what differs of the requirement itself: "title", "text", "status", "parents"."""

    id: str
    kind: str
    old: Requirement | None
    new: Requirement | None
    changed: tuple[str, ...] = ()
    gained: tuple[LinkedEnd, ...] = ()
    lost: tuple[LinkedEnd, ...] = ()
    suspect: tuple[SuspectLink, ...] = ()


class Comparison(msgspec.Struct, frozen=True, kw_only=True):
    """The requirements that differ, by KINDS and id, and the number of those that do not; `left_out` is the number of
    files of either side that were not read."""

    differences: tuple[Difference, ...]
    same: int
    left_out: int = 0

    def of(self, kind: str) -> tuple[Difference, ...]:
        return tuple(one for one in self.differences if one.kind == kind)

    @property
    def suspects(self) -> Mapping[str, tuple[SuspectLink, ...]]:
        """Id of each requirement with suspect links → these."""
        return {one.id: one.suspect for one in self.differences if one.suspect}


KeyOf = Callable[[LinkedEnd, Mapping[str, str]], str]


# Implements REQ-WEB-006, REQ-TRC-010.
def compare(old: Declarations, new: Declarations) -> Comparison:
    """What differs from `old` to `new`, by requirement."""
    links = _links(old), _links(new)
    found = []
    same = 0
    for identity in sorted(old.requirements.keys() | new.requirements.keys()):
        before, after = old.requirements.get(identity), new.requirements.get(identity)
        then, now = (side.get(identity, {}) for side in links)
        moved = _moved(then, now, old.hashes, new.hashes)
        pairs = [(end, end) for end in then.keys() & now.keys()] + list(moved.items())
        changed = _changed(before, after)
        suspect = [
            SuspectLink(now[to], why)
            for end, to in sorted(pairs, key=lambda pair: pair[1])
            if (why := _suspect(old.hashes.get(end), new.hashes.get(to), changed))
        ]
        gained = tuple(now[end] for end in sorted(now.keys() - then.keys() - set(moved.values())))
        lost = tuple(then[end] for end in sorted(then.keys() - now.keys() - moved.keys()))
        kind = _kind(before, after, bool(changed), bool(gained or lost), bool(suspect))
        if not kind:
            same += 1
            continue
        found.append(
            Difference(
                id=identity,
                kind=kind,
                old=before,
                new=after,
                changed=changed,
                gained=gained,
                lost=lost,
                suspect=tuple(suspect),
            )
        )
    found.sort(key=lambda one: (KINDS.index(one.kind), one.id))
    return Comparison(differences=tuple(found), same=same, left_out=old.left_out + new.left_out)


def _moved(
    then: Mapping[str, LinkedEnd], now: Mapping[str, LinkedEnd], old: Mapping[str, str], new: Mapping[str, str]
) -> dict[str, str]:
    """Lost id → gained id of the same thing: the only one of its kind with that content, else with that name."""
    found: dict[str, str] = {}
    lost = {end: then[end] for end in sorted(then.keys() - now.keys())}
    gained = {end: now[end] for end in sorted(now.keys() - then.keys())}

    def by_key(ends: Mapping[str, LinkedEnd], hashes: Mapping[str, str], key_of: KeyOf) -> dict[Key, list[str]]:
        known: dict[Key, list[str]] = {}
        for identity, end in ends.items():
            if key := key_of(end, hashes):
                known.setdefault((end.kind, key), []).append(identity)
        return known

    def match(key_of: KeyOf) -> None:
        there = by_key(gained, new, key_of)
        for key, before in by_key(lost, old, key_of).items():
            after = there.get(key, [])
            if len(before) == 1 and len(after) == 1:
                found[before[0]] = after[0]
                del lost[before[0]], gained[after[0]]

    match(lambda end, hashes: hashes.get(end.id, ""))
    match(lambda end, _: _name(end.id))
    return found


def _name(identity: str) -> str:
    """The part of an id that a move to another file keeps."""
    path, separator, name = identity.partition("::")
    return name if separator else path.rpartition("/")[2]


def _kind(before: Requirement | None, after: Requirement | None, changed: bool, relinked: bool, suspect: bool) -> str:
    if after is None:
        return LOST
    if before is None:
        return GAINED
    return CHANGED if changed else RELINKED if relinked else SUSPECT if suspect else ""


def _changed(before: Requirement | None, after: Requirement | None) -> tuple[str, ...]:
    if before is None or after is None:
        return ()
    fields = ("title", "text", "status", "parents")
    return tuple(one for one in fields if _plain(getattr(before, one)) != _plain(getattr(after, one)))


def _plain(value: object) -> object:
    """A text without its line breaks: text that was only wrapped anew says the same."""
    return " ".join(value.split()) if isinstance(value, str) else value


def _suspect(then: str | None, now: str | None, changed: Iterable[str]) -> str:
    """Which end of a link changed alone; "" for none, and where the content of the other end is unknown."""
    if then is None or now is None:
        return ""
    says_other = not {"title", "text"}.isdisjoint(changed)
    if says_other == (then != now):
        return ""
    return TEXT_CHANGED if says_other else CODE_CHANGED


def _links(side: Declarations) -> dict[str, dict[str, LinkedEnd]]:
    """Requirement → id of the other end → the end."""
    found: dict[str, dict[str, LinkedEnd]] = {}
    for edge in side.links:
        found.setdefault(edge.target, {})[edge.source] = _end(edge, side)
    return found


def _end(edge: Edge, side: Declarations) -> LinkedEnd:
    kind = "design" if edge.rel == "SATISFIES" else "test" if edge.source in side.tests else "code"
    return LinkedEnd(kind, edge.source, edge.how, edge.evidence)
