"""What is stored of each file's resolution beside the graph: enough to detect changed edges, and the edges of a file
that do not start in it."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable, Mapping
from typing import Final

import msgspec

from loregraph.graph.state import State
from loregraph.indexer.resolve import FileResolution

_META: Final = "resolved_files"
_encoder: Final = msgspec.msgpack.Encoder(order="deterministic")

Key = tuple[str, str, str]
"""The identity of an edge: relationship, source, target."""


class KeptFile(msgspec.Struct, array_like=True, frozen=True):
    """`digest` is the hash of the whole `FileResolution`, of which `unresolved` and `examples` are parts. `apart` are
    the edges that start in another file, except those to a type's members; `missing` are ends of edges that are not
    nodes, so that these edges are not in the graph."""

    digest: bytes
    unresolved: dict[str, int] = {}
    apart: tuple[Key, ...] = ()
    missing: tuple[str, ...] = ()
    examples: dict[str, tuple[int, ...]] = {}


def digest_of(own: FileResolution) -> bytes:
    """16 bytes that change with anything in `own`."""
    return hashlib.blake2b(_encoder.encode(own), digest_size=16).digest()


def kept_file(path: str, own: FileResolution, missing: Iterable[str]) -> KeptFile:
    """What to store of the resolution of the file `path`."""
    inside = f"{path}::"
    outside = {source for source in {e.source for e in own.edges} if source != path and not source.startswith(inside)}
    apart = [(e.rel, e.source, e.target) for e in own.edges if e.source in outside and e.rel != "CONTAINS"]
    return KeptFile(digest_of(own), own.unresolved, tuple(apart), tuple(sorted(missing)), own.examples)


def keep_resolution(files: Mapping[str, FileResolution], nodes: Collection[str]) -> dict[str, KeptFile] | None:
    """What to store of the resolution of all files of a graph with `nodes`; None where two files give the same edge,
    since editing one of them would leave it undecided."""
    ids = set(nodes)
    kept: dict[str, KeptFile] = {}
    for path, own in files.items():
        ends = {edge.source for edge in own.edges} | {edge.target for edge in own.edges}
        kept[path] = kept_file(path, own, ends - ids)
    apart = [key for own in kept.values() for key in own.apart]
    given = set(apart)
    starts = {source.partition("::")[0] for _, source, _ in apart}
    if len(given) < len(apart) or any(
        (edge.rel, edge.source, edge.target) in given
        for path in starts & files.keys()
        for edge in files[path].edges
        if edge.source.partition("::")[0] == path
    ):
        return None
    return kept


def read_kept(state: State) -> dict[str, KeptFile] | None:
    """Path → what was stored for the current generation; None where nothing was."""
    saved = state.meta(_META)
    return None if saved is None else msgspec.msgpack.decode(saved, type=dict[str, KeptFile])


def write_kept(state: State, kept: Mapping[str, KeptFile] | None) -> None:
    """Stores `kept` with the generation being written; None removes what is stored."""
    state.put_meta(_META, None if kept is None else msgspec.msgpack.encode(kept))
