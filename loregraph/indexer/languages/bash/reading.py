"""Parsing what the grammar does not understand: bats' tests, and a few of the many ways to write an expansion.

All of it works on the text: what stands in for something else has its length, so that every place stays where it is.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from loregraph.indexer.languages.extraction import Extraction
from loregraph.indexer.languages.parsing import error_bytes, parse
from loregraph.indexer.languages.syntax_faults import NOT_UNDERSTOOD

if TYPE_CHECKING:
    from tree_sitter import Node

_BATS_TEST: Final = re.compile(rb"^([ \t]*+)(@test[ \t]++[^\n]*?)(?=\{[ \t]*+(?:#[^\n]*+)?$)", re.MULTILINE)
_UNALIASED: Final = re.compile(rb"^([ \t]*)\\(?=[.A-Za-z_])", re.MULTILINE)
"""`\\cd` at the start of a line, which the grammar takes for more words of the line before."""
_EXPANSION: Final = re.compile(rb"\$\{(?=[\w!#+(=~^])[^{}`\n\"']{1,200}\}")
_ESCAPED: Final = re.compile(rb"\\\$[{(]")
_FUNCTION: Final = re.compile(rb"^(?:function[ \t]++)?[\w.:-]++[ \t]*+(?:\([ \t]*+\)[ \t]*+)?\{", re.MULTILINE)
"""A function that begins at the start of a line; it ends with a brace at the start of one."""
_NO_NEWLINE: Final = re.compile(rb"[^\n]")
_NOTHING: Final = b"a=a"
_MAX_FUNCTIONS: Final = 400


def parsed(x: Extraction) -> Node | None:
    """The tree. Where the grammar fails, expansions are simplified; where that is not enough, the functions that are
    to blame are left without their bodies, which is a problem of the file, so that the others are found."""
    source = x.source
    if b"@test" in source:
        source = _BATS_TEST.sub(lambda m: m[1] + b"t()".ljust(len(m[2])), source)
    if b"\\" in source:
        source = _UNALIASED.sub(rb"\1 ", source)
    root = parse(x.spec.grammar, source)
    if root is None or not root.has_error:
        return root
    simpler = _ESCAPED.sub(b"\\$_", _EXPANSION.sub(_simplified, source))
    tried = parse(x.spec.grammar, simpler)
    if tried is None or error_bytes(tried) >= error_bytes(root):
        simpler, tried = source, root
    if not tried.has_error:
        return tried
    lines: list[int] = []
    without = _without_broken(x, simpler, lines)
    rest = parse(x.spec.grammar, without) if lines else None
    if rest is None or error_bytes(rest) >= error_bytes(tried):
        return tried
    for line in lines:
        x.problem(line, NOT_UNDERSTOOD)
    return rest


def _simplified(match: re.Match[bytes]) -> bytes:
    """`${x%%]*}` as `${x_____}`; one that runs a command stays."""
    held = match[0][2:-1]
    if b"$(" in held or held.isalnum():
        return match[0]
    return b"${" + b"x".ljust(len(held), b"_") + b"}"


def _without_broken(x: Extraction, source: bytes, lines: list[int]) -> bytes:
    """`source` with the bodies of functions that do not parse blanked; `lines` get the lines they begin at."""
    parts: list[bytes] = []
    end = 0
    for count, match in enumerate(_FUNCTION.finditer(source)):
        last = source.find(b"\n}", match.end())
        if last < 0 or count >= _MAX_FUNCTIONS:
            break
        if match.start() < end or last - match.end() < len(_NOTHING):
            continue
        alone = parse(x.spec.grammar, source[match.start() : last + 2])
        if alone is None or alone.has_error:
            lines.append(source.count(b"\n", 0, match.start()) + 1)
            body = _NO_NEWLINE.sub(b" ", source[match.end() : last])
            parts += [source[end : match.end()], _nothing(body)]
            end = last
    parts.append(source[end:])
    return b"".join(parts)


def _nothing(body: bytes) -> bytes:
    """A blank body with an assignment in it: an empty one is no function."""
    lines = body.split(b"\n")
    longest = max(range(len(lines)), key=lambda number: len(lines[number]))
    if len(lines[longest]) >= len(_NOTHING):
        lines[longest] = _NOTHING.ljust(len(lines[longest]))
    return b"\n".join(lines)
