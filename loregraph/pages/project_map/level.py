"""What stands in one box: the boxes and arrows that are shown of it, and how much is not."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from loregraph.graph.columns import GraphColumns
from loregraph.pages.layout.acyclic import backward, cycles
from loregraph.pages.project_map.boxes import CLASS, FUNCTION, Boxes
from loregraph.pages.project_map.dependencies import Dependencies, Pair

MOST_BOXES: Final = 28
"""Maximum boxes drawn in one box; those with the most code and dependencies."""
FEW_ARROWS: Final = 12
MOST_ARROWS: Final = 44
"""Arrows drawn in one box: two for each box, within these."""
SURE: Final = 0.8
"""Least confidence of a dependency between the symbols of a file."""
_FEW_PLAIN: Final = 3
"""Maximum files without code or dependencies (licences, settings) that are drawn beside code."""


@dataclass(frozen=True)
class Level:
    """The members of one box, which are boxes, or the symbols of a file by their node in the graph.

    `members` are drawn, in order of path or line; `folded` are not. `pairs` are all dependencies between members, drawn
    or not, by index in `members` + `folded`, `product` those that can make a cycle; `drawn` are those with
    an arrow. `turned` are drawn upwards. `groups` are the cycles that the product makes, and `against` the edges among
    `turned` that close them. A file has neither, since functions that call one another are nothing to mend.
    """

    members: tuple[int, ...]
    folded: tuple[int, ...]
    pairs: Mapping[Pair, int]
    product: frozenset[Pair]
    drawn: tuple[Pair, ...]
    turned: frozenset[Pair]
    against: frozenset[Pair]
    groups: tuple[tuple[int, ...], ...]

    @property
    def undrawn(self) -> int:
        """The number of dependencies between drawn boxes that have no arrow."""
        shown = len(self.members)
        return sum(1 for a, b in self.pairs if a < shown and b < shown) - len(self.drawn)


def level_of(
    boxes: Boxes, dependencies: Dependencies, box: int, opened: Collection[int], broken: Collection[Pair]
) -> Level:
    """The level of a folder or component. Boxes in `opened` are never folded, arrows of pairs in `broken` are drawn."""
    children = boxes.children[box]
    pairs, product = dependencies.levels.get(box, {}), dependencies.product.get(box, ())
    degree: dict[int, int] = {}
    for (source, target), count in pairs.items():
        degree[source] = degree.get(source, 0) + count
        degree[target] = degree.get(target, 0) + count
    plain = {one for one in children if not boxes.symbols[one] and one not in degree and one not in opened}
    if len(plain) <= _FEW_PLAIN or len(plain) == len(children):
        plain = set()
    weight = {one: int(boxes.symbols[one]) + 3 * degree.get(one, 0) for one in children}
    kept_for = {*opened, *(one for pair in broken for one in pair), *_ends_of_cycles(children, pairs, product)}
    ranked = sorted(
        (one for one in children if one not in plain),
        key=lambda one: (one not in opened, one not in kept_for, -weight[one], -int(boxes.lines[one]), one),
    )
    # One alone behind a box that says "1 more" would take the same room.
    most = MOST_BOXES if len(ranked) - MOST_BOXES + len(plain) > 1 else len(ranked)
    kept = set(ranked[:most]) | {one for one in ranked if one in opened}
    shown = tuple(one for one in children if one in kept)
    folded = tuple(one for one in children if one not in kept)
    return _level(shown, folded, pairs, product, broken)


def _ends_of_cycles(members: Sequence[int], pairs: Mapping[Pair, int], product: Collection[Pair]) -> set[int]:
    """The ends of the heaviest edges that close a cycle: it is shown with what makes it."""
    found = _level(tuple(members), (), pairs, product, ())
    closing = sorted(found.against, key=lambda pair: (-found.pairs[pair], pair))
    return {members[end] for pair in closing[: MOST_BOXES // 4] for end in pair}


def symbols_of(columns: GraphColumns, file: int) -> Level:
    """The level of a file: its functions and types, without those in others, and what they name of each other."""
    top = sorted(
        (n for n in columns.target[columns.out(file, "CONTAINS")].tolist() if columns.labels[n] in (FUNCTION, CLASS)),
        key=lambda n: int(columns.start_line[n]),
    )
    owner: dict[int, int] = {}
    size: dict[int, int] = {}
    for node in top:
        waiting = [node]
        while waiting:
            one = waiting.pop()
            owner[one] = node
            size[node] = size.get(node, 0) + 1
            waiting.extend(
                inner for inner in columns.target[columns.out(one, "CONTAINS")].tolist() if inner not in owner
            )
    pairs: dict[Pair, int] = {}
    for node, source in owner.items():
        for rel in ("CALLS", "EXTENDS", "IMPLEMENTS", "REFERENCES"):
            edges = columns.out(node, rel)
            for edge in edges[columns.confidence[edges] >= SURE].tolist():
                target = owner.get(int(columns.target[edge]))
                if target is not None and target != source:
                    pairs[source, target] = pairs.get((source, target), 0) + int(columns.count[edge])
    degree: dict[int, int] = {}
    for (source, target), count in pairs.items():
        degree[source] = degree.get(source, 0) + count
        degree[target] = degree.get(target, 0) + count
    ranked = sorted(top, key=lambda node: (-size[node] - 3 * degree.get(node, 0), node))
    most = MOST_BOXES if len(ranked) > MOST_BOXES + 1 else len(ranked)
    kept = set(ranked[:most])
    shown, folded = (tuple(node for node in top if (node in kept) == wanted) for wanted in (True, False))
    return _level(shown, folded, pairs, (), ())


def _level(
    shown: tuple[int, ...],
    folded: tuple[int, ...],
    pairs: Mapping[Pair, int],
    product: Collection[Pair],
    broken: Collection[Pair],
) -> Level:
    index = {one: number for number, one in enumerate((*shown, *folded))}
    numbered = {(index[a], index[b]): count for (a, b), count in pairs.items()}
    own = {(index[a], index[b]): count for (a, b), count in pairs.items() if (a, b) in product}
    turned = backward(len(index), numbered)
    groups = tuple(cycles(len(index), own))
    against = _closing(groups, turned & own.keys())
    drawn = _chosen(len(shown), numbered, turned, against, {(index[a], index[b]) for a, b in broken})
    return Level(shown, folded, numbered, frozenset(own), drawn, turned, against, groups)


def _closing(groups: Iterable[Sequence[int]], pairs: Iterable[Pair]) -> frozenset[Pair]:
    """Those of `pairs` within one of the groups."""
    of = {member: number for number, group in enumerate(groups) for member in group}
    return frozenset((a, b) for a, b in pairs if a in of and of[a] == of.get(b))


def _chosen(
    shown: int,
    pairs: Mapping[Pair, int],
    turned: Collection[Pair],
    against: Collection[Pair],
    broken: Collection[Pair],
) -> tuple[Pair, ...]:
    """The arrows to draw: of broken contracts, then some that close cycles, then the strongest of each box, then
    the strongest."""
    own = sorted((pair for pair in pairs if max(pair) < shown), key=lambda pair: (-pairs[pair], pair))
    most = min(max(FEW_ARROWS, 2 * shown), MOST_ARROWS)
    chosen: dict[Pair, None] = dict.fromkeys(pair for pair in own if pair in broken)
    chosen.update(dict.fromkeys([pair for pair in own if pair in against][: most // 3]))
    for side in (0, 1):
        served: set[int] = set()
        for pair in own:
            if pair[side] not in served and pair not in turned:
                served.add(pair[side])
                chosen[pair] = None
    chosen.update(dict.fromkeys(own))
    return tuple(sorted(list(chosen)[:most]))
