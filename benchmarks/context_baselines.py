"""What `explore` is compared with: functions by BM25, files by BM25, and grep.

Each gives pieces of source, best first. All are measured as our own answers are: bytes of JSON, four to a token.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from functools import cached_property

import msgspec
from bm25 import Bm25
from context_commits import BESIDE_TESTS, is_anonymous

from loregraph.analysis.code_roles import CodeRoles
from loregraph.analysis.token_count import CHARACTERS, size
from loregraph.graph.terms import STOP_WORDS, terms, words_of
from loregraph.project import Project

RANKED = 2_000
"""Pieces looked at: more than 16,000 tokens hold."""
_IDENTIFIER = re.compile(r"[^\W\d]\w*")
_COMPOUND = re.compile(r"[^\W_]_[^\W_]|[a-z\d][A-Z]|^_+\w|`")


class Piece(msgspec.Struct, frozen=True):
    """Some lines of a file as an answer shows them; `id` is the function that it says they are in, "" where it says
    none."""

    path: str
    start_line: int
    lines: tuple[str, ...]
    id: str = ""


class Shown(msgspec.Struct, frozen=True):
    """What an answer shows: the text of lines by path and line, ids of what has an entry of its own, ids of what is
    only named, paths, and its length in tokens."""

    lines: dict[str, set[int]]
    entries: set[str]
    named: set[str]
    files: set[str]
    tokens: int


def within_budget(pieces: Iterable[Piece], tokens: int) -> Shown:
    """The pieces from the first one on that fit; the last is cut at the line that no longer does."""
    left = tokens * CHARACTERS
    lines: dict[str, set[int]] = {}
    entries: set[str] = set()
    for piece in pieces:
        heading = {"file_path": piece.path, "line": piece.start_line, "source": ""}
        if piece.id:
            heading["id"] = piece.id
        left -= size(heading) + 1
        fitting = 0
        for line in piece.lines:
            cost = size(line)  # its quotes stand for the end of the line: two bytes in JSON
            if cost > left:
                break
            left -= cost
            fitting += 1
        if fitting:
            lines.setdefault(piece.path, set()).update(range(piece.start_line, piece.start_line + fitting))
            entries.add(piece.id)
        if fitting < len(piece.lines):
            break
    return Shown(lines, entries, entries, set(lines), tokens - max(0, left) // CHARACTERS)


class Baselines:
    """The project's code, read once. Without `tests`, test code, which no answer is in, is left out."""

    def __init__(self, project: Project, *, tests: bool = False) -> None:
        columns = project.reader().columns
        roles = CodeRoles(columns)
        self._sources: dict[str, list[str]] = {}
        self.functions: list[Piece] = []
        for node in columns.nodes("File").tolist():
            path = columns.path(node)
            if (
                columns.language(node)
                and path not in columns.generated
                and (tests or not (roles.is_test_file(path) or BESIDE_TESTS.search(path)))
            ):
                self._sources[path] = project.source_lines(path)
        for node in columns.nodes("Function").tolist():
            path = columns.path(node)
            if path in self._sources and (tests or not roles.is_test(node)) and not is_anonymous(columns, node):
                first, last = int(columns.start_line[node]), int(columns.end_line[node])
                lines = tuple(self._sources[path][first - 1 : last])
                self.functions.append(Piece(path, first, lines, columns.id(node)))

    @cached_property
    def _by_words(self) -> Bm25:
        return Bm25("\n".join((piece.id, *piece.lines)) for piece in self.functions)

    @cached_property
    def _files(self) -> list[Piece]:
        return [Piece(path, 1, tuple(lines)) for path, lines in self._sources.items()]

    @cached_property
    def _files_by_words(self) -> Bm25:
        return Bm25("\n".join((piece.path, *piece.lines)) for piece in self._files)

    def bm25_functions(self, question: str, given: str) -> list[Piece]:
        """Whole functions by BM25 over their names, paths and bodies."""
        ranked = [self.functions[number] for number in self._by_words.rank(_asked(question), RANKED)]
        return [piece for piece in ranked if piece.id != given]

    def bm25_files(self, question: str, given: str) -> list[Piece]:
        """Whole files by BM25 over their paths and texts."""
        return [self._files[number] for number in self._files_by_words.rank(_asked(question), RANKED)]

    def grep(self, question: str, given: str) -> list[Piece]:
        """The lines with an identifier of the question, those of the rarest first, then those with other words of it,
        each with its function."""
        words = list(dict.fromkeys(_IDENTIFIER.findall(question)))
        plain = [word for word in words if len(word) > 3 and word.lower() not in STOP_WORDS]
        identifiers = [word for word in words if _COMPOUND.search(word)]
        matches: dict[str, list[tuple[str, int]]] = {word: [] for word in dict.fromkeys(identifiers + plain)}
        for path, lines in self._sources.items():
            for number, line in enumerate(lines, 1):
                for word in matches.keys() & set(_IDENTIFIER.findall(line)):
                    matches[word].append((path, number))
        counts = Counter(place for places in matches.values() for place in places)
        rarity = {word: len(places) for word, places in matches.items()}
        ordered = dict.fromkeys(
            place
            for word in sorted(matches, key=lambda word: (word not in identifiers, rarity[word], word))
            for place in sorted(matches[word], key=lambda place: (-counts[place], place))
        )
        return [
            Piece(path, number, (self._sources[path][number - 1][:300],), self._around(path, number))
            for path, number in list(ordered)[:RANKED]
        ]

    @cached_property
    def _by_path(self) -> dict[str, list[Piece]]:
        found: dict[str, list[Piece]] = {}
        for piece in self.functions:
            found.setdefault(piece.path, []).append(piece)
        return found

    def _around(self, path: str, line: int) -> str:
        around = [
            piece
            for piece in self._by_path.get(path, ())
            if piece.start_line <= line < piece.start_line + len(piece.lines)
        ]
        return min(around, key=lambda piece: len(piece.lines)).id if around else ""


def _asked(question: str) -> list[str]:
    return [term for word in words_of(question) if word.lower() not in STOP_WORDS for term in terms(word)]
