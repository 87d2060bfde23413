"""Preprocessor conditionals that a grammar without a preprocessor cannot read, made readable without moving a byte."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Final

_BLANK: Final = bytes(c if c in b"\r\n" else 0x20 for c in range(256))

_CONDITION = re.compile(rb"^([ \t]*#[ \t]*(?:el)?if[ \t]+)((?:[^\\\n]|\\\r?\n|\\.)*)", re.MULTILINE)
_DEFINE = re.compile(rb"^[ \t]*#[ \t]*define\b[^\\\n]*\\\r?\n(?:[^\\\n]|\\\r?\n|\\.)*", re.MULTILINE)
_COMMENT_OR_STRING = re.compile(rb'/\*.*?(?:\*/|\Z)|(?<!\\)"(?:\\.|[^"\\\n])*+"', re.DOTALL)
_STRANGE = re.compile(rb'[<"]|::|__has_|\\\r?\n')
_DIRECTIVE = re.compile(
    rb"^[ \t]*(?:#|%:)[ \t]*(ifdef|ifndef|if|elifdef|elifndef|elif|else|endif)\b(?:[^\\\n]|\\\r?\n|\\.)*", re.MULTILINE
)
_FIRST = re.compile(rb"\s*([A-Za-z_]\w*|\S{0,2})")
_LAST = re.compile(rb"([A-Za-z_]\w*|\S)\s*\Z")
_BRACKET = re.compile(rb"[{}()]")
_TAIL: Final = 200

_CONTINUES: Final = frozenset({b"else", b"catch", b"&&", b"||", b",", b"?", b"|", b"+", b")", b".", b"=", b"=="})
"""What a branch begins with that goes on with the statement before the conditional."""
_UNFINISHED: Final = frozenset({b"else", b"do", b"&", b"|", b",", b"=", b"(", b"+", b"-", b"?", b"<", b"return", b")"})
"""What a branch ends with that leaves its statement to the text after the conditional."""


def blanked(text: bytes) -> bytes:
    """Spaces, line ends kept."""
    return text.translate(_BLANK)


def plain_directives(source: bytes) -> bytes:
    """`source` without what the grammar cannot read in directives: comments inside a `#define` of several lines, and
    conditions that are no C expressions (`#if __has_include(<x>)`; they are written as 1)."""

    def uncommented(match: re.Match[bytes]) -> bytes:
        text = match[0]
        return _COMMENT_OR_STRING.sub(_blank_comment, text) if b"/*" in text else text

    def plain(match: re.Match[bytes]) -> bytes:
        condition = match[2]
        if not _STRANGE.search(condition):
            return match[0]
        return match[1] + b"1" + blanked(condition[1:])

    return _CONDITION.sub(plain, _DEFINE.sub(uncommented, source))


def _blank_comment(match: re.Match[bytes]) -> bytes:
    text = match[0]
    # A comment may go on over the end of the line without a backslash.
    return blanked(text) if text[:1] == b"/" and b"\n" not in text.replace(b"\\\n", b"") else text


@dataclass(slots=True)
class _Group:
    """One `#if … #endif`: its directives' ranges, and for each branch the change in open brackets when it is over."""

    directives: list[tuple[int, int]] = field(default_factory=list)
    deltas: list[int] = field(default_factory=list)
    broken: bool = False
    start_depth: int = 0


def one_branch_each(source: bytes, masked: bytes) -> bytes:
    """`source` with one branch left of each conditional that cuts through a statement or a block: the first.

    `masked` is it with comments and strings blanked. Conditionals whose branches are whole stay as they are.
    """
    stack: list[_Group] = []
    edits: list[tuple[int, int]] = []
    depth = place = 0
    for match in _DIRECTIVE.finditer(masked):
        depth += _depth(masked, place, match.start())
        place = match.end()
        word = match[1]
        if word.startswith(b"if"):
            stack.append(_Group([match.span()], start_depth=depth))
            continue
        if not stack:
            continue
        group = stack[-1]
        branch = masked[group.directives[-1][1] : match.start()]
        group.directives.append(match.span())
        group.deltas.append(depth - group.start_depth)
        group.broken = group.broken or depth != group.start_depth or _cut(branch)
        if word != b"endif":
            depth = group.start_depth
            continue
        stack.pop()
        depth = group.start_depth + group.deltas[0]
        if group.broken:
            edits += group.directives
            edits += [(group.directives[i][1], group.directives[i + 1][0]) for i in range(1, len(group.directives) - 1)]
    text = bytearray(source)
    for start, end in edits:
        text[start:end] = blanked(source[start:end])
    return bytes(text)


def unbalanced(masked: bytes, start: int, end: int) -> bool:
    """Whether a range opens a bracket that it does not close, or the other way round."""
    return masked.count(b"{", start, end) != masked.count(b"}", start, end) or masked.count(
        b"(", start, end
    ) != masked.count(b")", start, end)


def _depth(masked: bytes, start: int, end: int) -> int:
    opened = masked.count(b"{", start, end) - masked.count(b"}", start, end)
    return opened + masked.count(b"(", start, end) - masked.count(b")", start, end)


def _cut(branch: bytes) -> bool:
    """Whether a branch is only a part of a statement."""
    first = _FIRST.match(branch)
    last = _LAST.search(branch[-_TAIL:])
    if first is None or last is None:
        return False
    start = first[1]
    return start in _CONTINUES or start[:1] in _CONTINUES or last[1] in _UNFINISHED


_BRACE = re.compile(rb"[{};]")
_OPEN_SCOPE = re.compile(rb'\b(?:namespace\b[^;{}()]*|extern\s*"[^"]*"|(?:class|struct|union|export)\b[^;{}()]*)\s*\Z')


def function_bodies(masked: bytes) -> list[tuple[int, int, int]]:
    """(start of the head, `{`, `}`) of the blocks that are not within another: of functions and their like.

    Namespaces, `extern "C"` and types are looked into.
    """
    found: list[tuple[int, int, int]] = []
    head = depth = opened = 0
    for match in _BRACE.finditer(masked):
        place = match.start()
        symbol = match[0]
        if symbol == b"{":
            if depth == 0 and _OPEN_SCOPE.search(masked, max(head, place - 400), place):
                head = place + 1
                continue
            if depth == 0:
                opened = place
            depth += 1
        elif symbol == b"}":
            if depth == 0:
                head = place + 1
                continue
            depth -= 1
            if depth == 0:
                if b"(" in masked[head:opened]:
                    found.append((head, opened, place))
                head = place + 1
        elif depth == 0:
            head = place + 1
    return found
