"""Finds calls by name in text, where the graph has no edge for a call.

A member of a literal (`/x/.test(…)`, `"".replace(…)`, `[].map(…)`) is the language's own: it calls nothing of the
project, whatever its name is.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

_LONGEST: Final = 1_000
"""Maximum characters examined per line: longer ones are minified or data."""
_LITERAL: Final = re.compile(
    # The end of a string, of a regular expression with flags, of a list or of a table that follows no value.
    r"""(?:["'`]|(?:^|[-+*%<>~^=(,:;!&|?{}\[\n]|return|typeof|case)\s?/(?:[^/\\\s]|\\.)(?:[^/\\]|\\.){0,200}/[a-z]{0,8}"""
    r"""|(?:^|[^\w)\]"'`\s])\s?\[[^\[\]]{0,200}\]|(?:^|[(=,:])\s?\{[^{}]{0,200}\})\s?[?!]{0,2}\.$"""
)
_BEFORE_A_DEFINITION: Final = re.compile(r"\b(?:def|defp|function|func|fn|fun|sub|class|struct|interface|macro)\s+$")
_COMMENT: Final = ("#", "//", "*", "/*", "--", ";")


def is_of_literal(before: str) -> bool:
    """Whether the text before a name makes it a member of a literal."""
    return before.endswith(".") and _LITERAL.search(before) is not None


def named(line: str, word: re.Pattern[str]) -> bool:
    """Whether a line has a match of `word` that is not a member of a literal."""
    if len(line) > _LONGEST:
        return word.search(line) is not None
    return any(
        not is_of_literal(line[max(0, match.start() - _LONGEST) : match.start()]) for match in word.finditer(line)
    )


def sites(lines: Iterable[str], names: Iterable[str]) -> Iterator[str]:
    """The name of each apparent call in `lines` of one of `names`: `name(` that is not in a line of comment, a
    definition, or a member of a literal."""
    wanted = sorted(names)
    if not wanted:
        return
    call = re.compile(rf"(?<!\w)({'|'.join(map(re.escape, wanted))})[!?]?\(")
    for line in lines:
        if len(line) > _LONGEST or line.lstrip().startswith(_COMMENT):
            continue
        for match in call.finditer(line):
            before = line[: match.start()]
            if not is_of_literal(before) and not _BEFORE_A_DEFINITION.search(before):
                yield match[1]
