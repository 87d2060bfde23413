"""Copies as pages show them: families in order, filtered, folded and counted; two copies side by side."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final

from msgspec import Struct

from loregraph.analysis.duplicates.results import (
    CODE,
    FINDINGS,
    FRAGMENT,
    ROLES,
    SEMANTIC,
    Duplicates,
    Family,
    Pair,
    Side,
)
from loregraph.graph.columns import GraphColumns
from loregraph.pages.beside import Beside, Lines, Part, beside, part_of, shortened

MEMBERS: Final = 8
"""Members of a family listed at once; the others are counted."""
FAMILIES: Final = 40
"""Families on one page of the list."""
MOST_PARTS: Final = 5
"""Shared parts shown of two functions."""
MOST_LISTED: Final = 500
"""Families in a report."""
MOST_ROWS: Final = 3_000
"""Rows of source in a report, all families together: about 0.7 MB."""
LONGEST_IN_REPORT: Final = 60
"""Maximum lines of a copy in a report."""
SAME_IN_REPORT: Final = 12
"""Lines shown in a report of copies that are the same."""
ALL: Final = "all"


class Wanted(Struct, frozen=True):
    """Which families: with `path` in the path of a member, at least `least` percent alike, of a `role`, "" for those
    that fail a build and ALL for all, and of a `clone_type`, "" for any."""

    path: str = ""
    least: int = 0
    role: str = ""
    clone_type: str = ""

    def takes(self, family: Family) -> bool:
        return self.takes_but_role(family) and (
            self.role == ALL or (family.role == self.role if self.role else family.role in FINDINGS)
        )

    def takes_but_role(self, family: Family) -> bool:
        return (
            100 * family.similarity >= self.least
            and (not self.clone_type or family.clone_type == self.clone_type)
            and (not self.path or any(self.path.casefold() in side.file_path.casefold() for side in family.members))
        )


class RoleCount(Struct, frozen=True):
    """How many of the wanted families have a role; `is_finding`: these fail a build."""

    role: str
    text: str
    families: int
    is_finding: bool


class SourceShown(Struct, frozen=True):
    """Two copies side by side."""

    left: Side
    right: Side
    beside: Beside


class FamilyShown(Struct, frozen=True):
    """One family. `others` are the members listed beside the kept one, `more` counts those that are not. `shown` is
    the source of two of them, None where it is left out."""

    family: Family
    what: str
    kept: Side
    others: tuple[Side, ...]
    more: int
    shown: SourceShown | None = None

    @property
    def paths(self) -> str:
        return "\n".join(dict.fromkeys(side.file_path for side in self.family.members))


class CopiesShown(Struct, frozen=True):
    """Some of the families: those from `start` on, `total` of them wanted. `lines` could go by all wanted ones."""

    families: tuple[FamilyShown, ...]
    start: int
    total: int
    lines: int
    copies: int
    functions: int
    roles: tuple[RoleCount, ...]
    notices: tuple[str, ...]
    without_source: int = 0

    @property
    def next_start(self) -> int:
        """Where the next page begins, 0 after the last."""
        after = self.start + len(self.families)
        return after if after < self.total else 0


def copies_shown(found: Duplicates, wanted: Wanted, start: int = 0, most: int = FAMILIES) -> CopiesShown:
    """The families that are `wanted`, `most` of them from number `start` on."""
    families = [family for family in found.families if wanted.takes(family)]
    counted = Counter(family.role for family in found.families if wanted.takes_but_role(family))
    sure = [family for family in families if family.clone_type != SEMANTIC]
    return CopiesShown(
        tuple(_shown(family) for family in families[start : start + most]),
        start,
        len(families),
        sum(family.lines for family in sure),
        sum(len(family.members) for family in sure),
        found.functions,
        tuple(
            RoleCount(role, "in code" if role == CODE else text, counted[role], role in FINDINGS)
            for role, text in ROLES.items()
            if counted[role]
        ),
        found.notices,
    )


def _shown(family: Family, shown: SourceShown | None = None) -> FamilyShown:
    what = family.scope if family.role == CODE else f"{family.scope}, {ROLES[family.role]}"
    others = family.members[1 : 1 + MEMBERS]
    return FamilyShown(family, what, family.members[0], others, len(family.members) - 1 - len(others), shown)


# Implements REQ-DUP-001.
def report(found: Duplicates, columns: GraphColumns, lines: Lines) -> CopiesShown:
    """All roles, the findings first, each family with the source of the kept member and of the next; bounded by
    MOST_LISTED families and MOST_ROWS rows of source, and counted beyond."""
    shown = copies_shown(found, Wanted(role=ALL), most=0)
    ordered = [*found.findings, *(family for family in found.families if family.role not in FINDINGS)]
    left = MOST_ROWS
    families = []
    without = 0
    for family in ordered[:MOST_LISTED]:
        one, other = family.members[:2]
        size = max(min(side.lines, LONGEST_IN_REPORT) for side in (one, other))
        if size > left:
            without += 1
            families.append(_shown(family))
            continue
        made = beside(_part(columns, lines, one), _part(columns, lines, other), longest=LONGEST_IN_REPORT)
        made = shortened(made, SAME_IN_REPORT)
        left -= sum(len(stretch.rows) for stretch in made.stretches)
        families.append(_shown(family, SourceShown(one, other, made)))
    return CopiesShown(
        tuple(families),
        0,
        len(found.families),
        shown.lines,
        shown.copies,
        shown.functions,
        shown.roles,
        shown.notices,
        without,
    )


def _part(columns: GraphColumns, lines: Lines, side: Side) -> Part:
    return part_of(lines, side.file_path, language_of(columns, side.file_path), side.start_line, side.end_line)


def language_of(columns: GraphColumns, path: str) -> str:
    """The language of a file, "" for a path that is no file of the graph."""
    node = columns.find_id(path)
    return "" if node is None else columns.language(node)


class PairShown(Struct, frozen=True):
    """Two pieces of code: their shared parts, else both as wholes. `pair` has what is known of them as copies; `more`
    counts parts that are not shown."""

    left: Side
    right: Side
    parts: tuple[SourceShown, ...]
    pairs: tuple[Pair, ...]
    more: int

    @property
    def pair(self) -> Pair | None:
        return self.pairs[0] if self.pairs else None


def pair_shown(columns: GraphColumns, lines: Lines, one: int, other: int, pairs: Iterable[Pair]) -> PairShown:
    """The nodes `one` and `other` side by side; `pairs` are those of all copies."""
    left, right = side_of(columns, one), side_of(columns, other)
    known = [
        pair if pair.a.id == left.id else _turned(pair)
        for pair in pairs
        if {pair.a.id, pair.b.id} == {left.id, right.id}
    ]
    fragments = [pair for pair in known if pair.scope == FRAGMENT]
    sides: Sequence[tuple[Side, Side]] = [(left, right)]
    if fragments and len(fragments) == len(known):
        sides = [(pair.a, pair.b) for pair in fragments]
    parts = [
        SourceShown(a, b, beside(_part(columns, lines, a), _part(columns, lines, b))) for a, b in sides[:MOST_PARTS]
    ]
    return PairShown(left, right, tuple(parts), tuple(known), len(sides) - len(parts))


def _turned(pair: Pair) -> Pair:
    return Pair(pair.b, pair.a, pair.similarity, pair.clone_type, pair.scope, pair.tokens)


def side_of(columns: GraphColumns, node: int) -> Side:
    """A node with its lines; a file has all of its."""
    is_file = columns.label(node) == "File"
    start, end = (1, 0) if is_file else (int(columns.start_line[node]), int(columns.end_line[node]))
    return Side(columns.id(node), columns.path(node), start, end)
