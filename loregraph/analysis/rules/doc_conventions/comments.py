"""The documentation of a definition as it is written, without its comment marks but with its indentation.

The graph holds the words alone: which mark opens a comment, XML tags and the indentation of lists are what conventions
are told by.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

import msgspec

from loregraph.indexer.languages import registry

MAX_LINES: Final = 400
"""Lines of one comment that are looked at."""

_ANNOTATION: Final = re.compile(r"\s*+(?:@\w|#\[|\[\w)")
_BLOCK: Final = re.compile(r"/\*[*!]?+")
_STAR: Final = re.compile(r"^[^\S\n]*+\*(?!/) ?", re.M)
_STRING: Final = re.compile(r'[rRuUbB]{0,2}("""|\'\'\')')


class Comment(msgspec.Struct, frozen=True):
    """A text and the mark that opens it: `/**`, `///`, `#`, `---`, or three double quotes for a docstring."""

    opening: str
    text: str


def comment_of(lines: Sequence[str], start: int, end: int, language: str) -> Comment | None:
    """The documentation of the definition in lines `start` to `end` (from 1), None where there is none to be read."""
    told = registry.BY_NAME[language].documentation
    if told.docstrings:
        return _docstring(lines[start - 1 : end])
    at = start - 2
    lowest = max(-1, at - MAX_LINES)
    while at > lowest and (not lines[at].strip() or _ANNOTATION.match(lines[at])):
        at -= 1
    if at <= lowest:
        return None
    if lines[at].rstrip().endswith("*/"):
        return _block(lines, at, lowest)
    if told.long_comment is not None and lines[at].rstrip().endswith(told.long_comment[1]):
        return _long_comment(lines, at, lowest, *told.long_comment)
    for mark in told.marks:
        if lines[at].lstrip().startswith(mark):
            return _run(lines, at, lowest, mark, told.longer_mark)
    return None


def _block(lines: Sequence[str], last: int, lowest: int) -> Comment | None:
    at = last
    while at > lowest and "/*" not in lines[at]:
        at -= 1
    if at <= lowest:
        return None
    text = "\n".join(lines[at : last + 1])
    opening = _BLOCK.search(text)
    if opening is None or text[: opening.start()].strip():
        return None
    inner = text[opening.end() : text.rindex("*/")] if text.rindex("*/") >= opening.end() else ""
    return Comment(opening[0], _STAR.sub("", inner).rstrip())


def _long_comment(lines: Sequence[str], last: int, lowest: int, opening: str, closing: str) -> Comment | None:
    at = last
    while at > lowest and not lines[at].lstrip().startswith(opening):
        at -= 1
    if at <= lowest:
        return None
    text = "\n".join(lines[at : last + 1]).strip()
    return Comment(opening, text.removeprefix(opening).removesuffix(closing).lstrip(opening[0]))


def _run(lines: Sequence[str], last: int, lowest: int, mark: str, longer: str) -> Comment:
    first = last
    while first - 1 > lowest and lines[first - 1].lstrip().startswith(mark):
        first -= 1
    own = [line.lstrip() for line in lines[first : last + 1]]
    if longer:
        # EmmyLua begins every line with three dashes, LDoc the first one.
        opening = longer if any(line.startswith(longer) for line in own) else mark
        return Comment(opening, "\n".join(line.lstrip(mark[0]).removeprefix(" ") for line in own))
    return Comment(mark, "\n".join(line.removeprefix(mark).removeprefix(" ") for line in own))


def _docstring(lines: Sequence[str]) -> Comment | None:
    """The first string of the body that stands alone."""
    for number, line in enumerate(lines):
        match = _STRING.match(line.strip())
        if match is None:
            continue
        body = "\n".join(lines[number:])
        opening = body.index(match[1]) + 3
        closing = body.find(match[1], opening)
        text = body[opening : closing if closing >= 0 else len(body)].expandtabs()
        first, *rest = text.split("\n")
        margin = min((len(one) - len(one.lstrip()) for one in rest if one.strip()), default=0)
        return Comment('"""', "\n".join([first.strip(), *(one[margin:] for one in rest)]))
    return None
