"""Edges between repositories by package dependency: what one has from a package that another one provides.

A name outside of a repository is joined with a symbol of another one only where the packaging files around the code
that uses it declare the package, so that a usual name does not match by accident. Of several repositories that provide
one package none is chosen.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import msgspec

from loregraph.graph.columns import GraphColumns
from loregraph.graph.joined_columns import prefix_of
from loregraph.graph.model import RELATIONSHIPS, Edge
from loregraph.workspaces.provided import Entry, Provided

DEPENDENCY: Final = "dependency"
"""`how` of an edge between repositories that a package joins."""
CONFIDENCE: Final = 0.96
"""The share of such edges that are right: of 222 read by hand in 17 pairs of public repositories (PyPI, npm, Go, Cargo,
Maven) 220 end at the right symbol, and 215 at the right one of its overloads (docs/workspaces.md)."""
_JOINED: Final = ("CALLS", "EXTENDS", "IMPLEMENTS")
_BOUNDARIES: Final = (".", "/")


class Dependencies:
    """The edges that packages join; `edges` has them by relationship and ends, `replaced` the edges of each repository
    that they stand for."""

    def __init__(self, members: Mapping[str, GraphColumns]) -> None:
        self.edges: dict[tuple[str, str, str], Edge] = {}
        self.replaced: dict[str, set[int]] = {}
        provided = {name: Provided(columns) for name, columns in members.items()}
        for name, columns in members.items():
            others = {other: one for other, one in provided.items() if other != name and one.components}
            if others:
                _Consumer(name, columns, others, self).join()


class _Consumer:
    """One repository, of which the names outside are joined with what `others` provide."""

    def __init__(self, name: str, columns: GraphColumns, others: Mapping[str, Provided], found: Dependencies) -> None:
        self.name = name
        self.columns = columns
        self.found = found
        self.own = frozenset(
            package for node in columns.nodes("Component").tolist() for package in columns.own(node, "provides") or ()
        )
        self.entries: dict[str, list[tuple[str, Entry]]] = {}
        """Imported name → the repositories that provide it."""
        self.others = others
        for other, provided in others.items():
            for entry_name, entries in provided.entries.items():
                self.entries.setdefault(entry_name, []).extend((other, entry) for entry in entries)
        self._by_folder: dict[str, frozenset[str]] = {}

    def join(self) -> None:
        columns = self.columns
        for node in columns.nodes("External").tolist():
            if not columns.own(node, "package"):
                continue
            whole = columns.qualified_name(node)
            candidates = self._entries_of(whole)
            if not candidates:
                continue
            for edge in columns.into(node).tolist():
                rel = columns.rel(edge)
                if rel in _JOINED:
                    self._join_use(edge, whole, candidates)
                elif rel == "IMPORTS":
                    self._join_import(edge, candidates)
                elif rel == "DEPENDS_ON":
                    self._join_component(edge, candidates)

        self._join_declared()

    def _join_declared(self) -> None:
        """A component depends on one that provides what its packaging files declare, even where no use is known."""
        columns = self.columns
        for node in columns.nodes("Component").tolist():
            for package in columns.own(node, "requires") or ():
                found = [(other, one) for other, own in self.others.items() for one in own.components.get(package, ())]
                if len(found) != 1 or package in self.own:
                    continue
                other, component = found[0]
                target = prefix_of(other) + self.others[other].columns.id(component)
                source = prefix_of(self.name) + columns.id(node)
                self.found.edges.setdefault(("DEPENDS_ON", source, target), Edge("DEPENDS_ON", source, target, count=0))

    def _entries_of(self, whole: str) -> list[tuple[str, Entry]]:
        """What the longest provided name that `whole` begins with means."""
        name = whole
        while name:
            if name in self.entries and (name == whole or whole[len(name)] in _BOUNDARIES):
                return [(other, entry) for other, entry in self.entries[name] if entry.package not in self.own]
            name = name[: max(name.rfind(boundary) for boundary in _BOUNDARIES)] if _has_boundary(name) else ""
        return []

    def _chosen(self, edge: int, candidates: list[tuple[str, Entry]]) -> tuple[str, Entry] | None:
        """The one of `candidates` that the code at the source of an edge depends on."""
        requires = self._requires(int(self.columns.source[edge]))
        found = [(other, entry) for other, entry in candidates if entry.package in requires]
        return found[0] if len(found) == 1 else None

    def _requires(self, node: int) -> frozenset[str]:
        """The packages that the packaging files of the components around a node declare."""
        columns = self.columns
        path = columns.path(node)
        folder = path if columns.label(node) == "Component" else path.rpartition("/")[0]
        return self._required_in("" if folder == "." else folder)

    def _required_in(self, folder: str) -> frozenset[str]:
        found = self._by_folder.get(folder)
        if found is None:
            component = self.columns.find_id(f"component:{folder or '.'}")
            own = frozenset() if component is None else frozenset(self.columns.own(component, "requires") or ())
            found = own | self._required_in(folder.rpartition("/")[0]) if folder else own
            self._by_folder[folder] = found
        return found

    def _join_use(self, edge: int, whole: str, candidates: list[tuple[str, Entry]]) -> None:
        chosen = self._chosen(edge, candidates)
        if chosen is None:
            return
        other, entry = chosen
        provided = self.others[other]
        used = self.columns.edge(edge)
        label = self.columns.label(int(self.columns.source[edge]))
        rest = whole[len(entry.name) + 1 :]
        meant = (
            [provided.symbol(*below) for below in provided.below(entry, rest)] if rest else [provided.what_it_is(entry)]
        )
        pairs = RELATIONSHIPS[used.rel]
        target = next((one for one in meant if one is not None and (label, provided.columns.label(one)) in pairs), None)
        if target is None:
            return
        constructor = provided.constructor(target) if used.rel == "CALLS" else None
        for node in (target,) if constructor is None else (target, constructor):
            self._add(used, prefix_of(other) + provided.columns.id(node), how=DEPENDENCY, confidence=CONFIDENCE)
        self.found.replaced.setdefault(self.name, set()).add(edge)

    def _join_import(self, edge: int, candidates: list[tuple[str, Entry]]) -> None:
        """An import of a package is one of the files that have the imported names."""
        chosen = self._chosen(edge, candidates)
        if chosen is None:
            return
        other, entry = chosen
        provided = self.others[other]
        target = provided.symbol(entry, "")
        node = entry.component if target is None else target
        used = self.columns.edge(edge)
        self._add(used, prefix_of(other) + provided.columns.id(node))
        self.found.replaced.setdefault(self.name, set()).add(edge)

    def _join_component(self, edge: int, candidates: list[tuple[str, Entry]]) -> None:
        chosen = self._chosen(edge, candidates)
        if chosen is not None:
            other, entry = chosen
            self._add(self.columns.edge(edge), prefix_of(other) + self.others[other].columns.id(entry.component))
            self.found.replaced.setdefault(self.name, set()).add(edge)

    def _add(self, used: Edge, target: str, **changes: Any) -> None:
        edge = msgspec.structs.replace(used, source=prefix_of(self.name) + used.source, target=target, **changes)
        key = edge.rel, edge.source, edge.target
        before = self.found.edges.get(key)
        self.found.edges[key] = edge if before is None else _together(before, edge)


def _together(one: Edge, other: Edge) -> Edge:
    """Two edges with the same ends as one: all their places, and the surer of both."""
    lines = sorted({*one.lines, *other.lines})
    return msgspec.structs.replace(
        one,
        line=lines[0] if lines else 0,
        more_lines=tuple(lines[1:]) if one.rel == "CALLS" else (),
        count=one.count + other.count,
        confidence=max(one.confidence, other.confidence),
        names=tuple(dict.fromkeys((*one.names, *other.names))),
    )


def _has_boundary(name: str) -> bool:
    return any(boundary in name for boundary in _BOUNDARIES)
