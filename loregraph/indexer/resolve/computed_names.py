"""Computed member names: `getattr(self, "visit_" + kind)`.

The literal parts of such a name are a pattern: a prefix and a suffix. Only literals in the file itself count, so its
own facts determine which members it may ask for. An edit that adds a method `visit_call` to a class anywhere thus
affects the files that compute names beginning with `visit_`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from loregraph.indexer.facts import FILLED, Call, Expr

MIN_WRITTEN: Final = 3
"""Minimum number of literal characters; fewer say too little about the name."""
MAX_WRITTEN: Final = 64

Pattern = tuple[str, str]
"""(prefix, suffix) of a name."""

_JOINING: Final = ("+", ".")
"""Operators that concatenate strings."""
_PLACEHOLDER: Final = re.compile(r"%%|%(?:\(\w*\))?[sdr]|\{\{|\}\}|\{[^{}]*\}")
_ESCAPED: Final = frozenset({"%%", "{{", "}}"})


def pattern_of(expr: Expr, calls: tuple[Call, ...]) -> Pattern | None:
    """The pattern of the names that `expr` may evaluate to; None where too little of them is literal. `calls` are those
    of the file."""
    op = expr[0]
    if op == "k":
        return _fitting(*_ends(expr[2], FILLED)) if expr[1] == "format" else None
    if op == "b" and expr[3] is not None:
        if expr[1] in _JOINING:
            return _fitting(_first(expr), _last(expr[3]))
        if expr[1] == "%" and expr[2][:2] in (("k", "str"), ["k", "str"]):
            return _fitting(*_ends(expr[2][2]))
    if op == "c" and 0 <= expr[1] < len(calls):
        function = calls[expr[1]].function
        if function[0] == "a" and function[2] == "format" and function[1][:2] in (("k", "str"), ["k", "str"]):
            return _fitting(*_ends(function[1][2]))
    return None


def _fitting(prefix: str, suffix: str) -> Pattern | None:
    return (prefix, suffix) if _says(prefix) or _says(suffix) else None


def _says(part: str) -> bool:
    return MIN_WRITTEN <= len(part) <= MAX_WRITTEN


def _first(expr: Expr) -> str:
    """The literal that a concatenation begins with."""
    while expr[0] == "b" and expr[1] in _JOINING and expr[3] is not None:
        expr = expr[2]
    return _text(expr, 0)


def _last(expr: Expr) -> str:
    """The literal that the last operand of a concatenation ends with."""
    return _text(expr, -1)


def _text(expr: Expr, end: int) -> str:
    if expr[0] != "k":
        return ""
    if expr[1] == "format":
        return _ends(expr[2], FILLED)[end]
    return expr[2] if expr[1] == "str" else ""


def _ends(text: str, filled: str = "") -> Pattern:
    """The literals before the first and after the last placeholder of a formatted string."""
    if filled:
        before, found, rest = text.partition(filled)
        return (before, rest.rpartition(filled)[2]) if found else ("", "")
    places = [found.span() for found in _PLACEHOLDER.finditer(text) if found[0] not in _ESCAPED]
    if not places or any(escaped in text for escaped in _ESCAPED):
        return ("", "")
    return (text[: places[0][0]], text[places[-1][1] :])


def matches(name: str, pattern: Pattern) -> bool:
    """Whether a name fits the pattern."""
    prefix, suffix = pattern
    return len(name) > len(prefix) + len(suffix) and name.startswith(prefix) and name.endswith(suffix)


# The names a file asks for, from its facts as JSON (see `differences`): slightly more than `pattern_of` finds

_STRING: Final = rb'\["k","(?:str|format)","((?:[^"\\]|\\.)*)"\]'
_PUT_TOGETHER: Final = re.compile(rb'\["k","format","((?:[^"\\]|\\.)*)"\]|\["b","[+%]",' + _STRING)
_FORMATTED: Final = re.compile(rb'\["a",' + _STRING + rb',"format"\]')
_AT_END: Final = re.compile(_STRING + rb"\]")
_HOLE: Final = re.compile(rb"[ \\]|%(?:\(\w*\))?[sdr]|\{[^{}]*\}")
_ASKING: Final = (b'"getattr"', b'["s",')
"""Substrings in the text of every file that asks for members by computed names."""


def asked_for(text: bytes) -> Iterator[bytes]:
    """The prefixes (`visit_*`) and suffixes (`*_value`) of the names that the facts in `text` compute."""
    if not any(word in text for word in _ASKING):
        return
    written = [part for found in _PUT_TOGETHER.findall(text) for part in found if part]
    written += _FORMATTED.findall(text)
    for part in written:
        pieces = _HOLE.split(part)
        yield pieces[0] + b"*"
        yield b"*" + pieces[-1]
    for part in _AT_END.findall(text):
        yield b"*" + _HOLE.split(part)[-1]


def ways_to_ask(name: str) -> Iterator[bytes]:
    """The prefixes and suffixes of a name by which a file may ask for it."""
    for length in range(MIN_WRITTEN, min(len(name), MAX_WRITTEN + 1)):
        yield f"{name[:length]}*".encode()
        yield f"*{name[-length:]}".encode()
