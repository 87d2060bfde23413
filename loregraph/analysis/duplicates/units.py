"""The units of comparison: functions where the graph has them, whole files in languages without known functions.

Their source is read from disk and compared with what was indexed: the lines of a file that has changed since are
meaningless. Generated and vendored files are left out and counted (by patterns, a mark in the first lines, or overly
dense lines), since copies there cannot be merged by the project.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from loregraph import patterns
from loregraph.analysis.code_roles import CodeRoles
from loregraph.analysis.duplicates.bags import Positions
from loregraph.analysis.duplicates.lexical_rules import RULES
from loregraph.analysis.duplicates.tokens import Source, Tokens, tokenize
from loregraph.errors import ConfigError
from loregraph.graph.columns import GraphColumns
from loregraph.indexer.languages import registry

Read = Callable[[str], bytes | None]
"""The text of a file of the project, as the indexer reads it; None where it cannot be read."""

EXCLUDED: Final = (
    "vendor/",
    "vendored/",
    "third_party/",
    "third-party/",
    "node_modules/",
    "bower_components/",
    "migrations/",
    "*.min.js",
    "*_pb2.py",
    "*_pb2_grpc.py",
    "*.pb.go",
    "*.pb.cc",
    "*.pb.h",
    "*.g.dart",
)
"""Patterns, as in .gitignore, of excluded files; a pattern with `!` includes them again."""
FULLEST_LINES: Final = 40
"""Tokens per line from which on a file is not hand-written (people write eight): on average, and on most lines."""
_GENERATED: Final = re.compile(
    r"@generated\b|\bDO NOT (?:EDIT|MODIFY)\b|(?i:generated\b[^\n]{0,80}\b(?:do not|don't) (?:edit|modify))"
)
_QUOTES: Final = "\"'`"
_HEAD: Final = 2_000


class Units(NamedTuple):
    """The units, ordered by file and line, and their tokens.

    `nodes` are numbers of the graph; the tokens of unit i are `first[i]` to `last[i]`, exclusive; `parents` has the
    unit around each, -1 for none; `is_file` distinguishes whole files from functions, `is_test` tests from other code.
    """

    nodes: Positions
    first: Positions
    last: Positions
    parents: Positions
    is_file: npt.NDArray[np.bool_]
    is_test: npt.NDArray[np.bool_]
    is_constructor: npt.NDArray[np.bool_]
    tokens: Tokens
    notices: tuple[str, ...]

    def sizes(self) -> Positions:
        """How many tokens each has."""
        return self.last - self.first


class _File(NamedTuple):
    node: int
    path: str
    language: str
    functions: Positions


def read_units(columns: GraphColumns, read: Read, exclude: Sequence[str] = ()) -> Units:
    """The units of a graph. `exclude` are patterns as in .gitignore, after EXCLUDED; ConfigError for a bad one."""
    left_out: Counter[str] = Counter()
    files = list(_files(columns, exclude, left_out))
    kept: list[_File] = []

    def sources() -> Iterator[Source]:
        for file in files:
            raw = _raw(columns, file, read, left_out)
            if raw is not None:
                kept.append(file)
                language, code = registry.as_code(file.path, raw, file.language)
                yield Source(code.decode("utf-8", "replace"), language)

    tokens = tokenize(sources())
    written = _by_people(tokens)
    if not all(written):
        left_out["files with lines too full for a person to have written"] = written.count(False)
    notices = tuple(f"left out: {reason}: {count:,}" for reason, count in sorted(left_out.items()))
    return _placed(columns, kept, written, tokens, notices)


def _files(columns: GraphColumns, exclude: Sequence[str], left_out: Counter[str]) -> Iterator[_File]:
    functions = columns.nodes("Function").astype(np.int64)
    codes = columns.paths.codes[functions]
    order = np.lexsort((-columns.end_line[functions], columns.start_line[functions], codes))
    functions, codes = functions[order], codes[order]
    excluded = _excluded(exclude)
    for node in columns.nodes("File").tolist():
        path, language = columns.path(node), columns.language(node)
        if language not in RULES:
            continue
        code = columns.paths.codes[node]
        own = functions[np.searchsorted(codes, code) : np.searchsorted(codes, code, "right")]
        if not len(own) and columns.own(node, "status") != "unsupported":
            continue  # a file without functions in a language that has them: settings, lists, declarations
        if path in columns.generated:
            left_out["files that nobody of the project writes (`loregraph status` says why)"] += 1
            continue
        if excluded(path):
            left_out["files that a pattern names"] += 1
            continue
        yield _File(node, path, language, own)


def _excluded(exclude: Sequence[str]) -> Callable[[str], bool]:
    try:
        return patterns.paths([*EXCLUDED, *exclude])
    except patterns.PatternError as error:
        raise ConfigError(f"duplicates.exclude: {error}", "use patterns as in .gitignore") from error


def _raw(columns: GraphColumns, file: _File, read: Read, left_out: Counter[str]) -> bytes | None:
    raw = read(file.path)
    if raw is None:
        left_out["files that cannot be read"] += 1
        return None
    known = columns.own(file.node, "content_hash")
    if known and hashlib.blake2b(raw, digest_size=16).hexdigest() != known:
        left_out["files that changed since they were indexed (`loregraph index` takes them in)"] += 1
        return None
    if _is_generated(raw[: 4 * _HEAD].decode("utf-8", "replace")):
        left_out["files that say they are generated"] += 1
        return None
    return raw


def _is_generated(text: str) -> bool:
    """Whether the head of a file declares it generated; strings in it do not count."""
    for found in _GENERATED.finditer(text, 0, _HEAD):
        before = text[text.rfind("\n", 0, found.start()) + 1 : found.start()].lstrip(f" \t#/*;%<!-.{_QUOTES}")
        if not any(quote in before for quote in _QUOTES):
            return True
    return False


def _by_people(tokens: Tokens) -> list[bool]:
    """Whether each source may be hand-written, by the density of its lines."""
    ends = tokens.starts[1:] - 1
    counts = np.diff(tokens.starts)
    lines = np.ones(len(counts), np.int64)
    lines[counts > 0] = tokens.last_lines[ends[counts > 0]]
    written: list[bool] = (counts <= FULLEST_LINES * lines).tolist()
    for number in np.flatnonzero(counts > FULLEST_LINES * lines).tolist():
        # One long literal does not decide; most lines do.
        written[number] = _most_lines_fit(tokens, int(tokens.starts[number]), int(tokens.starts[number + 1]))
    return written


def _most_lines_fit(tokens: Tokens, first: int, last: int) -> bool:
    """Whether most lines with tokens among `first` to `last`, exclusive, are within a person's density."""
    _, counts = np.unique(tokens.lines[first:last], return_counts=True)
    return 2 * int((counts > FULLEST_LINES).sum()) < len(counts)


def _placed(
    columns: GraphColumns, files: Sequence[_File], written: Sequence[bool], tokens: Tokens, notices: tuple[str, ...]
) -> Units:
    nodes: list[int] = []
    parents: list[int] = []
    owners: list[int] = []
    for number, file in enumerate(files):
        if not written[number]:
            continue
        if not len(file.functions):
            nodes.append(file.node)
            parents.append(-1)
            owners.append(number)
            continue
        around: list[int] = []
        seen = (0, 0)
        for node in file.functions.tolist():
            lines = int(columns.start_line[node]), int(columns.end_line[node])
            if lines == seen or (lines[0] == lines[1] and columns.name(node).startswith("<")):
                continue  # on the same lines as another, or several on one line: lines cannot separate them
            seen = lines
            while around and columns.end_line[nodes[around[-1]]] < lines[0]:
                around.pop()
            parents.append(around[-1] if around else -1)
            around.append(len(nodes))
            nodes.append(node)
            owners.append(number)
    numbers, owner = np.array(nodes, np.int64), np.array(owners, np.int64)
    is_file = np.array([columns.label(node) == "File" for node in nodes], np.bool_)
    roles = CodeRoles(columns)
    is_test = np.array([roles.is_test(node) for node in nodes], np.bool_)
    is_constructor = np.array([columns.kind(node) == "constructor" for node in nodes], np.bool_)
    keys = (np.repeat(np.arange(len(files), dtype=np.int64), np.diff(tokens.starts)) << 32) | tokens.lines
    first = np.searchsorted(keys, (owner << 32) | columns.start_line[numbers])
    last = np.searchsorted(keys, (owner << 32) | (columns.end_line[numbers].astype(np.int64) + 1))
    first, last = np.where(is_file, tokens.starts[owner], first), np.where(is_file, tokens.starts[owner + 1], last)
    return Units(numbers, first, last, np.array(parents, np.int64), is_file, is_test, is_constructor, tokens, notices)
