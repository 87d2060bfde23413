"""Sections of Python docstrings, by indentation: what Google's and NumPy's conventions have in common."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

RULER: Final = re.compile(r"(?<!\s)\s*+-{3,}\s*+")
_HEADS: Final = frozenset(
    "Args Arguments Attributes Example Examples Keyword Note Notes Parameters Raises Return Returns See Todo Usage"
    " Warning Warnings Yield Yields".split()
)
"""Words that begin a section, wherever they are indented to."""


def indentation(line: str) -> int:
    return len(line) - len(line.lstrip())


def entries(lines: Sequence[str], around: int, *, deeper: bool) -> Iterator[str]:
    """The lines at the indentation of a section's entries: that of the first one, deeper than its head or equal to it.

    `around` is the indentation of the head.
    """
    level = -1
    for number, line in enumerate(lines):
        if not line.strip():
            continue
        indent = indentation(line)
        if indent < around or (deeper and indent == around):
            return
        if not deeper and number + 1 < len(lines) and RULER.fullmatch(lines[number + 1]):
            return
        if level < 0:
            level = indent
            if not deeper and level != around:
                return
        if line.strip().rstrip(":") in _HEADS:
            return
        if indent == level:
            yield line.strip()
