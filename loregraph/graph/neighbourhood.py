"""A symbol's callers, callees and bases as a diagram."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final

from loregraph.errors import UsageError
from loregraph.graph.columns import GraphColumns
from loregraph.graph.diagram import UNCERTAIN, Arrow, Box, Diagram, Group, label_of
from loregraph.graph.queries import resolve_group, within
from loregraph.terminal import counted

MOST_BOXES: Final = 40
MOST_ARROWS: Final = 120
"""What a page still shows legibly; Mermaid itself refuses more than 500 arrows."""
DEEPEST: Final = 5

_SYMBOLS: Final = ("Class", "Function")
_CODE: Final = ("File", *_SYMBOLS)
_FOLLOWED: Final = {"CALLS": "", "EXTENDS": "extends", "IMPLEMENTS": "implements", "OVERRIDES": "overrides"}
"""Relationship → what its arrows say."""
_OUTSIDE: Final = "outside the project"


# Implements REQ-WEB-013.
def neighbourhood(columns: GraphColumns, symbol: str, depth: int = 1) -> Diagram:
    """Code that reaches `symbol` (in any form that `resolve_group` accepts) in at most `depth` steps, or is reached by
    it: callers and callees, subclasses and bases, overrides. A class or a file includes what it contains.

    At most `MOST_BOXES` are shown, the nearest first, product code before tests, the surest before others. External
    symbols are shown as bases only. Raises as `resolve_group`, UsageError for a depth out of range.
    """
    if not 1 <= depth <= DEEPEST:
        raise UsageError(f"the depth must be 1 to {DEEPEST}, not {depth}")
    group = resolve_group(columns, symbol, _SYMBOLS if columns.find_symbol(symbol, _SYMBOLS) else _CODE)
    inside = list(dict.fromkeys(node for start in group for node in within(columns, start)))
    found = _reached(columns, inside, depth)
    ranked = sorted(found, key=lambda node: (found[node][0], _is_test(columns, node), -found[node][1], node))
    chosen = set([*inside, *ranked][:MOST_BOXES])
    arrows = _arrows(columns, chosen, set(inside))
    # A class without calls of its own is still the subject; members that touch nothing shown only fill the page.
    touched = {end for source, _, target, _ in arrows for end in (source, target)}
    shown = sorted(node for node in chosen if node in touched or node in group)
    remarks = [f"{label_of(columns.id(group[0]))}, {counted(depth, 'step')} around it"]
    missing = len(inside) + len(ranked) - len(chosen)
    if missing:
        remarks.append(f"{counted(missing, 'more symbol')} within {counted(depth, 'step')} left out")
    if len(arrows) > MOST_ARROWS:
        remarks.append(f"{counted(len(arrows) - MOST_ARROWS, 'more arrow')} left out")
    if outside := _external_calls(columns, shown):
        remarks.append(f"calls of {counted(outside, 'symbol')} outside the project are not shown")
    if any(sure < UNCERTAIN for _, _, _, sure in arrows[:MOST_ARROWS]):
        remarks.append(f"dashed: fewer than {UNCERTAIN:.0%} of the edges found in the same way are right")
    return _drawn(columns, shown, arrows[:MOST_ARROWS], set(group), tuple(remarks))


def _reached(columns: GraphColumns, start: Sequence[int], depth: int) -> dict[int, tuple[int, float]]:
    """Node → (distance, confidence of the surest edge by which it was reached first), without `start`."""
    found: dict[int, tuple[int, float]] = {}
    for edges_at, ends in ((columns.into, columns.source), (columns.out, columns.target)):
        seen, frontier = set(start), list(start)
        for distance in range(1, depth + 1):
            best: dict[int, float] = {}
            for node in frontier:
                for rel in _FOLLOWED:
                    edges = edges_at(node, rel)
                    pairs = zip(ends[edges].tolist(), columns.confidence[edges].tolist(), strict=True)
                    for end, confidence in pairs:
                        if end not in seen and (rel != "CALLS" or columns.label(end) != "External"):
                            best[end] = max(best.get(end, 0.0), confidence)
            for node, confidence in best.items():
                now = found.get(node, (distance + 1, 0.0))
                if (distance, -confidence) < (now[0], -now[1]):
                    found[node] = distance, confidence
            seen.update(best)
            frontier = list(best)
    return found


def _is_test(columns: GraphColumns, node: int) -> bool:
    return bool(columns.own(node, "is_test"))


def _arrows(
    columns: GraphColumns, nodes: Collection[int], inside: Collection[int]
) -> list[tuple[int, str, int, float]]:
    """(source, label, target, confidence) of the edges between `nodes`, those at the symbol in question first."""
    found = []
    for node in sorted(nodes):
        for rel, label in _FOLLOWED.items():
            for edge in columns.out(node, rel).tolist():
                target = int(columns.target[edge])
                if target in nodes:
                    places = int(columns.count[edge])
                    said = label or (f"{places}×" if places > 1 else "")
                    found.append((node, said, target, float(columns.confidence[edge])))
    found.sort(key=lambda arrow: (arrow[0] not in inside and arrow[2] not in inside, -arrow[3], *arrow[:3]))
    return found


def _external_calls(columns: GraphColumns, nodes: Collection[int]) -> int:
    called = {end for node in nodes for end in columns.target[columns.out(node, "CALLS")].tolist()}
    return sum(columns.label(node) == "External" for node in called)


def _drawn(
    columns: GraphColumns,
    nodes: Sequence[int],
    arrows: Sequence[tuple[int, str, int, float]],
    starts: Collection[int],
    remarks: tuple[str, ...],
) -> Diagram:
    def place(node: int) -> str:
        return _OUTSIDE if columns.label(node) == "External" else columns.path(node)

    groups = {path: f"g{number}" for number, path in enumerate(sorted({place(node) for node in nodes}))}
    keys = {node: f"n{number}" for number, node in enumerate(nodes)}
    return Diagram(
        tuple(Group(key, label_of(path)) for path, key in groups.items()),
        tuple(Box(keys[node], _label(columns, node), groups[place(node)], node in starts) for node in nodes),
        tuple(Arrow(keys[a], keys[b], label, uncertain=sure < UNCERTAIN) for a, label, b, sure in arrows),
        remarks,
    )


def _label(columns: GraphColumns, node: int) -> str:
    if columns.label(node) == "External":
        return label_of(columns.qualified_name(node))
    inner = columns.id(node).partition("::")[2]
    return label_of(inner or f"{columns.name(node)} (the file itself)")
