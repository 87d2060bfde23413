"""What files were when the current generation was built, and how the next one differs from it."""

from __future__ import annotations

import msgspec

from loregraph.graph.change import GraphChange
from loregraph.graph.state import FileState, State
from loregraph.indexer.assemble import FileEntry
from loregraph.indexer.facts import FileFacts
from loregraph.indexer.kept_resolution import KeptFile


class Published(msgspec.Struct, array_like=True, frozen=True):
    """What a file was when the current generation was built; kept for files that have changed since. `facts`,
    `requirements` and `terms` are as the state keeps them."""

    content_hash: str
    language: str
    facts_version: int
    facts: bytes
    requirements: bytes = b""
    terms: bytes = b""


class EditedFile(msgspec.Struct, frozen=True):
    """A file that changed: its entry now, the ids of its definitions in the order of its facts then and now, and the
    terms of those then, as the state keeps them."""

    entry: FileEntry
    was: tuple[str, ...]
    now: tuple[str, ...]
    terms: bytes


class Edited(msgspec.Struct, frozen=True):
    """What to write: the change of the graph, the files that changed, by path, and what is kept of all files'
    resolution from now on (None: what is kept already)."""

    change: GraphChange
    files: dict[str, EditedFile]
    kept: dict[str, KeptFile] | None = None


def keep_published(state: State, before: FileState) -> None:
    """Keeps what `before` says of a file and what was extracted from it, once, before they are replaced."""
    if any(state.blobs("published", [before.path])):
        return
    facts, requirements, terms = (
        next((blob for _, blob in state.blobs(kind, [before.path])), b"") for kind in ("facts", "requirements", "terms")
    )
    kept = Published(before.content_hash, before.language, before.facts_version, facts, requirements, terms)
    state.put_blobs("published", {before.path: msgspec.msgpack.encode(kept)})


def published(state: State) -> dict[str, Published]:
    """Path → what each changed file was when the current generation was built."""
    decoder = msgspec.msgpack.Decoder(Published)
    return {path: decoder.decode(blob) for path, blob in state.blobs("published")}


def definition_ids(facts: FileFacts | None) -> tuple[str, ...]:
    """The ids that the definitions of a file have if they are nodes, in the order of its facts."""
    return () if facts is None else tuple(f"{facts.path}::{d.qualname}" for d in facts.definitions)
