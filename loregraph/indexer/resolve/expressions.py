"""The operators that pass on the values of their operands, literals, and the receiver."""

from __future__ import annotations

from typing import Any

from loregraph.indexer.facts import Expr
from loregraph.indexer.resolve import passing
from loregraph.indexer.resolve.classes import enclosing_class
from loregraph.indexer.resolve.dispatch import OPERATORS, evaluate
from loregraph.indexer.resolve.engine import Engine, union
from loregraph.indexer.resolve.functions import receiver_function
from loregraph.indexer.resolve.model import Container, FileIndex, Values


def _receiver(engine: Engine, file: FileIndex, site: Any, expr: Expr) -> Values:
    function = receiver_function(file, site.scope)
    if function is None:
        cls = enclosing_class(file, site.scope)
        return cls.alone if cls is not None else ()
    return engine.read(passing.receiver_cell(engine, function))


def _call(engine: Engine, file: FileIndex, site: Any, expr: Expr) -> Values:
    return engine.read(file.calls[expr[1]].result(engine))


def _made_by(engine: Engine, file: FileIndex, site: Any, expr: Expr) -> Values:
    return engine.read(expr[1].result(engine))


def _options(engine: Engine, file: FileIndex, site: Any, expr: Expr) -> Values:
    return union([evaluate(engine, file, site, option) for option in expr[1]])


def _inner(engine: Engine, file: FileIndex, site: Any, expr: Expr) -> Values:
    return evaluate(engine, file, site, expr[1])


def _yielded(engine: Engine, file: FileIndex, site: Any, expr: Expr) -> Values:
    return ()


def _literal(engine: Engine, file: FileIndex, site: Any, expr: Expr) -> Values:
    found = file.policy.types.literal_types.get(expr[1])
    return engine.instance_of(engine.external(*found)).alone if found is not None else ()


TRUTHS = frozenset({"==", "!=", "<", "<=", ">", ">=", "in", "not in", "is", "is not", "not"})
"""Operators with a boolean result."""


def _operator(engine: Engine, file: FileIndex, site: Any, expr: Expr) -> Values:
    if expr[1] in TRUTHS:
        return _literal(engine, file, site, ("k", "bool", ""))
    if expr[1] not in ("+", "|") or expr[3] is None:
        return ()
    both = union([evaluate(engine, file, site, expr[2]), evaluate(engine, file, site, expr[3])])
    return tuple(v for v in both if isinstance(v, Container))


def _given(engine: Engine, file: FileIndex, site: Any, expr: Expr) -> Values:
    values: Values = expr[1]
    return values


OPERATORS.update(
    {
        "v": _receiver,
        "c": _call,
        "C": _made_by,
        "u": _options,
        "w": _inner,
        "y": _yielded,
        "k": _literal,
        "b": _operator,
        "V": _given,
    }
)
