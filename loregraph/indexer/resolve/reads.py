"""Names of parameterless functions, which run when read, and operators.

`order.total` in Scala and `defaults` in Haskell are calls if they name a function without parameters, and plain reads
if they name a value. Operators are calls if the project defines them. If neither runs a function of the project,
nothing is reported: neither an unresolved call nor an external one.
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
"""Kinds of calls that are not reported where they run no function of the project."""


def run(kind: str, values: Values) -> Values:
    """The values among these that a call of a silent kind runs."""
    if kind == "read":
        return tuple(v for v in values if runs_when_read(v))
    return tuple(v for v in values if isinstance(v, Function | Bound))


class Read(Cell):
    """The value of reading a name: the function's result, or the value itself."""

    __slots__ = ("call", "file")

    def __init__(self, file: FileIndex, call: Call) -> None:
        super().__init__(file)
        self.file = file
        self.call = call

    def compute(self, engine: Engine) -> Values:
        file, call = self.file, self.call
        found: list[Values] = []
        held = evaluate(engine, file, call, call.function)
        if any(runs_when_read(value) for value in held):  # overloads with parameters are not meant
            held = tuple(v for v in held if runs_when_read(v) or not isinstance(v, Function | Bound))
        for value in held:
            runs = runs_when_read(value) or isinstance(value, ContainerMethod | ReturnsReceiver)
            found.append(result_of(engine, file, call, value, 0) if runs else value.alone)
        return union(found)
