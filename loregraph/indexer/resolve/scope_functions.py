"""Scope functions: methods that pass their receiver to a function argument: `x.let { … }`, `found.map(x -> …)` of an
`Optional`, `promise.then(…)`.

Declared types leave out such wrappers (`Optional<Item>` is an `Item` here), so the value has no such method. In that
case `Calls.handed` gives the result of the call: "result" is the function's result, "receiver" the receiver. Two more
pass an unknown argument: "list" gives a list of the function's results, "nothing" nothing.
"""

from __future__ import annotations

from typing import Any

from loregraph.indexer.facts import Call, Expr
from loregraph.indexer.resolve import calls, container_methods, members
from loregraph.indexer.resolve.canonical import texts
from loregraph.indexer.resolve.dispatch import OPERATORS, RESULTS, evaluate
from loregraph.indexer.resolve.engine import Engine
from loregraph.indexer.resolve.model import Container, External, FileIndex, Value, Values


class Handed(Value):
    """The call of a function argument by a scope function, with its receiver as argument."""

    __slots__ = ("cell",)

    def __init__(self, cell: calls.CallCell) -> None:
        super().__init__()
        self.cell = cell
        self.rank = ("0", "h", *texts((cell.file, cell.call)))


def _called(engine: Engine, file: FileIndex, call: Any, expr: Expr) -> Values:
    """The targets of `receiver.method(function)` where the project has no such `method`: `expr[1]`."""
    found: Values = expr[1]
    gives = file.policy.calls.handed.get(call.function[2])
    if gives is None or not call.arguments or not all(type(value) is External for value in found):
        return found
    receivers = evaluate(engine, file, call, call.function[1])
    name = call.function[2]
    if any(isinstance(value, Container) and name in value.policy.library.container_methods for value in receivers):
        return found
    if not receivers and not file.policy.calls.handed_unseen:
        return found
    function = next((a for a in call.arguments if a[0] == "f"), call.arguments[0])
    if function[0] not in ("f", "n", "a"):
        return found
    given = (call.function[1],) if gives in ("result", "receiver") and receivers else ()
    made = calls.implicit_call(engine, file, call, function, given)
    if gives == "nothing":
        return found
    if gives == "receiver":
        return (*found, *(members.same(engine, value) for value in receivers))
    key = ("handed", id(call))
    value = engine.interned.get(key)
    if value is None:
        value = engine.interned[key] = Handed(made)
    return (*found, value)


def _result(engine: Engine, file: FileIndex, call: Call, target: Handed, skip: int) -> Values:
    if file.policy.calls.handed[call.function[2]] == "list":
        made = ("map", file, call)
        return container_methods.derived(engine, file, file.policy, made, (file, None, ("C", target.cell))).alone
    return engine.read(target.cell.result(engine))


OPERATORS["H"] = _called
RESULTS[Handed] = _result
