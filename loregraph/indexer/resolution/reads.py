"""Names that run a function where they stand for one without parameters, and operators.

`order.total` in Scala and `defaults` in Haskell are calls where they name a function without parameters, and nothing of
the kind where they name a value. Operators are calls where the project defines them. Of neither anything is said where
it runs no function of the project: not that it is unresolved, nor that it calls something outside.
"""

from __future__ import annotations

from typing import Final

from loregraph.indexer.resolution import calls, evaluate, results
from loregraph.indexer.resolution.engine import Engine, union
from loregraph.indexer.resolution.model import Bound, Cell, ContainerMethod, Function, Same, Value, Values

SILENT: Final = frozenset({"read", "operator"})
"""Kinds of calls of which nothing is said where they run no function of the project."""


def run(kind: str, values: Values) -> Values:
    """Those of `values` that a call of a silent kind runs."""
    if kind == "read":
        return tuple(v for v in values if runs_when_read(v))
    return tuple(v for v in values if isinstance(v, Function | Bound))


def runs_when_read(value: Value) -> bool:
    """Whether naming a function runs it: it has a name, and no parameter has to be given."""
    function = value.function if isinstance(value, Bound) else value
    return isinstance(function, Function) and function.definition.kind != "lambda" and accepts(function, 0)


def accepts(function: Function, arguments: int) -> bool:
    """Whether a function can be called with so many positional arguments."""
    least = most = 0
    for parameter in function.parameters:
        if parameter.kind == "*":
            return arguments >= least
        if parameter.kind in ("", "kw"):
            most += 1
            least += parameter.default is None
    return least <= arguments <= most


class Read(Cell):
    """What a name that is read gives: what the function returns, or the value itself."""

    __slots__ = ("call",)

    def __init__(self, call: calls.CallCell) -> None:
        super().__init__()
        self.call = call

    def compute(self, engine: Engine) -> Values:
        cell = self.call
        file, call = cell.file, cell.call
        found: list[Values] = []
        held = evaluate.evaluate(engine, file, call, call.function)
        if any(runs_when_read(value) for value in held):  # overloads that take something are not meant
            held = tuple(v for v in held if runs_when_read(v) or not isinstance(v, Function | Bound))
        for value in held:
            runs = runs_when_read(value) or isinstance(value, ContainerMethod | Same)
            found.append(results.result_of(engine, file, call, value, 0) if runs else value.alone)
        return union(found)
