"""SQL's row: how its statements become facts.

The tree is of a text in which each definition is one statement that the grammar knows, and nothing else is left but
comments: see `scanning`.
"""

from __future__ import annotations

import re
from bisect import bisect
from typing import TYPE_CHECKING, Any, Final

from loregraph.indexer.facts import (
    DEFINED,
    FILE_SCOPE,
    NAME,
    TYPED,
    UNKNOWN,
    Assignment,
    Call,
    Expr,
    Import,
    Parameter,
    Reference,
)
from loregraph.indexer.languages.comments import comment_above
from loregraph.indexer.languages.extraction import MAX_SIGNATURE, Extraction, Header
from loregraph.indexer.languages.parsing import parse
from loregraph.indexer.languages.spec import LanguageSpec
from loregraph.indexer.languages.sql.reading import Defined, definition, name_at, uses, whole_name
from loregraph.indexer.languages.sql.scanning import KINDS, Statement, statements

if TYPE_CHECKING:
    from tree_sitter import Node

_COMMENT: Final = re.compile(rb"--[^\n]*|/\*.*?(?:\*/|\Z)", re.DOTALL)
_TESTS: Final = re.compile(r"(^|/)(tests?|t)/")
_LINE_END: Final = re.compile(r"\n")
_CODE: Final = re.compile(rb"[^\n]")
_INSTEAD: Final = b"SELECT"
_READ_IN_BODIES: Final = frozenset({"SQL", "PLPGSQL", "PLTSQL"})
_BODY: Final = frozenset({"AS", "BEGIN", "RETURN", "IS"})


def _parse(x: Extraction) -> Node | None:
    """Finds the statements, and gives the tree of a text with the definitions alone."""
    text = x.source.decode("latin-1")
    found = list(statements(text))
    defined: dict[int, Defined] = {}
    lines = [0, *(match.end() for match in _LINE_END.finditer(text))]
    for statement in found:
        if statement.kind in KINDS and not statement.temporary:
            made = definition(statement)
            if made is None:
                x.problem(bisect(lines, statement.start), "not understood: a definition without a name")
            elif made.name[:1] != "#":  # a temporary table of T-SQL
                defined[statement.start] = made
    x.memo.update(statements=found, defined=defined, lines=lines)
    return parse(x.spec.grammar, _with_definitions_alone(x.source, defined))


def _with_definitions_alone(source: bytes, defined: dict[int, Defined]) -> bytes:
    """`source` with `SELECT … 1;` in the place of each definition, comments as they are, and blanks for all else."""
    made = bytearray(_CODE.sub(b" ", source))
    for match in _OUTSIDE.finditer(source):
        if match.lastgroup == "comment":
            made[match.start() : match.end()] = match[0]
    for start, held in defined.items():
        end = held.statement.end
        made[start : start + len(_INSTEAD)] = _INSTEAD
        gap = _GAP.match(made, end)
        if gap is not None and gap.end() < len(made) and made[gap.end()] == _BLANK and gap.end() not in defined:
            made[end - 1] = ord("1")
            made[gap.end()] = ord(";")
        elif end < len(made):  # the next one follows at once
            made[end - 1] = ord(";")
            made[start + len(_INSTEAD) + 1] = ord("1")
        else:
            made[end - 1] = ord("1")
    return bytes(made)


_BLANK: Final = 32
_GAP: Final = re.compile(rb"\n*+")
_OUTSIDE: Final = re.compile(
    rb"(?P<comment>--[^\n]*|/\*.*?(?:\*/|\Z))|'(?:[^']|'')*+(?:'|\Z)|\"(?:[^\"]|\"\")*+(?:\"|\Z)", re.DOTALL
)


def _held(x: Extraction, node: Node) -> Defined | None:
    defined: dict[int, Defined] = x.memo["defined"]
    return defined.get(node.start_byte)


def _header(x: Extraction, node: Node, kind: str) -> Header | None:
    held = _held(x, node)
    if held is None:
        return None
    header = Header(name=held.name, kind=held.kind, owner_name=held.schema, flags=("exported",))
    if held.statement.kind == "TRIGGER":
        header.flags += ("expression",)  # nothing calls it, and a function may have its name
    elif held.kind == "function" and held.name.startswith("test") and _TESTS.search(x.path):
        header.flags += ("test",)
    tokens, end = held.statement.tokens, held.statement.end
    for place in range(held.statement.head, len(tokens)):
        if tokens[place].kind == "dollar" or (tokens[place].text in _BODY and tokens[place].kind == "word"):
            end = tokens[place].start
            break
    text = _COMMENT.sub(b"", x.source[node.start_byte : min(end, node.start_byte + 8 * MAX_SIGNATURE)])
    header.signature = " ".join(text.decode("utf-8", "ignore").split())[:MAX_SIGNATURE]
    return header


def _parameters(x: Extraction, node: Node) -> tuple[Parameter, ...]:
    held = _held(x, node)
    given = [argument for argument in (held.arguments if held else ()) if argument.direction != "OUT"]
    return tuple(
        Parameter(
            argument.name,
            None,
            UNKNOWN if argument.has_default else None,
            "*" if argument.direction == "VARIADIC" else "",
        )
        for argument in given
    )


def _docstring(x: Extraction, node: Node) -> str:
    """The comment above a definition, else what `COMMENT ON` says of it."""
    held = _held(x, node)
    return comment_above(x, node) or (_said(x).get(whole_name(held.schema, held.name), "") if held else "")


def _said(x: Extraction) -> dict[str, str]:
    """Name → the text of its `COMMENT ON TABLE name IS 'text'`."""
    known: dict[str, str] | None = x.memo.get("said")
    if known is None:
        known = x.memo["said"] = {}
        for statement in x.memo["statements"]:
            tokens = statement.tokens
            if len(tokens) > 5 and tokens[0].text == "COMMENT" and tokens[2].text in KINDS | {"MATERIALIZED"}:
                schema, name, _ = name_at(tokens, 3 if tokens[2].text != "MATERIALIZED" else 4)
                if name and tokens[-1].kind == "text":
                    text = tokens[-1].raw.strip("'").replace("''", "'")
                    known[whole_name(schema, name)] = text.encode("latin-1").decode("utf-8", "replace")
    return known


def _finish(x: Extraction) -> None:
    """Records what statements name, and the names with their schemas that definitions have."""
    numbers = {d.start_byte: number for number, d in enumerate(x.definitions)}
    defined: dict[int, Defined] = x.memo["defined"]
    schema = ""
    for statement in x.memo["statements"]:
        schema = _default_schema(statement) or schema
        number = numbers.get(statement.start, FILE_SCOPE)
        held = defined.get(statement.start)
        if held is not None and number >= 0:
            x.complexity[number] = held.complexity
            around = held.schema or schema
            if around and statement.kind != "TRIGGER":
                alias: Expr = (NAME, f"{around}.{held.name}")
                value: Expr = (TYPED, UNKNOWN, (DEFINED, number))
                line = x.definitions[number].start_line
                x.assignments.append(Assignment(FILE_SCOPE, line, statement.start, -1, alias, value, None, "declare"))
        _record_uses(x, statement, number, held)


def _default_schema(statement: Statement) -> str:
    """`SET search_path = shop`, `CREATE SCHEMA shop`, `USE shop`."""
    tokens = statement.tokens
    words = [token.text for token in tokens[:4]]
    if words[:2] in (["SET", "SEARCH_PATH"], ["CREATE", "SCHEMA"]):
        at = 3 if words[0] == "SET" else 2
        while at < len(tokens) and tokens[at].text in ("IF", "NOT", "EXISTS"):
            at += 1
        return name_at(tokens, at)[1]
    return ""


def _record_uses(x: Extraction, statement: Statement, number: int, held: Defined | None) -> None:
    lines: list[int] = x.memo["lines"]
    if statement.tokens[0].kind == "line":
        words = statement.tokens[0].raw.split()
        if words[0] in ("\\i", "\\ir", "\\include", "\\include_relative") and len(words) > 1:
            at = statement.start
            x.imports.append(Import(FILE_SCOPE, bisect(lines, at), at, words[1].strip("'"), 0, "", "", "include"))
        return
    if held is not None and not _is_read(statement):
        return
    skip = 0
    if held is not None:
        skip = name_at(statement.tokens, statement.head)[2]
    for use in uses(statement, skip):
        line = bisect(lines, use.at)
        expr: Expr = (NAME, use.name)
        if use.arguments < 0:
            x.references.append(Reference(number, line, expr, "value"))
        else:
            given: tuple[Any, ...] = (UNKNOWN,) * use.arguments if not use.how else (("*", UNKNOWN),)
            x.calls.append(Call(number, line, use.at, -1, expr, given))


def _is_read(statement: Statement) -> bool:
    """Whether the body of a routine is SQL: not C, Python or another language between dollars."""
    tokens = statement.tokens
    for place in range(len(tokens) - 1):
        if tokens[place].text == "LANGUAGE" and tokens[place].kind == "word":
            named = tokens[place + 1]
            return named.raw.strip("'\"").upper() in _READ_IN_BODIES
    return True


SPECS = {
    "sql": LanguageSpec(
        name="sql",
        grammar="sql",
        queries=("sql/query.scm",),
        expressions={},
        comments=frozenset({"comment", "marginalia"}),
        header=_header,
        parameters=_parameters,
        docstring=_docstring,
        parse=_parse,
        finish=_finish,
    )
}
