"""Properties of a function's node besides position and text: parameters, modifiers, exceptions thrown and caught."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from loregraph.indexer.facts import Call, Definition, Expr, FileFacts

CATCHES_ALL: Final = "*"
"""Used in `handles` for a handler that names no type."""

_ELSEWHERE: Final = frozenset({"exported", "test", "expression", "class", "prototype"})
"""Flags that have properties of their own, or matter only to resolution."""
_REST: Final = ("*", "**")


def parameters(definition: Definition) -> tuple[str, ...]:
    """Names in order: rest parameters with `*` or `**` before them, `{}` for a pattern, `_` for an unnamed one. A
    receiver with its own syntax (Go's, Rust's `self`) is left out."""
    return tuple(
        (p.kind if p.kind in _REST else "") + (p.name or ("{}" if p.pattern is not None else "_"))
        for p in definition.parameters
        if p.kind != "this"
    )


def modifiers(definition: Definition) -> tuple[str, ...]:
    """`async`, `static`, `abstract`, `property` and the like."""
    return tuple(flag for flag in definition.flags if flag not in _ELSEWHERE)


def thrown(facts: FileFacts) -> dict[int, tuple[str, ...]]:
    """Definition → names of the types it throws, in order. Rethrowing a value adds none."""
    found: dict[int, dict[str, None]] = {}
    for leaving in facts.returns:
        if leaving.kind == "throw" and leaving.scope >= 0:
            names = found.setdefault(leaving.scope, {})
            for name in _thrown_names(leaving.value, facts.calls):
                names[name] = None
    return {scope: tuple(names) for scope, names in found.items() if names}


def caught(facts: FileFacts) -> dict[int, tuple[str, ...]]:
    """Definition → names of the types it catches, in order, `CATCHES_ALL` for a handler of anything."""
    found: dict[int, dict[str, None]] = {}
    for handler in facts.assignments:
        if handler.kind == "except" and handler.scope >= 0:
            value = handler.value
            names = list(_type_names(value[1])) if value[0] == "t" else []
            found.setdefault(handler.scope, {}).update(dict.fromkeys(names or [CATCHES_ALL]))
    return {scope: tuple(names) for scope, names in found.items()}


def _thrown_names(value: Expr, calls: tuple[Call, ...]) -> Iterator[str]:
    if value[0] == "c":
        yield from _type_names(calls[value[1]].function)
    elif value[0] == "t":
        yield from _type_names(value[1])
    elif value[0] in ("n", "a"):
        # A plain name is a variable more often than a type: in languages that write both alike, types begin with a
        # capital.
        yield from (name for name in _type_names(value) if name[:1].isupper())


def _type_names(type_: Expr) -> Iterator[str]:
    if type_[0] == "n":
        yield type_[1]
    elif type_[0] == "a":
        yield type_[2]
    elif type_[0] == "s":
        yield from _type_names(type_[1])
    elif type_[0] in ("u", "l"):
        for option in type_[1]:
            yield from _type_names(option)
