"""What was imported, joined with the resolution of files: see `graph.imported`."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING

from msgspec.structs import replace

from loregraph.graph import imported, unseen
from loregraph.graph.imported import FileClaims
from loregraph.graph.model import Edge
from loregraph.graph.state import FileState, State

if TYPE_CHECKING:
    from loregraph.indexer.resolve import Resolution


# Implements REQ-EXC-003.
def with_imported(state: State, files: Mapping[str, FileState], resolution: Resolution) -> Resolution:
    """`resolution` with the claims that hold for the present content of its files. Everything behind it, from the graph
    to what an edit is compared with, sees these edges as the files' own."""
    claimed = imported.claims_about(state, resolution.files)
    if not claimed:
        return resolution
    definitions: dict[str, imported.Definitions] = {path: cache(_Definitions(state, path)) for path in claimed}
    edges = {
        path: imported.joined(resolution.files[path].edges, claims, files[path].content_hash, definitions[path])
        for path, claims in claimed.items()
    }
    edges = _with_unseen(state, edges, claimed, definitions)
    own = {path: replace(resolution.files[path], edges=joined) for path, joined in edges.items()}
    return replace(resolution, files={path: own.get(path, before) for path, before in resolution.files.items()})


def _with_unseen(
    state: State,
    edges: Mapping[str, tuple[Edge, ...]],
    claimed: Mapping[str, Sequence[tuple[str, FileClaims]]],
    definitions: Mapping[str, imported.Definitions],
) -> dict[str, tuple[Edge, ...]]:
    """The edges of files, with those marked that recorded runs could have seen and did not.

    It depends on the callers and the record alone: whatever becomes of a callee, its callers stay as they are.
    """
    callers = {path: unseen.Callers(claims, definitions[path]) for path, claims in claimed.items()}
    doubted = {unseen.target_file(edge) for path, own in callers.items() for edge in own.doubted(edges[path])}
    if not doubted:
        return dict(edges)
    watched = imported.watched(state, doubted)
    return {path: own.marked(edges[path], watched) for path, own in callers.items()}


def has_imported(state: State, paths: Collection[str]) -> bool:
    """Whether anything was imported about one of `paths`: lines and contents matter to it."""
    return bool(imported.claims_about(state, paths))


class _Definitions:
    """Reads the definitions of one file from its facts."""

    def __init__(self, state: State, path: str) -> None:
        self._state = state
        self._path = path

    def __call__(self) -> Mapping[str, tuple[str, int]]:
        from loregraph.indexer.build.workers import inflate_facts

        blob = dict(self._state.blobs("facts", (self._path,))).get(self._path)
        definitions = inflate_facts(blob).definitions if blob else ()
        return {f"{self._path}::{one.qualname}": (one.content_hash, one.start_line) for one in definitions}
