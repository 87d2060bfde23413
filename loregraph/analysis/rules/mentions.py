"""Where names stand in the project's text files, and whether in code or only in comments and docstrings."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from loregraph.analysis.duplicates.lexical_rules import RULES, lexer_of
from loregraph.analysis.rules.built_names import Collected, Pieces
from loregraph.analysis.rules.code import Code
from loregraph.analysis.rules.missing_tests import WORDS
from loregraph.indexer.languages import registry

_LARGEST_TEXT: Final = 2_000_000
"""Maximum bytes of a file whose words are read; larger ones are data."""
MOST_PLACES: Final = 2_000
"""Places kept of one name: a name in more is in use."""


class Mention(NamedTuple):
    """A place of a name; `is_prose`: in a comment or a docstring."""

    path: str
    line: int
    is_prose: bool


Ranges = dict[str, list[tuple[int, int]]]
"""Path → first and last lines."""


class Mentions(NamedTuple):
    """`places` are those of each name, `words` those that a name may begin with up to a `_`, `pieces` what programs
    compute names from."""

    places: Mapping[str, Sequence[Mention]]
    words: frozenset[bytes]
    pieces: Pieces

    def outside(self, name: str, ranges: Ranges, path: str, own: tuple[int, int], *, prose: bool) -> bool:
        """Whether the name stands anywhere but in `ranges` and in the lines `own` of `path`; with `prose` comments and
        docstrings are places too."""
        return any(
            (prose or not one.is_prose)
            and not (one.path == path and own[0] <= one.line <= own[1])
            and not any(first <= one.line <= last for first, last in ranges.get(one.path, ()))
            for one in self.places.get(name, ())
        )

    def may_be_built(self, name: str, path: str) -> bool:
        """Whether a program may compute the name of what is defined in `path`."""
        return any(piece in self.words for piece in _beginnings(name.encode())) or self.pieces.may_make(name, path)


def mentions(code: Code, names: Collection[str]) -> Mentions:
    """The places of `names` as words in the project's text files."""
    wanted = {name.lstrip("#").encode(): name for name in names}
    found: dict[str, list[Mention]] = {name: [] for name in names}
    built: set[bytes] = set()
    collected = Collected()
    if not wanted:
        return Mentions({}, frozenset(), collected.pieces())
    beginnings = {piece for name in wanted for piece in _beginnings(name)}
    columns = code.columns
    for file in columns.nodes("File").tolist():
        path, language = columns.path(file), columns.language(file)
        content = code.content(path)
        if len(content) >= _LARGEST_TEXT or b"\0" in content[:1024]:
            continue
        distinct = set(content.translate(WORDS).split())
        built |= distinct & beginnings
        if language:
            collected.read(path, content)
        there = distinct & wanted.keys()
        if there:
            text = content.decode("utf-8", "replace").replace("\r\n", "\n")
            prose = _prose(text, language)
            for word in sorted(there):
                places = found[wanted[word]]
                places += _places(path, text, word.decode("utf-8", "replace"), prose)
                del places[MOST_PLACES:]
    return Mentions(found, frozenset(built), collected.pieces())


def _places(path: str, text: str, word: str, prose: Sequence[tuple[int, int]]) -> Iterable[Mention]:
    line, counted, at = 1, 0, 0
    for match in re.finditer(rf"(?<!\w){re.escape(word)}(?!\w)", text):
        start = match.start()
        line += text.count("\n", counted, start)
        counted = start
        while at < len(prose) and prose[at][1] <= start:
            at += 1
        yield Mention(path, line, at < len(prose) and prose[at][0] <= start)


def _prose(text: str, language: str) -> list[tuple[int, int]]:
    """(start, end) of the comments and docstrings in a text, in order; none where its language has no token rules."""
    known = registry.BY_NAME.get(language)
    if known is None or language not in RULES:
        return []
    lexer = lexer_of(language)
    found = []
    depth = 0
    for match in lexer.tokens.finditer(text):
        token = match.group()
        if token in ("(", "[", "{"):
            depth += 1
        elif token in (")", "]", "}"):
            depth -= 1
        elif lexer.comment.fullmatch(token) or (
            lexer.docstrings and not depth and lexer.string.fullmatch(token) and _is_alone(text, *match.span())
        ):
            found.append(match.span())
    return found


def _is_alone(text: str, start: int, end: int) -> bool:
    """Whether a string is a statement: nothing else is in its lines."""
    last = text.find("\n", end)
    before, after = text[text.rfind("\n", 0, start) + 1 : start], text[end : last if last >= 0 else len(text)]
    return not before.strip() and (not after.strip() or after.lstrip().startswith("#"))


def _beginnings(name: bytes) -> list[bytes]:
    """`_render_html` → `_render_`, `render_`: possible prefixes in a computed name."""
    bare = name.lstrip(b"_")
    found = [bare[: match.end()] for match in re.finditer(rb"_", bare)]
    lead = len(name) - len(bare)
    return found + [name[:lead] + piece for piece in found] if lead else found
