"""Type narrowing: the values of a name that pass a type test: `if isinstance(x, Cart): x.total()`.

Facts give the range in which a test holds (kinds "is" and "is not" of assignments). A name read there has its own cell,
which lets those of the name's values through that pass the test. If none does, the type's instance is used instead,
since the code expects one. A test for a type unknown to the project is ignored.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from functools import cache
from operator import attrgetter
from typing import Any, Final

from loregraph.indexer.facts import Assignment, Expr
from loregraph.indexer.resolve.engine import Engine
from loregraph.indexer.resolve.hierarchy import is_root, is_subclass, linearised
from loregraph.indexer.resolve.model import (
    Bound,
    Cell,
    Class,
    Container,
    External,
    ExternalInstance,
    FileIndex,
    Function,
    FunctionMethod,
    Instance,
    Partial,
    Scope,
    Value,
    Values,
    Wrapped,
)
from loregraph.indexer.resolve.policies import policy_of
from loregraph.indexer.resolve.scoping import END, foreign, innermost
from loregraph.indexer.resolve.types import instances

MAX_TESTS: Final = 20
"""At most so many tests of one name count where it is read: the nearest before it."""

_AT: Final = attrgetter("at")
_CALLABLE = (Function, Bound, Wrapped, Partial, FunctionMethod, Class)
_STRUCTURAL = frozenset({"typing.Protocol", "typing_extensions.Protocol"})


class Narrowed(Cell):
    """The values of a name that pass the tests in force where it is read."""

    __slots__ = ("file", "held", "tests")

    def __init__(self, file: FileIndex, held: Cell, tests: tuple[Assignment, ...]) -> None:
        super().__init__(file)
        self.file = file
        self.held = held
        self.tests = tests

    def compute(self, engine: Engine) -> Values:
        values = engine.read(self.held)
        for test in self.tests:
            values = _passing(engine, self.file, test, values)
        return values


# Implements REQ-RES-002, REQ-SEC-010.
def holding(scope: Scope, name: str, site: Any) -> tuple[Assignment, ...]:
    """The tests of a scope's name that hold where it is read, with no assignment in between; of very many, the
    nearest."""
    tests = scope.narrowings.get(name) if scope.narrowings is not None else None
    if tests is None or foreign(scope, name):
        return ()
    blocks = scope.file.facts.blocks
    found: list[Assignment] = []
    at = site.at
    last = bisect_right(tests, at, key=_AT)
    for test in tests[max(0, last - MAX_TESTS) : last]:
        block = innermost(scope, test.at)
        end = blocks[block].end if block >= 0 else END
        if at < end and not _assigned_again(scope, name, test.at, end, at):
            found.append(test)
    return tuple(found)


def _assigned_again(scope: Scope, name: str, start: int, end: int, at: int) -> bool:
    """Whether something may be assigned to a name between `start` and its use at `at`, before `end`."""
    bindings = scope.bindings[name]
    own = scope.file.assigned_at.get(at, at)
    first = bisect_left(bindings, start, key=_AT)
    if first < len(bindings) and bindings[first].at < min(own, end):
        return True
    after = bisect_left(bindings, own, key=_AT)
    following = bindings[after].at if after < len(bindings) else END
    blocks = scope.file.facts.blocks
    block = innermost(scope, at)
    while block >= 0 and blocks[block].start >= start:
        if blocks[block].kind == "loop" and following < blocks[block].end:
            return True
        block = blocks[block].parent
    return False


def whole(cell: Cell) -> Cell:
    """The cell of a name without narrowing."""
    return cell.held if isinstance(cell, Narrowed) else cell


def narrowed_cell(scope: Scope, held: Cell, tests: tuple[Assignment, ...]) -> Cell:
    """The cell of a cell's values that pass `tests`; one per combination."""
    key = ("narrowed", id(held), *(id(test) for test in tests))
    found = scope.cells.get(key)
    if found is None:
        found = scope.cells[key] = Narrowed(scope.file, held, tests)
    return found


def _passing(engine: Engine, file: FileIndex, test: Assignment, values: Values) -> Values:
    if test.type is None:
        passes = test.kind == "is"
        return tuple(v for v in values if _is_callable(engine, v) is not (not passes))
    types, all_known = _types(engine, file, test)
    if test.kind == "is not":
        return tuple(v for v in values if not _is_one(engine, v, types))
    if not all_known:
        return values
    found: list[Value] = []
    for value in values:
        found += _as_one(engine, file, value, types)
    if found or not engine.allow_fallback():
        return tuple(dict.fromkeys(found))
    return tuple(t.typed if isinstance(t, Class) else t for t in types if not isinstance(t, External))


def _types(engine: Engine, file: FileIndex, test: Assignment) -> tuple[list[Value], bool]:
    """The types tested for, and whether all of them are known: classes, external types of the language itself, and, for
    `issubclass`, metaclass instances as classes."""
    basic = _basic(file.policy.language)
    found: list[Value] = []
    known = True
    for option in _options(test.type or ("x",)):
        held = instances(engine, file, test, option)
        known = known and bool(held)
        for value in held:
            if isinstance(value, Instance) and not _is_structural(engine, value.cls):
                found.append(value.cls)
            elif isinstance(value, ExternalInstance) and value.type.path in basic:
                found.append(value.type)
            elif isinstance(value, Class):
                found.append(value.typed)
            else:
                known = False
    return found, known


def _options(expr: Expr) -> tuple[Expr, ...]:
    if expr[0] == "u":
        return tuple(part for option in expr[1] for part in _options(option))
    if expr[0] == "s" and expr[2][0] == "u":
        return tuple(("s", expr[1], option) for option in expr[2][1])
    return (expr,)


@cache
def _basic(language: str) -> frozenset[str]:
    """The types of the language itself, by their paths."""
    literal_types = policy_of(language).types.literal_types
    return frozenset(f"{package}.{name}" for package, name in literal_types.values()) - _OPEN


_OPEN = frozenset({"builtins.object", "builtins.type"})


def _is_structural(engine: Engine, cls: Class) -> bool:
    """Whether a type is structural: anything with its methods is an instance."""
    return any(isinstance(base, External) and base.path in _STRUCTURAL for base in cls.bases or ())


def _is_one(engine: Engine, value: Value, types: list[Value]) -> bool:
    """Whether a value is certainly an instance of one of the types."""
    if isinstance(value, Instance):
        return any(isinstance(t, Class) and is_subclass(engine, value.cls, t) for t in types)
    if isinstance(value, Class):
        return any(isinstance(t, Instance) and is_subclass(engine, value, t.cls) for t in types)
    return False


def _as_one(engine: Engine, file: FileIndex, value: Value, types: list[Value]) -> list[Value]:
    """The value narrowed to one of the types; nothing where it cannot be an instance."""
    if isinstance(value, Instance):
        if _is_one(engine, value, types):
            return [value]
        if value.declared:
            below = [t.typed for t in types if isinstance(t, Class) and is_subclass(engine, t, value.cls)]
            if below:
                return list(below)
        outside = [b for b in linearised(engine, value.cls) if isinstance(b, External) and not is_root(b)]
        basic = [t for t in types if isinstance(t, External)]
        known = _basic(file.policy.language)
        return [value] if basic and any(b in basic or b.path not in known for b in outside) else []
    if isinstance(value, Class):
        if _is_one(engine, value, types):
            return [value]
        return [value] if any(isinstance(t, Class) and _makes_classes(engine, t) for t in types) else []
    if isinstance(value, Container):
        return [value] if any(isinstance(t, External) and _fits(value, t.name) for t in types) else []
    if isinstance(value, ExternalInstance | External):
        return [value] if any(isinstance(t, External) for t in types) else []
    return []


def _fits(value: Container, name: str) -> bool:
    return name == "dict" if value.mapping else name in ("list", "tuple", "set", "frozenset")


def _makes_classes(engine: Engine, cls: Class) -> bool:
    return any(isinstance(base, External) and base.path == "builtins.type" for base in linearised(engine, cls))


def _is_callable(engine: Engine, value: Value) -> bool | None:
    """Whether a value can be called; None where that is unknown."""
    if isinstance(value, _CALLABLE):
        return True
    if isinstance(value, Instance):
        order = linearised(engine, value.cls)
        methods = value.cls.file.policy.implicit.call_methods
        if any(isinstance(base, Class) and name in base.scope.bindings for base in order for name in methods):
            return True
        unknown = value.declared or any(isinstance(base, External) and not is_root(base) for base in order)
        return None if unknown else False
    return False if isinstance(value, Container) else None
