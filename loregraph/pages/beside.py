"""Two pieces of code side by side: lines that belong together in one row, differences marked by token.

Lines are aligned as sequences are (Needleman and Wunsch 1970), with a line's tokens as what is compared, and tokens
within aligned lines in the same way. Both are quadratic, so both are bounded by numbers of lines and tokens; what that
cuts off is counted. A name that stands for one other name everywhere is a renaming, which is told apart from edits; one
that does so only mostly may have been forgotten somewhere, the mistake that copying is known for (Li et al., CP-Miner,
OSDI 2004).
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterator, Sequence
from typing import Final, NamedTuple, TypeVar

from loregraph.analysis.duplicates.lexical_rules import Lexer, lexer_of
from loregraph.analysis.duplicates.tokens import COMMENT, KEYWORD, LINE_END, NAME, NUMBER, STRING, kind_of

Lines = Callable[[str], Sequence[str]]
"""The lines of a file of the project."""

LONGEST: Final = 400
"""Maximum lines shown of a copy."""
WIDEST: Final = 300
"""Maximum characters shown of a line."""
MOST_CHARACTERS: Final = 40_000
"""Maximum characters shown of a copy: LONGEST lines of a hundred each."""
MOST_CELLS: Final = 250_000
"""Maximum pairs of tokens compared within lines of one pair of copies; lines beyond that are marked as a whole."""
AROUND: Final = 3
"""Equal lines shown before and after what differs; of more the rest is folded."""
FEWEST_FOLDED: Final = 4

DIFFERS, RENAMED, ASIDE = "differs", "renamed", "aside"
"""Marks of pieces: code that the other side lacks; a consistent renaming; a comment or a text for readers."""

_HEAVIEST: Final = 12
_WORD: Final = re.compile(r"\w+|[^\w\s]")
_SHOWN_AS: Final = {KEYWORD: "k", STRING: "s", NUMBER: "n", COMMENT: "c"}
"""Kinds of tokens → the classes of pieces of source on a page, as in `highlight`."""

Element = TypeVar("Element", bound=Hashable)


class Part(NamedTuple):
    """Some lines of a file. `lines` are all of the file's; `first` and `last` are 1-based, inclusive."""

    lines: Sequence[str]
    language: str
    first: int
    last: int


class Piece(NamedTuple):
    """A part of a line. `kind` is a class of the style, "" for plain text; `mark` is one of the marks, "" for none."""

    text: str
    kind: str
    mark: str


class Cell(NamedTuple):
    """A line of one side."""

    number: int
    pieces: tuple[Piece, ...]


class Row(NamedTuple):
    """One line of each side, or of one where the other has none like it. `kind`: same, renamed (but for names and
    comments the same), changed, left, right."""

    kind: str
    left: Cell | None
    right: Cell | None


class Stretch(NamedTuple):
    """Rows that follow one another; `is_folded` where they are the same on both sides and far from what differs, of
    which `left_out` rows are not here."""

    rows: tuple[Row, ...]
    is_folded: bool
    left_out: int = 0


class Renaming(NamedTuple):
    """The name `old` of the left is `new` on the right in `times` aligned places of the `of` that have `old`."""

    old: str
    new: str
    times: int
    of: int

    @property
    def is_everywhere(self) -> bool:
        return self.times == self.of


class Beside(NamedTuple):
    """Two pieces of code. `left_cut` and `right_cut` are numbers of lines that are not shown; `is_rough` where there
    were too many tokens to mark each difference."""

    stretches: tuple[Stretch, ...]
    renamings: tuple[Renaming, ...]
    changed: int
    left_cut: int
    right_cut: int
    is_rough: bool

    @property
    def is_same(self) -> bool:
        """Whether both are the same but for layout."""
        return all(row.kind == "same" for stretch in self.stretches for row in stretch.rows)


_Matches = list[tuple[int | None, int | None]]
"""Pairs of indices of lines, or of tokens, that stand for each other; None where one has none."""


class _Token(NamedTuple):
    start: int
    end: int
    kind: int
    text: str


class _Line(NamedTuple):
    """`tokens` are compared within aligned lines: texts and comments word by word. `key` is equal for lines with the
    same code, `shape` for lines with the same code but for names and literals; `aside` are comments, and texts for
    readers, of which the line consists where it `is_text`; `words` are its distinct tokens."""

    text: str
    tokens: tuple[_Token, ...]
    key: tuple[str, ...]
    shape: tuple[str, ...]
    aside: tuple[str, ...]
    is_text: bool
    words: frozenset[str]


def beside(left: Part, right: Part, *, longest: int = LONGEST) -> Beside:
    """`left` and `right` in rows; at most `longest` lines of each."""
    ours, theirs = _lines_of(left, longest), _lines_of(right, longest)
    pairs = list(_aligned(ours, theirs))
    budget = MOST_CELLS
    matched: dict[tuple[int, int], _Matches | None] = {}
    for i, j in pairs:
        if i is None or j is None or (ours[i].key, ours[i].aside) == (theirs[j].key, theirs[j].aside):
            continue
        cells = len(ours[i].tokens) * len(theirs[j].tokens)
        budget -= cells
        matched[i, j] = list(_matched(ours[i].tokens, theirs[j].tokens)) if budget >= 0 else None
    renamings = _renamings(pairs, ours, theirs, matched)
    everywhere = {(one.old, one.new) for one in renamings if one.is_everywhere}
    rows = [_row(i, j, ours, theirs, left.first, right.first, matched, everywhere) for i, j in pairs]
    return Beside(
        tuple(_stretches(rows)),
        tuple(renamings),
        sum(row.kind not in ("same", "renamed") for row in rows),
        left.last - left.first + 1 - len(ours),
        right.last - right.first + 1 - len(theirs),
        any(found is None for found in matched.values()),
    )


def shortened(found: Beside, most_same: int) -> Beside:
    """`found` without its folded rows, or only with the first `most_same` where all are the same; and without the kinds
    of its pieces, which would make it half as long again."""
    if found.is_same:
        rows = tuple(row for stretch in found.stretches for row in stretch.rows)
        kept = [Stretch(rows[:most_same], False)]
        if len(rows) > most_same:
            kept.append(Stretch((), True, len(rows) - most_same))
    else:
        kept = [Stretch((), True, len(one.rows)) if one.is_folded else one for one in found.stretches]
    plain = (
        one._replace(rows=tuple(Row(row.kind, _plain(row.left), _plain(row.right)) for row in one.rows)) for one in kept
    )
    return found._replace(stretches=tuple(plain))


def _plain(cell: Cell | None) -> Cell | None:
    if cell is None:
        return None
    return cell._replace(pieces=tuple(_joined([piece._replace(kind="") for piece in cell.pieces])))


def part_of(lines: Lines, path: str, language: str, first: int, last: int) -> Part:
    """The lines `first` to `last` of a file; 0 as `last` is its end."""
    all_lines = lines(path)
    first = max(1, first)
    return Part(all_lines, language, first, max(first - 1, min(last or len(all_lines), len(all_lines))))


def _lines_of(part: Part, longest: int) -> list[_Line]:
    shown = part.lines[part.first - 1 : min(part.last, part.first - 1 + longest)]
    texts: list[str] = []
    left = MOST_CHARACTERS
    for line in shown:
        text = _clipped(line.rstrip("\r"))
        left -= len(text)
        if left < 0:
            break
        texts.append(text)
    if not texts:
        return []
    lexer = lexer_of(part.language)
    by_line = _tokens("\n".join(texts), lexer)
    return [_line(text, tokens, lexer) for text, tokens in zip(texts, by_line, strict=True)]


def _clipped(line: str) -> str:
    return line if len(line) <= WIDEST else f"{line[:WIDEST]} … {len(line) - WIDEST:,} more characters"


def _tokens(text: str, lexer: Lexer) -> list[list[_Token]]:
    """The tokens of each line, their places in it; one that spans lines has a token in each."""
    found: list[list[_Token]] = [[]]
    begin = 0
    for match in lexer.tokens.finditer(text):
        kind = kind_of(match[0], lexer)
        if kind == LINE_END:
            found.append([])
            begin = match.end()
            continue
        at = match.start()
        first, *others = match[0].split("\n")
        found[-1].append(_Token(at - begin, at - begin + len(first), kind, first))
        at += len(first)
        for line in others:
            begin = at + 1
            at = begin + len(line)
            stripped = line.lstrip(" \t")
            indent = len(line) - len(stripped)
            found.append([_Token(indent, len(line), kind, stripped)] if stripped else [])
    return found


def _line(text: str, tokens: Sequence[_Token], lexer: Lexer) -> _Line:
    code = [token for token in tokens if token.kind != COMMENT]
    # A text alone on its line is for readers, or within a longer one: shown, and of no weight in the alignment.
    is_text = lexer.docstrings and len(code) == 1 and code[0].kind == STRING
    aside = [token.text for token in tokens if token.kind == COMMENT or is_text]
    words = [] if is_text else [token.text for token in code]
    shape = [] if is_text else [_shape(token) for token in code]
    compared = [part for token in tokens for part in _words(token)]
    distinct = frozenset(words or [part.text for part in compared])
    return _Line(text, tuple(compared), tuple(words), tuple(shape), tuple(aside), is_text, distinct)


def _words(token: _Token) -> Iterator[_Token]:
    """A text or a comment as its words and signs, any other token as it is."""
    if token.kind not in (STRING, COMMENT):
        yield token
        return
    for word in _WORD.finditer(token.text):
        yield _Token(token.start + word.start(), token.start + word.end(), token.kind, word[0])


def _shape(token: _Token) -> str:
    return {NAME: "name", STRING: "string", NUMBER: "number"}.get(token.kind, token.text)


class _Weighed(NamedTuple):
    """A line as alignment sees it, with numbers in place of texts: `words` has a bit for each distinct one. Equal lines
    are equal."""

    code: int
    shape: int
    aside: int
    length: int
    words: int
    distinct: int


def _aligned(ours: Sequence[_Line], theirs: Sequence[_Line]) -> Iterator[tuple[int | None, int | None]]:
    numbers: dict[object, int] = {(): 0}
    bits: dict[str, int] = {}

    def number(text: object) -> int:
        return numbers.setdefault(text, len(numbers))

    def weighed(line: _Line) -> _Weighed:
        words = 0
        for word in line.words:
            words |= bits.setdefault(word, 1 << len(bits))
        code, shape, aside = number(line.key), number(line.shape), number(line.aside)
        return _Weighed(code, shape, aside, min(_HEAVIEST, len(line.key) + len(line.aside)), words, words.bit_count())

    return _alignment([weighed(line) for line in ours], [weighed(line) for line in theirs], _likeness)


def _likeness(one: _Weighed, other: _Weighed) -> int:
    """How much two lines speak for being in one row; 0 for not at all."""
    if one.code == other.code and (one.code or one.aside == other.aside):
        return (one.aside == other.aside) + 4 * one.length
    shared = (one.words & other.words).bit_count()
    total = one.distinct + other.distinct
    weight = min(one.length, other.length)
    if one.shape == other.shape and one.shape:
        # The same names at the same places say more than the same punctuation.
        return weight + 4 * weight * shared // total
    if (one.code == 0) != (other.code == 0) or 4 * shared < total:
        return 0
    return max(1, 4 * min(_HEAVIEST, one.distinct, other.distinct) * shared // total)


def _alignment(
    left: Sequence[Element], right: Sequence[Element], likeness: Callable[[Element, Element], int]
) -> Iterator[tuple[int | None, int | None]]:
    """Pairs of indices in order, each index once, that have the greatest sum of likenesses; None for a gap. What is
    equal at both ends is paired without being compared to the rest."""
    start, end = 0, 0
    shortest = min(len(left), len(right))
    while start < shortest and left[start] == right[start]:
        start += 1
    while end < shortest - start and left[-1 - end] == right[-1 - end]:
        end += 1
    yield from ((at, at) for at in range(start))
    ours, theirs = left[start : len(left) - end], right[start : len(right) - end]
    best = [[0] * (len(theirs) + 1) for _ in range(len(ours) + 1)]
    for i in range(len(ours) - 1, -1, -1):
        row, below, mine = best[i], best[i + 1], ours[i]
        for j in range(len(theirs) - 1, -1, -1):
            most = below[j] if below[j] >= row[j + 1] else row[j + 1]
            alike = likeness(mine, theirs[j])
            if alike and below[j + 1] + alike > most:
                most = below[j + 1] + alike
            row[j] = most
    i = j = 0
    while i < len(ours) or j < len(theirs):
        if i < len(ours) and j < len(theirs):
            alike = likeness(ours[i], theirs[j])
            if alike and best[i][j] == best[i + 1][j + 1] + alike:
                yield start + i, start + j
                i, j = i + 1, j + 1
                continue
        if i < len(ours) and best[i][j] == best[i + 1][j]:
            yield start + i, None
            i += 1
        else:
            yield None, start + j
            j += 1
    yield from ((len(left) - end + at, len(right) - end + at) for at in range(end))


def _matched(ours: Sequence[_Token], theirs: Sequence[_Token]) -> Iterator[tuple[int | None, int | None]]:
    """The tokens of two lines that stand for each other: equal ones, else names for names and literals for literals."""

    def likeness(one: tuple[int, str], other: tuple[int, str]) -> int:
        if one == other:
            return 4
        return 3 if one[0] == other[0] and one[0] in (NAME, STRING, NUMBER, COMMENT) else 0

    return _alignment([(one.kind, one.text) for one in ours], [(one.kind, one.text) for one in theirs], likeness)


def _renamings(
    pairs: _Matches,
    ours: Sequence[_Line],
    theirs: Sequence[_Line],
    matched: dict[tuple[int, int], _Matches | None],
) -> list[Renaming]:
    """The names that have others on the right, the most frequent first. One side's name has one partner, the most
    frequent; of names that stand for several no renaming is told, nor where no line is the same but for names."""
    there: dict[str, Counter[str]] = defaultdict(Counter)
    back: dict[str, Counter[str]] = defaultdict(Counter)
    trusted: set[tuple[str, str]] = set()
    for i, j in pairs:
        if i is None or j is None:
            continue
        one, other = ours[i].tokens, theirs[j].tokens
        if (i, j) not in matched:  # the same code
            names = [(token.text, token.text) for token in one if token.kind == NAME]
        else:
            names = [
                (one[a].text, other[b].text)
                for a, b in matched[i, j] or ()
                if a is not None and b is not None and one[a].kind == NAME == other[b].kind
            ]
        for old, new in names:
            there[old][new] += 1
            back[new][old] += 1
        if ours[i].shape == theirs[j].shape:
            trusted.update(names)
    renamed = []
    for old, partners in there.items():
        new, times = min(partners.items(), key=lambda pair: (-pair[1], pair[0]))
        total = sum(partners.values())
        if new != old and (old, new) in trusted and 2 * times > total and 2 * back[new][old] > sum(back[new].values()):
            renamed.append(Renaming(old, new, times, total))
    return sorted(renamed, key=lambda one: (one.is_everywhere, -one.times, one.old))


def _row(
    i: int | None,
    j: int | None,
    ours: Sequence[_Line],
    theirs: Sequence[_Line],
    first: int,
    other_first: int,
    matched: dict[tuple[int, int], _Matches | None],
    everywhere: set[tuple[str, str]],
) -> Row:
    if i is None or j is None:
        left = None if i is None else _cell(ours[i], first + i, {})
        right = None if j is None else _cell(theirs[j], other_first + j, {})
        return Row("left" if j is None else "right", left, right)
    one, other = ours[i], theirs[j]
    here: dict[int, str] = {}
    there: dict[int, str] = {}
    if one.key != other.key or one.aside != other.aside:
        for a, b in matched.get((i, j)) or _all_apart(one, other):
            mark = _mark(one, a, other, b, everywhere)
            if mark:
                here |= {} if a is None else {a: mark}
                there |= {} if b is None else {b: mark}
    marks = {*here.values(), *there.values()}
    kind = "same" if not marks else "changed" if DIFFERS in marks else "renamed"
    return Row(kind, _cell(one, first + i, here), _cell(other, other_first + j, there))


def _all_apart(one: _Line, other: _Line) -> _Matches:
    """No token stands for another."""
    return [*((at, None) for at in range(len(one.tokens))), *((None, at) for at in range(len(other.tokens)))]


def _mark(one: _Line, a: int | None, other: _Line, b: int | None, everywhere: set[tuple[str, str]]) -> str:
    left = None if a is None else one.tokens[a]
    right = None if b is None else other.tokens[b]
    if left is not None and right is not None:
        if (left.kind, left.text) == (right.kind, right.text):
            return ""
        if left.kind == NAME and (left.text, right.text) in everywhere:
            return RENAMED
    is_aside = all(
        token is None or token.kind == COMMENT or line.is_text for token, line in ((left, one), (right, other))
    )
    return ASIDE if is_aside else DIFFERS


def _cell(line: _Line, number: int, marks: dict[int, str]) -> Cell:
    pieces: list[Piece] = []
    at, kind, mark = 0, "", ""
    for index, token in enumerate(line.tokens):
        last_kind, last_mark = kind, mark
        kind, mark = _SHOWN_AS.get(token.kind, ""), marks.get(index, "")
        # What is between two tokens of one look has that look: one mark reads better than a row of them.
        between = kind if kind == last_kind and token.kind in (STRING, COMMENT) else ""
        pieces.append(Piece(line.text[at : token.start], between, mark if mark == last_mark else ""))
        pieces.append(Piece(line.text[token.start : token.end], kind, mark))
        at = token.end
    pieces.append(Piece(line.text[at:], "", ""))
    return Cell(number, tuple(_joined(pieces)))


def _joined(pieces: Sequence[Piece]) -> Iterator[Piece]:
    """Neighbours of the same look as one."""
    held: Piece | None = None
    for piece in pieces:
        if not piece.text:
            continue
        if held is not None and (held.kind, held.mark) == (piece.kind, piece.mark):
            held = held._replace(text=held.text + piece.text)
        else:
            if held is not None:
                yield held
            held = piece
    if held is not None:
        yield held


def _stretches(rows: Sequence[Row]) -> Iterator[Stretch]:
    near = [False] * len(rows)
    for at, row in enumerate(rows):
        if row.kind != "same":
            begin, end = max(0, at - AROUND), min(len(rows), at + AROUND + 1)
            near[begin:end] = [True] * (end - begin)
    at = 0
    shown: list[Row] = []
    while at < len(rows):
        end = at
        while end < len(rows) and not near[end]:
            end += 1
        if end - at >= FEWEST_FOLDED and any(near):
            if shown:
                yield Stretch(tuple(shown), False)
            yield Stretch(tuple(rows[at:end]), True)
            shown = []
        else:
            shown.extend(rows[at:end])
        if end < len(rows):
            shown.append(rows[end])
        at = end + 1
    if shown:
        yield Stretch(tuple(shown), False)
