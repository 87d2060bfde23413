"""Dart's text as its grammar understands it: what it stumbles over is left out, every byte in its place.

Within an expression the grammar takes `a<T>(c)` for comparisons, and it does not know `library;`, a pattern without
fields (`case Foo():`), `abstract` fields, or `.member` for a member of the type that is expected. None of these words
changes what a fact says, but for the types between the angle brackets, which are kept for the call that they stand in.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from loregraph.indexer.languages.extraction import Extraction
from loregraph.indexer.languages.parsing import error_bytes, parse

if TYPE_CHECKING:
    from tree_sitter import Node

_WORDS = rb"[\w$.,?\s]{0,100}"
_TYPES = rb"<" + _WORDS + rb"(?:<" + _WORDS + rb"(?:<" + _WORDS + rb">" + _WORDS + rb")?>" + _WORDS + rb"){0,5}>"
"""Type arguments, three deep."""
_GENERIC_CALL = re.compile(rb"(?:\.|\bawait\b|\breturn\b|=>|[=(\[,:?&|!])\s*[\w$]+(" + _TYPES + rb")(?=\()")
_WORD = re.compile(
    rb"^[ \t]*+(library[ \t]*+;)"
    rb"|^[ \t]*+(abstract)(?=[ \t]++(?!class\b|interface\b|base\b|mixin\b|final[ \t]++class\b)[\w$<>,?. \t]++;)",
    re.MULTILINE,
)
_ARM = re.compile(
    rb"^[ \t]*[_$]*[A-Z][\w$.]*(?:" + _TYPES + rb")?[ \t]*\(\)[^\n;]*?(?==>|\bwhen\b)"
    rb"|^[ \t]*\([^\n;]*?(?==>|\bwhen\b)",
    re.MULTILINE,
)
_WORD_CASE = re.compile(rb"(?<![^\s(])case(?=[ \t])")
_LONGEST_PATTERN = 400
_END = re.compile(rb"[(\[{)\]}:\n;]|=>|\bwhen\b")
_WITHOUT_FIELDS = re.compile(rb"(?<=[\w$])((?:" + _TYPES + rb")?[ \t]*\(\))")
_SHORTHAND = re.compile(rb"([(\[][ \t]*|(?:[{,:=?&|]|=>|\breturn|\bcase|\bconst)[ \t]+)\.(?=[a-z])")
_CASE = re.compile(rb"\b(?:case|switch|library|abstract)\b")
_NAME = re.compile(r"[A-Za-z_$][\w$]*")


def left_out(x: Extraction) -> dict[int, list[str]]:
    """Place of a call's arguments → the names in type arguments that were left out of the text before them."""
    found: dict[int, list[str]] = x.memo.setdefault("left out", {})
    return found


def parse_dart(x: Extraction) -> Node | None:
    """The tree of the file's text without what the grammar does not understand."""
    named = left_out(x)

    def without_types(match: re.Match[bytes]) -> bytes:
        named[match.end()] = _NAME.findall(match[1].decode("utf-8", "replace"))
        return _blanked(match, 1)

    source = _GENERIC_CALL.sub(without_types, x.source)
    source = _SHORTHAND.sub(rb"\1$", source)
    if _CASE.search(source):
        source = _WORD.sub(lambda match: _blanked(match, match.lastindex or 0), source)
        source = _ARM.sub(_without_fields, source)
        source = _without_fields_of_cases(source)
    root = parse(x.spec.grammar, source)
    if root is None or not root.has_error or source == x.source:
        return root
    other = parse(x.spec.grammar, x.source)
    return root if other is None or error_bytes(other) >= error_bytes(root) else other


def _without_fields(match: re.Match[bytes]) -> bytes:
    return _WITHOUT_FIELDS.sub(lambda inner: _blanked(inner, 1), match[0])


def _without_fields_of_cases(source: bytes) -> bytes:
    """The same for every `case …`, as far as its pattern goes."""
    parts: list[bytes] = []
    done = 0
    for match in _WORD_CASE.finditer(source):
        start = match.end()
        if start >= done:
            pattern = _pattern_of(source[start : start + _LONGEST_PATTERN])
            parts += (source[done:start], _WITHOUT_FIELDS.sub(lambda inner: _blanked(inner, 1), pattern))
            done = start + len(pattern)
    return b"".join((*parts, source[done:]))


def _pattern_of(text: bytes) -> bytes:
    """The pattern behind `case`: to its colon, or out of the parentheses of `if (a case …)`."""
    depth = 0
    for found in _END.finditer(text):
        mark = found[0]
        if mark in (b"(", b"[", b"{"):
            depth += 1
        elif mark in (b")", b"]", b"}"):
            depth -= 1
        elif mark in (b"\n", b";"):
            break  # the word in a text
        if depth < 0 or (depth == 0 and mark in (b":", b"=>", b"when")):
            return text[: found.start()]
    return b""


def _blanked(match: re.Match[bytes], group: int) -> bytes:
    """The text of a match with one group turned into spaces."""
    start, end = match.start(group) - match.start(), match.end(group) - match.start()
    text = match[0]
    return text[:start] + re.sub(rb"[^\n]", b" ", text[start:end]) + text[end:]
