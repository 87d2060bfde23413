"""Who is affected by a change, as rings around it: what changed, who uses that, who uses these.

The rings are drawn as columns from left to right, so that names can be read; a line joins each box to the one that it
was reached from. A ring holds as many boxes as fit on a page and counts the others: a table has them all.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Final

from msgspec import Struct

from loregraph.graph.columns import GraphColumns
from loregraph.graph.queries import CallHit

RINGS: Final = 3
"""Steps away from the change that are drawn and listed."""
SURE: Final = 0.8
"""Confidence from which on a line is drawn as sure."""
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
    broken = dict.fromkeys(user for user, _ in users)
    parents = _parents(columns, starts, hits, users)
    counted = [len(starts), *(sum(hit.distance == step for hit in hits) for step in range(1, RINGS + 1))]
    rings = [[one.id for one in starts], *([] for _ in range(RINGS))]
    for hit in hits:
        if 0 < hit.distance <= RINGS and hit.id not in tests:
            rings[hit.distance].append(hit.id)
    missing = [user for user in broken if not any(user in ring for ring in rings)]
    rings[1][:0] = missing
    counted[1] += len(missing)
    while len(rings) > 1 and not counted[len(rings) - 1]:
        rings.pop()
    drawn = _chosen(rings, parents, broken)
    boxes = [*_start_boxes(starts, drawn[0])]
    boxes += [_user_box(id, id in broken, number, row) for number, row, id in _placed(drawn[1:])]
    at = {box.id: box for box in boxes}
    unsure = {hit.id for hit in hits if hit.confidence < SURE}
    lines = [
        Line(_curve(at[parent], box), box.id not in unsure)
        for box in boxes
        for parent in parents.get(box.id, ())
        if parent in at and at[parent].x < box.x
    ]
    for number, (ring, column) in enumerate(zip(rings, drawn, strict=True)):
        if len(column) < len(ring):
            more = f"and {len(ring) - len(column):,} more"
            boxes.append(Box("", more, "", "more", _x(number), HEAD + len(column) * ROW))
    heads = [
        Ring(title, _x(number), total, total - len(ring))
        for number, (title, total, ring) in enumerate(zip(_TITLES, counted, rings, strict=False))
    ]
    height = max(box.y for box in boxes) + ROW
    return Picture(_x(len(rings)) - GAP, height, tuple(heads), tuple(boxes), tuple(lines))


def _x(ring: int) -> int:
    return ring * (WIDTH + GAP)


def _placed(drawn: Sequence[Sequence[str]]) -> Iterator[tuple[int, int, str]]:
    """(ring, row, id) of the users of what changed."""
    for number, column in enumerate(drawn, start=1):
        for row, id in enumerate(column):
            yield number, row, id


def _start_boxes(starts: Sequence[Start], column: Sequence[str]) -> Iterator[Box]:
    by_id = {one.id: one for one in starts}
    for row, id in enumerate(column):
        start = by_id[id]
        yield _box(id, "breaks" if start.breaks else start.change, 0, row, SIGNS.get(start.change, ""))


def _user_box(id: str, is_broken: bool, ring: int, row: int) -> Box:
    return _box(id, "broken", ring, row, "!") if is_broken else _box(id, "affected", ring, row)


def _box(id: str, kind: str, ring: int, row: int, sign: str = "") -> Box:
    path, _, name = id.partition("::")
    return Box(id, _end(name or path, 2 * bool(sign)), _end(path), kind, _x(ring), HEAD + row * ROW, sign)


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
