"""Exported constants of a project, found by name: rows beside the graph, each with its file and line.

They are not nodes: constants are never called, and a project has as many of them as functions. A constant is found if a
query contains its name, or if every word of the query is one of its name's. They have no text to compare by meaning.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from msgspec import Struct

from loregraph.errors import DamagedStoreError
from loregraph.graph.terms import query_terms, split_identifier, stem, term_hash, terms, words_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from loregraph.graph.column_file import Codes, ColumnFileWriter, Strings

CONSTANTS_FILE: Final = "constants.bin"
_VERSION: Final = 1


class Constant(Struct, array_like=True, frozen=True):
    """A name to which a file assigns a constant value. `text` is its line, at most 200 characters."""

    line: int
    name: str
    text: str


class ConstantHit(Struct, frozen=True):
    """A constant found by a query; `share` is the share of its name's words in the query, 1 for the complete name."""

    name: str
    path: str
    language: str
    line: int
    text: str
    share: float
    spelled: bool


def write_constants(folder: Path, files: Iterable[tuple[str, str, Iterable[Constant]]]) -> None:
    """Writes the constants of files, given as (path, language, constants), to `folder`."""
    import numpy as np

    from loregraph.graph.column_file import ColumnFileWriter

    rows = [(one, path, language) for path, language, constants in sorted(files) for one in constants]
    writer = ColumnFileWriter()
    _add(writer, rows)
    hashes, owners = _terms(rows)
    order = np.argsort(hashes, kind="stable")
    writer.array("term.hashes", hashes[order])
    writer.array("term.rows", owners[order])
    writer.array("parts", np.array([_parts(one.name) for one, _, _ in rows], dtype="<u4"))
    writer.write(folder / CONSTANTS_FILE, {"constants": _VERSION})


def splice_constants(folder: Path, building: Path, files: Iterable[tuple[str, str, Iterable[Constant]]]) -> None:
    """Copies the constants of `folder` to `building`, replacing those of `files`, possibly by none; the result is what
    `write_constants` writes for all files."""
    import numpy as np

    from loregraph.graph.column_file import ColumnFile, ColumnFileWriter
    from loregraph.graph.row_splice import RowSplice, splice_column, splice_index

    changed = {path: (language, tuple(constants)) for path, language, constants in files}
    file = ColumnFile(folder / CONSTANTS_FILE)
    if file.meta != {"constants": _VERSION}:
        raise DamagedStoreError(f"the index of constants {file.path} is of another version", "run `loregraph index`")
    paths = file.codes("path")
    rows = [(one, path, own[0]) for path, own in sorted(changed.items()) for one in own[1]]
    gone = np.array([path in changed for path in paths.values], np.bool_)[paths.codes]
    # The rows of a file are contiguous, in the order of the paths and so of their codes.
    first = paths.codes[~gone].searchsorted([bisect_left(paths.values, path) for _, path, _ in rows])
    splice = RowSplice(len(gone), np.flatnonzero(gone), first.astype(np.int64))
    numbers = splice.come()
    come, writer = ColumnFileWriter(), ColumnFileWriter()
    _add(come, rows)
    for name in ("name", "path", "language", "line", "text"):
        splice_column(writer, file, come, name, splice)
    hashes, owners = _terms(rows)
    hashes, owners = splice_index(
        file.array("term.hashes"), file.array("term.rows"), gone, splice.numbers(), hashes, numbers[owners]
    )
    writer.array("term.hashes", hashes)
    writer.array("term.rows", owners)
    parts = np.array([_parts(one.name) for one, _, _ in rows], dtype="<u4")
    writer.array("parts", splice.array(file.array("parts"), parts))
    writer.write(building / CONSTANTS_FILE, file.meta)


def _add(writer: ColumnFileWriter, rows: Sequence[tuple[Constant, str, str]]) -> None:
    import numpy as np

    writer.strings("name", [one.name for one, _, _ in rows])
    writer.codes("path", [path for _, path, _ in rows])
    writer.codes("language", [language for _, _, language in rows])
    writer.array("line", np.array([one.line for one, _, _ in rows], dtype="<u4"))
    writer.strings("text", [one.text for one, _, _ in rows])


def _terms(rows: Sequence[tuple[Constant, str, str]]) -> tuple[NDArray[Any], NDArray[Any]]:
    """The hashes of the words in each row's name, and the rows."""
    import numpy as np

    distinct = [sorted(set(terms(one.name))) for one, _, _ in rows]
    owners = np.repeat(np.arange(len(rows)), [len(own) for own in distinct]).astype("<u4")
    return np.array([term_hash(term) for own in distinct for term in own], dtype="<u4"), owners


def _parts(text: str) -> int:
    """The number of different words in an identifier, or in several."""
    return len({stem(part) for word in words_of(text) for part in split_identifier(word)}) or 1


class ConstantIndex:
    """The constants of one generation, memory-mapped. Thread-safe. Raises DamagedStoreError like its arrays."""

    def __init__(self, folder: Path) -> None:
        from loregraph.graph.column_file import ColumnFile

        path = folder / CONSTANTS_FILE
        self._file = ColumnFile(path)
        if self._file.meta != {"constants": _VERSION}:
            raise DamagedStoreError(f"the index of constants {path} is of another version", "run `loregraph index`")

    @cached_property
    def _names(self) -> Strings:
        return self._file.strings("name")

    @cached_property
    def _texts(self) -> Strings:
        return self._file.strings("text")

    @cached_property
    def _paths(self) -> Codes:
        return self._file.codes("path")

    @cached_property
    def _languages(self) -> Codes:
        return self._file.codes("language")

    @cached_property
    def _hashes(self) -> NDArray[Any]:
        return self._file.array("term.hashes")

    def find(self, query: str, limit: int) -> list[ConstantHit]:
        """At most `limit` constants whose names contain every word of `query`, those with the largest share first."""
        import numpy as np

        asked = [term for term, weight in query_terms(query).items() if weight == 1]
        if not asked or not len(self._names):
            return []
        owners = self._file.numbers("term.rows", len(self._names))
        found: NDArray[Any] | None = None
        for term in asked:
            wanted = np.uint32(term_hash(term))
            own = owners[self._hashes.searchsorted(wanted) : self._hashes.searchsorted(wanted, "right")]
            found = own if found is None else np.intersect1d(found, own)
            if not len(found):
                return []
        spelled = query.strip().removesuffix("()")
        said, parts, lines = _parts(query), self._file.array("parts"), self._file.array("line")
        hits = []
        for row in [] if found is None else found.tolist():
            name = self._names[row]
            share = 1.0 if name == spelled else min(1.0, said / max(1, int(parts[row])))
            hits.append(
                ConstantHit(
                    name,
                    self._paths[row],
                    self._languages[row],
                    int(lines[row]),
                    self._texts[row],
                    share,
                    name == spelled,
                )
            )
        hits.sort(key=lambda hit: (-hit.spelled, -hit.share, hit.path, hit.line, hit.name))
        return hits[:limit]
