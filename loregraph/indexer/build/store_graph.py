"""Writes a graph as a generation on disk: columns, engine, lexical index and vectors, with the same node numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import msgspec

from loregraph.graph import lexical
from loregraph.graph.constants import write_constants
from loregraph.graph.deflated import inflated
from loregraph.graph.state import State
from loregraph.indexer.build.assemble import FileEntry
from loregraph.indexer.build.kept_resolution import write_kept
from loregraph.indexer.build.report import Progress
from loregraph.indexer.build.whole import Built
from loregraph.indexer.build.workers import NO_TEXT, inflate_texts

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from loregraph.graph.embedders import Embedder
    from loregraph.graph.vectors import EmbedderIdentity

Phase = Callable[[str], AbstractContextManager[None]]

EMBED_BATCH: Final = 2_048
"""Number of texts embedded between two reports of progress."""
NO_NODE: Final = -1
"""Marks a definition without a node."""


def write_everything(
    folder: Path,
    built: Built,
    state: State,
    embedder: str,
    phase: Phase,
    tell: Callable[[Progress], None],
    entries: Sequence[FileEntry],
) -> tuple[dict[str, Any] | None, tuple[str, int]]:
    """Writes all files of a generation to `folder`, except the engine's, which can be built from the rest.

    `entries` has every file. Returns the identity of the embedder (None without vectors) and the engine's name and
    storage version.
    """
    number = {node.id: i for i, node in enumerate(built.graph.nodes)}
    numbers = {path: [number.get(i, NO_NODE) for i in ids] for path, ids in built.definitions.items()}
    with phase("store"):
        from loregraph.graph import store

        store.write_generation(folder, built.graph, engine=False)
        engine = store.engine_identity()
        write_kept(state, built.resolved)
        write_lexical(folder, numbers, len(number), state)
        write_constants(folder, ((e.path, e.language, e.constants) for e in entries if e.constants))
    with phase("embed"):
        identity = _write_vectors(folder, numbers, state, embedder, tell)
    return identity, (engine.engine, engine.storage_version)


def write_lexical(folder: Path, numbers: Mapping[str, Sequence[int]], nodes: int, state: State) -> None:
    """Builds the lexical index of a graph with `nodes` nodes; `numbers` are the nodes of each file's definitions."""
    from loregraph.graph.lexical_writer import build_lexical

    documents = [b""] * nodes
    for path, packed in state.blobs("terms"):
        if packed:
            for number, blob in zip(numbers[path], lexical.unpack(inflated(packed)), strict=True):
                if number != NO_NODE:
                    documents[number] = blob
    build_lexical(folder, documents)


# Implements REQ-SRC-007.
def _write_vectors(
    folder: Path,
    numbers: Mapping[str, Sequence[int]],
    state: State,
    spec: str,
    tell: Callable[[Progress], None],
) -> dict[str, Any] | None:
    """Writes the vectors of all definitions with a text; only texts without a stored vector are embedded."""
    from loregraph.graph.vectors import NONE, identity, load_embedder, write_vectors

    if spec == NONE:
        return None
    import numpy as np

    wanted: dict[int, bytes] = {}
    text_at: dict[bytes, tuple[str, int]] = {}
    for path, hashes in state.blobs("text_hashes"):
        for i, key in enumerate(hashes_of(hashes)):
            node = numbers[path][i]
            if key != NO_TEXT and node != NO_NODE:
                wanted[node] = key
                text_at[key] = (path, i)
    embedder = load_embedder(spec)
    assert embedder is not None
    space = identity(embedder)
    vectors = state.vectors(space_key(space))
    missing = sorted(key for key in text_at if key not in vectors)
    vectors.update(embedded(state, embedder, missing, text_at, tell))
    if len(vectors) > len(text_at) or missing:
        state.keep_vectors(space_key(space), set(text_at))
    nodes = sorted(wanted)
    matrix = matrix_of((vectors[wanted[node]] for node in nodes), embedder.dim)
    write_vectors(folder, matrix, np.asarray(nodes, dtype=np.uint32))
    return dict(msgspec.structs.asdict(space))


def embedded(
    state: State,
    embedder: Embedder,
    missing: Sequence[bytes],
    text_at: Mapping[bytes, tuple[str, int]],
    tell: Callable[[Progress], None],
) -> dict[bytes, bytes]:
    """The vectors of the texts `missing`, which are stored."""
    if not missing:
        return {}
    from loregraph.graph.vectors import identity

    vectors: dict[bytes, bytes] = {}
    texts = _texts(state, missing, text_at)
    for start in range(0, len(missing), EMBED_BATCH):
        tell(Progress("embed", start, len(missing)))
        keys = missing[start : start + EMBED_BATCH]
        # Stored as half floats, and used as stored: a vector is the same whether it was computed now or earlier.
        rows = embedder.embed_documents([texts[key] for key in keys]).astype("<f2")
        made = {key: row.tobytes() for key, row in zip(keys, rows, strict=True)}
        state.put_vectors(space_key(identity(embedder)), made.items())
        vectors.update(made)
    tell(Progress("embed", len(missing), len(missing)))
    return vectors


def space_key(space: EmbedderIdentity) -> str:
    """The key under which the state stores an embedder's vectors."""
    return f"{space.model_id} {space.dim} {space.weights_sha256} {space.text_version}"


def hashes_of(packed: bytes) -> Iterator[bytes]:
    """The hash of each definition's text in a file."""
    return (packed[at : at + len(NO_TEXT)] for at in range(0, len(packed), len(NO_TEXT)))


def matrix_of(vectors: Iterable[bytes], dim: int) -> NDArray[np.float32]:
    """Stored vectors as a matrix, one per row."""
    import numpy as np

    return np.frombuffer(b"".join(vectors), dtype="<f2").astype(np.float32).reshape(-1, dim)


def _texts(state: State, keys: Sequence[bytes], text_at: Mapping[bytes, tuple[str, int]]) -> dict[bytes, str]:
    by_path: dict[str, list[tuple[int, bytes]]] = {}
    for key in keys:
        path, i = text_at[key]
        by_path.setdefault(path, []).append((i, key))
    found: dict[bytes, str] = {}
    for path, blob in state.blobs("texts", by_path.keys()):
        texts = inflate_texts(blob)
        found.update((key, texts[i]) for i, key in by_path[path])
    return found
