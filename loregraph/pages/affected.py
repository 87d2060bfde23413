"""Who is affected by a change, as rings around it: what changed, who uses that, who uses these.

The rings are drawn as columns from left to right, so that names can be read; a line joins each box to the one that it
was reached from. A ring holds as many boxes as fit on a page and counts the others: a table has them all.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from typing import Final

from msgspec import Struct

from loregraph.graph.columns import GraphColumns
from loregraph.graph.queries import CallHit

RINGS: Final = 3
"""Steps away from the change that are drawn and listed."""
MOST_BOXES: Final = 14
"""Boxes in a ring."""
WIDTH, GAP, HEIGHT, ROW, HEAD = 232, 64, 36, 44, 52
INSET: Final = 6
_CHARACTERS: Final = 28
_USES: Final = ("CALLS", "REFERENCES", "EXTENDS", "IMPLEMENTS", "OVERRIDES", "TESTS", "IMPORTS")


class Start(Struct, frozen=True):
    """Something that changed: its id, how, and whether its users may have to change. `old_id` is what they know it by,
    where that is another."""

    id: str
    change: str
    breaks: bool = False
    old_id: str = ""


class Box(Struct, frozen=True):
    """One box at `x`, `y`, in pixels. `kind` is a class of the style: the change, "affected", "broken" (a user of what
    is not what it was) or "more"."""

    id: str
    name: str
    path: str
    kind: str
    x: int
    y: int
    sign: str = ""


class Ring(Struct, frozen=True):
    """The head of a column: `total` are all that are in the ring, `tests` those of them that are tests."""

    title: str
    x: int
    total: int
    tests: int


class Line(Struct, frozen=True):
    """A curve from a box to the one it was reached from, as the `d` of an SVG path."""

    path: str
    is_sure: bool


class Picture(Struct, frozen=True):
    """The picture in pixels."""

    width: int
    height: int
    rings: tuple[Ring, ...]
    boxes: tuple[Box, ...]
    lines: tuple[Line, ...]


SIGNS: Final[Mapping[str, str]] = {
    "added": "+", "removed": "−", "signature": "±", "body": "~", "moved": "→", "renamed": "→"
}  # fmt: skip
"""Changes → the sign that tells them without their colour."""
_TITLES: Final = ("what changed", "uses it", "two steps away", "three steps away")


# Implements REQ-WEB-007.
def picture(
    columns: GraphColumns,
    starts: Sequence[Start],
    hits: Sequence[CallHit],
    tests: frozenset[str],
    users: Sequence[tuple[str, str]] = (),
) -> Picture | None:
    """The rings of `hits`, which were reached from `starts`; None where nothing changed. `tests` are the ids among the
    hits that are counted and not drawn; `users` are (user, used) of what is not what it was."""
    if not starts:
        return None
    now = {one.old_id: one.id for one in starts if one.old_id}
    users = [(user, now.get(used, used)) for user, used in users]
    broken = {user for user, _ in users}
    parents = _parents(columns, starts, hits, users)
    rings: list[list[str]] = [[one.id for one in starts]]
    for distance in range(1, RINGS + 1):
        rings.append([hit.id for hit in hits if hit.distance == distance and hit.id not in tests])
    known = {id for ring in rings for id in ring}
    rings[1] = [*(user for user in dict.fromkeys(user for user, _ in users) if user not in known), *rings[1]]
    drawn = _chosen(rings, parents, broken)
    counted = [len(ring) + sum(hit.distance == n and hit.id in tests for hit in hits) for n, ring in enumerate(rings)]
    while len(rings) > 1 and not counted[-1]:
        rings.pop()
        counted.pop()
    sure = {hit.id: hit.confidence >= 0.8 for hit in hits}
    how = {one.id: one for one in starts}
    boxes: list[Box] = []
    at: dict[str, Box] = {}
    tallest = max(len(column) + (len(column) < len(ring)) for column, ring in zip(drawn, rings, strict=False))
    for number, ring in enumerate(rings):
        column = drawn[number]
        x = number * (WIDTH + GAP)
        for row, id in enumerate(column):
            start = how.get(id) if number == 0 else None
            kind, sign = "broken" if id in broken else "affected", "!" if id in broken else ""
            if start is not None:
                kind, sign = "breaks" if start.breaks else start.change, SIGNS.get(start.change, "")
            path, _, name = id.partition("::")
            box = Box(id, _end(name or path, 2 * bool(sign)), _end(path), kind, x, HEAD + row * ROW, sign)
            boxes.append(box)
            at[id] = box
        if len(column) < len(ring):
            left = len(ring) - len(column)
            boxes.append(Box("", f"and {left:,} more", "", "more", x, HEAD + len(column) * ROW))
    lines = [
        Line(_curve(at[parent], at[id]), sure.get(id, True))
        for column in drawn[1 : len(rings)]
        for id in column
        for parent in parents.get(id, ())
        if parent in at and at[parent].x < at[id].x
    ]
    heads = tuple(
        Ring(_TITLES[number], number * (WIDTH + GAP), counted[number], counted[number] - len(ring))
        for number, ring in enumerate(rings)
    )
    return Picture(len(rings) * WIDTH + (len(rings) - 1) * GAP, HEAD + tallest * ROW, heads, tuple(boxes), tuple(lines))


def _parents(
    columns: GraphColumns, starts: Sequence[Start], hits: Sequence[CallHit], users: Sequence[tuple[str, str]]
) -> dict[str, tuple[str, ...]]:
    """Id → the ids one step nearer to the change that it uses, in order."""
    distance = {hit.id: hit.distance for hit in hits} | {one.id: 0 for one in starts}
    found: dict[str, dict[str, None]] = {}
    for hit in hits:
        node = columns.find_id(hit.id)
        if node is None:
            continue
        edges = [edge for rel in _USES for edge in columns.out(node, rel).tolist()]
        for end in columns.target[edges].tolist() if edges else ():
            # A call of a class's member affects through the member, and what changed may be the class.
            for one in _with_owners(columns, end):
                if distance.get(one, -1) == hit.distance - 1:
                    found.setdefault(hit.id, {})[one] = None
                    break
    for user, used in users:
        if used in distance:
            found.setdefault(user, {})[used] = None
    return {id: tuple(sorted(ends)) for id, ends in found.items()}


def _with_owners(columns: GraphColumns, node: int) -> list[str]:
    ids = [columns.id(node)]
    while len(edges := columns.into(node, "CONTAINS")) and columns.label(node) != "File":
        node = int(columns.source[edges[0]])
        ids.append(columns.id(node))
    return ids


def _chosen(
    rings: Sequence[Sequence[str]], parents: Mapping[str, tuple[str, ...]], broken: Collection[str]
) -> list[list[str]]:
    """The boxes of each ring, from top to bottom: of what changed what most is reached from; of the others the broken
    ones and those joined to a drawn box, of each such box as many as of the next. Each is near the middle of what it is
    joined to (Sugiyama, Tagawa and Toda 1981)."""
    reached: Counter[str] = Counter(end for ends in parents.values() for end in ends)
    rank = {id: number for number, id in enumerate(rings[0])}
    first = sorted(rings[0], key=lambda id: (-reached[id], rank[id]))[:MOST_BOXES]
    drawn = [sorted(first, key=rank.__getitem__)]
    for ring in rings[1:]:
        place = {id: number for number, id in enumerate(drawn[-1])}
        joined = {id: [place[end] for end in parents.get(id, ()) if end in place] for id in ring}
        turns: Counter[int] = Counter()
        turn = {}
        for id in sorted(ring, key=lambda id: (id not in broken, -reached[id], id)):
            row = min(joined[id], default=-1)
            turn[id] = turns[row]
            turns[row] += 1
        kept = sorted(ring, key=lambda id: (not joined[id], turn[id], id))[:MOST_BOXES]
        drawn.append(sorted(kept, key=lambda id: (sum(joined[id]) / len(joined[id]) if joined[id] else len(place), id)))
    return drawn


def _curve(start: Box, end: Box) -> str:
    x1, y1, x2, y2 = start.x + WIDTH - INSET, start.y + HEIGHT // 2, end.x + INSET, end.y + HEIGHT // 2
    bend = max(GAP // 2, (x2 - x1) // 2)
    return f"M{x1} {y1}C{x1 + bend} {y1} {x2 - bend} {y2} {x2} {y2}"


def _end(text: str, taken: int = 0) -> str:
    """What fits in a box, of which `taken` characters are: the end of a long name says more than its beginning."""
    most = _CHARACTERS - taken
    return text if len(text) <= most else "…" + text[1 - most :]
