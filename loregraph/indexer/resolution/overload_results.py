"""What a call of an overloaded function gives: only where it is clear which function is meant, or all give the same."""

from __future__ import annotations

from typing import Final

from loregraph.indexer.facts import Call
from loregraph.indexer.resolution import overloading
from loregraph.indexer.resolution.engine import Engine
from loregraph.indexer.resolution.model import Bound, FileIndex, Function, Value, Values
from loregraph.indexer.resolution.reads import accepts

MAX_OVERLOADS: Final = 40
"""Most functions that are told apart; generated code has hundreds."""


def settled(engine: Engine, file: FileIndex, call: Call, values: Values) -> Values:
    """`values` without the functions of one name and owner between which the arguments do not decide."""
    if len(values) < 2 or len(values) > MAX_OVERLOADS:
        return values
    groups: dict[tuple[object, str], list[Value]] = {}
    for value in values:
        function = value.function if isinstance(value, Bound) else value
        key: tuple[object, str] = (value, "")
        if isinstance(function, Function):
            key = (function.owner or function.file, function.definition.name)
        groups.setdefault(key, []).append(value)
    if len(groups) == len(values):
        return values
    found: list[Value] = []
    for group in groups.values():
        if len(group) == 1:
            found += group
            continue
        fitting = [v for v in group if accepts(_function(v), len(call.arguments))] or group
        meant = overloading.chosen(engine, file, call, [_function(v) for v in fitting])
        if len({repr(function.definition.returns) for function in meant}) == 1:
            found += [v for v in fitting if _function(v) in meant]
    return tuple(found)


def _function(value: Value) -> Function:
    function = value.function if isinstance(value, Bound) else value
    assert isinstance(function, Function)
    return function
