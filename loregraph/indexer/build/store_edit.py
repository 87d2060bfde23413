"""Writes the next generation after an edit: unchanged parts are copied from the current one.

The result equals what `store_graph.write_everything` writes for the whole graph, byte for byte.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from loregraph import rooted
from loregraph.graph.deflated import inflated
from loregraph.graph.lexical import LEXICAL_FILE, unpack
from loregraph.graph.state import State
from loregraph.indexer.build.edits import Edited, definition_ids
from loregraph.indexer.build.kept_resolution import write_kept
from loregraph.indexer.build.report import Progress
from loregraph.indexer.build.store_graph import (
    NO_NODE,
    Phase,
    embedded,
    hashes_of,
    matrix_of,
    space_key,
    write_lexical,
)
from loregraph.indexer.build.workers import NO_TEXT, inflate_facts

if TYPE_CHECKING:
    from loregraph.graph.columns import GraphColumns
    from loregraph.graph.columns_splice import Spliced
    from loregraph.graph.vectors import EmbedderIdentity


# Implements REQ-IDX-012, REQ-IDX-025.
def write_edited(
    folder: Path,
    edited: Edited,
    columns: GraphColumns,
    state: State,
    embedder: tuple[str, Mapping[str, Any] | None],
    phase: Phase,
    tell: Callable[[Progress], None],
) -> bool:
    """Writes the generation of `columns`, changed by `edited`, to `folder`; False where that is impossible.

    The parts of unchanged files are copied. `embedder` is the configured one and its identity, which made the
    generation's vectors. The engine's file is left to the first query that needs it: building it would cost more than
    everything else together.
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
    from loregraph.graph.lexical_writer import splice_lexical

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
        rooted.copy(columns.folder, LEXICAL_FILE, folder, LEXICAL_FILE)
        return
    if splice_lexical(columns.folder, folder, spliced.numbers, spliced.nodes, gone, come):
        return
    from loregraph.graph.columns import GraphColumns

    written = GraphColumns.open(folder)
    found: dict[str, list[int]] = {}
    for path, blob in state.blobs("facts"):
        if blob:
            numbers = [written.find_id(identity) for identity in definition_ids(inflate_facts(blob))]
            found[path] = [NO_NODE if number is None else number for number in numbers]
    write_lexical(folder, found, spliced.nodes, state)


def _documents(ids: Sequence[str], packed: bytes) -> dict[str, bytes]:
    """The terms of each definition of a file."""
    return dict(zip(ids, unpack(inflated(packed)), strict=True)) if packed else {}


def _splice_constants(folder: Path, edited: Edited, columns: GraphColumns) -> None:
    from loregraph.graph.constants import splice_constants

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
    """False where the vectors come from another embedder than the configured one."""
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
        for i, key in enumerate(hashes_of(hashes.get(path, b""))):
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
    matrix = matrix_of((vectors[wanted[node]] for node in nodes), space.dim)
    splice_vectors(columns.folder, folder, numbers, matrix, np.asarray(nodes, dtype=np.int64))
    return True


def _vectors(
    state: State,
    spec: str,
    space: EmbedderIdentity,
    text_at: Mapping[bytes, tuple[str, int]],
    tell: Callable[[Progress], None],
) -> dict[bytes, bytes] | None:
    """The vectors of texts in `space`; loads the embedder only for texts without a stored vector. None where the
    embedder's space is another one. Vectors of texts that no longer exist are dropped once everything is written."""
    vectors = state.vectors(space_key(space), text_at.keys())
    missing = sorted(text_at.keys() - vectors.keys())
    if missing:
        from loregraph.graph.vectors import identity, load_embedder

        embedder = load_embedder(spec)
        if embedder is None or identity(embedder) != space:
            return None
        vectors.update(embedded(state, embedder, missing, text_at, tell))
    return vectors
