"""Calls of macros: a macro is not a node of the graph, so its callers get edges to what it expands to."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from loregraph.graph.model import Edge
from loregraph.indexer.facts import FileFacts
from loregraph.indexer.resolve.how import confidence

MAX_EXPANSION: Final = 5
"""Maximum nesting of macros."""


def macro_ids(files: Mapping[str, FileFacts]) -> frozenset[str]:
    """Ids of all macros."""
    return frozenset(
        f"{path}::{definition.qualname}"
        for path, facts in files.items()
        for definition in facts.definitions
        if definition.kind == "macro"
    )


def expanded(
    edges: Mapping[str, tuple[Edge, ...]], macros: frozenset[str], files: Mapping[str, FileFacts]
) -> dict[str, tuple[Edge, ...]]:
    """`edges` of each file, with calls of `macros` replaced by calls of what those call; sorted."""
    if not macros:
        return dict(edges)
    bodies: dict[str, list[str]] = {}
    for own in edges.values():
        for edge in own:
            if edge.source in macros and edge.rel == "CALLS":
                bodies.setdefault(edge.source, []).append(edge.target)
    reached = {macro: _reached(macro, bodies, macros) for macro in sorted(macros)}
    return {
        path: _led_on(own, macros, reached, confidence("macro", files[path].language)) for path, own in edges.items()
    }


def _reached(macro: str, bodies: Mapping[str, list[str]], macros: frozenset[str]) -> tuple[str, ...]:
    found: dict[str, None] = {}
    seen = {macro}
    level = [macro]
    for _ in range(MAX_EXPANSION):
        deeper: list[str] = []
        for name in level:
            for target in bodies.get(name, ()):
                if target not in macros:
                    found[target] = None
                elif target not in seen:
                    seen.add(target)
                    deeper.append(target)
        level = deeper
    return tuple(found)


def _led_on(
    own: tuple[Edge, ...], macros: frozenset[str], reached: Mapping[str, tuple[str, ...]], sure: float
) -> tuple[Edge, ...]:
    kept: dict[tuple[str, str, str], Edge] = {}
    through: dict[tuple[str, str, str], Edge] = {}
    for edge in own:
        if edge.source in macros:
            continue
        if edge.target not in macros:
            kept[edge.rel, edge.source, edge.target] = edge
        elif edge.rel == "CALLS":
            for target in reached[edge.target]:
                key = ("CALLS", edge.source, target)
                found = through.get(key)
                lines, count = edge.lines, edge.count
                if found is not None:
                    lines, count = tuple(sorted({*lines, *found.lines})), count + found.count
                line, more = (lines[0], lines[1:]) if lines else (0, ())
                through[key] = Edge("CALLS", edge.source, target, line, count, sure, "macro", more_lines=more)
    if not through and len(kept) == len(own):
        return own
    return tuple(edge for _, edge in sorted({**through, **kept}.items()))
