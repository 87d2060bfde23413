"""The encoding of types and signatures in tables, reduced to what following values needs.

A type is a text or one of these lists:

==========================  ===================================================================================
`""`                        not followed: `None`, `Any`, an unsupported type
`"queue.Queue"`             an instance of the class of that name
`["T", name]`               a type variable of the function, or of the class that it is a method of
`["S"]`                     an instance of the receiver's own class: `Self`
`["L", type]`               a collection of such elements: a list, a set, an iterator
`["M", type]`               a mapping to such values
`["P", [type, ...]]`        a tuple of these
`["U", [type, ...]]`        one of these
`["C", [type, ...], type]`  a function: its argument types and its result type
`["K", type]`               the class itself
`["G", class, [type, ...]]` an instance of a generic class with its arguments
`["=", [text, ...]]`        one of these strings
`["P*", name]`              the arguments that a parameter specification stands for
==========================  ===================================================================================

Types that are awaited or entered are replaced by the result, as in facts: `Awaitable[T]` is `T`.

A symbol of a module is a text, the qualified name of its definition, or one of:

================================================  =============================================================
`["f", [signature, ...]]`                         a function; several signatures are overloads
`["v", type]`                                     a variable or an attribute; a property of a class, too
`["c", [type, ...], [name, ...], {name: symbol}]` a class: its supertypes, its type variables, its members
================================================  =============================================================

A signature is `[least, most, [[place, name, type], ...], type]`: the numbers of positional arguments (`most` below 0:
any number, after −1 − `most` parameters), the parameters with a useful type (`place` −1: keyword-only, −2: all further
ones) and the result type. The receiver is not counted.
"""

from __future__ import annotations

from typing import Any, Final

Type = Any
Symbol = Any
Signature = list[Any]
Table = dict[str, Symbol]
"""Name → symbol, of one module."""

NOTHING: Final = ""
MAX_PARTS: Final = 400
"""Maximum parts of a type after substitution."""
FUNCTION: Final = "f"
VARIABLE: Final = "v"
CLASS: Final = "c"
BY_NAME: Final = -1
FURTHER: Final = -2
"""Special places of parameters."""


def mentions(type_: Type, *kinds: str) -> bool:
    """Whether a type contains one of these kinds."""
    stack = [type_]
    while stack:
        part = stack.pop()
        if isinstance(part, list) and part:
            if isinstance(part[0], str) and part[0] in kinds:
                return True
            stack += part[1:] if isinstance(part[0], str) else part
    return False


# Implements REQ-SEC-010.
def bounded(type_: Type) -> Type:
    """`type_`, or nothing where it has very many parts: each supertype may double them."""
    stack, count = [type_], 0
    while stack:
        part = stack.pop()
        count += 1
        if isinstance(part, list):
            stack += part
        if count > MAX_PARTS:
            return NOTHING
    return type_


def substituted(type_: Type, bound: dict[str, Type]) -> Type:
    """`type_` with its variables substituted."""
    if not bound or not isinstance(type_, list) or not type_:
        return type_
    if type_[0] == "T":
        return bound.get(type_[1], type_)
    if type_[0] in ("=", "S", "P*"):
        return type_
    if isinstance(type_[0], list):
        return [substituted(part, bound) for part in type_]
    return [type_[0], *[substituted(part, bound) if isinstance(part, list) else part for part in type_[1:]]]
