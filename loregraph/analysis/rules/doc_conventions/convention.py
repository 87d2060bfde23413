"""What a documentation convention is: where it is used, how it is known, which parameters a text in it names.

A module of this folder holds one convention and ends with `CONVENTION`. Its examples, beside its grammar, are its tests
(tests/analysis/rules/doc_conventions). Every text is untrusted: what reads it takes time that grows with its length.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Final

import msgspec

MAX_TEXT: Final = 20_000
"""Characters of one comment that are read; a name past them is not claimed to be anything."""


class Example(msgspec.Struct, frozen=True):
    """A text without its comment marks, and the parameters that it names, in order."""

    text: str
    parameters: tuple[str, ...] = ()


class Convention(msgspec.Struct, frozen=True, kw_only=True):
    """One convention.

    `openings` are the marks of comments that its tool reads. `shows` says whether a text is written in it at all.
    `parameters` gives the names that a text claims to be parameters: without types, type parameters, parts of a
    parameter (`options.depth` claims `options`) and marks (`*args` claims `args`). `good` are texts it understands,
    `bad` ones that claim nothing, for example because another convention would read them.
    """

    name: str
    openings: frozenset[str]
    shows: Callable[[str], bool]
    parameters: Callable[[str], Iterator[str]]
    good: tuple[Example, ...]
    bad: tuple[Example, ...] = ()


_TAG_OR_FENCE: Final = re.compile(r"^[^\S\n]*+(?:([@\\][A-Za-z][\w-]*+)|```|~~~)", re.M)


def tags(text: str, signs: str = "@") -> Iterator[tuple[str, str]]:
    """Tags at the beginning of a line and what follows each, up to the next one: `@param int $x it` → param, …

    What stands between fences is an example.
    """
    found: list[re.Match[str]] = []
    fenced = False
    for match in _TAG_OR_FENCE.finditer(text):
        if match[1] is None:
            fenced = not fenced
        elif not fenced and match[1][0] in signs:
            found.append(match)
    for number, match in enumerate(found):
        end = found[number + 1].start() if number + 1 < len(found) else len(text)
        yield match[1][1:], text[match.end() : end]


def has_tag(*names: str, signs: str = "@") -> Callable[[str], bool]:
    """A `shows` that looks for one of the tags."""
    return lambda text: any(tag in names for tag, _ in tags(text, signs))


def past_brackets(text: str, start: int, pairs: str = "()[]{}<>") -> int:
    """The position behind the bracket that closes the one at `start`; -1 where nothing closes it.

    Quoted text is passed over, and the arrow `=>` closes nothing.
    """
    closing = dict(zip(pairs[::2], pairs[1::2], strict=True))
    expected: list[str] = []
    at = start
    while at < len(text):
        sign = text[at]
        if sign in closing:
            expected.append(closing[sign])
        elif expected and sign == expected[-1] and text[at - 1 : at + 1] not in ("=>", "->"):
            expected.pop()
            if not expected:
                return at + 1
        elif sign in "\"'":
            quoted = text.find(sign, at + 1)
            # An apostrophe in the text opens nothing.
            line_end = text.find("\n", at)
            if quoted >= 0 and (line_end < 0 or quoted < line_end):
                at = quoted
        at += 1
    return -1


def has_parameter(parameters: Callable[[str], Iterator[str]]) -> Callable[[str], bool]:
    """For `Convention.shows`: whether a text names a parameter, where nothing else shows the convention."""
    return lambda text: next(parameters(text), None) is not None
