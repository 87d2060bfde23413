"""Which functions will probably be changed together with some: from history, the graph, names and places, in one score.

A suggestion, never a fact. The score is a weighted sum of measures between 0 and about 1, with the weights of a
conditional logit fitted to the commits of three libraries (click, gin, flask); `benchmarks/co_changes.py` has what each
source alone and all of them find, on libraries that nothing was fitted to.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from typing import Final

import msgspec
import numpy as np

from loregraph.analysis.history.functions import Changes
from loregraph.graph.columns import GraphColumns
from loregraph.graph.model import LABELS
from loregraph.graph.terms import split_identifier

TOGETHER: Final = 9.7
"""Weight of having been changed together, a small commit counting more, relative to how often either was."""
FILES_TOGETHER: Final = 3.1
"""Weight of the share of the commits of one's file that changed the other's file."""
CALLS: Final = 0.9
"""Weight of calling or being called, divided by the root of the number of callees or callers; of a test, `TESTS`."""
TESTS: Final = 1.2
NEAR: Final = 3.0
"""Weight of 1/distance in the same file, counted in functions, at most `_NEAREST`."""
SAME_FILE: Final = 1.2
NAME: Final = 1.5
"""Weight of the words that the names share, rare ones counting more."""
SIZE: Final = 0.7
"""Weight of the logarithm of the number of lines: long functions are changed more often."""

_NEAREST: Final = 0.5
_LIKE_NAMES: Final = 0.4
"""Share of the weight of a name's words that makes another function a candidate."""
_COMMON_WORD: Final = 200
"""Functions with a word in their name above which it tells nothing."""
_FILES: Final = 3
_OF_A_FILE: Final = 20
"""Candidates among the functions of a file that was often changed with one's own: those changed most often."""
_MOST_STARTS: Final = 50
_NO_WORDS: Final = frozenset({"test"})


class ChangesWith(msgspec.Struct, frozen=True, omit_defaults=True):
    """A function that will probably be changed with another. It was changed together with it in `support` commits, the
    share `confidence` of those that changed the other. `why` are the sources: history, files (theirs were
    changed together), calls, tests, file (the same), names."""

    id: str
    score: float
    why: tuple[str, ...]
    support: int = 0
    confidence: float = 0.0


# Implements REQ-HIS-007.
class Suggesting:
    """What is needed to rank the functions of a graph for one of them."""

    def __init__(self, columns: GraphColumns, changes: Changes, *, history: bool = True, graph: bool = True) -> None:
        """Without `history` or `graph` that source is left out, to measure the other."""
        self._columns = columns
        self._with_graph = graph
        functions = np.flatnonzero(columns.labels == LABELS.index("Function"))
        self._nodes: list[int] = functions.tolist()
        self._is_function = set(self._nodes)
        self._commits: dict[int, list[tuple[int, ...]]] = defaultdict(list)
        self._file_commits: Counter[str] = Counter()
        self._files_with: dict[str, dict[str, float]] = defaultdict(lambda: defaultdict(float))
        if history:
            self._count(changes)
        self._in_file: dict[str, list[int]] = defaultdict(list)
        for node in functions[np.lexsort((functions, columns.start_line[functions]))].tolist():
            self._in_file[columns.path(node)].append(node)
        self._words = {node: frozenset(split_identifier(columns.name(node))) - _NO_WORDS for node in self._nodes}
        self._with_word: dict[str, list[int]] = defaultdict(list)
        for node in self._nodes:
            for word in self._words[node]:
                self._with_word[word].append(node)

    def _count(self, changes: Changes) -> None:
        for change in changes.commits:
            for node in change.functions:
                self._commits[node].append(change.functions)
            files = sorted({self._columns.path(node) for node in change.functions})
            self._file_commits.update(files)
            for one in files:
                for other in files:
                    if one != other:
                        self._files_with[one][other] += 1 / (len(files) - 1)

    def best(self, nodes: Iterable[int], most: int) -> list[ChangesWith]:
        """The `most` functions with the highest scores for all of `nodes` together, those left out."""
        starts = [node for node in sorted(set(nodes)) if node in self._is_function]
        scores: dict[int, float] = defaultdict(float)
        why: dict[int, set[str]] = defaultdict(set)
        for start in starts[:_MOST_STARTS]:
            for node, parts in self._scored(start).items():
                scores[node] += sum(parts.values())
                why[node].update(parts)
        ranked = sorted(scores.keys() - set(starts), key=lambda node: (-scores[node], node))
        return [self._told(starts, node, scores[node], why[node]) for node in ranked[:most]]

    def _told(self, starts: list[int], node: int, score: float, why: set[str]) -> ChangesWith:
        together = {start: sum(node in commit for commit in self._commits.get(start, ())) for start in starts}
        start = max(starts, key=lambda one: (together[one], -one))
        support = together[start]
        confidence = round(support / len(self._commits[start]), 3) if support else 0.0
        return ChangesWith(self._columns.id(node), round(score, 3), tuple(sorted(why - {"size"})), support, confidence)

    def _scored(self, start: int) -> dict[int, dict[str, float]]:
        """Candidate → source → its part of the score."""
        found: dict[int, dict[str, float]] = defaultdict(lambda: defaultdict(float))
        self._add_history(start, found)
        if self._with_graph:
            self._add_graph(start, found)
            self._add_files(start, found)
        found.pop(start, None)
        if self._with_graph:
            for node, parts in found.items():
                lines = self._columns.end_line[node] - self._columns.start_line[node] + 1
                parts["size"] = SIZE * math.log1p(max(0, int(lines)))
        return found

    def _together(self, node: int) -> Mapping[int, float]:
        """How often each function was changed with `node`: a commit with n others counts 1/n for each."""
        found: dict[int, float] = defaultdict(float)
        for functions in self._commits.get(node, ()):
            for other in functions:
                if other != node:
                    found[other] += 1 / (len(functions) - 1)
        return found

    def _add_history(self, start: int, found: dict[int, dict[str, float]]) -> None:
        count = len(self._commits.get(start, ())) + 1
        for node, weight in self._together(start).items():
            found[node]["history"] += TOGETHER * weight / math.sqrt(count * (len(self._commits[node]) + 1))

    def _add_files(self, start: int, found: dict[int, dict[str, float]]) -> None:
        path = self._columns.path(start)
        files = self._files_with.get(path, {})
        for other_path in sorted(files, key=lambda one: (-files[one], one))[:_FILES]:
            often = sorted(self._in_file[other_path], key=lambda one: (-len(self._commits.get(one, ())), one))
            for node in often[:_OF_A_FILE]:
                found[node]["files"] = 0.0
        for node, parts in found.items():
            weight = files.get(self._columns.path(node), 0.0)
            if weight:
                parts["files"] = FILES_TOGETHER * weight / (self._file_commits[path] + 1)

    def _add_graph(self, start: int, found: dict[int, dict[str, float]]) -> None:
        columns = self._columns
        for rel, outward, weight, source in (
            ("CALLS", True, CALLS, "calls"),
            ("CALLS", False, CALLS, "calls"),
            ("TESTS", True, TESTS, "tests"),
            ("TESTS", False, TESTS, "tests"),
        ):
            edges = columns.out(start, rel) if outward else columns.into(start, rel)
            ends = {*(columns.target if outward else columns.source)[edges].tolist()} & self._is_function
            for node in ends:
                found[node][source] += weight / math.sqrt(len(ends))
        beside = self._in_file[columns.path(start)]
        place = beside.index(start)
        for at, node in enumerate(beside):
            if at != place:
                found[node]["file"] += SAME_FILE + NEAR * min(_NEAREST, 1 / abs(at - place))
        self._add_names(start, found)

    def _add_names(self, start: int, found: dict[int, dict[str, float]]) -> None:
        shared: dict[int, float] = defaultdict(float)
        for word in sorted(self._words[start]):
            if len(self._with_word[word]) < _COMMON_WORD:
                for node in self._with_word[word]:
                    shared[node] += self._rarity(word)
        whole = self._weight(start)
        for node, weight in shared.items():
            if node in found or weight > _LIKE_NAMES * whole:
                found[node]["names"] += NAME * weight / math.sqrt(whole * self._weight(node))

    def _rarity(self, word: str) -> float:
        return math.log1p(len(self._nodes) / len(self._with_word[word]))

    def _weight(self, node: int) -> float:
        return math.fsum(self._rarity(word) for word in sorted(self._words[node])) or 1.0
