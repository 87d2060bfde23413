"""Static facts about classes, known before values are followed: subclasses, enclosing types, what they define."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from loregraph.indexer.facts import Expr
from loregraph.indexer.resolve.model import (
    DEFINITION,
    VALUE,
    Class,
    FieldCell,
    FileIndex,
    Function,
    Scope,
    Value,
    Values,
)

MAX_ANCESTORS: Final = 500
"""Maximum length of a resolution order, and maximum levels of subclasses below a type. Deep widget libraries have some
thirty."""


def all_subclasses(cls: Class) -> list[Class]:
    """Every class below `cls`, nearest first."""
    found: dict[Class, None] = {}
    level = cls.subclasses
    for _ in range(MAX_ANCESTORS):
        below: list[Class] = []
        for sub in level:
            if sub is not cls and sub not in found:
                found[sub] = None
                below.extend(sub.subclasses)
        level = below
        if not level:
            break
    return list(found)


def takers(cls: Class) -> list[Class]:
    """The types that use a trait, directly or through another trait; none where `cls` is not a trait."""
    kinds = cls.file.policy.members.taken_in
    if cls.definition.kind not in kinds:
        return []
    found: dict[Class, None] = {}
    waiting = list(cls.subclasses)
    met = {cls}
    while waiting:
        below = waiting.pop()
        if below in met:
            continue
        met.add(below)
        if below.definition.kind in kinds:
            waiting += below.subclasses
        else:
            found[below] = None
    return list(found)


def enclosing_classes(scope: Scope) -> Iterator[Class]:
    """The types around a scope, innermost first. A method defined outside its type's body counts as inside."""
    around: Scope | None = scope
    while around is not None and around.definition is not None:
        if around.is_type:
            yield around.file.classes[around.number]
        elif around.definition.owner is not None:
            owner = around.file.functions[around.number].owner if around.definition.is_function else None
            if owner is not None:
                yield owner
        around = around.parent


def enclosing_class(file: FileIndex, number: int) -> Class | None:
    """The innermost type around a scope, the scope itself included."""
    scope: Scope | None = file.scopes[number]
    while scope is not None and scope.definition is not None:
        if scope.is_type:
            return file.classes[scope.number]
        if scope.definition.owner is not None and scope.number in file.functions:
            owner = file.functions[scope.number].owner
            if owner is not None:
                return owner
        scope = scope.parent
    return None


def field_cell(cls: Class, name: str) -> FieldCell:
    """The cell of what is stored as `name` on instances of exactly this class."""
    found = cls.fields.get(name)
    if found is None:
        found = cls.fields[name] = FieldCell(cls, name)
    return found


def function_field(value: Function, name: str) -> FieldCell:
    """The cell of what is stored on a function as `name`."""
    field = value.fields.get(name)
    if field is None:
        field = value.fields[name] = FieldCell(value, name)
    return field


def is_record(cls: Class) -> bool:
    """Whether a decorator generates a constructor from the members that the class body declares."""
    wanted = cls.file.policy.construction.record_decorators
    names = cls.definition.decorator_names if wanted else ()
    return any(name.partition("(")[0].rpartition(".")[2] in wanted for name in names)


def declared_members(cls: Class) -> list[str]:
    """The names that a class body declares with a type, in order; without those of the class itself (`ClassVar`)."""
    found: list[tuple[int, str]] = []
    for name, bindings in cls.scope.bindings.items():
        first = bindings[0]
        if first.kind == VALUE and first.type is not None and not _is_of_class(first.type):
            found.append((first.at, name))
    return [name for _, name in sorted(found)]


def _is_of_class(written: Expr) -> bool:
    base = written[1] if written[0] == "s" else written
    return bool(base[-1] == "ClassVar")


def own_methods(cls: Class, name: str | None = None) -> list[Function]:
    """The functions that a class defines itself, in order; with `name`, only those of that name."""
    found = []
    functions = cls.file.functions
    if name is not None:
        for binding in cls.scope.bindings.get(name, ()):
            if binding.kind == DEFINITION and binding.payload in functions:
                found.append(functions[binding.payload])
        return found + cls.extra.get(name, [])
    for bindings in cls.scope.bindings.values():
        found += [functions[b.payload] for b in bindings if b.kind == DEFINITION and b.payload in functions]
    for key, extra in cls.extra.items():
        if not key.endswith("()"):  # the same functions by the name that calls look up
            found += extra
    return found


def is_object(value: Value) -> bool:
    return isinstance(value, Class) and value.definition.kind == "object"


def types_of(values: Values) -> Values:
    """The types among the definitions of a name; objects are left out where there is anything else."""
    if len(values) < 2:
        return values
    return tuple(v for v in values if not is_object(v)) or values
