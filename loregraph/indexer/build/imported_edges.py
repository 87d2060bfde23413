"""What was imported, joined with the resolution of files: see `graph.imported`."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import cache
from typing import TYPE_CHECKING

from msgspec.structs import replace

from loregraph.graph import imported
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
    own = {
        path: replace(
            resolution.files[path],
            edges=imported.joined(
                resolution.files[path].edges, claims, files[path].content_hash, cache(_Definitions(state, path))
            ),
        )
        for path, claims in claimed.items()
    }
    return replace(resolution, files={path: own.get(path, before) for path, before in resolution.files.items()})


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
