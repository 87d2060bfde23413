"""A graph → a generation on disk: columns, engine, lexical index and vectors, all numbered alike."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, Final

import msgspec

from loregraph.graph import lexical
from loregraph.graph.model import Graph
from loregraph.graph.state import State
from loregraph.indexer.report import Progress
from loregraph.indexer.workers import NO_TEXT, inflate_texts

Phase = Callable[[str], AbstractContextManager[None]]

EMBED_BATCH: Final = 2_048
"""Texts embedded between two reports of progress."""


def write_everything(
    folder: Path,
    graph: Graph,
    definitions: Mapping[str, Sequence[str]],
    state: State,
    embedder: str,
    phase: Phase,
    tell: Callable[[Progress], None],
) -> tuple[dict[str, Any] | None, tuple[str, int]]:
    """Writes everything a reader opens into `folder`.

    `definitions` maps a path to the ids of its definitions in the order of its facts. Returns the identity of the
    embedder (None without vectors) and the engine's name and storage version.
    """
    number = {node.id: i for i, node in enumerate(graph.nodes)}
    with phase("store"):
        from loregraph.graph import store

        engine = store.write_generation(folder, graph).engine
        _write_lexical(folder, definitions, number, state)
    with phase("embed"):
        identity = _write_vectors(folder, definitions, number, state, embedder, tell)
    return identity, (engine.engine, engine.storage_version)


def _write_lexical(
    folder: Path, definitions: Mapping[str, Sequence[str]], number: Mapping[str, int], state: State
) -> None:
    documents = [b""] * len(number)
    for path, packed in state.blobs("terms"):
        if packed:
            for identity, blob in zip(definitions[path], lexical.unpack(zlib.decompress(packed)), strict=True):
                if identity in number:
                    documents[number[identity]] = blob
    lexical.build_lexical(folder, documents)


def _write_vectors(
    folder: Path,
    definitions: Mapping[str, Sequence[str]],
    number: Mapping[str, int],
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
            node = number.get(definitions[path][i])
            if key != NO_TEXT and node is not None:
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
