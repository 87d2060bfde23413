"""Tokenizer: source text → tokens as numbers (text, kind, line), without comments and layout.

Every distinct token is examined once, however often it occurs in the project, and the work per token is done in arrays:
two and a half million tokens of Django take 1.5 s of processor time, nearly all of it in one regular expression.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from loregraph.analysis.duplicates.lexical_rules import Lexer, lexer_of

Hashes = npt.NDArray[np.uint64]
Numbers = npt.NDArray[np.int32]
Kinds = npt.NDArray[np.uint8]

SIGN, KEYWORD, NAME, STRING, NUMBER, COMMENT, LINE_END = range(7)
"""Kinds of tokens. COMMENT is everything skipped, LINE_END the end of a line; both are internal to this module."""

_QUOTES: Final = "\"'`"
_OPENING: Final = frozenset("([{")
_CLOSING: Final = frozenset(")]}")
_MOST_PREFIX: Final = 3


class Source(NamedTuple):
    """A text and the language it is in."""

    text: str
    language: str


class Tokens(NamedTuple):
    """The tokens of some sources, one after the other.

    `words` is a hash of each token's text (a string's without its quotes), `kinds` its kind, `lines` the line it begins
    on and `last_lines` the one it ends on, 1-based; `opens` marks opening round brackets. `starts` has the first token
    of each source, and one more for the end.
    """

    words: Hashes
    kinds: Kinds
    lines: Numbers
    last_lines: Numbers
    opens: npt.NDArray[np.bool_]
    starts: npt.NDArray[np.int64]


class _Vocabulary(dict[str, int]):
    """Numbers tokens in the order of first use."""

    def __missing__(self, token: str) -> int:
        self[token] = number = len(self)
        return number


class _Words(NamedTuple):
    """The properties of each distinct token of one language."""

    hashes: Hashes
    kinds: Kinds
    line_ends: Numbers
    nesting: npt.NDArray[np.int8]
    round: npt.NDArray[np.bool_]
    comma: npt.NDArray[np.bool_]
    alone: npt.NDArray[np.bool_]


def tokenize(sources: Iterable[Source]) -> Tokens:
    """The tokens of `sources` in order; sources are read one at a time and not kept."""
    vocabularies: dict[str, _Vocabulary] = {}
    pieces: list[Numbers] = []
    languages: list[str] = []
    for text, language in sources:
        vocabulary = vocabularies.setdefault(language, _Vocabulary())
        found = lexer_of(language).tokens.findall(text)
        pieces.append(np.fromiter(map(vocabulary.__getitem__, found), np.int32, len(found)))
        languages.append(language)
    first, described = {}, []
    total = 0
    for language, vocabulary in vocabularies.items():
        first[language] = total
        total += len(vocabulary)
        described.append(_described(vocabulary, lexer_of(language)))
    for piece, language in zip(pieces, languages, strict=True):
        piece += first[language]
    lengths = np.array([len(piece) for piece in pieces], np.int64)
    numbers = np.concatenate([*pieces, np.empty(0, np.int32)])
    del pieces
    described = described or [_described(_Vocabulary(), lexer_of(""))]
    words = _Words(*(np.concatenate(column) for column in zip(*described, strict=True)))
    return _cleaned(numbers, _starts(lengths), words)


def _cleaned(numbers: Numbers, starts: npt.NDArray[np.int64], words: _Words) -> Tokens:
    """`Tokens` of the numbered tokens, without comments, line ends, docstrings and optional trailing commas."""
    ends_before = np.concatenate([[0], np.cumsum(words.line_ends[numbers], dtype=np.int64)])
    base = np.repeat(ends_before[starts[:-1]], np.diff(starts))
    lines = (ends_before[:-1] - base + 1).astype(np.int32)
    last_lines = (ends_before[1:] - base + 1).astype(np.int32)
    kept = words.kinds[numbers] < COMMENT
    numbers, lines, last_lines, starts = _where(kept, numbers, lines, last_lines, starts)
    kept = ~(_docstrings(numbers, lines, last_lines, starts, words) | _layout_commas(numbers, lines, words))
    numbers, lines, last_lines, starts = _where(kept, numbers, lines, last_lines, starts)
    return Tokens(words.hashes[numbers], words.kinds[numbers], lines, last_lines, words.round[numbers], starts)


def _where(
    kept: npt.NDArray[np.bool_], numbers: Numbers, lines: Numbers, last_lines: Numbers, starts: npt.NDArray[np.int64]
) -> tuple[Numbers, Numbers, Numbers, npt.NDArray[np.int64]]:
    before = np.concatenate([[0], np.cumsum(kept, dtype=np.int64)])
    return numbers[kept], lines[kept], last_lines[kept], before[starts]


def _docstrings(
    numbers: Numbers, lines: Numbers, last_lines: Numbers, starts: npt.NDArray[np.int64], words: _Words
) -> npt.NDArray[np.bool_]:
    """Strings on lines of their own outside all brackets, where the language has docstrings."""
    depth = np.concatenate([[0], np.cumsum(words.nesting[numbers], dtype=np.int64)])
    depth = depth[1:] - np.repeat(depth[starts[:-1]], np.diff(starts))
    first, last = np.ones(len(numbers), np.bool_), np.ones(len(numbers), np.bool_)
    first[1:] = last_lines[:-1] != lines[1:]
    last[:-1] = last_lines[:-1] != lines[1:]
    first[starts[:-1][starts[:-1] < len(numbers)]] = True
    ends = starts[1:] - 1
    last[ends[ends >= 0]] = True
    found: npt.NDArray[np.bool_] = words.alone[numbers] & first & last & (depth == 0)
    return found


def _layout_commas(numbers: Numbers, lines: Numbers, words: _Words) -> npt.NDArray[np.bool_]:
    """Commas before a bracket that closes on a later line: formatters add and remove them."""
    found = np.zeros(len(numbers), np.bool_)
    found[:-1] = words.comma[numbers[:-1]] & (words.nesting[numbers[1:]] < 0) & (lines[1:] > lines[:-1])
    return found


def _described(vocabulary: _Vocabulary, lexer: Lexer) -> _Words:
    hashes, kinds, line_ends, nesting = [], [], [], []
    for token in vocabulary:
        kind = kind_of(token, lexer)
        kinds.append(kind)
        line_ends.append(token.count("\n") if kind >= STRING else 0)
        nesting.append((token in _OPENING) - (token in _CLOSING) if kind == SIGN else 0)
        hashes.append(word_hash(unquoted(token) if kind == STRING else token))
    kinds_array = np.array(kinds, np.uint8)
    return _Words(
        np.array(hashes, np.uint64),
        kinds_array,
        np.array(line_ends, np.int32),
        np.array(nesting, np.int8),
        np.array([token == "(" for token in vocabulary], np.bool_),
        np.array([token == "," for token in vocabulary], np.bool_),
        kinds_array == STRING if lexer.docstrings else np.zeros(len(kinds), np.bool_),
    )


def kind_of(token: str, lexer: Lexer) -> int:
    """The kind of a token that `lexer` found."""
    first = token[0]
    if first == "\n":
        return LINE_END
    if first.isalpha() or first == "_":
        if token in lexer.keywords:
            return KEYWORD
        if token.isidentifier():
            return NAME
    elif first.isdigit():
        return NUMBER
    if lexer.comment.match(token) or (lexer.ignored is not None and lexer.ignored.fullmatch(token)):
        return COMMENT
    if lexer.string.fullmatch(token.lstrip(" \t")):
        return STRING
    # Names that are not identifiers in Python: `$scope`, `foldl'`.
    return NAME if len(token) > 1 and (first == "$" or first.isalpha()) else STRING if len(token) > 1 else SIGN


def unquoted(token: str) -> str:
    """The content of a string: without its prefix and quotes, so that `'a'` and `"a"` are the same."""
    for at, character in enumerate(token[:_MOST_PREFIX]):
        if character in _QUOTES:
            quotes = 3 if token[at : at + 3] == character * 3 and len(token) >= at + 6 else 1
            return token[at + quotes : -quotes] if token.endswith(character) and len(token) > at + 1 else token
    return token


def word_hash(text: str) -> int:
    """A 64-bit hash that is the same in every run and project."""
    return int.from_bytes(hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "little")


def _starts(lengths: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    return np.concatenate([np.zeros(1, np.int64), np.cumsum(lengths)])
