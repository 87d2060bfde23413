"""Requirements that others refine: what holds of all its parts holds of the whole.

A requirement of a high level rarely has code of its own: others refine it, and those are implemented and tested. What
does not count (planned, withdrawn) is no part that anything waits for.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from loregraph.graph.columns import GraphColumns

Parts = Mapping[str, tuple[str, ...]]
"""Requirement → those that refine it, by their ids, in order."""


def parts_of(columns: GraphColumns) -> Parts:
    """The requirements that name another one as their parent, by that."""
    found: dict[str, list[str]] = {}
    for node in columns.nodes("Requirement").tolist():
        for parent in columns.own(node, "parents") or ():
            if parent != columns.id(node):
                found.setdefault(parent, []).append(columns.id(node))
    return {parent: tuple(children) for parent, children in sorted(found.items())}


def upward(
    true_of: Iterable[str], parts: Parts, counted: Collection[str], *, own: Collection[str] = (), by_one: bool = False
) -> set[str]:
    """The requirements of which something is true: of themselves (`true_of`), or of all their parts that count, of
    which there is one at least; with `by_one`, of one of these.

    What is in `own` is judged by itself alone. Ends where requirements refine each other in a circle.
    """
    wholes: dict[str, list[str]] = {}
    for whole, refining in parts.items():
        for part in refining:
            wholes.setdefault(part, []).append(whole)
    found = set(true_of)
    waiting = sorted(found)
    for one in waiting:
        for whole in wholes.get(one, ()) if one in counted else ():
            if whole in found or whole in own:
                continue
            if by_one or all(part in found for part in parts[whole] if part in counted):
                found.add(whole)
                waiting.append(whole)
    return found
