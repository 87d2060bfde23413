"""What SQL's statements define, which tables and views they name, and which functions they call."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from loregraph.indexer.languages.sql.scanning import Statement, Token

_DEFAULT_SCHEMAS: Final = frozenset({"public", "dbo", "main"})
"""Schemas whose names nobody has to write."""
_BEFORE_NAME: Final = frozenset({"IF", "NOT", "EXISTS", "ONLY", "BODY", "CONCURRENTLY"})
_TABLE_WORDS: Final = frozenset(
    {"FROM", "JOIN", "INTO", "UPDATE", "TABLE", "REFERENCES", "ON", "USING", "ONLY", "INHERITS"}
)
"""Words before the name of a table or view."""
_CALLING: Final = frozenset(
    "ALL AND ANY AS BETWEEN BY CALL CASE CHECK DEFAULT DISTINCT ELSE ELSIF EXCEPT EXEC EXECUTE FROM "
    "FUNCTION HAVING IF IN IS JOIN LATERAL LIKE LIMIT NOT OFFSET ON OR PERFORM PROCEDURE QUERY RETURN "
    "RETURNING SELECT SET THEN UNION VALUES WHEN WHERE WHILE WITH".split()
)
"""Words before the name of a function that is called."""
_NO_FUNCTIONS: Final = frozenset(
    "ALL AND ANY ARRAY AS BETWEEN BIGINT BINARY BIT BY CASE CAST CHAR CHARACTER CHECK COLLATE CONSTRAINT "
    "DATE DATETIME DATETIME2 DECIMAL DEFAULT DISTINCT DOUBLE ELSE ENUM EXCEPT EXISTS EXTRACT FILTER FLOAT "
    "FOREIGN FROM GROUP HAVING IF IN INDEX INT INTEGER INTERSECT INTERVAL INTO IS JOIN KEY LATERAL LIKE "
    "LIMIT MATERIALIZED NOT NULL NUMBER NUMERIC NVARCHAR OF OFFSET ON OR ORDER OVER OVERLAPS PARTITION "
    "PRIMARY RANGE REAL REFERENCES RETURN RETURNING RETURNS ROW ROWS SELECT SET SMALLINT SOME TABLE THEN "
    "TIME TIMESTAMP TIMESTAMPTZ TINYINT TOP UNION UNIQUE USING VALUES VARBINARY VARBIT VARCHAR VARCHAR2 "
    "VARIADIC VIEW WHEN WHERE WHILE WITH WITHIN XMLELEMENT XMLFOREST".split()
)
_BEFORE_TABLE: Final = frozenset("AS CREATE GLOBAL LOCAL RETURNS TEMP TEMPORARY UNLOGGED".split())
"""Words before a `TABLE` that uses none."""
_LISTS: Final = frozenset({"FROM", "UPDATE", "TABLE"})
"""Words behind which several tables may stand, with commas between them."""
_ENDS: Final = frozenset(
    "WHERE GROUP ORDER HAVING LIMIT UNION SET VALUES SELECT ON USING RETURNING WHEN LOOP WINDOW EXCEPT "
    "INTERSECT".split()
)
_MADE: Final = {"TABLE": "struct", "VIEW": "class", "PACKAGE": "class", "TYPE": "type", "DOMAIN": "type"}
"""What a statement creates → kind of the definition; routines are functions."""
_NO_PROCEDURES: Final = frozenset({"AS", "FUNCTION", "IMMEDIATE", "ON", "PROCEDURE"})
"""What may stand behind `EXECUTE` and is no procedure's name."""
_DECISIONS: Final = frozenset({"IF", "ELSIF", "ELSEIF", "WHEN", "LOOP", "WHILE"})
_OPENING: Final = frozenset("(,=<>+-*/|:!%~[;") | {":="}


@dataclass(frozen=True, slots=True)
class Argument:
    """A parameter of a routine. `direction`: IN, OUT, INOUT, VARIADIC."""

    name: str
    direction: str
    has_default: bool


@dataclass(slots=True)
class Use:
    """A name that a statement uses: of a table, or of a function with so many arguments where it is called."""

    name: str
    at: int
    arguments: int = -1
    how: str = ""


@dataclass(slots=True)
class Defined:
    """What a statement defines. `schema` of a trigger is the table that it is on."""

    statement: Statement
    kind: str
    schema: str
    name: str
    arguments: list[Argument] = field(default_factory=list)
    complexity: int = 1


def folded(token: Token) -> str:
    """A name as the database knows it: in lower case but where quotes keep its case."""
    text = token.raw if token.kind == "word" else token.text
    kept = token.kind == "quoted" and token.raw[:1] == '"'
    return text.encode("latin-1").decode("utf-8", "replace") if kept else _lower(text)


def _lower(text: str) -> str:
    return text.encode("latin-1").decode("utf-8", "replace").lower()


def name_at(tokens: Sequence[Token], at: int) -> tuple[str, str, int]:
    """Schema, name and the place behind them; ("", "", at) where no name stands."""
    parts: list[str] = []
    while at < len(tokens) and tokens[at].is_name:
        parts.append(folded(tokens[at]))
        at += 1
        if at + 1 < len(tokens) and tokens[at].text == "." and tokens[at + 1].is_name:
            at += 1
            continue
        break
    if not parts:
        return "", "", at
    schema = parts[-2] if len(parts) > 1 else ""
    return ("" if schema in _DEFAULT_SCHEMAS else schema), parts[-1], at


def whole_name(schema: str, name: str) -> str:
    return f"{schema}.{name}" if schema else name


def definition(statement: Statement) -> Defined | None:
    """What a statement creates; None for one that creates nothing that is kept, or whose name is not understood."""
    tokens, at = statement.tokens, statement.head
    while at < len(tokens) and tokens[at].kind == "word" and tokens[at].text in _BEFORE_NAME:
        at += 1
    schema, name, behind = name_at(tokens, at)
    if not name:
        return None
    kind = {"TABLE": "struct", "VIEW": "class", "PACKAGE": "class", "TYPE": "type", "DOMAIN": "type"}.get(
        statement.kind, "function"
    )
    if statement.kind == "TYPE":
        words = [token.text for token in tokens[behind : behind + 2]]
        kind = "enum" if words == ["AS", "ENUM"] else "struct" if words == ["AS", "("] else "type"
    if statement.kind == "TRIGGER":
        schema = next((name_at(tokens, at + 1)[1] for at in range(behind, len(tokens)) if tokens[at].text == "ON"), "")
    found = Defined(statement, kind, schema, name)
    if statement.kind in ("FUNCTION", "PROCEDURE", "PROC", "AGGREGATE"):
        found.arguments = list(_arguments(tokens, behind))
    if kind == "function":
        found.complexity += sum(
            1
            for place in range(behind, len(tokens))
            if tokens[place].text in _DECISIONS
            and tokens[place].kind == "word"
            and tokens[place - 1].text != "END"
            and not (tokens[place].text == "LOOP" and _is_loop_of_while(tokens, place))
        )
    return found


def _is_loop_of_while(tokens: Sequence[Token], place: int) -> bool:
    """Whether a `LOOP` belongs to the `WHILE` before it."""
    for token in reversed(tokens[max(0, place - 40) : place]):
        if token.text == ";":
            return False
        if token.text == "WHILE":
            return True
    return False


def _arguments(tokens: Sequence[Token], at: int) -> Iterator[Argument]:
    if at < len(tokens) and tokens[at].text == "(":
        end = _closing(tokens, at)
        for start, stop in _parts(tokens, at + 1, end):
            yield _argument(tokens[start:stop])
        return
    while at < len(tokens) and tokens[at].text[:1] == "@" and tokens[at].kind == "word":  # T-SQL
        stop = at
        depth = 0
        while stop < len(tokens) and (depth or tokens[stop].text not in (",", "AS")):
            depth += {"(": 1, ")": -1}.get(tokens[stop].text, 0)
            stop += 1
        yield _argument(tokens[at:stop])
        if stop >= len(tokens) or tokens[stop].text == "AS":
            return
        at = stop + 1


def _argument(tokens: Sequence[Token]) -> Argument:
    words = [token.text for token in tokens]
    direction = next((word for word in words[:2] if word in ("IN", "OUT", "INOUT", "VARIADIC")), "IN")
    rest = [token for token in tokens if token.text != direction]
    if "OUTPUT" in words:
        direction = "OUT"
    named = len(rest) > 1 and rest[0].is_name and rest[1].is_name
    return Argument(folded(rest[0]) if named else "", direction, "DEFAULT" in words or "=" in words or ":=" in words)


def _closing(tokens: Sequence[Token], at: int) -> int:
    """The place of the parenthesis that closes the one at `at`; the end where none does."""
    depth = 0
    for place in range(at, len(tokens)):
        text = tokens[place].text
        if text == "(":
            depth += 1
        elif text == ")":
            depth -= 1
            if not depth:
                return place
    return len(tokens)


def _parts(tokens: Sequence[Token], start: int, end: int) -> Iterator[tuple[int, int]]:
    """The parts between commas."""
    depth, first = 0, start
    for place in range(start, end):
        text = tokens[place].text
        if text in ("(", "["):
            depth += 1
        elif text in (")", "]"):
            depth -= 1
        elif text == "," and not depth:
            yield first, place
            first = place + 1
    if first < end:
        yield first, end


def uses(statement: Statement, skip: int) -> Iterator[Use]:
    """The tables and functions that a statement names from the token at `skip` on."""
    tokens = statement.tokens
    first = tokens[0].text
    if first in ("COMMENT", "GRANT", "REVOKE", "DROP", "SET", "USE"):
        return
    made = {folded(tokens[place - 1]) for place in range(1, len(tokens) - 1) if _is_cte(tokens, place)}
    counts = _counts(tokens)
    for place in range(skip, len(tokens)):
        token = tokens[place]
        if token.kind != "word":
            if token.kind == "quoted" and place in counts and _is_call(tokens, place):
                yield from _called(tokens, place, counts)
            continue
        if token.text in _TABLE_WORDS and not _is_no_table_word(tokens, place):
            yield from _tables(tokens, place, made)
        elif token.text in ("EXEC", "EXECUTE", "CALL"):
            yield from _executed(tokens, place)
        elif place in counts and _is_call(tokens, place):
            yield from _called(tokens, place, counts)


def _is_cte(tokens: Sequence[Token], place: int) -> bool:
    """Whether `AS` at a place stands between the name of a query and the query."""
    if tokens[place].text != "AS" or not tokens[place - 1].is_name:
        return False
    return tokens[place + 1].text in ("(", "MATERIALIZED", "NOT")


def _is_no_table_word(tokens: Sequence[Token], place: int) -> bool:
    word, before = tokens[place].text, tokens[place - 1].text if place else ""
    if word == "UPDATE":
        return before in ("FOR", "ON", "DO", "KEY", "OR", "BEFORE", "AFTER", "OF", ",")
    if word == "FROM":
        return before == "DISTINCT"
    if word == "ON":  # of a trigger, an index, a policy; not of a join
        return tokens[0].text != "CREATE" or before == ")" or any(t.text in ("VIEW", "TABLE") for t in tokens[:8])
    return word == "TABLE" and before in _BEFORE_TABLE


def _tables(tokens: Sequence[Token], place: int, made: set[str]) -> Iterator[Use]:
    """The tables behind a word."""
    several = tokens[place].text in _LISTS
    at = place + 1
    while at < len(tokens):
        while at < len(tokens) and tokens[at].kind == "word" and tokens[at].text in _BEFORE_NAME:
            at += 1
        start = at
        if at < len(tokens) and tokens[at].text == "(" and tokens[place].text == "INHERITS":
            at += 1
        schema, name, at = name_at(tokens, at)
        is_call = at < len(tokens) and tokens[at].text == "(" and tokens[place].text in ("FROM", "JOIN", "USING")
        if name and not is_call and not (not schema and name in made):
            yield Use(whole_name(schema, name), tokens[start].start)
        if not name or not several:
            return
        depth = 0
        while at < len(tokens) and (depth or tokens[at].text != ","):
            if (tokens[at].text in (";", ")") and not depth) or (not depth and tokens[at].text in _ENDS | _TABLE_WORDS):
                return
            depth += {"(": 1, ")": -1}.get(tokens[at].text, 0)
            at += 1
        at += 1


def _executed(tokens: Sequence[Token], place: int) -> Iterator[Use]:
    """`EXEC dbo.Save @a, @b`, `CALL save`: without parentheses."""
    at = place + 1
    if at + 1 < len(tokens) and tokens[at].text[:1] == "@" and tokens[at + 1].text == "=":
        at += 2
    if (
        at < len(tokens)
        and tokens[at].kind == "word"
        and tokens[at].text in ("FUNCTION", "PROCEDURE", "IMMEDIATE", "AS", "ON")
    ):
        return
    schema, name, behind = name_at(tokens, at)
    if name and not (behind < len(tokens) and tokens[behind].text in ("(", "USING", "INTO")) and name[:1] != "@":
        yield Use(whole_name(schema, name), tokens[at].start, 0, "executed")


def _is_call(tokens: Sequence[Token], place: int) -> bool:
    """Whether the name whose last part is at a place, with a parenthesis behind it, is that of a called function."""
    token = tokens[place]
    if token.kind == "word" and token.text in _NO_FUNCTIONS:
        return False
    first = place
    while first >= 2 and tokens[first - 1].text == "." and tokens[first - 2].is_name:
        first -= 2
    before = tokens[first - 1] if first else None
    if before is None:
        return False
    if before.kind == "word":
        if before.text in ("FUNCTION", "PROCEDURE"):
            return first > 1 and tokens[first - 2].text == "EXECUTE"
        if before.text in ("AS", "WITH", "ON", "VALUES", "SET", "IN") and before.text != "ON":
            return before.text in ("SET", "IN")
        if before.text == "ON":
            return tokens[0].text != "CREATE" or any(t.text in ("VIEW", "SELECT") for t in tokens[:first])
        return before.text in _CALLING
    return before.kind == "dollar" or before.text in _OPENING


def _counts(tokens: Sequence[Token]) -> dict[int, int]:
    """Place of a name with a parenthesis behind it → how many parts stand in that."""
    found: dict[int, int] = {}
    stack: list[list[int]] = []
    for place, token in enumerate(tokens):
        if token.text == "(" and token.kind == "sign":
            named = place > 0 and tokens[place - 1].is_name
            stack.append([place - 1 if named else -1, place, 0])
        elif token.text == ")" and token.kind == "sign" and stack:
            name, opened, commas = stack.pop()
            if name >= 0:
                found[name] = commas + 1 if place > opened + 1 else 0
        elif token.text == "," and token.kind == "sign" and stack:
            stack[-1][2] += 1
    return found


def _called(tokens: Sequence[Token], place: int, counts: dict[int, int]) -> Iterator[Use]:
    first = place
    while first >= 2 and tokens[first - 1].text == "." and tokens[first - 2].is_name:
        first -= 2
    schema, name, _ = name_at(tokens, first)
    if name:
        yield Use(whole_name(schema, name), tokens[first].start, counts[place])
