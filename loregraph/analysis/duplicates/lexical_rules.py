"""The lexer of each language, built from its comments, strings and keywords.

A language without token rules is read like the C family.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import Final

from loregraph.indexer.languages.registry import BY_NAME
from loregraph.indexer.languages.tokens import DOUBLE, JVM, SINGLE, C, Tokens

_NUMBER: Final = r"\d\w*(?:\.\d\w*)*"
_SIGN: Final = r"[^\s\w]"
_PLAIN_SIGN: Final = r"[(),;:.\]}+*&|<>]"
_PLAIN_NAME: Final = r"[^\W\d]\w*+(?![\"'$#])"
"""Characters that begin nothing else in any language, and most tokens. A name before a quote may be a string's
prefix."""

PLAIN: Final = Tokens(f"{C} {JVM}", strings=(DOUBLE, SINGLE))
"""For a language without token rules."""
RULES: Final[dict[str, Tokens]] = {name: one.tokens for name, one in BY_NAME.items() if one.tokens is not None}
"""Language (a name as in the graph) → its token rules."""


@dataclass(frozen=True, slots=True)
class Lexer:
    """The compiled rules: one pattern that finds every token, and the data to determine each one's kind."""

    tokens: re.Pattern[str]
    comment: re.Pattern[str]
    string: re.Pattern[str]
    ignored: re.Pattern[str] | None
    keywords: frozenset[str]
    docstrings: bool


@cache
def lexer_of(language: str) -> Lexer:
    """The lexer of a language; PLAIN's for one without token rules."""
    rules = RULES.get(language, PLAIN)
    flags = re.DOTALL | re.MULTILINE
    # No groups: `findall` then returns the tokens themselves, three times as fast as matches.
    parts = (
        "\n",
        _PLAIN_SIGN,
        *rules.ignored,
        *rules.comments,
        _PLAIN_NAME,
        *rules.strings,
        _NUMBER,
        rules.name,
        _SIGN,
    )
    return Lexer(
        re.compile("|".join(parts), flags),
        re.compile("|".join(rules.comments), flags),
        re.compile("|".join(rules.strings), flags),
        re.compile("|".join(rules.ignored), flags) if rules.ignored else None,
        frozenset(rules.keywords.split()),
        rules.docstrings,
    )
