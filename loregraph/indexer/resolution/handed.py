"""Methods that hand what they are called on to a function they are given: `x.let { … }`, `found.map(x -> …)` of an
`Optional`, `promise.then(…)`.

A value whose wrapper its type leaves out (`Optional<Item>` is an `Item` here) has no such method, so none is found;
then `Policy.handed` says what the call gives: "result" what the function gives, "receiver" what it is called on.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from loregraph.indexer.facts import Call

# What a function that is handed something gives is a call's result: loregraph: ignore[import-cycles]
from loregraph.indexer.resolution import evaluate, library, members
from loregraph.indexer.resolution.canonical import texts
from loregraph.indexer.resolution.engine import Engine
from loregraph.indexer.resolution.model import Container, External, FileIndex, Value, Values

if TYPE_CHECKING:
    from loregraph.indexer.resolution.calls import CallCell


class Handed(Value):
    """The call of a function that was given to such a method."""

    __slots__ = ("cell",)

    def __init__(self, cell: CallCell) -> None:
        super().__init__()
        self.cell = cell
        self.rank = ("h", *texts((cell.file, cell.call)))


def called(engine: Engine, file: FileIndex, call: Call, found: Values) -> Values:
    """What `receiver.method(function)` reaches where no `method` of the project was found."""
    gives = file.policy.handed.get(call.function[2])
    if gives is None or not call.arguments or not all(type(value) is External for value in found):
        return found
    receivers = evaluate.evaluate(engine, file, call, call.function[1])
    if not receivers or any(isinstance(value, Container) for value in receivers):
        return found
    function = next((a for a in call.arguments if a[0] == "f"), call.arguments[0])
    if function[0] not in ("f", "n", "a"):
        return found
    made = library.implicit_call(engine, file, call, function, (call.function[1],))
    if gives == "receiver":
        return (*found, *(members.same(engine, value) for value in receivers))
    key = ("handed", id(call))
    value = engine.interned.get(key)
    if value is None:
        value = engine.interned[key] = Handed(made)
    return (*found, value)
