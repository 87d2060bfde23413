"""Edits that only move code or change prose, so that no edge is added or removed.

Resolution is a function of the facts; it only compares positions and only copies lines to edges (see
`resolution.interface_digest`). So if every changed file has the interface digest that it had when the current
generation was built, the new graph is the old one with other lines, docstrings, signatures and hashes in the nodes and
edges of those files. In case of doubt the answer is None, and everything affected is resolved again.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Final

import msgspec
from msgspec.structs import replace

from loregraph.graph.authored import mention_in
from loregraph.graph.change import GraphChange
from loregraph.graph.model import Edge, Node
from loregraph.graph.state import State
from loregraph.indexer.build.assemble import FileEntry, calls_kept, file_node, file_nodes
from loregraph.indexer.build.edits import Edited, EditedFile, Published, definition_ids
from loregraph.indexer.build.workers import inflate_facts
from loregraph.indexer.discover.packaging_files import is_packaging
from loregraph.indexer.endpoints.model import decode, without_lines
from loregraph.indexer.facts import FileFacts
from loregraph.indexer.requirements.joining import evidence_of, orphan_text
from loregraph.indexer.resolve.interface_digest import interface_digest
from loregraph.indexer.resolve.policies import policy_of

if TYPE_CHECKING:
    from loregraph.graph.columns import GraphColumns

_WITH_EVIDENCE: Final = ("IMPLEMENTS_REQ", "FOLLOWS_DESIGN")
_CONTRACTS: Final = ("interface", "protocol", "trait")


# Implements REQ-IDX-012.
def only_moved(state: State, before: Mapping[str, Published], columns: GraphColumns) -> Edited | None:
    """The change of the generation in `columns`, built when `before` described its files.

    None where more may have to change.
    """
    if any(is_packaging(path) for path in before):
        return None
    entries = dict(state.blobs("entries", before))
    blobs = dict(state.blobs("facts", before))
    documents = dict(state.blobs("requirements", before))
    endpoints = dict(state.blobs("endpoints", before))
    nodes: dict[int, Node] = {}
    files: dict[str, EditedFile] = {}
    lines: dict[int, tuple[int, ...]] = {}
    evidence: dict[int, str] = {}
    for path, old in sorted(before.items()):
        blob = blobs.get(path)
        if documents.get(path, b"") != old.requirements or bool(blob) != bool(old.facts):
            return None
        if without_lines(decode(endpoints.get(path, b""))) != without_lines(decode(old.endpoints)):
            return None
        if not blob and endpoints.get(path, b"") != old.endpoints:
            return None
        entry = msgspec.msgpack.decode(entries[path], type=FileEntry)
        if entry.generated != columns.generated.get(path, ""):
            return None  # it counts in the totals
        if not blob:
            own = _nodes(entry, None, None, columns)
            if own is None:
                return None
            nodes.update(own)
            files[path] = EditedFile(entry, (), (), old.terms)
            continue
        was, now = inflate_facts(old.facts), inflate_facts(blob)
        moves = _moves(was, now)
        own = None if moves is None else _nodes(entry, was, now, columns)
        if moves is None or own is None or not _edges(was, own, moves, columns, lines):
            return None
        if not _evidence(was, now, own, columns, evidence):
            return None
        nodes.update(own)
        files[path] = EditedFile(entry, definition_ids(was), definition_ids(now), old.terms)
    return Edited(_change(nodes, lines, evidence, columns), files)


def _change(
    nodes: Mapping[int, Node], lines: Mapping[int, tuple[int, ...]], evidence: Mapping[int, str], columns: GraphColumns
) -> GraphChange:
    """`nodes` by number; the new lines and evidence of edges, by theirs."""
    edges: dict[int, Edge] = {}
    for number in {**lines, **evidence}:
        edge = columns.edge(number)
        line, *more = lines.get(number, edge.lines) or (edge.line,)
        said = evidence.get(number, edge.evidence)
        moved = replace(edge, line=line, more_lines=tuple(more), evidence=said)
        if moved != edge:
            edges[number] = moved
    changed = [node for number, node in nodes.items() if columns.node(number) != node]
    return GraphChange(changed, (), tuple(edges.values()), tuple(edges))


def _evidence(
    was: FileFacts, now: FileFacts, nodes: Mapping[int, Node], columns: GraphColumns, evidence: dict[int, str]
) -> bool:
    """Adds the new evidence of the markers' edges from `nodes` to `evidence`; False where a marker was added, removed
    or changed, or where an edge is based on anything but a marker of the file."""
    if [(m.scope, m.id, m.kind, m.text) for m in was.markers] != [(m.scope, m.id, m.kind, m.text) for m in now.markers]:
        return False
    told = {old: new for old, new in zip(evidence_of(was), evidence_of(now), strict=True) if old != new}
    if not told:
        return True
    # Markers of designs at the head of a file apply to its component.
    file = columns.find_id(was.path)
    around = [int(columns.source[e]) for e in columns.into(file, "CONTAINS").tolist()] if file is not None else []
    for number in (*nodes, *around):
        for rel in _WITH_EVIDENCE:
            for edge in columns.out(number, rel).tolist():
                before = columns.edge(edge).evidence
                mention = mention_in(before)
                after = told.get(mention or before)
                if after is not None:
                    evidence[edge] = before.removesuffix(mention) + after if mention else after
    return True


def moved_orphans(orphans: Sequence[str], was: FileFacts, now: FileFacts) -> tuple[str, ...]:
    """The "line: ID" of markers without a target, at their present lines."""
    before = set(orphans)
    moved = {
        (new.line, new.id)
        for old, new in zip(was.markers, now.markers, strict=True)
        if orphan_text(old.line, old.id) in before
    }
    return tuple(orphan_text(line, identity) for line, identity in sorted(moved))


def _moves(was: FileFacts, now: FileFacts) -> dict[int, int] | None:
    """Old line → new line of everything in a file; None where more than lines changed, or their order did."""
    if was.extras.get("impls") or interface_digest(was) != interface_digest(now):
        return None
    if [(r.scope, r.value, r.how) for r in was.references] != [(r.scope, r.value, r.how) for r in now.references]:
        return None
    moves: dict[int, int] = {}
    for old, new in zip(_lines(was), _lines(now), strict=True):
        if moves.setdefault(old, new) != new:
            return None
    ordered = [new for _, new in sorted(moves.items())]
    # An edge has the smallest of its lines: this holds as long as the order of the lines is the same.
    return moves if ordered == sorted(ordered) else None


def _lines(facts: FileFacts) -> Iterator[int]:
    for definition in facts.definitions:
        yield definition.start_line
        for base in definition.bases:
            yield base.line
    for listed in (facts.imports, facts.exports, facts.assignments, facts.calls, facts.returns, facts.references):
        for fact in listed:
            yield fact.line


def _nodes(
    entry: FileEntry, was: FileFacts | None, now: FileFacts | None, columns: GraphColumns
) -> dict[int, Node] | None:
    """Number → node of the file and its definitions; no facts: a document, which has none."""
    number = columns.find_id(entry.path)
    if number is None:
        return None
    module = columns.qualified_name(number)
    module = "" if module == entry.path else module
    found: dict[int, Node] = {}
    orphans: tuple[str, ...] = tuple(columns.own(number, "orphan_markers"))
    inner: list[Node] = []
    if was is not None and now is not None:
        if orphans and len(was.markers) != len(now.markers):
            return None
        orphans = moved_orphans(orphans, was, now) if orphans else ()
        inner = file_nodes(now, module)[0]
    for node in (calls_kept(file_node(entry, module, orphans), columns, number), *inner):
        number = columns.find_id(node.id)
        if number is None:
            return None
        found.setdefault(number, node)
    return found


def _edges(
    was: FileFacts,
    nodes: Mapping[int, Node],
    moves: Mapping[int, int],
    columns: GraphColumns,
    lines: dict[int, tuple[int, ...]],
) -> bool:
    """Adds the new lines of the edges from `nodes` to `lines`; False where one is uncertain."""
    # Where types implement interfaces implicitly, the edge is at the type.
    structural = policy_of(was.language).members.structural
    bases = {
        f"{was.path}::{d.qualname}": (
            d.kind,
            {base.line for base in d.bases} | ({d.start_line} if structural else set()),
        )
        for d in was.definitions
    }
    for number, node in nodes.items():
        for edge in columns.out(number).tolist():
            line = int(columns.line[edge])
            if not line:
                continue
            if columns.rel(edge) == "IMPLEMENTS":
                # In Rust they are at the `impl`, which may be in another file.
                kind, own = bases[node.id]
                if not own:
                    continue
                if kind in _CONTRACTS or line not in own:
                    return False
            places = columns.lines(edge)
            if any(place not in moves for place in places):
                return False
            lines[edge] = tuple(sorted({moves[place] for place in places}))
    return True
