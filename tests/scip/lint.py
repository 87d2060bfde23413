"""The rules that `scip lint` has for an index, and those of the schema's comments, for tests: the command is a program
of its own that is in no registry of packages for Python."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

_IDENTIFIER = r"(?:[A-Za-z0-9_+$-]+|`(?:[^`\0]|``)+`)"
_DESCRIPTOR = re.compile(
    rf"(?P<name>{_IDENTIFIER})(?:/|#|\.|:|!|\((?P<number>[A-Za-z0-9_+$-]*)\)\.)|\[{_IDENTIFIER}\]|\({_IDENTIFIER}\)"
)
_PART = r"(?:[^ \0]|  )+"
_HEAD = re.compile(rf"(?!local ){_PART} {_PART} {_PART} {_PART} ")
_SIMPLE = re.compile(r"`[A-Za-z0-9_+$-]+`")


def symbol_problem(symbol: str) -> str:
    """What is wrong with a symbol; "" for nothing."""
    if symbol.startswith("local "):
        return "" if re.fullmatch(r"local [A-Za-z0-9_+$-]+", symbol) else "not a local symbol"
    head = _HEAD.match(symbol)
    if head is None:
        return "no scheme and package"
    at = head.end()
    if at == len(symbol):
        return "no descriptor"
    while at < len(symbol):
        found = _DESCRIPTOR.match(symbol, at)
        if found is None:
            return f"no descriptor at {at}"
        if found["name"] and _SIMPLE.fullmatch(found["name"]):
            return f"needless backticks at {at}"
        at = found.end()
    return ""


def problems(index: Any, lines_of: Callable[[str], list[str]]) -> Iterator[str]:
    """What is wrong with an index, decoded by any protobuf runtime. `lines_of` gives the lines of a file."""
    outside: set[str] = set()
    for one in index.external_symbols:
        if one.symbol in outside or symbol_problem(one.symbol):
            yield f"external symbol {one.symbol!r}: {symbol_problem(one.symbol) or 'repeated'}"
        outside.add(one.symbol)
    paths: set[str] = set()
    defined: dict[str, str] = {}
    for document in index.documents:
        path = document.relative_path
        if path in paths or not path or path.startswith("/") or {"", ".", ".."} & {*path.split("/")}:
            yield f"path {path!r}"
        paths.add(path)
        for one in document.symbols:
            if one.symbol in defined or one.symbol in outside or symbol_problem(one.symbol):
                yield f"{path}: symbol {one.symbol!r}: {symbol_problem(one.symbol) or 'repeated'}"
            defined[one.symbol] = path
    known = outside | defined.keys()
    for document in index.documents:
        yield from _in_document(document, known, defined, lines_of(document.relative_path))


def _in_document(document: Any, known: set[str], defined: dict[str, str], lines: list[str]) -> Iterator[str]:
    path = document.relative_path
    for one in document.symbols:
        related = [relation.symbol for relation in one.relationships]
        if len(set(related)) < len(related) or not known.issuperset(related):
            yield f"{path}: relationships of {one.symbol!r}"
        for relation in one.relationships:
            if not (relation.is_reference or relation.is_implementation or relation.is_type_definition):
                yield f"{path}: a relationship of {one.symbol!r} without a purpose"
    seen = set()
    for one in document.occurrences:
        key = (one.symbol, tuple(one.range), one.symbol_roles)
        if key in seen:
            yield f"{path}: repeated occurrence {key}"
        seen.add(key)
        if one.symbol not in known:
            yield f"{path}: {one.symbol!r} resolves to nothing"
        if one.symbol_roles & 1 and defined.get(one.symbol) != path:
            yield f"{path}: defines {one.symbol!r}, which is none of its symbols"
        start, end = _bounds(one.range)
        if not ((0, 0) <= start <= end and end[0] < len(lines) and end[1] <= len(lines[end[0]])):
            yield f"{path}: range {list(one.range)} of {one.symbol!r}"
        if one.enclosing_range:
            around, behind = _bounds(one.enclosing_range)
            if not (around <= start and end <= behind and behind[1] <= len(lines[behind[0]])):
                yield f"{path}: {list(one.enclosing_range)} is not around {list(one.range)}"


def _bounds(of: Any) -> tuple[tuple[int, int], tuple[int, int]]:
    first, *rest = of
    return (first, rest[0]), (rest[1], rest[2]) if len(rest) == 3 else (first, rest[1])
