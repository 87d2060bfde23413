"""Joins what generations have beside their columns: words, constants and vectors. See `joined_columns`.

Words keep the weights that they have in their own repository: what is usual in one is not in another.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from loregraph.graph.column_file import ColumnFile, ColumnFileWriter
from loregraph.graph.constants import CONSTANTS_FILE
from loregraph.graph.joined_rows import (
    Order,
    join_codes,
    join_strings,
    joined,
    joined_ragged,
)
from loregraph.graph.lexical import LexicalIndex
from loregraph.graph.lexical_writer import write_parts
from loregraph.graph.vector_index import VECTORS_FILE, write_rows


def join_lexical(folder: Path, members: Sequence[Path], firsts: Sequence[int]) -> None:
    """Writes to `folder` the word index of all members; `firsts` is the number of each one's first node."""
    indexes = [LexicalIndex(member) for member in members]
    parts = [index.parts() for index in indexes]
    hashes = joined([part[0] for part in parts])
    by_hash = Order(np.argsort(hashes, kind="stable"))
    # A posting is the document's number above 8 bits of its weight.
    postings = [(part[1], part[2] + np.uint32(first << 8)) for part, first in zip(parts, firsts, strict=True)]
    offsets, moved = by_hash.ragged(*joined_ragged(postings))
    hashes = by_hash.array(hashes)
    terms = np.flatnonzero(np.diff(hashes, prepend=hashes[:1] ^ np.uint32(1)))
    held_offsets, held = joined_ragged([(part[3], part[4]) for part in parts])
    lengths = [index.lengths() for index in indexes]
    sums = [(sum(one[0] for one in field), sum(one[1] for one in field)) for field in zip(*lengths, strict=True)]
    write_parts(folder, sums, hashes[terms], np.append(offsets[:-1][terms], offsets[-1]), moved, held_offsets, held)


def join_constants(folder: Path, members: Sequence[Path], prefixes: Sequence[str]) -> None:
    """Writes to `folder` the constants of all members; paths get their prefixes."""
    files = [ColumnFile(member / CONSTANTS_FILE) for member in members]
    writer = ColumnFileWriter()
    join_strings(writer, "name", [file.strings("name") for file in files])
    join_codes(writer, "path", [file.codes("path") for file in files], [prefix.__add__ for prefix in prefixes])
    join_codes(writer, "language", [file.codes("language") for file in files])
    writer.array("line", joined([file.array("line") for file in files]))
    join_strings(writer, "text", [file.strings("text") for file in files])
    firsts = np.append(0, np.cumsum([file.count("line") for file in files]))
    hashes = joined([file.array("term.hashes") for file in files])
    owners = joined([file.array("term.rows") + np.uint32(first) for file, first in zip(files, firsts, strict=False)])
    order = np.argsort(hashes, kind="stable")
    writer.array("term.hashes", hashes[order])
    writer.array("term.rows", owners[order])
    writer.array("parts", joined([file.array("parts") for file in files]))
    writer.write(folder / CONSTANTS_FILE, files[0].meta)


def join_vectors(folder: Path, members: Sequence[tuple[Path, int]]) -> None:
    """Writes to `folder` the vectors of members that were all made by one embedder: each with the number of its first
    node."""
    files = [(ColumnFile(member / VECTORS_FILE), first) for member, first in members]
    nodes = joined([file.array("nodes").astype(np.int64) + first for file, first in files])
    write_rows(
        folder,
        files[0][0].meta["dim"],
        nodes,
        joined([file.array("scales") for file, _ in files]),
        joined([file.array("rows") for file, _ in files]),
    )
