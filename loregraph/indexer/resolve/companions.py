"""Companion objects: a type and an object of the same name (Scala). In a written type or after `new` the name means the
type, elsewhere the object.

The name's cell holds both; the reader picks one.
"""

from __future__ import annotations

from loregraph.indexer.resolve import members
from loregraph.indexer.resolve.classes import is_object
from loregraph.indexer.resolve.engine import Engine
from loregraph.indexer.resolve.functions import accepts
from loregraph.indexer.resolve.model import Class, Function, Value, Values


def called(engine: Engine, values: Values, arguments: int) -> Values:
    """What calling the name runs: a method of the object, else the constructor of the type."""
    if not any(isinstance(v, Class) for v in values):
        return values
    found: list[Value] = []
    types: list[Value] = []
    for value in values:
        if is_object(value):
            assert isinstance(value, Class)
            for name in value.file.policy.implicit.call_methods:
                if members.lookup(engine, value, name).cell is not None:
                    found += [v for v in members.class_member(engine, value, name) if isinstance(v, Function)]
        elif isinstance(value, Class):
            if value.definition.kind != "trait":
                types.append(value)
        else:
            found.append(value)
    methods = [v for v in found if isinstance(v, Function)]
    fits = any(accepts(v, arguments) for v in methods)
    if methods and (fits or not types):
        return tuple(dict.fromkeys(found))
    return tuple(dict.fromkeys((*(v for v in found if v not in methods), *types))) or tuple(found)
