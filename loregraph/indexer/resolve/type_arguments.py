"""Instances of the project's own generic types, told apart by their type arguments: `Repo<Owner>`."""

from __future__ import annotations

from typing import Final

from loregraph.indexer.resolve.canonical import rank
from loregraph.indexer.resolve.model import Class, Container, Instance, Value, Values

MAX_NESTED: Final = 3
"""Maximum nesting of type arguments: a type that creates one of itself (`Node<Node<T>>`) would otherwise never end."""
MAX_OPTIONS: Final = 4
"""Maximum number of values per type argument."""


def applied(cls: Class, declared: bool, arguments: tuple[Values, ...]) -> Instance:
    """The instance of `cls` with these type arguments, in the order of its parameters; the one without arguments where
    none of them involves the project, or where they are nested too deeply."""
    plain = cls.typed if declared else cls.instance
    given = tuple(_canonical(held) for held in arguments)
    if not any(_is_known(value) for held in given for value in held) or _depth(given) > MAX_NESTED:
        return plain
    if cls.applied is None:
        cls.applied = {}
    found = cls.applied.get((declared, given))
    if found is None:
        found = cls.applied[declared, given] = Instance(cls, declared)
        found.arguments = given
    return found


def _canonical(held: Values) -> Values:
    """The values in an order that does not depend on the order of discovery."""
    return held if len(held) < 2 else tuple(sorted(dict.fromkeys(held), key=rank)[:MAX_OPTIONS])


def _is_known(value: Value) -> bool:
    return isinstance(value, Instance | Container)


def _depth(arguments: tuple[Values, ...]) -> int:
    nested = [value.arguments for held in arguments for value in held if isinstance(value, Instance)]
    return 1 + max((_depth(inner) for inner in nested if inner), default=0)
