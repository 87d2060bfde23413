"""Edits that move code or change what it says in prose, and nothing that resolution reads: no edge comes or goes.

Resolution is a function of the facts, and reads places only to compare them and lines only to write them on edges (see
`resolution.surface`). So where every changed file has the surface that it had when the current generation was built,
the new graph is the old one with other lines, docstrings, signatures and hashes in the nodes and edges of those files.
Whatever this module is not sure of it leaves to a whole resolution: it answers None.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Final

import msgspec

from loregraph.graph.model import Node
from loregraph.graph.state import FileState, State
from loregraph.indexer.assemble import FileEntry, file_node, file_nodes
from loregraph.indexer.facts import FileFacts
from loregraph.indexer.packaging import is_packaging
from loregraph.indexer.resolution import surface
from loregraph.indexer.workers import inflate_facts

if TYPE_CHECKING:
    from loregraph.graph.columns import GraphColumns

_CONTRACTS: Final = ("interface", "protocol", "trait")


class Published(msgspec.Struct, array_like=True, frozen=True):
    """What a file was when the current generation was built; kept for files that have changed since."""

    content_hash: str
    language: str
    facts_version: int
    facts: bytes


class Moved(msgspec.Struct, frozen=True):
    """Nodes as they are now, and the new lines of edges by their number in the generation they come from."""

    nodes: tuple[Node, ...]
    lines: dict[int, int]


def keep_published(state: State, before: FileState) -> None:
    """Keeps what `before` says of a file and its facts, once, before they are replaced."""
    if any(state.blobs("published", [before.path])):
        return
    facts = next((blob for _, blob in state.blobs("facts", [before.path])), b"")
    kept = Published(before.content_hash, before.language, before.facts_version, facts)
    state.put_blobs("published", {before.path: msgspec.msgpack.encode(kept)})


def published(state: State) -> dict[str, Published]:
    """Path → what each changed file was when the current generation was built."""
    decoder = msgspec.msgpack.Decoder(Published)
    return {path: decoder.decode(blob) for path, blob in state.blobs("published")}


def only_moved(state: State, before: Mapping[str, Published], columns: GraphColumns) -> Moved | None:
    """What to change in the generation of `columns`, which was built when the files of `before` were as it says.

    None where more may have to change.
    """
    if any(is_packaging(path) for path in before):
        return None
    entries = dict(state.blobs("entries", before))
    blobs = dict(state.blobs("facts", before))
    nodes: list[Node] = []
    lines: dict[int, int] = {}
    for path, old in sorted(before.items()):
        blob = blobs.get(path)
        if not blob or not old.facts:
            return None
        was, now = inflate_facts(old.facts), inflate_facts(blob)
        moves = _moves(was, now)
        own = None if moves is None else _nodes(msgspec.msgpack.decode(entries[path], type=FileEntry), now, columns)
        if moves is None or own is None or not _edges(was, own, moves, columns, lines):
            return None
        nodes += own.values()
    return Moved(tuple(nodes), lines)


def _moves(was: FileFacts, now: FileFacts) -> dict[int, int] | None:
    """Old line → new line of everything in a file; None where more has changed than lines, or their order has."""
    if was.extras.get("impls") or surface(was) != surface(now):
        return None
    if [(r.scope, r.value, r.how) for r in was.references] != [(r.scope, r.value, r.how) for r in now.references]:
        return None
    moves: dict[int, int] = {}
    for old, new in zip(_lines(was), _lines(now), strict=True):
        if moves.setdefault(old, new) != new:
            return None
    ordered = [new for _, new in sorted(moves.items())]
    # An edge has the first of its lines: it still does when none has passed another.
    return moves if ordered == sorted(ordered) else None


def _lines(facts: FileFacts) -> Iterator[int]:
    for definition in facts.definitions:
        yield definition.start_line
        for base in definition.bases:
            yield base.line
    for listed in (facts.imports, facts.exports, facts.assignments, facts.calls, facts.returns, facts.references):
        for fact in listed:
            yield fact.line


def _nodes(entry: FileEntry, facts: FileFacts, columns: GraphColumns) -> dict[int, Node] | None:
    """Number → node of the file and all that is in it."""
    number = columns.find_id(entry.path)
    if number is None:
        return None
    module = columns.qualified_name(number)
    module = "" if module == entry.path else module
    found: dict[int, Node] = {}
    for node in (file_node(entry, module), *file_nodes(facts, module)[0]):
        number = columns.find_id(node.id)
        if number is None:
            return None
        found.setdefault(number, node)
    return found


def _edges(
    was: FileFacts, nodes: Mapping[int, Node], moves: Mapping[int, int], columns: GraphColumns, lines: dict[int, int]
) -> bool:
    """Adds the new lines of the edges out of `nodes` to `lines`; False where one cannot be told."""
    bases = {f"{was.path}::{d.qualname}": (d.kind, {base.line for base in d.bases}) for d in was.definitions}
    for number, node in nodes.items():
        for edge in columns.out(number).tolist():
            line = int(columns.line[edge])
            if not line:
                continue
            if columns.rel(edge) == "IMPLEMENTS":
                # Rust's stand where the `impl` is, which may be another file.
                kind, own = bases[node.id]
                if not own:
                    continue
                if kind in _CONTRACTS or line not in own:
                    return False
            if line not in moves:
                return False
            lines[edge] = moves[line]
    return True
