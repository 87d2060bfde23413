"""What a change cannot have affected: language families are independent of one another.

Resolution handles each family (C with C++, JavaScript with TypeScript, Java with Kotlin and Scala, every other language
alone) on its own. So the edges of a family without changed files are copied from the current generation. In case of
doubt a family is resolved again.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Final

from msgspec import Struct

from loregraph.graph.model import Edge, External
from loregraph.indexer.discover.packaging_files import is_packaging
from loregraph.indexer.facts import FileFacts
from loregraph.indexer.languages import registry
from loregraph.indexer.resolve.policies import family_of

if TYPE_CHECKING:
    from loregraph.graph.columns import GraphColumns

RESOLVED: Final = frozenset({"CALLS", "IMPORTS", "EXTENDS", "IMPLEMENTS", "OVERRIDES", "REFERENCES", "TESTS"})
"""Relations that resolution writes."""
_CODE: Final = frozenset({"Function", "Class", "File", "Component", "External"})


class Kept(Struct, frozen=True):
    """Families with unchanged edges, with these edges and the external symbols at their ends."""

    families: frozenset[str]
    edges: tuple[Edge, ...]
    externals: tuple[External, ...]


def changed_families(changed: Mapping[str, Iterable[str]]) -> frozenset[str] | None:
    """The families of changed files; None where the change may affect any file. `changed` maps each path to its
    languages before and now."""
    if any(is_packaging(path) for path in changed):
        return None
    # Of files without code only the name matters to resolution, and no file was added or removed.
    return frozenset(family_of(name) for both in changed.values() for name in both if name in registry.SUPPORTED)


# Implements REQ-RES-013.
def keep(columns: GraphColumns, facts: Mapping[str, FileFacts], touched: frozenset[str]) -> Kept | None:
    """What stays of the graph in `columns` when only families in `touched` have changed files; None for nothing.

    `facts` are those of all files, the same files that `columns` was made from.
    """
    paths = sorted(path for path, own in facts.items() if family_of(own.language) not in touched)
    if not paths:
        return None
    edges: list[Edge] = []
    outside: dict[int, External] = {}
    for path in paths:
        for identity in (path, *(f"{path}::{d.qualname}" for d in facts[path].definitions)):
            number = columns.find_id(identity)
            if number is None:
                continue
            for edge in columns.out(number).tolist():
                if columns.rel(edge) not in RESOLVED:
                    continue
                target = int(columns.target[edge])
                label = columns.label(target)
                if label not in _CODE:
                    continue
                edges.append(columns.edge(edge))
                if label == "External" and target not in outside:
                    node = columns.node(target)
                    assert isinstance(node, External)
                    outside[target] = node
        edges += _apart(columns, facts[path])
    if any(_is_shared(columns, number, facts, touched) for number in outside):
        return None
    families = frozenset(family_of(facts[path].language) for path in paths)
    return Kept(families, tuple(edges), tuple(outside.values()))


def _apart(columns: GraphColumns, facts: FileFacts) -> list[Edge]:
    """CONTAINS edges to methods outside their type, whose parent is known from resolution."""
    found: list[Edge] = []
    for definition in facts.definitions:
        if definition.owner is not None:
            number = columns.find_id(f"{facts.path}::{definition.qualname}")
            if number is not None:
                found += map(columns.edge, columns.into(number, "CONTAINS").tolist())
    return found


def _is_shared(columns: GraphColumns, number: int, facts: Mapping[str, FileFacts], touched: frozenset[str]) -> bool:
    """Whether a changed family reaches the same external symbol, so that it is unknown which of them named it."""
    for edge in columns.into(number).tolist():
        source = facts.get(columns.path(int(columns.source[edge])))
        if source is not None and family_of(source.language) in touched:
            return True
    return False
