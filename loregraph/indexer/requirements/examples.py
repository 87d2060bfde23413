"""Finds the lines of a comment or docstring that belong to an example, whose content is illustration.

Fences and indented blocks of Markdown, literal blocks and directives of reStructuredText, doctests, sections of
examples (Google's, NumPy's), `<pre>`, `@code`, `@example` and the like in Javadoc, JSDoc, YARD, Doxygen and XML docs.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Final

_LEADER = re.compile(r"\s*+(?://[/!]?+|#++!?|--++|;++|%++|!++)")
_STAR = re.compile(r"\s*+\*(?!/)")
_OPENING = re.compile(r"\s*+(?:/\*[*!]?+|\(\*+|<!--|[A-Za-z]{0,2}(?:\"\"\"|'''|\"|'))")
_FENCE = re.compile(r"\s*+(?P<fence>`{3,}+|~{3,}+)(?P<info>[^`]*+)$")
_DIRECTIVE = re.compile(r"\.\.\s++(?P<name>[\w-]++)::")
_LITERAL: Final = frozenset(
    "code code-block sourcecode parsed-literal literalinclude highlight prompt doctest testcode testoutput "
    "example".split()
)
_HEADING = re.compile(r"(?:examples?|usage|samples?)\b[^:]{0,60}:{1,2}$", re.IGNORECASE)
_NUMPY = re.compile(r"examples?$|usage$", re.IGNORECASE)
_RULE = re.compile(r"-{3,}$|={3,}$|~{3,}$")
_ANNOUNCES = re.compile(
    r"\b(?:examples?|e\.g\.|usage|instance|such as|like|so|this way|written|writes?|syntax|follows|following|looks"
    r"|forms?|mark(?:ed|er|ers|s)?|tag(?:ged|s)?|annotate[ds]?|comments?|put|add|use|call|run|type)\b",
    re.IGNORECASE,
)
_BLOCKS: Final = (
    (re.compile(r"<pre\b", re.IGNORECASE), re.compile(r"</pre>", re.IGNORECASE)),
    (
        re.compile(r"<(?:code|example)\b(?![^>\n]*+/>)", re.IGNORECASE),
        re.compile(r"</(?:code|example)>", re.IGNORECASE),
    ),
    (re.compile(r"[@\\]code\b(?!\s*+[^\s{])"), re.compile(r"[@\\]endcode\b")),
    (re.compile(r"[@\\]verbatim\b"), re.compile(r"[@\\]endverbatim\b")),
)
_ITEM = re.compile(r"(?:[-*+\N{BULLET}]|\d{1,3}[.)])\s")
_TAG_EXAMPLE = re.compile(r"@example\b")
_TAG = re.compile(r"[@\\][a-z]")
MAX_LINE: Final = 2_000
"""Maximum characters examined per line: a longer one is not hand-written."""
_DEEP: Final = 4
"""Indentation of code in Markdown, in columns."""


def bare(text: str) -> list[str]:
    """The lines of a comment or docstring without comment signs, indentation kept; at most `MAX_LINE` characters
    each."""
    lines = [line[:MAX_LINE].expandtabs(4)[:MAX_LINE] for line in text.split("\n")]
    opening = _OPENING.match(lines[0])
    if opening is not None:
        lines[0] = lines[0][opening.end() :].lstrip()
        others = [line for line in lines[1:] if line.strip() and line.strip() != "*/"]
        if others and all(_STAR.match(line) for line in others):
            lines[1:] = [_without(_STAR.match(line), line) for line in lines[1:]]
        return lines
    if all(_LEADER.match(line) for line in lines if line.strip()):
        return [_without(_LEADER.match(line), line) for line in lines]
    return lines


def _without(found: re.Match[str] | None, line: str) -> str:
    return line if found is None else line[found.end() :]


def example_lines(lines: Sequence[str]) -> frozenset[int]:
    """The lines, among `lines` from `bare`, that belong to an example, counted from 0."""
    found: set[int] = set()
    base = min((_indent(line) for line in lines[1:] if line.strip()), default=0)
    unclosed: set[str] = set()
    at = 0
    while at < len(lines):
        after = _block(lines, at, base, unclosed)
        if after > at:
            found.update(range(at, after))
            at = after
        else:
            at += 1
    return frozenset(found)


def _block(lines: Sequence[str], at: int, base: int, unclosed: set[str]) -> int:
    """The line after the example that begins in line `at`; `at` where none does.

    `unclosed` are the fences known to have no closing line: each is searched once.
    """
    line = lines[at]
    words = line.strip()
    if not words:
        return at
    above = lines[at - 1].strip() if at else ""
    fence = _FENCE.match(line)
    if fence is not None and not (fence["fence"][0] == "~" and above and not fence["info"].strip()):
        return _fenced(lines, at, fence["fence"], unclosed)
    for opens, closes in _BLOCKS:
        start = opens.search(line)
        if start is not None:
            return _closed(lines, at, start.end(), closes, unclosed)
    if words.startswith(">>> "):
        return _while(lines, at, lambda later: bool(later.strip()))
    if _TAG_EXAMPLE.match(words):
        return _while(lines, at + 1, lambda later: _TAG.match(later.strip()) is None)
    indent = _indent(line) if at else base
    directive = _DIRECTIVE.match(words)
    if directive is not None:
        return _inside(lines, at, indent) if directive["name"] in _LITERAL else at
    if _NUMPY.match(words) and at + 1 < len(lines) and _RULE.fullmatch(lines[at + 1].strip()):
        return _until_heading(lines, at + 2)
    if words.endswith("::") or _HEADING.match(words) or (words.endswith(":") and _ANNOUNCES.search(words)):
        return _inside(lines, at, indent)
    if not above and indent >= base + _DEEP and at and _is_code(lines, at, base):
        return _while(lines, at, lambda later: not later.strip() or _indent(later) >= base + _DEEP)
    return at


def _is_code(lines: Sequence[str], at: int, base: int) -> bool:
    """Whether an indented block is code rather than part of a list item or of a heading above it."""
    for before in range(at - 1, -1, -1):
        words = lines[before].strip()
        if words:
            outer = _indent(lines[before]) if before else base
            return outer < base + _DEEP and not _ITEM.match(words) and not words.endswith(":")
    return False


def _fenced(lines: Sequence[str], at: int, fence: str, unclosed: set[str]) -> int:
    if "~" in unclosed and fence[0] == "~":
        return at
    for later in range(at + 1, len(lines)):
        words = lines[later].strip().removesuffix('"""').removesuffix("*/").rstrip()
        if words.startswith(fence) and not words.strip(fence[0]):
            return later + 1
    # Without an end it continues to the end of the text; tildes are more often a drawn line.
    unclosed.add(fence[0])
    return len(lines) if fence[0] == "`" else at


def _closed(lines: Sequence[str], at: int, start: int, closes: re.Pattern[str], unclosed: set[str]) -> int:
    """The line after a block opened before `start` in line `at`; a block closed in the same line does not count."""
    if closes.search(lines[at], start) or closes.pattern in unclosed:
        return at
    for later in range(at + 1, len(lines)):
        if closes.search(lines[later]):
            return later + 1
    unclosed.add(closes.pattern)
    return at


def _inside(lines: Sequence[str], at: int, indent: int) -> int:
    """The line after those below line `at` that are indented further."""
    after = _while(lines, at + 1, lambda later: not later.strip() or _indent(later) > indent)
    while after > at + 1 and not lines[after - 1].strip():
        after -= 1
    return after if after > at + 1 else at


def _until_heading(lines: Sequence[str], at: int) -> int:
    for later in range(at, len(lines) - 1):
        if lines[later].strip() and _RULE.fullmatch(lines[later + 1].strip()):
            return later
    return len(lines)


def _while(lines: Sequence[str], at: int, goes_on: Callable[[str], bool]) -> int:
    while at < len(lines) and goes_on(lines[at]):
        at += 1
    return at


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())
