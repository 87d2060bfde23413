"""Regular expressions from repositories and memories, matched in time linear in the text.

Python's `re` backtracks: `(A+)+B` on thirty letters takes minutes, and holds the interpreter's lock meanwhile. So
patterns that are not our own are matched by RE2, which has neither look-around nor back-references. Our own patterns
use `re`; tests/hostile/test_regex.py checks that each of them is linear.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from loregraph.ignore_rules import MAX_PATTERNS, MAX_RULE, IgnoreRules, add_rule, matcher

if TYPE_CHECKING:
    from re2 import _Regexp

MAX_PATTERN: Final = 1_000
"""Maximum characters of a pattern."""

_LEADING_FLAGS: Final = re.compile(r"\(\?([aiLmsux]+)\)")
_PIECE: Final = re.compile(
    r"\\(?P<escape>u[0-9A-Fa-f]{4}|U[0-9A-Fa-f]{8}|[1-9]|.)|(?P<beyond>\(\?(?:<?[=!]|P=|>|\()|(?<=[*+?}])\+)"
    r"|(?P<upto>\{,(?=\d+\}))|(?P<opens>\[\^?\]?)|(?P<closes>\])|(?P<other>.)",
    re.DOTALL,
)
_WORD: Final = r"\p{L}\p{N}_"
_SPACE: Final = r"\s\x{0b}\x{1c}-\x{1f}\x{85}\p{Z}"
_OUTSIDE: Final = {
    "d": r"\p{Nd}", "D": r"\P{Nd}", "w": f"[{_WORD}]", "W": f"[^{_WORD}]", "s": f"[{_SPACE}]", "S": f"[^{_SPACE}]",
    "Z": r"\z",
}  # fmt: skip
_INSIDE: Final = {"d": r"\p{Nd}", "D": r"\P{Nd}", "w": _WORD, "s": _SPACE, "b": r"\x08"}


class PatternError(ValueError):
    """The error in a pattern, in words."""


# Implements REQ-SEC-009.
def check(pattern: str) -> None:
    """Raises PatternError for an invalid pattern, or one that no linear-time engine supports. Does not import the
    engine."""
    translated(pattern)


# Implements REQ-SEC-009.
@lru_cache(maxsize=256)
def compiled(pattern: str) -> _Regexp:
    """`pattern`, a regular expression in Python's syntax, compiled for str and UTF-8 bytes.

    Raises PatternError as `check`, and where there is no linear-time engine for this Python.
    """
    return engine(translated(pattern))


def engine(expression: str) -> _Regexp:
    """A compiled pattern in RE2's own syntax. Raises PatternError."""
    try:
        import re2
    except ImportError as error:
        raise PatternError(
            "patterns of one's own need the package google-re2, which is not there; install it, or use the default"
        ) from error
    options = re2.Options()
    options.log_errors = False
    try:
        return re2.compile(expression, options=options)
    except re2.error as error:
        told = error.args[0] if error.args else error
        raise PatternError(told.decode("utf-8", "replace") if isinstance(told, bytes) else str(told)) from error


def translated(pattern: str) -> str:
    """`pattern` in RE2's syntax, in which `\\w`, `\\d` and `\\s` only match ASCII."""
    if len(pattern) > MAX_PATTERN:
        raise PatternError(f"it has {len(pattern):,} characters, and at most {MAX_PATTERN:,} are taken")
    try:
        re.compile(pattern)
    except (re.error, OverflowError, RecursionError) as error:
        raise PatternError(str(error)) from error
    leading = _LEADING_FLAGS.match(pattern)
    parts: list[str] = []
    if leading is not None:
        if "x" in leading[1] or "L" in leading[1]:
            raise PatternError("the flags x and L are not taken; write the pattern without blanks and comments")
        flags = leading[1].translate(str.maketrans("", "", "au"))
        parts.append(f"(?{flags})" if flags else "")
        pattern = pattern[leading.end() :]
    inside = False
    for piece in _PIECE.finditer(pattern):
        kind, text = piece.lastgroup, piece[0]
        if kind == "escape":
            parts.append(_escaped(piece["escape"], inside))
            continue
        if kind == "beyond" and not inside:
            raise PatternError(
                f"{text} is not taken: look-around, back-references and possessive or atomic parts would have to try"
                " again and again; write the alternatives out, or match what stands around the id as well"
            )
        if kind == "opens":
            # `[` inside brackets is a literal there.
            text = text if not inside else "".join(f"\\{char}" for char in text)
            inside = True
        elif kind == "closes":
            inside = False
        parts.append("{0," if kind == "upto" and not inside else text)
    return "".join(parts)


def _escaped(what: str, inside: bool) -> str:
    if what[0] in "uU" and len(what) > 1:
        return rf"\x{{{what[1:]}}}"
    if what.isdigit() and what != "0" and not inside:
        raise PatternError(f"\\{what} is not taken: a back-reference would have to try again and again")
    return (_INSIDE if inside else _OUTSIDE).get(what, f"\\{what}")


def searches(pattern: str, text: str) -> bool:
    """Whether `pattern` matches anywhere in `text`. Raises PatternError."""
    return compiled(pattern).search(text.encode("utf-8", "replace")) is not None


# Implements REQ-SEC-009.
def paths(lines: Sequence[str]) -> Callable[[str], bool]:
    """A predicate for relative paths by patterns as in .gitignore: `ignore_rules.matcher`.

    Raises PatternError for an invalid pattern, and for more patterns than are read of a .gitignore.
    """
    rules = IgnoreRules("")
    for line in lines:
        if len(line) > MAX_RULE:
            raise PatternError(f"a pattern has {len(line):,} characters, and at most {MAX_RULE:,} are taken")
        if not add_rule(rules, line):
            raise PatternError(f"{line!r} matches nothing: an open bracket, a range that runs backwards, or no name")
    if rules.cut:
        raise PatternError(f"{rules.cut:,} patterns too many: at most {MAX_PATTERNS:,} with wildcards are taken")
    return matcher(rules)
