"""What imported runs say of the code: what ran, and what was measured and never did."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property

from loregraph.analysis.rules.code import Code

Counts = tuple[int, int]
"""How many functions ran, and how many were measured."""


class Executions:
    """Only what was measured as it is now counts: a function that changed since is like one without measurement."""

    def __init__(self, code: Code) -> None:
        self._code = code

    def ran(self, nodes: Iterable[int]) -> bool:
        """Whether any of the functions among `nodes` ran."""
        return any(self._executed(node) for node in nodes)

    def never_ran(self, nodes: Iterable[int]) -> bool:
        """Whether something of `nodes` was measured and nothing of it ran."""
        said = [self._executed(node) for node in nodes]
        return False in said and True not in said

    def of_file(self, node: int) -> Counts:
        """Of the file around `node`: a run that executed nothing in it says nothing of what is in it."""
        return self._files.get(int(self._code.file[node]), (0, 0))

    def _executed(self, node: int) -> bool | None:
        """Whether the function ran, None where that is not known, and for what is no function."""
        executed: bool | None = self._code.columns.own(node, "executed")
        return executed

    @cached_property
    def _files(self) -> dict[int, Counts]:
        found: dict[int, Counts] = {}
        code = self._code
        for node in code.columns.nodes("Function").tolist():
            executed = self._executed(node)
            if executed is not None:
                ran, measured = found.get(int(code.file[node]), (0, 0))
                found[int(code.file[node])] = (ran + executed, measured + 1)
        return found


def executions(code: Code) -> Executions:
    """Those of `code`, made once."""
    return code.once("executions", lambda: Executions(code))
