"""A graph, or an edit of one → a generation on disk: columns, lexical index, constants and vectors, numbered alike."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import msgspec

from loregraph import rooted
from loregraph.graph import lexical
from loregraph.graph.constants import splice_constants, write_constants
from loregraph.graph.state import State
from loregraph.indexer.assemble import FileEntry
from loregraph.indexer.build import Built
from loregraph.indexer.edits import Edited, definition_ids
from loregraph.indexer.kept_resolution import write_kept
from loregraph.indexer.report import Progress
from loregraph.indexer.workers import NO_TEXT, inflate_facts, inflate_texts

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from loregraph.graph.columns import GraphColumns
    from loregraph.graph.columns_splice import Spliced
    from loregraph.graph.embedders import Embedder
    from loregraph.graph.vectors import EmbedderIdentity

Phase = Callable[[str], AbstractContextManager[None]]

EMBED_BATCH: Final = 2_048
"""Texts embedded between two reports of progress."""
NO_NODE: Final = -1
"""Stands for the node of a definition that has none."""


def write_everything(
    folder: Path,
    built: Built,
    state: State,
    embedder: str,
    phase: Phase,
    tell: Callable[[Progress], None],
) -> tuple[dict[str, Any] | None, tuple[str, int]]:
    """Writes everything a reader opens into `folder` but the engine's file, which can be built from the rest.

    Returns the identity of the embedder (None without vectors) and the engine's name and storage version.
    """
    number = {node.id: i for i, node in enumerate(built.graph.nodes)}
    numbers = {path: [number.get(i, NO_NODE) for i in ids] for path, ids in built.definitions.items()}
    with phase("store"):
        from loregraph.graph import store

        store.write_generation(folder, built.graph, engine=False)
        engine = store.engine_identity()
        write_kept(state, built.resolved)
        _write_lexical(folder, numbers, len(number), state)
        _write_constants(folder, state)
    with phase("embed"):
        identity = _write_vectors(folder, numbers, state, embedder, tell)
    return identity, (engine.engine, engine.storage_version)


def write_edited(
    folder: Path,
    edited: Edited,
    columns: GraphColumns,
    state: State,
    embedder: tuple[str, Mapping[str, Any] | None],
    phase: Phase,
    tell: Callable[[Progress], None],
) -> bool:
    """Writes to `folder` the generation of `columns` as `edited` changes it; False where that cannot be done.

    What files that did not change have in it is copied. `embedder` is the configured one and its identity, by which the
    vectors of the generation were made. The engine's file is left to the first query that needs it: building it would
    cost more than all the rest.
    """
    with phase("store"):
        from loregraph.graph.columns_splice import splice_columns

        spliced = splice_columns(columns, folder, edited.change)
        if spliced is None:
            return False
        _splice_lexical(folder, edited, columns, spliced, state)
        _splice_constants(folder, edited, columns)
        if edited.kept is not None:
            write_kept(state, edited.kept)
    with phase("embed"):
        return _splice_vectors(folder, edited, columns, spliced, state, embedder, tell)


def _splice_lexical(folder: Path, edited: Edited, columns: GraphColumns, spliced: Spliced, state: State) -> None:
    terms = dict(state.blobs("terms", edited.files))
    gone: dict[int, bytes] = {}
    come: dict[int, bytes] = {}
    for path, file in edited.files.items():
        before = _documents(file.was, file.terms)
        after = _documents(file.now, terms.get(path, b""))
        for identity in {**before, **after}:
            old, new = columns.find_id(identity), spliced.number(columns, identity)
            was = before.get(identity, b"") if old is not None else b""
            now = after.get(identity, b"") if new is not None else b""
            if was == now and (old is None) == (new is None):
                continue
            if old is not None:
                gone[old] = was
            if new is not None:
                come[new] = now
    if not gone and not come and spliced.is_numbered_alike:
        rooted.copy(columns.folder, lexical.LEXICAL_FILE, folder, lexical.LEXICAL_FILE)
        return
    if lexical.splice_lexical(columns.folder, folder, spliced.numbers, spliced.nodes, gone, come):
        return
    from loregraph.graph.columns import GraphColumns

    written = GraphColumns.open(folder)
    found: dict[str, list[int]] = {}
    for path, blob in state.blobs("facts"):
        if blob:
            numbers = [written.find_id(identity) for identity in definition_ids(inflate_facts(blob))]
            found[path] = [NO_NODE if number is None else number for number in numbers]
    _write_lexical(folder, found, spliced.nodes, state)


def _documents(ids: Sequence[str], packed: bytes) -> dict[str, bytes]:
    """The terms of each definition of a file."""
    return dict(zip(ids, lexical.unpack(zlib.decompress(packed)), strict=True)) if packed else {}


def _splice_constants(folder: Path, edited: Edited, columns: GraphColumns) -> None:
    entries = [file.entry for file in edited.files.values()]
    splice_constants(columns.folder, folder, ((e.path, e.language, e.constants) for e in entries))


def _splice_vectors(
    folder: Path,
    edited: Edited,
    columns: GraphColumns,
    spliced: Spliced,
    state: State,
    embedder: tuple[str, Mapping[str, Any] | None],
    tell: Callable[[Progress], None],
) -> bool:
    """False where the vectors are not of the configured embedder."""
    spec, identity = embedder
    if identity is None:
        return True
    import numpy as np

    from loregraph.graph.vector_index import VECTORS_FILE, splice_vectors

    numbers = spliced.numbers.copy()
    wanted: dict[int, bytes] = {}
    text_at: dict[bytes, tuple[str, int]] = {}
    hashes = dict(state.blobs("text_hashes", edited.files))
    for path, file in edited.files.items():
        for id_ in file.was:
            old = columns.find_id(id_)
            if old is not None:
                numbers[old] = NO_NODE
        for i, key in enumerate(_hashes(hashes.get(path, b""))):
            new = spliced.number(columns, file.now[i])
            if key != NO_TEXT and new is not None:
                wanted[new] = key
                text_at[key] = (path, i)
    if not wanted and spliced.is_numbered_alike and (numbers == spliced.numbers).all():
        rooted.copy(columns.folder, VECTORS_FILE, folder, VECTORS_FILE)
        return True
    from loregraph.graph.vectors import EmbedderIdentity

    space = msgspec.convert(identity, EmbedderIdentity)
    vectors = _vectors(state, spec, space, text_at, tell)
    if vectors is None:
        return False
    nodes = sorted(wanted)
    matrix = _matrix((vectors[wanted[node]] for node in nodes), space.dim)
    splice_vectors(columns.folder, folder, numbers, matrix, np.asarray(nodes, dtype=np.int64))
    return True


def _write_lexical(folder: Path, numbers: Mapping[str, Sequence[int]], nodes: int, state: State) -> None:
    documents = [b""] * nodes
    for path, packed in state.blobs("terms"):
        if packed:
            for number, blob in zip(numbers[path], lexical.unpack(zlib.decompress(packed)), strict=True):
                if number != NO_NODE:
                    documents[number] = blob
    lexical.build_lexical(folder, documents)


def _write_constants(folder: Path, state: State) -> None:
    decoder = msgspec.msgpack.Decoder(FileEntry)
    entries = (decoder.decode(blob) for _, blob in state.blobs("entries"))
    write_constants(folder, ((e.path, e.language, e.constants) for e in entries if e.constants))


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
        for i, key in enumerate(_hashes(hashes)):
            node = numbers[path][i]
            if key != NO_TEXT and node != NO_NODE:
                wanted[node] = key
                text_at[key] = (path, i)
    embedder = load_embedder(spec)
    assert embedder is not None
    space = identity(embedder)
    vectors = state.vectors(_space_key(space))
    missing = sorted(key for key in text_at if key not in vectors)
    vectors.update(_embedded(state, embedder, missing, text_at, tell))
    if len(vectors) > len(text_at) or missing:
        state.keep_vectors(_space_key(space), set(text_at))
    nodes = sorted(wanted)
    matrix = _matrix((vectors[wanted[node]] for node in nodes), embedder.dim)
    write_vectors(folder, matrix, np.asarray(nodes, dtype=np.uint32))
    return dict(msgspec.structs.asdict(space))


def _vectors(
    state: State,
    spec: str,
    space: EmbedderIdentity,
    text_at: Mapping[bytes, tuple[str, int]],
    tell: Callable[[Progress], None],
) -> dict[bytes, bytes] | None:
    """The vectors of texts in `space`; the embedder is loaded only where one is not kept. None where it is not of that
    space. What is of no text any more is forgotten when everything is written."""
    vectors = state.vectors(_space_key(space), text_at.keys())
    missing = sorted(text_at.keys() - vectors.keys())
    if missing:
        from loregraph.graph.vectors import identity, load_embedder

        embedder = load_embedder(spec)
        if embedder is None or identity(embedder) != space:
            return None
        vectors.update(_embedded(state, embedder, missing, text_at, tell))
    return vectors


def _embedded(
    state: State,
    embedder: Embedder,
    missing: Sequence[bytes],
    text_at: Mapping[bytes, tuple[str, int]],
    tell: Callable[[Progress], None],
) -> dict[bytes, bytes]:
    """The vectors of the texts `missing`, which are kept from now on."""
    if not missing:
        return {}
    from loregraph.graph.vectors import identity

    vectors: dict[bytes, bytes] = {}
    texts = _texts(state, missing, text_at)
    for start in range(0, len(missing), EMBED_BATCH):
        tell(Progress("embed", start, len(missing)))
        keys = missing[start : start + EMBED_BATCH]
        # Kept as half floats, and used as kept: a vector is the same whether it was made now or before.
        rows = embedder.embed_documents([texts[key] for key in keys]).astype("<f2")
        made = {key: row.tobytes() for key, row in zip(keys, rows, strict=True)}
        state.put_vectors(_space_key(identity(embedder)), made.items())
        vectors.update(made)
    tell(Progress("embed", len(missing), len(missing)))
    return vectors


def _space_key(space: EmbedderIdentity) -> str:
    return f"{space.model_id} {space.dim} {space.weights_sha256} {space.text_version}"


def _hashes(packed: bytes) -> Iterator[bytes]:
    """The hash of each definition's text in a file."""
    return (packed[at : at + len(NO_TEXT)] for at in range(0, len(packed), len(NO_TEXT)))


def _matrix(vectors: Iterable[bytes], dim: int) -> NDArray[np.float32]:
    """Vectors as they are kept, one a row."""
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
