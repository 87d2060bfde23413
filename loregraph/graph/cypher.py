"""Checks that a Cypher statement only reads the graph, token by token, before the engine sees it.

The engine's read-only mode can still read and write files, load native code and set options. So a statement must be a
sequence of the clauses listed in cypher_vocabulary.py. The check relies on the grammar's main distinction: the start of
an expression (operand position) and its end (operator position). A word in operator position is never a name, so it
must be on a list; a word in operand position can only be a name, a function, which must be on a list, or one of the
prefix words. So a statement keyword can only occur at the start, after UNION or in operator position, and there only
those of reads are accepted. The tokenizer and the context tell strings, back-ticks, comments, property names and map
keys from words.
"""

from __future__ import annotations

import difflib
import enum
import re
from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from loregraph.errors import QueryFailedError, QueryRefusedError
from loregraph.graph.cypher_vocabulary import (
    CLAUSES,
    CONTINUATIONS,
    EMBEDDED,
    INFIX,
    PATH_MODES,
    POSTFIX,
    PREFIX,
    Vocabulary,
)

MAX_LENGTH: Final = 100_000
"""Maximum characters of a statement."""
MAX_DEPTH: Final = 100
"""Maximum nesting of brackets."""
PATH_BOUND: Final = 8
"""Upper bound given to a path of variable length without one."""
SHORTEST_BOUND: Final = 30
"""The same for shortest paths, which are cheap: the engine's own limit."""

_TOKEN: Final = re.compile(
    r"""
    (?P<space>\s+)
  | (?P<comment>//[^\r\n]*|/\*.*?\*/)
  | (?P<string>'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")
  | (?P<quoted>`[^`]+`)
  | (?P<parameter>\$(?:[^\W\d]\w*|\d+))
  | (?P<number>0[xX][0-9a-fA-F]+|(?:\d+(?:\.(?=\d)\d+)?|\.\d+)(?:[eE][+-]?\d+)?)
  | (?P<word>[^\W\d]\w*)
  | (?P<sign>\.\.|<=|>=|<>|!=|=~|->|<-|<<|>>|\|\||/(?!\*)|[-+*%^=<>.,:()\[\]{}|&!~@])
    """,
    re.VERBOSE | re.DOTALL,
)
_ESCAPE: Final = re.compile(r"\\(?:[\\'\"bBfFnNrRtT0]|x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8})|\\", re.DOTALL)
_CLOSES: Final = {")": "(", "]": "[", "}": "{"}
_READS: Final = (
    "a query may only read: MATCH, OPTIONAL MATCH, WITH, UNWIND, WHERE, RETURN, ORDER BY, SKIP, LIMIT, UNION"
)


class Token(NamedTuple):
    kind: str
    text: str
    start: int

    @property
    def word(self) -> str:
        """The text as a keyword in upper case; "" where it cannot be one."""
        return self.text.upper() if self.kind == "word" and self.text.isascii() else ""


class Clause(NamedTuple):
    """Where a clause begins: index of its first token, keyword in upper case ("WHERE" counts as one, "}" ends the body
    of EXISTS {} and COUNT {}), and the number of brackets around it."""

    start: int
    keyword: str
    depth: int


class _At(enum.Enum):
    """The possible kinds of the next token."""

    START = "the start of a statement"
    OPERAND = "the start of an expression"
    OPERATOR = "after an expression"
    NAME = "a name"


_END: Final = Token("end", "", -1)


# Implements REQ-QRY-001.
def check_read_only(cypher: str) -> str:
    """The statement for the engine: `cypher` without comments and with a bound on every path.

    Raises `QueryRefusedError` naming the token that is not part of a read.
    """
    tokens = tokens_of(cypher)
    clauses_of(tokens, EMBEDDED)
    return rebuilt(cypher, tokens, missing_bounds(tokens))


def clauses_of(tokens: list[Token], vocabulary: Vocabulary) -> list[Clause]:
    """The clauses of a statement, in the order of its text.

    Raises `QueryRefusedError` naming the token that is not part of a read, or not in `vocabulary`.
    """
    if not tokens:
        raise QueryRefusedError("the query is empty", _READS)
    guard = _Guard(tokens, vocabulary)
    guard.check()
    return guard.clauses


def parameters(cypher: str) -> set[str]:
    """Names of the parameters in a statement that has passed the check."""
    return {token.text[1:] for token in tokens_of(cypher) if token.kind == "parameter"}


def check_parameters(cypher: str, params: Mapping[str, Any]) -> None:
    """Raises QueryFailedError where a parameter of the statement has no value, or a value no parameter."""
    used = parameters(cypher)
    if missing := sorted(used - params.keys()):
        raise QueryFailedError(f"there is no value for ${missing[0]}", "pass it with the parameters")
    if unused := sorted(params.keys() - used):
        raise QueryFailedError(f"the parameter {unused[0]} is not in the query", f"write ${unused[0]} where it goes")


# Implements REQ-QRY-002.
def tokens_of(cypher: str) -> list[Token]:
    """The tokens of a statement, without white space and comments.

    Raises `QueryRefusedError` for a statement of more than `MAX_LENGTH` characters and for what is no token.
    """
    if len(cypher) > MAX_LENGTH:
        raise QueryRefusedError(f"the query is longer than {MAX_LENGTH:,} characters", "pass long values as parameters")
    tokens, position = [], 0
    while position < len(cypher):
        match = _TOKEN.match(cypher, position)
        if match is None:
            raise _unreadable(cypher, position)
        kind = match.lastgroup or ""
        if kind == "string" and any(escape == "\\" for escape in _ESCAPE.findall(match[0])):
            raise QueryRefusedError(
                f"unknown escape in the string at position {position}", "write a backslash as \\\\, or use a parameter"
            )
        if kind not in ("space", "comment"):
            tokens.append(Token(kind, match[0], position))
        position = match.end()
    return tokens


def _unreadable(cypher: str, position: int) -> QueryRefusedError:
    """The reason why no token begins at `position`."""
    character = cypher[position]
    if character in "'\"`":
        return QueryRefusedError(f"the quote {character} at position {position} is not closed", "close it")
    if character == ";":
        return QueryRefusedError(
            f"';' at position {position} is not allowed: one statement at a time", "leave it out, or ask twice"
        )
    if cypher.startswith("/*", position):
        return QueryRefusedError(f"the comment at position {position} is not closed", "close it")
    return QueryRefusedError(f"{character!r} at position {position} is no part of a query", _READS)


# Implements REQ-QRY-003.
class _Guard:
    """One pass over the tokens of a statement: the current position and its brackets."""

    def __init__(self, tokens: list[Token], vocabulary: Vocabulary) -> None:
        self._tokens = tokens
        self._vocabulary = vocabulary
        self.clauses: list[Clause] = []
        self._position = 0
        self._at = _At.START
        # The stack of open brackets: "(", "[", "{" of a map, or "query" for the statement and for the body of EXISTS {}
        # and COUNT {}.
        self._open = ["query"]

    def check(self) -> None:
        while self._position < len(self._tokens):
            token = self._tokens[self._position]
            self._position += 1
            if token.kind == "word":
                self._word(token)
            elif token.kind == "sign":
                self._sign(token)
            elif self._at is _At.START:
                raise _refused(token)
            elif token.kind == "quoted" and self._next().text == "(":
                raise self._unknown_function(token)
            else:
                self._at = _At.OPERATOR
        if len(self._open) > 1 or self._at is _At.START:
            raise QueryRefusedError("the query ends in the middle", "complete it")

    def _next(self) -> Token:
        return self._tokens[self._position] if self._position < len(self._tokens) else _END

    def _take(self, *words: str) -> str:
        """The next token, which must be one of `words`."""
        token = self._next()
        if token.word not in words:
            raise _refused(self._tokens[self._position - 1] if token is _END else token)
        self._position += 1
        return token.word

    def _word(self, token: Token) -> None:
        if self._at is _At.START:
            if token.word not in CLAUSES or (len(self._open) > 1 and token.word != "MATCH"):
                raise _refused(token)
            self._clause(token)
        elif self._at is _At.OPERATOR:
            self._between(token)
        elif self._at is _At.NAME or (self._open[-1] == "{" and self._next().text == ":"):
            self._named(token)
        elif token.word in ("EXISTS", "COUNT") and self._next().text == "{":
            self._position += 1
            self._push(token, "query")
            self._at = _At.START
        elif token.word in PREFIX:
            self._at = _At.OPERAND
        else:
            self._named(token)

    def _named(self, token: Token) -> None:
        """A word that is a name; that of a function, where a bracket follows."""
        after_dot = self._position > 1 and self._tokens[self._position - 2].text == "."
        if self._next().text == "(" and (after_dot or token.word not in self._vocabulary.functions):
            raise self._unknown_function(token)
        self._at = _At.OPERATOR

    def _between(self, token: Token) -> None:
        """A word in operator position."""
        word = token.word
        if word in ("STARTS", "ENDS"):
            self._take("WITH")
            self._at = _At.OPERAND
        elif word in INFIX:
            if word == "WHERE" and self._open[-1] == "query":
                self._record(token)
            self._at = _At.OPERAND
        elif word == "AS":
            self._at = _At.NAME
        elif word in POSTFIX or (self._open[-1] == "[" and word in self._vocabulary.path_modes):
            self._at = _At.OPERATOR
        elif word == "WSHORTEST" and word in self._vocabulary.functions and self._open[-1] == "[":
            self._named(token)
        elif word in CONTINUATIONS and self._open[-1] == "query":
            self._clause(token)
        else:
            raise _refused(token)

    def _clause(self, token: Token) -> None:
        """A keyword that begins a clause."""
        self._record(token)
        self._at = _At.OPERAND
        if token.word == "OPTIONAL":
            self._take("MATCH")
        elif token.word == "ORDER":
            self._take("BY")
        elif token.word == "CALL":
            self._procedure(token)
        elif token.word == "UNION":
            if self._next().word == "ALL":
                self._position += 1
            self._at = _At.START

    def _procedure(self, call: Token) -> None:
        name = self._next()
        if name is _END:
            raise _refused(call)
        self._position += 1
        procedures = self._vocabulary.procedures
        if name.word not in procedures or self._next().text != "(":
            raise QueryRefusedError(
                f"CALL {name.text} at position {name.start} is not allowed",
                f"what may be called: {', '.join(sorted(procedures)).lower()}" if procedures else _READS,
            )
        self._at = _At.OPERATOR

    def _sign(self, token: Token) -> None:
        text = token.text
        if self._at is _At.START:
            raise _refused(token)
        if text in "([{":
            self._push(token, text)
            self._at = _At.OPERAND
        elif text in _CLOSES:
            opened = self._open.pop()
            if opened != _CLOSES[text] and not (opened == "query" and text == "}" and self._open):
                raise QueryRefusedError(f"{text!r} at position {token.start} closes nothing", "balance the brackets")
            if opened == "query":
                self._record(token, len(self._open) + 1)
            self._at = _At.OPERATOR
        elif text == "." or (text == ":" and self._open[-1] != "{"):
            self._at = _At.NAME
        elif text == "*" and self._at is _At.OPERAND:
            self._at = _At.OPERATOR  # RETURN *, count(*), [*1..3]
        else:
            self._at = _At.OPERAND

    def _record(self, token: Token, depth: int = 0) -> None:
        """Notes that a clause begins with `token`, the last one taken."""
        self.clauses.append(Clause(self._position - 1, token.word or token.text, depth or len(self._open)))

    def _push(self, token: Token, what: str) -> None:
        if len(self._open) > MAX_DEPTH:
            raise QueryRefusedError(
                f"brackets are nested deeper than {MAX_DEPTH} at position {token.start}", "simplify"
            )
        self._open.append(what)

    def _unknown_function(self, token: Token) -> QueryRefusedError:
        functions = self._vocabulary.functions
        instead = self._vocabulary.instead.get(token.word)
        near = difflib.get_close_matches(token.word, sorted(functions), 3)
        hint = f"write {instead}" if instead else f"did you mean {', '.join(near).lower()}?" if near else _READS
        return QueryRefusedError(f"{token.text!r} at position {token.start} is no function a query may use", hint)


def _refused(token: Token) -> QueryRefusedError:
    return QueryRefusedError(f"{token.text!r} at position {token.start} is not allowed here", _READS)


def rebuilt(
    cypher: str, tokens: list[Token], after: Mapping[int, str], replaced: Mapping[int, str] | None = None
) -> str:
    """`cypher`, whose tokens are `tokens`, with every comment replaced by a space, and with texts inserted `after`
    tokens or put in place of some, by their index."""
    parts, position = [], 0
    for i, token in enumerate(tokens):
        between = cypher[position : token.start]
        parts.append(between if not between or between.isspace() else " ")
        parts.append((replaced or {}).get(i, token.text) + after.get(i, ""))
        position = token.start + len(token.text)
    return "".join(parts)


# Implements REQ-QRY-005.
def missing_bounds(tokens: list[Token]) -> dict[int, str]:
    """Index of a token → text to insert after it, for every path of variable length without an upper bound."""
    bounds: dict[int, str] = {}
    inside: list[bool] = []  # per open bracket: whether it holds a relationship
    for i, token in enumerate(tokens):
        if token.text in ("(", "[", "{") and token.kind == "sign":
            inside.append(token.text == "[" and i > 0 and tokens[i - 1].text in ("-", "<-"))
        elif token.text in _CLOSES and token.kind == "sign":
            inside.pop()
        elif token.text == "*" and token.kind == "sign" and inside and inside[-1]:
            bounds.update(_bound(tokens, i))
    return bounds


def _bound(tokens: list[Token], star: int) -> dict[int, str]:
    """The bound to insert after the `*` at index `star`."""
    last, bound = star, PATH_BOUND
    while tokens[last + 1].word in PATH_MODES or tokens[last + 1].word == "WSHORTEST":
        last += 1
        if tokens[last].word in ("SHORTEST", "WSHORTEST"):
            bound = SHORTEST_BOUND
        if tokens[last].word == "WSHORTEST" and tokens[last + 1].text == "(":
            while tokens[last].text != ")":
                last += 1
    first = tokens[last + 1]
    low = first.text if first.kind == "number" else "1"
    if first.kind == "number":
        last += 1
    ranged = tokens[last + 1].text == ".."
    last += ranged
    # Anything but the end of the range means an upper bound, or a product that only looks like a path.
    if tokens[last + 1].text not in ("]", "{", "(") or (first.kind == "number" and not ranged):
        return {}
    if ranged:
        return {last: str(max(int(low), bound) if low.isdigit() else bound)}
    return {last: f" 1..{bound}" if last > star else f"1..{bound}"}
