"""SQL as tokens and statements, whatever the dialect: PostgreSQL, MySQL, SQLite, T-SQL, Oracle.

The grammar loses its way in the bodies of procedures, and in every dialect but its own. What defines something begins
with a word that all of them have in common.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

_TOKEN: Final = re.compile(
    r"(?P<comment>--[^\n]*|/\*.*?(?:\*/|\Z))"
    r"|(?P<text>[eE]'(?:[^'\\]|''|\\.)*+(?:'|\Z)|[nNxXbB]?'(?:[^']|'')*+(?:'|\Z))"
    r"|(?P<dollar>\$(?:[A-Za-z_]\w*)?\$)"
    r'|(?P<quoted>"(?:[^"]|"")*+(?:"|\Z)|`[^`]*+(?:`|\Z)|(?<![\w\]\)])\[[A-Za-z_][\w $-]{0,127}\])'
    r"|(?P<word>[@#]{0,2}[A-Za-z_\x80-\xff][\w$#\x80-\xff]*)"
    r"|(?P<number>\d[\w.]*)"
    r"|(?P<sign>:=|[^\s\w])",
    re.DOTALL | re.ASCII,
)
_DATA: Final = re.compile(r"^COPY\b[^;\n]*\bFROM\s++STDIN\b[^;\n]*;[^\n]*\n(.*?)^\\\.\r?$", re.I | re.M | re.S)
"""Rows between a `COPY … FROM stdin;` and its `\\.`."""
_LINE: Final = re.compile(
    r"^(?:[ \t]*(?:GO|/)[ \t\r]*|DELIMITER[ \t]++(\S{1,8})[ \t\r]*|[ \t]*\\\w[^\n]*)$"
    r"|\\g(?:set|exec|desc|x)?\b[^\n]*$",
    re.I | re.M,
)
"""Lines that a client reads: T-SQL's `GO`, Oracle's `/`, MySQL's `DELIMITER //`, psql's `\\i file`."""
ROUTINES: Final = frozenset({"FUNCTION", "PROCEDURE", "PROC", "TRIGGER", "EVENT", "PACKAGE"})
KINDS: Final = ROUTINES | {"TABLE", "VIEW", "TYPE", "DOMAIN", "AGGREGATE"}
_OTHERS: Final = frozenset(
    "CAST COLLATION CONVERSION DATABASE EXTENSION FOREIGN GROUP INDEX LANGUAGE LOGIN OPERATOR POLICY "
    "PUBLICATION ROLE RULE SCHEMA SEQUENCE SERVER STATISTICS SUBSCRIPTION SYNONYM TABLESPACE TEXT "
    "TRANSFORM USER".split()
)


@dataclass(frozen=True, slots=True)
class Token:
    """One token. `kind` as in the pattern above; `text` of a word is in upper case, of a quoted name without quotes."""

    kind: str
    text: str
    start: int
    end: int
    raw: str = ""

    @property
    def is_name(self) -> bool:
        return self.kind == "quoted" or self.kind == "word"


@dataclass(slots=True)
class Statement:
    """One statement. `kind` is what it creates ("" where that is nothing of `KINDS`), `head` the place of the token
    behind that word."""

    tokens: list[Token]
    kind: str = ""
    head: int = 0
    temporary: bool = False

    @property
    def start(self) -> int:
        return self.tokens[0].start

    @property
    def end(self) -> int:
        return self.tokens[-1].end


def tokens_of(text: str) -> Iterator[Token]:
    """The tokens of a file, comments left out; `text` has a character for each byte."""
    skipped = [(match.start(1), match.end(1)) for match in _DATA.finditer(text)] if "COPY" in text.upper() else []
    lines = {match.start(): match for match in _LINE.finditer(text)}
    skipped += [(match.start(), match.end()) for match in lines.values()]
    skipped.sort()
    at, place = 0, 0
    while at < len(text):
        while place < len(skipped) and skipped[place][1] <= at:
            place += 1
        stop = skipped[place][0] if place < len(skipped) else len(text)
        match = _TOKEN.search(text, at)
        if match is None or match.start() >= stop:
            if stop >= len(text):
                return
            line = lines.get(stop)
            if line is not None:
                yield Token("line", (line[1] or "").upper(), line.start(), line.end(), line[0])
            at = max(skipped[place][1], stop + 1)
            continue
        kind = match.lastgroup or "sign"
        at = match.end()
        raw = match[0]
        if kind == "word":
            yield Token(kind, raw.upper(), match.start(), at, raw)
        elif kind == "quoted":
            yield Token(kind, raw[1:-1], match.start(), at, raw)
        elif kind != "comment":
            yield Token(kind, raw, match.start(), at, raw)


def statements(text: str) -> Iterator[Statement]:
    """The statements of a file. What creates a routine ends behind its last `END`, its body in dollars, or where the
    client sends it."""
    found: list[Token] = []
    current = Statement(found)
    dollar = delimiter = ""
    depth = 0
    batches = re.search(r"^[ \t]*GO[ \t\r]*$", text, re.I | re.M) is not None
    parentheses = 0
    for token in tokens_of(text):
        if token.kind == "line":
            if token.text:
                delimiter = "" if token.text == ";" else token.text
            if found and not dollar:
                yield current
                found, depth, parentheses = [], 0, 0
                current = Statement(found)
            if token.raw.lstrip().startswith("\\"):
                yield Statement([token])
            continue
        ends = bool(delimiter) and text.startswith(delimiter, token.start)
        if found and not parentheses and not dollar and _begins(text, token) and current.kind not in ROUTINES:
            yield current  # T-SQL needs no semicolons
            found = []
            current = Statement(found)
        found.append(token)
        if token.kind == "dollar" and not ends:
            dollar = "" if token.raw == dollar else dollar or token.raw
            continue
        if dollar:
            continue
        if token.kind == "sign":
            parentheses = max(0, parentheses + {"(": 1, ")": -1}.get(token.text, 0))
        if len(found) <= 16 and found[0].text in ("CREATE", "ALTER") and token.kind == "word":
            _note_kind(current, token, batches)
        routine = current.kind in ROUTINES
        if routine and token.kind == "word":
            depth += _nesting(found)
        if ends:
            found.pop()
        elif token.text != ";" or (depth > 0 and routine) or (routine and (batches or delimiter)):
            continue
        else:
            found.pop()
        if found:
            yield current
        found, depth, parentheses = [], 0, 0
        current = Statement(found)
    if found:
        yield current


def _begins(text: str, token: Token) -> bool:
    """Whether a token is a `CREATE` or `ALTER` that a line begins with."""
    if token.kind != "word" or token.text not in ("CREATE", "ALTER"):
        return False
    return not text[max(0, text.rfind("\n", 0, token.start) + 1) : token.start].strip()


def _note_kind(statement: Statement, token: Token, batches: bool) -> None:
    """What a statement creates, by its first words. In T-SQL's files `ALTER` defines a routine as well."""
    if statement.head < 0:
        return
    event_trigger = token.text == "TRIGGER" and statement.tokens[-2].text == "EVENT" if statement.kind else False
    if event_trigger:
        statement.kind, statement.head = "TRIGGER", len(statement.tokens)
    elif statement.kind:
        return
    elif token.text in KINDS and (
        statement.tokens[0].text == "CREATE" or (batches and token.text in ROUTINES and len(statement.tokens) == 2)
    ):
        if token.text == "TYPE" and len(statement.tokens) > 3:
            return
        statement.kind, statement.head = token.text, len(statement.tokens)
    elif token.text in ("TEMP", "TEMPORARY"):
        statement.temporary = True
    elif token.text in _OTHERS and len(statement.tokens) > 1 and token.text != "FOREIGN":
        statement.head = -1


def _nesting(found: list[Token]) -> int:
    """How a word changes the depth of blocks: `BEGIN` and `CASE` open one, `END` closes it, not `END IF` and the like;
    the `BEGIN` of a transaction opens none."""
    word, before = found[-1].text, found[-2].text if len(found) > 1 else ""
    if word == "BEGIN" or (word == "CASE" and before != "END"):
        return 1
    if word == "END":
        return -1
    return 1 if before == "END" and word in ("IF", "LOOP", "WHILE", "REPEAT", "FOR") else 0
