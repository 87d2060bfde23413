"""Names that run a function where they stand for one without parameters, and operators.

`order.total` in Scala and `defaults` in Haskell are calls where they name a function without parameters, and nothing of
the kind where they name a value. Operators are calls where the project defines them. Of neither anything is said where
it runs no function of the project: not that it is unresolved, nor that it calls something outside.
"""

from __future__ import annotations

from typing import Final

from loregraph.indexer.facts import Call
from loregraph.indexer.resolve.dispatch import evaluate, result_of
from loregraph.indexer.resolve.engine import Engine, union
from loregraph.indexer.resolve.functions import runs_when_read
from loregraph.indexer.resolve.model import (
    Bound,
    Cell,
    ContainerMethod,
    FileIndex,
    Function,
    ReturnsReceiver,
    Values,
)

SILENT: Final = frozenset({"read", "operator"})
"""Kinds of calls of which nothing is said where they run no function of the project."""


def run(kind: str, values: Values) -> Values:
    """Those of `values` that a call of a silent kind runs."""
    if kind == "read":
        return tuple(v for v in values if runs_when_read(v))
    return tuple(v for v in values if isinstance(v, Function | Bound))


class Read(Cell):
    """What a name that is read gives: what the function returns, or the value itself."""

    __slots__ = ("call", "file")

    def __init__(self, file: FileIndex, call: Call) -> None:
        super().__init__(file)
        self.file = file
        self.call = call

    def compute(self, engine: Engine) -> Values:
        file, call = self.file, self.call
        found: list[Values] = []
        held = evaluate(engine, file, call, call.function)
        if any(runs_when_read(value) for value in held):  # overloads that take something are not meant
            held = tuple(v for v in held if runs_when_read(v) or not isinstance(v, Function | Bound))
        for value in held:
            runs = runs_when_read(value) or isinstance(value, ContainerMethod | ReturnsReceiver)
            found.append(result_of(engine, file, call, value, 0) if runs else value.alone)
        return union(found)
