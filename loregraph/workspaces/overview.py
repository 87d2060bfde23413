"""What a workspace consists of: its repositories, and the edges between them by the way in which they were found."""

from __future__ import annotations

from collections import Counter
from contextlib import suppress

import numpy as np
from msgspec import Struct

from loregraph.errors import LoregraphError
from loregraph.graph.columns import GraphColumns
from loregraph.graph.generation import bytes_of
from loregraph.graph.joined_columns import prefix_of
from loregraph.publishing.address import redacted
from loregraph.status import Stale
from loregraph.workspaces.project import WorkspaceProject


class Repository(Struct, frozen=True, kw_only=True):
    """One repository; `problem` says why it is left out of answers, "" where it is not. `stale` is empty for one whose
    files are not here."""

    name: str
    path: str
    url: str
    indexed: bool
    problem: str = ""
    generation: int = 0
    nodes: int = 0
    edges: int = 0
    stale: Stale = Stale()


class Connection(Struct, frozen=True):
    """Edges of one relationship from one repository to another, found in one way; `count` is that of places."""

    source: str
    target: str
    relationship: str
    how: str
    edges: int
    count: int


class Overview(Struct, frozen=True):
    """The answer of `loregraph workspace`; `bytes` is the disk space of the joined graph."""

    file: str
    repositories: tuple[Repository, ...]
    between: tuple[Connection, ...] = ()
    bytes: int = 0


# Implements REQ-WSP-008.
def overview(project: WorkspaceProject) -> Overview:
    """What the workspace consists of now."""
    current = project.store.current()
    members = project.members
    states = members.states()
    columns = project.reader().columns if current is not None else None
    ranges = {} if columns is None else {name: columns.ids_with(prefix_of(name)) for name in members.listed}
    rows = []
    for name, member in members.listed.items():
        nodes = edges = 0
        if columns is not None:
            first, last = ranges[name]
            nodes = last - first
            edges = int(columns.out_offsets[last] - columns.out_offsets[first])
        stale = Stale()
        with suppress(LoregraphError):
            own = members.project(name)
            stale = own.stale() if own is not None and name in states else stale
        rows.append(
            Repository(
                name=name,
                path="" if member.root is None else str(member.root),
                url=redacted(member.url),
                indexed=name in states,
                problem=members.problems.get(name, ""),
                generation=states[name].generation if name in states else 0,
                nodes=nodes,
                edges=edges,
                stale=stale,
            )
        )
    between = () if columns is None else connections(columns, ranges)
    return Overview(str(project.listed.path), tuple(rows), between, bytes_of(project.store.path))


def connections(columns: GraphColumns, ranges: dict[str, tuple[int, int]]) -> tuple[Connection, ...]:
    """The edges whose ends lie in different `ranges` of nodes, which are given by name."""
    names = [name for name, (first, last) in ranges.items() if first < last]
    firsts = np.array([ranges[name][0] for name in names])
    source = firsts.searchsorted(columns.source, "right") - 1
    target = firsts.searchsorted(columns.target, "right") - 1
    edges: Counter[tuple[str, str, str, str]] = Counter()
    counts: Counter[tuple[str, str, str, str]] = Counter()
    for edge in np.flatnonzero(source != target).tolist():
        key = names[int(source[edge])], names[int(target[edge])], columns.rel(edge), columns.how(edge)
        edges[key] += 1
        counts[key] += int(columns.count[edge])
    return tuple(Connection(*key, edges[key], counts[key]) for key in sorted(edges))
