"""Look-up of members by computed names: all members that fit the literal parts of the name."""

from __future__ import annotations

from bisect import bisect_left
from typing import Any, Final

from loregraph.indexer.facts import Expr
from loregraph.indexer.resolve import names
from loregraph.indexer.resolve.classes import all_subclasses
from loregraph.indexer.resolve.computed_names import Pattern, matches, pattern_of
from loregraph.indexer.resolve.dispatch import member_of
from loregraph.indexer.resolve.engine import Engine, union
from loregraph.indexer.resolve.functions import is_receiver
from loregraph.indexer.resolve.hierarchy import linearised
from loregraph.indexer.resolve.members import overriding
from loregraph.indexer.resolve.model import (
    VALUE,
    Bound,
    Class,
    FileIndex,
    Function,
    Instance,
    Module,
    Value,
    Values,
    Wrapped,
)
from loregraph.indexer.resolve.narrowing import whole

MAX_MATCHING: Final = 48
"""A computed name stands for at most so many members; of more, the least by name are taken."""
MAX_COMPARED: Final = 4_096
"""A pattern is compared with at most so many names: those with its prefix, or suffix. Thousands of patterns may each
fit all names of a type."""
LAST: Final = "\U0010ffff"
"""Greater than every character in a name."""
MAX_STEPS: Final = 2
"""How many variables are followed from the use of a name to the expression that computes it."""


def patterns(engine: Engine, file: FileIndex, site: Any, expr: Expr, steps: int = MAX_STEPS) -> tuple[Pattern, ...]:
    """The patterns of the names that `expr` may be, as far as the enclosing function computes them."""
    if expr[0] == "n":
        if steps <= 0 or site is None:
            return ()
        cell = whole(names.name_cell(engine, file, expr[1], site))
        if not isinstance(cell, names.Variable) or cell.file is not file:
            return ()
        found: dict[Pattern, None] = {}
        for binding in cell.bindings:
            if binding.kind == VALUE:
                found.update(dict.fromkeys(patterns(engine, file, binding.site, binding.payload, steps - 1)))
        return tuple(found)
    pattern = pattern_of(expr, file.facts.calls)
    return (pattern,) if pattern is not None else ()


# Implements REQ-RES-003, REQ-RES-014.
def members_like(
    engine: Engine, file: FileIndex, site: Any, expr: Expr, value: Value, wanted: tuple[Pattern, ...]
) -> Values:
    """The functions that are members of `value` (the value of `expr`) under names that fit one of `wanted`; for the
    receiver of the enclosing function also members of its subclasses."""
    below = isinstance(value, Instance) and (value.declared or is_receiver(file, site.scope, expr))
    found, whole = _names_like(engine, value, wanted, below)
    if not whole:
        what = f"members after the first {MAX_MATCHING} that a computed name fits"
        engine.cut(file, getattr(site, "line", 0), what)
    held = union([member_of(engine, value, name) for name in found])
    if isinstance(value, Instance) and below and not value.declared:
        held = union([held, *(overriding(engine, value, name) for name in found)])
    return tuple(v for v in held if isinstance(v, Function | Bound | Wrapped | Class))


def _names_like(engine: Engine, value: Value, wanted: tuple[Pattern, ...], below: bool) -> Fitting:
    """The fitting names of members that the code of a value's type and its subtypes defines; stored attributes are left
    out."""
    if isinstance(value, Module):
        return _module_names(value.file).fitting(wanted)
    if not isinstance(value, Instance | Class):
        return ([], True)
    cls = value.cls if isinstance(value, Instance) else value
    if engine.project.mixing and engine.reader is not None:
        engine.lookers.setdefault(cls, {})[engine.reader] = None
    key = ("like", below, wanted)
    known: Fitting | None = cls.lookups.get(key)
    if known is None:
        known = cls.lookups[key] = _member_names(engine, cls, below).fitting(wanted)
    return known


Fitting = tuple[list[str], bool]
"""Sorted names, and whether the list is complete."""


class Names:
    """Names indexed by prefix and by suffix."""

    __slots__ = ("backward", "forward")

    def __init__(self, names: set[str]) -> None:
        self.forward = sorted(names)
        self.backward = sorted(name[::-1] for name in names)

    # Implements REQ-SEC-010.
    def fitting(self, wanted: tuple[Pattern, ...]) -> Fitting:
        """The names that fit one of `wanted`; of more than `MAX_MATCHING`, the least."""
        found: set[str] = set()
        whole = True
        for pattern in wanted:
            prefix, suffix = pattern
            begin, end = _range(self.forward, prefix)
            first, last = _range(self.backward, suffix[::-1])
            if end - begin <= last - first:
                near = self.forward[begin : min(end, begin + MAX_COMPARED)]
            else:
                near = [name[::-1] for name in self.backward[first : min(last, first + MAX_COMPARED)]]
            found.update(name for name in near if matches(name, pattern))
            whole = whole and min(end - begin, last - first) <= MAX_COMPARED
        return (sorted(found)[:MAX_MATCHING], whole and len(found) <= MAX_MATCHING)


def _range(names: list[str], prefix: str) -> tuple[int, int]:
    """The range of the names with a prefix in a sorted list."""
    return bisect_left(names, prefix), bisect_left(names, prefix + LAST) if prefix else len(names)


def _module_names(file: FileIndex) -> Names:
    if file.named is None:
        file.named = Names(set(file.scopes[-1].bindings))
    known: Names = file.named
    return known


def _member_names(engine: Engine, cls: Class, below: bool) -> Names:
    known: Names | None = cls.lookups.get(("names", below))
    if known is None:
        found: set[str] = set()
        for other in (*linearised(engine, cls), *(all_subclasses(cls) if below else ())):
            if isinstance(other, Class):
                found.update(other.scope.bindings, other.extra)
        known = cls.lookups["names", below] = Names(found)
    return known


def is_asked_for(engine: Engine, file: FileIndex, site: Any, expr: Expr, function: Function) -> bool:
    """Whether `expr` is a member access by a computed name that the name of `function` fits."""
    wanted: tuple[Pattern, ...] = ()
    if expr[0] == "s":
        wanted = patterns(engine, file, site, expr[2])
    elif expr[0] == "c":
        call = file.facts.calls[expr[1]]
        if call.function[-1] == "getattr" and len(call.arguments) > 1:
            wanted = patterns(engine, file, call, call.arguments[1])
    elif expr[0] == "n":
        cell = whole(names.name_cell(engine, file, expr[1], site))
        if isinstance(cell, names.Variable) and cell.file is file:
            return any(
                binding.payload[0] in ("c", "s") and is_asked_for(engine, file, binding.site, binding.payload, function)
                for binding in cell.bindings
                if binding.kind == VALUE
            )
    return any(matches(function.definition.name, one) for one in wanted)
