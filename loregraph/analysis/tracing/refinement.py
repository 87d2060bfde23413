"""Refinement of requirements: what is true of all parts is true of the whole.

A high-level requirement rarely has code of its own: others refine it, and those are implemented and tested. Excluded
parts (planned, withdrawn) are ignored.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from loregraph.graph.columns import GraphColumns

Parts = Mapping[str, tuple[str, ...]]
"""Requirement → those that refine it, by their ids, in order."""


def parts_of(columns: GraphColumns) -> Parts:
    """Parent's id → the requirements that name it as their parent."""
    found: dict[str, list[str]] = {}
    for node in columns.nodes("Requirement").tolist():
        for parent in columns.own(node, "parents") or ():
            if parent != columns.id(node):
                found.setdefault(parent, []).append(columns.id(node))
    return {parent: tuple(children) for parent, children in sorted(found.items())}


def upward(
    true_of: Iterable[str], parts: Parts, counted: Collection[str], *, own: Collection[str] = (), by_one: bool = False
) -> set[str]:
    """The requirements for which something holds: directly (`true_of`), or for all their counted parts, of which there
    is at least one; with `by_one`, for at least one of these.

    Requirements in `own` are judged by themselves alone. Terminates for cyclic refinements.
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
