"""The content of files when the current generation was built, and how the next generation differs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import msgspec

from loregraph.graph.change import GraphChange
from loregraph.graph.state import FileState, State
from loregraph.indexer.build.assemble import FileEntry
from loregraph.indexer.build.kept_resolution import KeptFile
from loregraph.indexer.facts import FileFacts

_PUBLISHED: Final = ("facts", "requirements", "terms", "endpoints")
"""The blobs kept of a file's former content, in the order of `Published`."""


class Published(msgspec.Struct, array_like=True, frozen=True):
    """A file as it was when the current generation was built; kept for files that have changed since. `facts`,
    `requirements`, `terms` and `endpoints` are encoded as in the state."""

    content_hash: str
    language: str
    facts_version: int
    facts: bytes
    requirements: bytes = b""
    terms: bytes = b""
    endpoints: bytes = b""


class EditedFile(msgspec.Struct, frozen=True):
    """A file that changed: its entry now, the ids of its definitions in the order of its facts before and now, and the
    terms of those before, encoded as in the state."""

    entry: FileEntry
    was: tuple[str, ...]
    now: tuple[str, ...]
    terms: bytes


class Edited(msgspec.Struct, frozen=True):
    """What to write: the change of the graph, the changed files by path, and the resolution data to keep for all files
    (None: unchanged)."""

    change: GraphChange
    files: dict[str, EditedFile]
    kept: dict[str, KeptFile] | None = None


def keep_published(state: State, before: Sequence[FileState]) -> None:
    """Stores `before` and the extracted data of its files, once, before they are overwritten."""
    kept = {path for path, _ in state.blobs("published", [file.path for file in before])}
    files = [file for file in before if file.path not in kept]
    encoder = msgspec.msgpack.Encoder()
    state.put_blobs("published", {path: encoder.encode(own) for path, own in as_published(state, files).items()})


def as_published(state: State, files: Sequence[FileState]) -> dict[str, Published]:
    """Path → what a state has of each of its `files`."""
    paths = [file.path for file in files]
    blobs = {kind: dict(state.blobs(kind, paths)) for kind in _PUBLISHED}
    return {
        file.path: Published(
            file.content_hash,
            file.language,
            file.facts_version,
            *(blobs[kind].get(file.path, b"") for kind in _PUBLISHED),
        )
        for file in files
    }


def published(state: State) -> dict[str, Published]:
    """Path → the state of each changed file when the current generation was built."""
    decoder = msgspec.msgpack.Decoder(Published)
    return {path: decoder.decode(blob) for path, blob in state.blobs("published")}


def definition_ids(facts: FileFacts | None) -> tuple[str, ...]:
    """The ids that a file's definitions have if they are nodes, in the order of its facts."""
    return () if facts is None else tuple(f"{facts.path}::{d.qualname}" for d in facts.definitions)
