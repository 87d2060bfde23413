"""Functions that are classes: how JavaScript wrote them before it had the word, and how compilers still do."""

from __future__ import annotations

from loregraph.indexer.facts import ATTRIBUTE, FILE_SCOPE, NAME, RECEIVER, Expr
from loregraph.indexer.languages.extraction import Extraction

_NEVER = frozenset({"lambda", "getter", "setter", "constructor"})
"""Kinds of functions that `new` refuses."""


def constructors(x: Extraction) -> set[int]:
    """Numbers of the functions that are used as classes in this file.

    Their prototype is written to, or their name has a capital and `new` is used on them or they write to `this`.
    """
    known: dict[tuple[int, str], int] | None = None
    found: set[int] = set()
    for fact in x.assignments:
        target = fact.target
        if target[0] != ATTRIBUTE:
            continue
        base = target[1]
        if base[0] == RECEIVER:
            number = _receiver_of(x, fact.scope)
            if number >= 0 and _capital(x, number):
                found.add(number)
            continue
        inherits = base[0] == ATTRIBUTE and base[2] == "prototype"
        holder = base if target[2] == "prototype" else base[1] if inherits else None
        if holder is not None:
            known = known or _by_name(x)
            number = _named(x, known, fact.scope, holder)
            if number >= 0:
                found.add(number)
    for call in x.calls:
        if call is not None and call.kind == "new":
            known = known or _by_name(x)
            number = _named(x, known, call.scope, call.function)
            if number >= 0 and _capital(x, number):
                found.add(number)
    for definition in x.definitions:
        # Methods of `Object.assign(Foo.prototype, {…})`.
        if definition.owner is not None:
            known = known or _by_name(x)
            number = _named(x, known, definition.parent, definition.owner)
            if number >= 0:
                found.add(number)
    return found


def _capital(x: Extraction, number: int) -> bool:
    return x.definitions[number].name[:1].isupper()


def _by_name(x: Extraction) -> dict[tuple[int, str], int]:
    """Functions by the scope they are defined in and their name in it."""
    found: dict[tuple[int, str], int] = {}
    for number, definition in enumerate(x.definitions):
        if definition.kind in _NEVER or not definition.is_function or definition.name[0] == "<":
            continue
        name = definition.qualname
        if definition.parent != FILE_SCOPE:
            around = x.definitions[definition.parent].qualname + "."
            if not name.startswith(around):
                continue
            name = name[len(around) :]
        found.setdefault((definition.parent, name), number)
    return found


def _named(x: Extraction, known: dict[tuple[int, str], int], scope: int, expr: Expr) -> int:
    """The function that an expression names as seen from `scope`; -1 for none."""
    parts: list[str] = []
    while expr[0] == ATTRIBUTE:
        parts.append(expr[2])
        expr = expr[1]
    if expr[0] != NAME:
        return -1
    parts.append(expr[1])
    parts.reverse()
    if parts[0] == "exports":
        parts = parts[1:]
    elif parts[:2] == ["module", "exports"]:
        parts = parts[2:]
    name = ".".join(parts)
    while True:
        number = known.get((scope, name))
        if number is not None:
            return number
        if scope == FILE_SCOPE:
            return -1
        scope = x.definitions[scope].parent


def _receiver_of(x: Extraction, scope: int) -> int:
    """The plain function whose `this` it is in `scope`; -1 where it is a method's or the file's."""
    while scope != FILE_SCOPE and x.definitions[scope].kind == "lambda":
        scope = x.definitions[scope].parent
    return scope if scope != FILE_SCOPE and x.definitions[scope].kind == "function" else -1
