"""Methods that syntax runs: loops, context managers and raised classes.

Each becomes a call with one of these as its function:
`("I", expr, False)` the first method that iterating runs,
`("I", expr, True)` the methods that it then runs on the iterator,
`("E", expr)` the methods of a context manager,
`("T!", expr)` the constructor of a raised class.
"""

from __future__ import annotations

from typing import Any

from loregraph.indexer.facts import Call, Expr
from loregraph.indexer.resolve import declared, members, results
from loregraph.indexer.resolve.calls import CallCell
from loregraph.indexer.resolve.containers import OBJECT
from loregraph.indexer.resolve.dispatch import OPERATORS, evaluate
from loregraph.indexer.resolve.engine import Engine, union
from loregraph.indexer.resolve.model import (
    Class,
    Container,
    ExternalInstance,
    FileIndex,
    Generator,
    Instance,
    Values,
)


def _entered(engine: Engine, file: FileIndex, site: Any, expr: Expr) -> Values:
    parts: list[Values] = []
    for value in evaluate(engine, file, site, expr[1]):
        if isinstance(value, Instance):
            for method in file.policy.implicit.context_methods[:2]:
                values = members.returned_by(engine, value, method)
                if values:
                    parts.append(values)
                    break
            else:
                external = members.external_base(engine, value.cls)
                if external:
                    parts.append(value.alone)
        elif isinstance(value, Generator):
            parts.append(engine.read(results.yielded_cell(engine, value.function)))
        elif isinstance(value, ExternalInstance) or (isinstance(value, Container) and value.origin[0] == OBJECT):
            parts.append(_entered_outside(engine, file, value))
    return union(parts)


def _entered_outside(engine: Engine, file: FileIndex, value: ExternalInstance | Container) -> Values:
    """The value that entering an external context manager returns: itself unless declared otherwise."""
    for method in file.policy.implicit.context_methods[:2]:
        if isinstance(value, Container):
            given = declared.object_gives(engine, value, method)
        else:
            given = declared.given_by(engine, value, method)
        if given is not None:
            return given
    return value.alone


def implicit_functions(file: FileIndex) -> list[CallCell]:
    """The cells of the calls made by loops, context managers and raised classes."""
    policy = file.policy
    found: list[CallCell] = []
    for fact in file.facts.assignments:
        value = fact.value
        if value[0] == "i" and policy.implicit.iterator_methods and value[1][0] not in ("l", "d", "k", "x"):
            found.append(_implicit(file, fact, ("I", value[1], False)))
            found.append(_implicit(file, fact, ("I", value[1], True)))
        elif value[0] == "e" and policy.implicit.context_methods:
            found.append(_implicit(file, fact, ("E", value[1])))
    if policy.construction.raise_instantiates:
        for leaving in file.facts.returns:
            if leaving.kind == "throw" and leaving.value[0] in ("n", "a"):
                found.append(_implicit(file, leaving, ("T!", leaving.value)))
    return found


def _implicit(file: FileIndex, fact: Any, function: Expr) -> CallCell:
    return CallCell(file, Call(fact.scope, fact.line, fact.at, fact.block, function, (), (), "implicit"))


def _iterator_methods(engine: Engine, file: FileIndex, site: Any, expr: Expr) -> Values:
    """The methods that iterating over an expression runs: the first one, or those of the iterator."""
    methods = file.policy.implicit.iterator_methods
    parts = []
    for value in evaluate(engine, file, site, expr[1]):
        if not isinstance(value, Instance):
            continue
        if not expr[2]:
            parts.append(members.own_member(engine, value, methods[0]))
            continue
        for iterator in members.returned_by(engine, value, methods[0]):
            if isinstance(iterator, Instance):
                parts += [members.own_member(engine, iterator, m) for m in methods[1:]]
    return union(parts)


def _context_methods(engine: Engine, file: FileIndex, site: Any, expr: Expr) -> Values:
    parts = []
    for value in evaluate(engine, file, site, expr[1]):
        if isinstance(value, Instance):
            parts += [members.own_member(engine, value, m) for m in file.policy.implicit.context_methods]
    return union(parts)


def _raised(engine: Engine, file: FileIndex, site: Any, expr: Expr) -> Values:
    return tuple(v for v in evaluate(engine, file, site, expr[1]) if isinstance(v, Class))


OPERATORS.update({"e": _entered, "I": _iterator_methods, "E": _context_methods, "T!": _raised})
