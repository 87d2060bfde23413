"""What git's history says of a project's code: the one object that front ends ask."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from pathlib import Path

from loregraph.analysis.history.co_changes import co_changes, worked_by_node, worked_on
from loregraph.analysis.history.functions import Changes, changes
from loregraph.analysis.history.past import Past
from loregraph.analysis.history.suggesting import ChangesWith, Suggesting
from loregraph.graph.columns import GraphColumns
from loregraph.graph.model import Edge
from loregraph.graph.on_demand import NOBODY, Worked


class History:
    """The history `past` of the files below `root`, by the functions and files of the graph `columns`."""

    def __init__(self, root: Path, columns: GraphColumns, past: Past) -> None:
        self._root = root
        self._columns = columns
        self._past = past

    @property
    def head(self) -> str:
        """The commit up to which it goes, "" where git knows none."""
        return self._past.head

    @property
    def refusal(self) -> str:
        """Why there is none, "" where there is one."""
        return self._past.refusal

    @property
    def remark(self) -> str:
        """In which way it is incomplete, "" where it is whole."""
        if self._past.shallow:
            return "this clone is shallow: older commits are missing (`git fetch --unshallow` brings them)"
        if self._past.limited:
            return f"only the last {len(self._past.commits):,} commits were read"
        return ""

    @property
    def left_out(self) -> Mapping[str, int]:
        """The number of commits that do not count, by reason: merge, first, mass, unread."""
        return self._changes.left_out

    @cached_property
    def _changes(self) -> Changes:
        return changes(self._root, self._columns, self._past)

    @cached_property
    def _worked(self) -> Mapping[int, Worked]:
        return worked_by_node(self._changes)

    def co_changes(self) -> list[Edge]:
        """The CO_CHANGES edges."""
        return co_changes(self._columns, self._changes)

    def worked_on(self) -> dict[str, Worked]:
        """How many commits changed each file and function, and who did, by id."""
        return worked_on(self._columns, self._changes)

    def worked_on_any(self, nodes: Iterable[int]) -> Worked:
        """The same of one file, or of the definitions of one function together."""
        rows = [self._worked[node] for node in nodes if node in self._worked]
        if not rows:
            return NOBODY
        authors = dict.fromkeys(name for row in rows for name in row.authors)
        return Worked(max(row.commits for row in rows), tuple(authors))

    def changes_with(self, nodes: Iterable[int], most: int) -> list[ChangesWith]:
        """The `most` functions that will most probably be changed with the functions `nodes`, best first."""
        return Suggesting(self._columns, self._changes).best(nodes, most)
