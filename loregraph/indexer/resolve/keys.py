"""Constant keys: the strings and numbers that an expression may be, for subscripts and `getattr`.

Kept apart from other values: strings are everywhere but only matter where they are used for a look-up.
"""

from __future__ import annotations

from typing import Any

from loregraph.indexer.facts import Expr
from loregraph.indexer.resolve import imports, names, passing
from loregraph.indexer.resolve.containers import Key
from loregraph.indexer.resolve.dispatch import evaluate
from loregraph.indexer.resolve.engine import Engine, union
from loregraph.indexer.resolve.model import (
    IMPORT,
    PARAMETER,
    VALUE,
    Cell,
    Class,
    FileIndex,
    Function,
    Literal,
    Module,
    Value,
    Values,
)
from loregraph.indexer.resolve.narrowing import whole
from loregraph.indexer.resolve.passing import arguments_for

MAX_STEPS = 4
"""How many names, parameters and imports are followed from a subscript to the literal."""


def literal_key(expr: Expr) -> Key:
    """The key of a literal."""
    return (expr[1], expr[2])


def is_open(expr: Expr) -> bool:
    """Whether it is certain that no literal will ever be found for an expression."""
    return expr[0] not in ("n", "k") and not _is_constant_of(expr)


def _is_constant_of(expr: Expr) -> bool:
    """Whether an expression names a constant of a module or class, by naming convention: `codes.LAST`."""
    return bool(expr[0] == "a" and expr[1][0] in ("n", "a") and expr[2][:1].isupper())


class ArgumentKeys(Cell):
    """The literals that calls pass to one parameter."""

    __slots__ = ("function", "number", "steps")
    limit = 16

    def __init__(self, function: Function, number: int, steps: int) -> None:
        super().__init__(function.file)
        self.function = function
        self.number = number
        self.steps = steps

    def compute(self, engine: Engine) -> Values:
        parameter = self.function.parameters[self.number]
        parts: list[Values] = []
        unneeded = self.function.file.policy.calls.defaults_replaced and not any(
            passing.may_leave_out(self.function, self.number, link) for link in self.function.links
        )
        if parameter.default is not None and not unneeded:
            parts.append(_literals(engine, self.function.file, None, parameter.default, 0))
        for link in self.function.links:
            if link.file is None or link.call is None:
                continue
            for expr in arguments_for(self.function, self.number, link):
                if link.file is self.home:
                    parts.append(_literals(engine, link.file, link.call, expr, self.steps))
                elif not is_open(expr):
                    parts.append(engine.read(literals_cell(link.file, link.call, expr, self.steps)))
        return union(parts)


class ExprLiterals(Cell):
    """The literals that an expression may be, for readers in other files."""

    __slots__ = ("expr", "file", "site", "steps")

    def __init__(self, file: FileIndex, site: Any, expr: Expr, steps: int) -> None:
        super().__init__(file)
        self.file = file
        self.site = site
        self.expr = expr
        self.steps = steps

    def compute(self, engine: Engine) -> Values:
        return _literals(engine, self.file, self.site, self.expr, self.steps)


def literals_cell(file: FileIndex, site: Any, expr: Expr, steps: int) -> Cell:
    """The cell of the literals that an expression may be, following at most so many steps."""
    key = ("literals", id(site), id(expr), steps)
    cells = file.scopes[-1].cells
    found = cells.get(key)
    if found is None:
        found = cells[key] = ExprLiterals(file, site, expr, steps)
    return found


def key_values(engine: Engine, file: FileIndex, site: Any, expr: Expr) -> list[Key]:
    """The keys that `expr` may be; empty where none is known."""
    if expr[0] == "k":
        return [literal_key(expr)] if expr[1] in ("str", "int") and expr[2] else []
    return [v.key for v in _literals(engine, file, site, expr, MAX_STEPS) if isinstance(v, Literal)]


def _literals(engine: Engine, file: FileIndex, site: Any, expr: Expr, steps: int) -> Values:
    op = expr[0]
    if op == "k":
        if expr[1] not in ("str", "int") or not expr[2]:
            return ()
        return engine.literal(literal_key(expr)).alone
    if steps <= 0 or site is None:
        return ()
    if _is_constant_of(expr):
        return union([_of_constant(engine, value, expr[2], steps) for value in evaluate(engine, file, site, expr[1])])
    if op != "n":
        return ()
    cell = file.scopes[site.scope].fast.get(expr[1]) or names.name_cell(engine, file, expr[1], site)
    return _of_cell(engine, cell, steps)


def _of_constant(engine: Engine, holder: Value, name: str, steps: int) -> Values:
    if isinstance(holder, Module):
        return _of_cell(engine, imports.member_cell(engine, holder.file, name), steps)
    cell = names.exit_cell(engine, holder.scope, name) if isinstance(holder, Class) else None
    return _of_cell(engine, cell, steps) if cell is not None else ()


def _of_cell(engine: Engine, cell: Cell, steps: int) -> Values:
    cell = whole(cell)
    if isinstance(cell, passing.ParameterCell):
        if cell.number < 0:
            return ()
        return engine.read(argument_cell(engine, cell.function, cell.number, steps - 1))
    if not isinstance(cell, names.Variable):
        return ()
    parts: list[Values] = []
    for binding in cell.bindings:
        if binding.kind == VALUE:
            parts.append(_literals(engine, cell.file, binding.site, binding.payload, steps - 1))
        elif binding.kind == IMPORT:
            parts.append(_of_cell(engine, imports.imported_cell(engine, cell.file, binding.payload), steps - 1))
        elif binding.kind == PARAMETER:
            _, function, number = binding.payload
            parts.append(engine.read(argument_cell(engine, function, number, steps - 1)))
    return union(parts)


def argument_cell(engine: Engine, function: Function, number: int, steps: int) -> Cell:
    """The cell of the literals that calls pass to one parameter, following at most `steps` names."""
    if function.keyed is None:
        function.keyed = {}
    found = function.keyed.get((number, steps))
    if found is None:
        found = function.keyed[number, steps] = ArgumentKeys(function, number, steps)
    return found
