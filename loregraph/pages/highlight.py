"""Source text as lines of coloured pieces, in time linear in the text whatever it holds.

Lexers of Pygments read common languages well, but a few characters repeated make most of them quadratic: six thousand
spaces keep that of C busy for two seconds. So a lexer of Pygments reads a run of at most `RUN` characters at a time,
and only those lexers are used whose time for a run was measured to stay small for every text tried
(tests/pages/test_highlight.py). Runs begin where a line begins outside strings and comments, which the token rules of
the duplicates analysis tell; these are linear, and colour everything else.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import TYPE_CHECKING, Final, NamedTuple

from loregraph.analysis.duplicates.lexical_rules import RULES, Lexer, lexer_of
from loregraph.indexer.languages.registry import BY_NAME

if TYPE_CHECKING:
    from pygments.lexer import Lexer as PygmentsLexer

RUN: Final = 1_000
"""Maximum characters that a lexer of Pygments is given at once; a longer statement is coloured by token rules."""
MOST_BY_PYGMENTS: Final = 150_000
"""Characters of one text given to Pygments: ten milliseconds for each thousand in the worst case."""
LONGEST_LINE: Final = 400
"""Maximum characters shown of a line."""

KEYWORD, STRING, COMMENT, NUMBER, BUILTIN, DECORATOR, HEADING = "k", "s", "c", "n", "b", "a", "h"
"""Kinds of pieces, which are class names of the page; "" is everything else."""

# Documents have no record of a language.
PYGMENTS: Final[dict[str, str]] = {
    "graphql": "graphql",
    "json": "json",
    **{one.name: one.lexer for one in BY_NAME.values() if one.lexer},
}
"""Language of the graph → the lexer of Pygments that colours it."""


class Piece(NamedTuple):
    """A part of a line. `kind` is one of those above."""

    kind: str
    text: str


Line = list[Piece]


class Cut(NamedTuple):
    """Lines shortened to `LONGEST_LINE`: the text, and line (from 0) → number of characters left out."""

    lines: list[str]
    left_out: dict[int, int]


def cut(lines: Iterable[str]) -> Cut:
    """`lines` without their carriage returns, each at most `LONGEST_LINE` characters long."""
    kept: list[str] = []
    left_out: dict[int, int] = {}
    for number, line in enumerate(lines):
        line = line.removesuffix("\r")
        if len(line) > LONGEST_LINE:
            left_out[number] = len(line) - LONGEST_LINE
            line = line[:LONGEST_LINE]
        kept.append(line)
    return Cut(kept, left_out)


# Implements REQ-WEB-014.
def highlighted(lines: Sequence[str], language: str) -> list[Line]:
    """`lines` of one file in `language` (a name of the graph) as pieces: joined, those of a line are the line."""
    text = "\n".join(lines)
    if language not in RULES and language not in PYGMENTS:
        return [[Piece("", line)] if line else [] for line in lines]
    rules = lexer_of(language)
    plain = _by_rules(text, rules)
    lexer = _pygments(PYGMENTS[language]) if language in PYGMENTS else None
    if lexer is None:
        return _lines(plain)
    found: list[Line] = []
    given = 0
    for run in _runs(text, plain):
        own = "".join(piece.text for piece in run)
        if len(own) <= RUN and given + len(own) <= MOST_BY_PYGMENTS:
            given += len(own)
            run = _by_pygments(own, lexer) or run
        found += _lines(run)
    return found


def by_tokens(lines: Sequence[str], language: str) -> list[Line]:
    """As `highlighted` by the token rules alone: comments, strings and keywords, at a tenth of the cost."""
    return _lines(_by_rules("\n".join(lines), lexer_of(language)))


# Token rules


def _by_rules(text: str, lexer: Lexer) -> list[Piece]:
    kinds: dict[str, str] = {}
    found: list[Piece] = []
    at = 0
    for match in lexer.tokens.finditer(text):
        token, start = match[0], match.start()
        if start > at:
            found.append(Piece("", text[at:start]))
        kind = kinds.get(token)
        if kind is None:
            kind = kinds[token] = _kind(token, lexer)
        found.append(Piece(kind, token))
        at = match.end()
    if at < len(text):
        found.append(Piece("", text[at:]))
    return found


def _kind(token: str, lexer: Lexer) -> str:
    if token in lexer.keywords:
        return KEYWORD
    first = token[0]
    if first.isalpha() or first == "_":
        return STRING if token[-1] in "\"'`" else ""
    if first.isdigit():
        return NUMBER
    if len(token) == 1:
        return ""
    if lexer.comment.match(token):
        return COMMENT
    return STRING if lexer.string.match(token) else ""


def _runs(text: str, pieces: Sequence[Piece]) -> Iterator[list[Piece]]:
    """The pieces in runs of at most `RUN` characters where a line begins often enough; each but the last ends before a
    line end, which is left out."""
    run: list[Piece] = []
    length = line_from = 0  # the last line end in the run, as an index behind it, and the characters before that
    last = 0
    for piece in pieces:
        if piece.text == "\n":
            if length > RUN and last:
                yield run[: last - 1]
                run, length, last = run[last:], length - line_from, 0
            run.append(piece)
            length += 1
            last, line_from = len(run), length
            continue
        run.append(piece)
        length += len(piece.text)
    if length > RUN and last:
        yield run[: last - 1]
        run = run[last:]
    yield run


# Pygments


@cache
def _pygments(name: str) -> PygmentsLexer:
    from pygments.lexers import get_lexer_by_name

    return get_lexer_by_name(name, stripnl=False, ensurenl=False, startinline=True)


def _by_pygments(text: str, lexer: PygmentsLexer) -> list[Piece]:
    """The pieces of `text`; none where the lexer changed it, as it does with a lone carriage return."""
    found = [Piece(_class(token), value) for token, value in lexer.get_tokens(text) if value]
    return found if "".join(piece.text for piece in found) == text else []


@cache
def _class(token: object) -> str:
    """The kind of a type of token of Pygments."""
    name = str(token).removeprefix("Token.")
    for prefix, kind in _CLASSES:
        if name == prefix or name.startswith(prefix + "."):
            return kind
    return ""


_CLASSES: Final = (
    ("Literal.String.Interpol", ""),
    ("Literal.String.Affix", STRING),
    ("Literal.String", STRING),
    ("Literal.Number", NUMBER),
    ("Comment", COMMENT),
    ("Keyword", KEYWORD),
    ("Operator.Word", KEYWORD),
    ("Name.Builtin", BUILTIN),
    ("Name.Decorator", DECORATOR),
    ("Name.Attribute", DECORATOR),
    ("Name.Tag", KEYWORD),
    ("Generic.Heading", HEADING),
    ("Generic.Subheading", HEADING),
)
"""Types of Pygments' tokens that are told apart, the first that fits counts."""


def _lines(pieces: Iterable[Piece]) -> list[Line]:
    """The pieces by line, neighbours of one kind joined."""
    found: list[Line] = [[]]
    for kind, text in pieces:
        first, *rest = text.split("\n") if "\n" in text else (text,)
        _add(found[-1], kind, first)
        for line in rest:
            found.append([])
            _add(found[-1], kind, line)
    return found


def _add(line: Line, kind: str, text: str) -> None:
    if not text:
        return
    if text.isspace():
        kind = line[-1].kind if line else ""
    if line and line[-1].kind == kind:
        line[-1] = Piece(kind, line[-1].text + text)
    else:
        line.append(Piece(kind, text))
