"""Classes as objects: Java's `Item.class`, `Class.forName("shop.Item")` and constructor references, `Item::new`.

The value is the class itself. A bare type name gives access to its static members; a class held in any other way has
the methods of class objects.
"""

from __future__ import annotations

from typing import Any, Final

from loregraph.indexer.facts import Call, Expr
from loregraph.indexer.resolve import keys, members
from loregraph.indexer.resolve.dispatch import OPERATORS, evaluate
from loregraph.indexer.resolve.engine import Engine, union
from loregraph.indexer.resolve.model import Class, FileIndex, Function, Values, function_name

_SAME: Final = frozenset({"getDeclaredConstructor", "getConstructor", "asSubclass"})
"""Methods of class objects that return something which makes instances, as the class does."""
_MAKING: Final = frozenset({"newInstance"})
_LOOKING: Final = frozenset({"getMethod", "getDeclaredMethod"})


def _member(engine: Engine, file: FileIndex, site: Any, expr: Expr) -> Values:
    """`held.name` where a variable or call result holds a class."""
    _, cls, name = expr
    bare = name.removesuffix("()")
    if bare in _SAME:
        return members.same(engine, cls).alone
    if bare in file.policy.calls.function_calls or bare in _MAKING:
        return cls.alone if cls.definition.kind in ("class", "record") else ()
    return ()


def looked_up(engine: Engine, file: FileIndex, call: Call) -> Values:
    """The methods that `held.getMethod("name")` returns."""
    function = call.function
    if function[0] != "a" or function[2] not in _LOOKING or not call.arguments:
        return ()
    names = [text for kind, text in keys.key_values(engine, file, call, call.arguments[0]) if kind == "str"]
    parts: list[Values] = []
    for value in evaluate(engine, file, call, function[1]):
        if isinstance(value, Class):
            parts += [members.class_member(engine, value, function_name(name)) for name in names]
    return tuple(value for value in union(parts) if isinstance(value, Function))


OPERATORS["K"] = _member
