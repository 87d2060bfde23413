"""Markup with expressions in it (Vue, Svelte): tags, their attributes, comments and expressions, in one pass.

No tree is made: elements that are never closed or closed twice say nothing about what stands in them, and a text of any
shape costs what its length does. Texts are Latin-1, a character a byte.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Attribute:
    """`name` is "" for an expression that stands where attributes do (`{...rest}`). `expressions` are those in braces
    in the value; `braced` says that the value is one and nothing else."""

    name: str
    at: int
    value: Span | None = None
    expressions: tuple[Span, ...] = ()
    braced: bool = False


@dataclass(frozen=True, slots=True)
class Tag:
    """A tag, `at` the place of its name."""

    name: str
    at: int
    start: int
    end: int
    attributes: tuple[Attribute, ...] = ()
    closes: bool = False
    """`</name>`."""
    empty: bool = False
    """`<name/>`."""

    def get(self, name: str) -> Attribute | None:
        """The attribute of a name."""
        return next((one for one in self.attributes if one.name == name), None)


@dataclass(frozen=True, slots=True)
class Comment:
    """A comment: what stands between its marks."""

    span: Span


@dataclass(frozen=True, slots=True)
class Expression:
    """What stands in the braces of a text."""

    span: Span


@dataclass(frozen=True, slots=True)
class Unclosed:
    """The place of a tag, comment, quote or brace that nothing closes: nothing is read behind it."""

    at: int


Part = Tag | Comment | Expression | Unclosed

_RAW: Final = frozenset({"script", "style"})
_MUSTACHE: Final = re.compile(r"<!--|</?(?=[A-Za-z])|\{\{")
_BRACE: Final = re.compile(r"<!--|</?(?=[A-Za-z])|\{")
_NAME: Final = re.compile(r"[^\s/>=\"'{}<]++")
_ATTRIBUTE: Final = re.compile(r"[^\s=>/\"'{][^\s=>/]*+")
_SPACE: Final = re.compile(r"[\s/]*+")
_EQUALS: Final = re.compile(r"\s*+=\s*+")
_BARE: Final = re.compile(r"[^\s>\"'{][^\s>]*+")
_QUOTED_STOP: Final = {'"': re.compile(r'["{]'), "'": re.compile(r"['{]")}
_IN_CODE: Final = re.compile(
    r"[{}`]|\"(?:[^\"\\\n]|\\.)*+\"?|'(?:[^'\\\n]|\\.)*+'?|//[^\n]*+|/\*(?:[^*]|\*(?!/))*+(?:\*/)?"
)
_IN_TEMPLATE: Final = re.compile(r"\\.|`|\$\{", re.DOTALL)


# Implements REQ-SEC-010.
def closing_brace(text: str, at: int, end: int) -> int:
    """The place of the brace that closes what opens right before `at`, over strings and comments; -1 for none."""
    within = ["{"]
    while True:
        match = (_IN_TEMPLATE if within[-1] == "`" else _IN_CODE).search(text, at, end)
        if match is None:
            return -1
        at = match.end()
        found = match[0]
        if found == "{" or found == "${":
            within.append("{")
        elif found == "}":
            within.pop()
            if not within:
                return match.start()
        elif found == "`":
            if within[-1] == "`":
                within.pop()
            else:
                within.append("`")


class Markup:
    """Reads a text from `start` to `end`. `double` says that expressions stand in `{{ }}` and in no attribute."""

    def __init__(self, text: str, start: int, end: int, *, double: bool) -> None:
        self.text = text
        self.at = start
        self.end = end
        self._double = double
        self._next = _MUSTACHE if double else _BRACE

    def parts(self) -> Iterator[Part]:
        """The parts, in order. What is in a `<script>` or `<style>` is passed over."""
        text = self.text
        while True:
            match = self._next.search(text, self.at, self.end)
            if match is None:
                return
            found = match[0]
            if found == "<!--":
                part: Part = self._comment(match.end())
            elif found[0] == "{":
                part = self._expression(match.end())
            else:
                part = self._tag(match.start(), match.end(), closes=found == "</")
            yield part
            if isinstance(part, Unclosed):
                return
            if isinstance(part, Tag) and part.name in _RAW and not part.closes and not part.empty:
                self.skip_to_end_of(part.name)

    def skip_to_end_of(self, name: str) -> int:
        """Goes on at the next `</name`, or the end where there is none; the place of it."""
        match = re.compile(rf"</{re.escape(name)}(?=[\s>/])", re.IGNORECASE).search(self.text, self.at, self.end)
        self.at = match.start() if match else self.end
        return self.at

    def _comment(self, start: int) -> Part:
        closed = self.text.find("-->", start, self.end)
        if closed < 0:
            return Unclosed(start - 4)
        self.at = closed + 3
        return Comment((start, closed))

    def _expression(self, start: int) -> Part:
        if self._double:
            closed, after = self.text.find("}}", start, self.end), 2
        else:
            closed, after = closing_brace(self.text, start, self.end), 1
        if closed < 0:
            return Unclosed(start - 1)
        self.at = closed + after
        return Expression((start, closed))

    def _tag(self, start: int, at: int, *, closes: bool) -> Part:
        text, end = self.text, self.end
        name = _NAME.match(text, at, end)
        if name is None:
            self.at = at
            return Tag("", at, start, at, closes=closes)
        attributes: list[Attribute] = []
        here = name.end()
        while True:
            before = here
            space = _SPACE.match(text, here, end)
            here = space.end() if space else here
            if here >= end:
                return Unclosed(start)
            sign = text[here]
            if sign == ">":
                self.at = here + 1
                return Tag(name[0], at, start, here + 1, tuple(attributes), closes, text[before:here].endswith("/"))
            if sign == "{" and not self._double:
                closed = closing_brace(text, here + 1, end)
                if closed < 0:
                    return Unclosed(here)
                attributes.append(Attribute("", here, (here + 1, closed), ((here + 1, closed),), braced=True))
                here = closed + 1
                continue
            match = _ATTRIBUTE.match(text, here, end)
            if match is None:  # a sign that nothing begins with
                here += 1
                continue
            attribute = self._attribute(match)
            if attribute is None:
                return Unclosed(match.start())
            attributes.append(attribute)
            here = self.at

    def _attribute(self, name: re.Match[str]) -> Attribute | None:
        """The attribute of a name, and `self.at` behind it; None where its value never ends."""
        text, end = self.text, self.end
        equals = _EQUALS.match(text, name.end(), end)
        if equals is None or equals.end() >= end:
            self.at = name.end()
            return Attribute(name[0], name.start())
        start = equals.end()
        sign = text[start]
        if sign in _QUOTED_STOP:
            closed, expressions = self._quoted(start + 1, sign)
            if closed < 0:
                return None
            self.at = closed + 1
            braced = len(expressions) == 1 and expressions[0] == (start + 2, closed - 1)
            return Attribute(name[0], name.start(), (start + 1, closed), expressions, braced)
        if sign == "{" and not self._double:
            closed = closing_brace(text, start + 1, end)
            if closed < 0:
                return None
            self.at = closed + 1
            inside = (start + 1, closed)
            return Attribute(name[0], name.start(), inside, (inside,), braced=True)
        bare = _BARE.match(text, start, end)
        self.at = bare.end() if bare else start
        return Attribute(name[0], name.start(), (start, self.at) if bare else None)

    def _quoted(self, at: int, quote: str) -> tuple[int, tuple[Span, ...]]:
        """The place of the quote that closes a value, -1 for none, and the expressions in the value."""
        text, end = self.text, self.end
        if self._double:
            return text.find(quote, at, end), ()
        found: list[Span] = []
        while True:
            match = _QUOTED_STOP[quote].search(text, at, end)
            if match is None:
                return -1, ()
            if match[0] == quote:
                return match.start(), tuple(found)
            closed = closing_brace(text, match.end(), end)
            if closed < 0:
                return -1, ()
            found.append((match.end(), closed))
            at = closed + 1
