"""A graph → a generation on disk: columns, engine, lexical index and vectors, all numbered alike."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import msgspec

from loregraph.graph import lexical
from loregraph.graph.constants import write_constants
from loregraph.graph.model import Class, Function, Graph
from loregraph.graph.state import State
from loregraph.indexer.assemble import FileEntry
from loregraph.indexer.report import Progress
from loregraph.indexer.workers import NO_TEXT, inflate_texts

if TYPE_CHECKING:
    from loregraph.graph.columns import GraphColumns
    from loregraph.indexer.moved import Moved

Phase = Callable[[str], AbstractContextManager[None]]

EMBED_BATCH: Final = 2_048
"""Texts embedded between two reports of progress."""
NO_NODE: Final = -1
"""Stands for the node of a definition that has none."""
_RANKS: Final = "definition_ranks"
"""Where the state keeps, for each file's definitions, their places among the functions and classes of the graph it
wrote last. Node numbers would not do: they shift when memories come and go."""


def write_everything(
    folder: Path,
    graph: Graph,
    definitions: Mapping[str, Sequence[str]],
    state: State,
    embedder: str,
    phase: Phase,
    tell: Callable[[Progress], None],
    entries: Sequence[FileEntry],
) -> tuple[dict[str, Any] | None, tuple[str, int]]:
    """Writes everything a reader opens into `folder` but the engine's file, which can be built from the rest.

    `definitions` maps a path to the ids of its definitions in the order of its facts; `entries` are of every file.
    Returns the identity of the embedder (None without vectors) and the engine's name and storage version.
    """
    number = {node.id: i for i, node in enumerate(graph.nodes)}
    numbers = {path: [number.get(i, NO_NODE) for i in ids] for path, ids in definitions.items()}
    with phase("store"):
        from loregraph.graph import store

        store.write_generation(folder, graph, engine=False)
        engine = store.engine_identity()
        symbols = [i for i, node in enumerate(graph.nodes) if isinstance(node, Function | Class)]
        rank = {node: i for i, node in enumerate(symbols)} | {NO_NODE: NO_NODE}
        ranks = {path: [rank[i] for i in own] for path, own in numbers.items()}
        state.put_meta(_RANKS, msgspec.msgpack.encode(ranks))
    return _write_texts(folder, numbers, len(number), state, embedder, phase, tell, entries), (
        engine.engine, engine.storage_version,
    )  # fmt: skip


def write_moved(
    folder: Path,
    moved: Moved,
    columns: GraphColumns,
    state: State,
    embedder: str,
    phase: Phase,
    tell: Callable[[Progress], None],
) -> bool:
    """Writes to `folder` the generation of `columns` as `moved` changes it; False where that cannot be done.

    The vectors must be of the same embedder. The engine's file is left to the first query that needs it: building it
    would cost more than all the rest.
    """
    with phase("store"):
        from loregraph.graph.columns_patch import patch_columns

        saved = state.meta(_RANKS)
        if saved is None or not patch_columns(columns, folder, moved.nodes, moved.lines, moved.evidence):
            return False
        symbols = [*columns.symbols().tolist(), NO_NODE]
        ranks = msgspec.msgpack.decode(saved, type=dict[str, list[int]])
        numbers = {path: [symbols[i] for i in own] for path, own in ranks.items()}
    decoder = msgspec.msgpack.Decoder(FileEntry)
    entries = (decoder.decode(blob) for _, blob in state.blobs("entries"))
    _write_texts(folder, numbers, columns.node_count, state, embedder, phase, tell, entries)
    return True


def _write_texts(
    folder: Path,
    numbers: Mapping[str, Sequence[int]],
    nodes: int,
    state: State,
    embedder: str,
    phase: Phase,
    tell: Callable[[Progress], None],
    entries: Iterable[FileEntry],
) -> dict[str, Any] | None:
    """The lexical index, the constants and the vectors. `numbers` has the nodes of a path's definitions."""
    with phase("store"):
        _write_lexical(folder, numbers, nodes, state)
        write_constants(folder, ((e.path, e.language, e.constants) for e in entries if e.constants))
    with phase("embed"):
        return _write_vectors(folder, numbers, state, embedder, tell)


def _write_lexical(folder: Path, numbers: Mapping[str, Sequence[int]], nodes: int, state: State) -> None:
    documents = [b""] * nodes
    for path, packed in state.blobs("terms"):
        if packed:
            for number, blob in zip(numbers[path], lexical.unpack(zlib.decompress(packed)), strict=True):
                if number != NO_NODE:
                    documents[number] = blob
    lexical.build_lexical(folder, documents)


# Implements REQ-SRC-007.
def _write_vectors(
    folder: Path,
    numbers: Mapping[str, Sequence[int]],
    state: State,
    spec: str,
    tell: Callable[[Progress], None],
) -> dict[str, Any] | None:
    """Vectors of every definition with a text; only texts without a kept vector are embedded."""
    from loregraph.graph.vectors import NONE, identity, load_embedder, write_vectors

    if spec == NONE:
        return None
    import numpy as np

    wanted: dict[int, bytes] = {}
    text_at: dict[bytes, tuple[str, int]] = {}
    for path, hashes in state.blobs("text_hashes"):
        for i in range(len(hashes) // len(NO_TEXT)):
            key = hashes[i * len(NO_TEXT) : (i + 1) * len(NO_TEXT)]
            node = numbers[path][i]
            if key != NO_TEXT and node != NO_NODE:
                wanted[node] = key
                text_at[key] = (path, i)
    embedder = load_embedder(spec)
    assert embedder is not None
    space = identity(embedder)
    space_key = f"{space.model_id} {space.dim} {space.weights_sha256} {space.text_version}"
    vectors = state.vectors(space_key)
    missing = sorted(key for key in text_at if key not in vectors)
    if missing:
        texts = _texts(state, missing, text_at)
        for start in range(0, len(missing), EMBED_BATCH):
            tell(Progress("embed", start, len(missing)))
            keys = missing[start : start + EMBED_BATCH]
            # Kept as half floats, and used as kept: a vector is the same whether it was made now or before.
            rows = embedder.embed_documents([texts[key] for key in keys]).astype("<f2")
            made = {key: row.tobytes() for key, row in zip(keys, rows, strict=True)}
            state.put_vectors(space_key, made.items())
            vectors.update(made)
        tell(Progress("embed", len(missing), len(missing)))
    if len(vectors) > len(text_at) or missing:
        state.keep_vectors(space_key, set(text_at))
    nodes = sorted(wanted)
    content = b"".join(vectors[wanted[node]] for node in nodes)
    matrix = np.frombuffer(content, dtype="<f2").astype(np.float32).reshape(len(nodes), embedder.dim)
    write_vectors(folder, matrix, np.asarray(nodes, dtype=np.uint32))
    return dict(msgspec.structs.asdict(space))


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
