"""The best reason for each selected test, and the order that they give."""

from __future__ import annotations

from typing import Final

from msgspec import Struct

from loregraph.analysis.selection.known import Known
from loregraph.analysis.selection.selected import SelectedTest
from loregraph.graph.columns import GraphColumns

ORDER: Final = ("changed", "observed", "coverage", "call", "file", "imports", "all")
"""The ways in which a test is selected, the best first."""


class Reason(Struct, frozen=True):
    """`how`, `confidence` and `text` as in `SelectedTest`."""

    how: str
    confidence: float
    text: str

    @property
    def rank(self) -> tuple[int, float]:
        """Less is better."""
        return ORDER.index(self.how), -self.confidence


class Reasons:
    """Collects reasons, in any order."""

    def __init__(self, columns: GraphColumns, known: Known) -> None:
        self._columns = columns
        self._known = known
        self._best: dict[int, Reason] = {}

    def add(self, test: int, reason: Reason) -> bool:
        """Whether `reason` is the best for the test so far; of equal ones the first stays."""
        before = self._best.get(test)
        if before is not None and before.rank <= reason.rank:
            return False
        self._best[test] = reason
        return True

    def order(self) -> list[int]:
        """The tests as they find a failure soonest: the surest way first, of one way what failed when it ran last, then
        the most probable path, then the shortest duration."""
        return sorted(self._best, key=self._key)

    def tests(self) -> tuple[SelectedTest, ...]:
        return tuple(self._selected(node) for node in self.order())

    def _key(self, node: int) -> tuple[int, bool, float, float, str]:
        reason = self._best[node]
        return (
            ORDER.index(reason.how),
            node not in self._known.failed,
            -reason.confidence if reason.how == "call" else 0.0,
            self._known.seconds.get(node, 0.0),
            self._columns.id(node),
        )

    def _selected(self, node: int) -> SelectedTest:
        reason, id = self._best[node], self._columns.id(node)
        return SelectedTest(
            id=id,
            path=self._columns.path(node),
            name=id.partition("::")[2],
            reason=reason.text,
            how=reason.how,
            confidence=round(reason.confidence, 4),
            seconds=self._known.seconds.get(node),
        )
