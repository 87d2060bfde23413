"""The reasons for a suggestion, in words that a person can check."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import numpy as np

from loregraph.analysis.suggest.requirements import Requirements
from loregraph.analysis.suggest.sources import Code
from loregraph.analysis.suggest.spreading import Shares
from loregraph.analysis.suggest.views import Match
from loregraph.analysis.suggest.vocabulary import UNKNOWN, Ids, surface
from loregraph.graph.columns import GraphColumns

_WORDS: Final = 5
"""Maximum words listed."""
_TELLING: Final = 0.1
"""Minimum contribution of a listed word relative to the highest."""


class Reasons:
    """Explains scores. `texts` are the requirements as they are written."""

    def __init__(
        self,
        columns: GraphColumns,
        asked: Requirements,
        code: Code,
        matched: Match,
        related: Shares,
        texts: Iterable[str],
    ) -> None:
        self._columns, self._asked, self._code, self._matched, self._related = columns, asked, code, matched, related
        self._surface = surface(texts)
        self._weighed = asked.table * matched.weights * matched.weights
        self._names: dict[int, list[int]] = {}

    def of(self, row: int, files: Ids) -> list[str]:
        """A reason for each of `files` as a suggestion for requirement number `row`."""
        weighed = self._weighed[row]
        said = np.flatnonzero(weighed)
        shares = self._matched.files[np.ix_(files, said)] * weighed[said]
        order = np.argsort(-shares, axis=1, kind="stable")[:, :_WORDS]
        highest = np.take_along_axis(shares, order, axis=1)
        named = (highest > highest[:, :1] * _TELLING) & (highest > 0)
        spoken = [self._spoken(number) for number in said.tolist()]
        joined = self._joined(row)[files].tolist()
        return [
            self._one(row, file, [spoken[at] for at, is_named in zip(words, kept, strict=True) if is_named], other)
            for file, words, kept, other in zip(files.tolist(), order.tolist(), named.tolist(), joined, strict=True)
        ]

    def _spoken(self, number: int) -> str:
        return self._surface[self._asked.vocabulary.words[number]]

    def _one(self, row: int, file: int, words: list[str], joined: int) -> str:
        columns, code = self._columns, self._code
        found = [f"words: {', '.join(words)}"] if words else []
        element = int(self._matched.best[row, file])
        if self._weighed[row, self._name_words(element)].any():
            found.append(f"name: {self._name(element)}")
        source = int(self._matched.reached_from[row, file])
        if source >= 0:
            found.append(f"used by {self._name(source)}, which matches better")
        elif joined >= 0:
            found.append(f"joined to {columns.path(code.files[joined])}, which matches better")
        return "; ".join(found) or "like other files that match"

    def _name(self, element: int) -> str:
        node = self._code.elements[element].node
        if self._columns.label(node) == "File":
            return self._columns.path(node)
        return self._columns.id(node).partition("::")[2]

    def _name_words(self, element: int) -> list[int]:
        """The numbers of the words in its name."""
        known = self._names.get(element)
        if known is None:
            numbers = map(self._asked.vocabulary.number, self._code.elements[element].names)
            known = self._names[element] = [number for number in numbers if number != UNKNOWN]
        return known

    def _joined(self, row: int) -> Ids:
        """The file from which each file gains most, where that one matches better than itself; -1 for none."""
        files, others, weights = self._related.files, self._related.others, self._related.weights
        scores = self._matched.scores[row]
        worth = scores[others] * weights
        better = np.flatnonzero(scores[others] > scores[files])
        order = better[np.lexsort((others[better], -worth[better], files[better]))]
        there, starts = np.unique(files[order], return_index=True)
        found = np.full(len(self._code.files), -1, np.int32)
        found[there] = others[order[starts]]
        return found
