"""Questions in Cypher: the statement in a form and in the address, the answer as a table, a picture or a file."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

import msgspec

from loregraph.errors import LoregraphError, QueryRefusedError, UsageError
from loregraph.graph.cypher import check_read_only, parameters
from loregraph.pages.page import File, Page
from loregraph.pages.query_words import query_words
from loregraph.pages.result_graph import picture_of
from loregraph.pages.result_table import csv_of, table_of
from loregraph.pages.saved_queries import SAVED_QUERIES
from loregraph.viewer.asked import Asked

if TYPE_CHECKING:
    from loregraph.reader import Rows

LONGEST_STATEMENT: Final = 8_000
"""Characters of a statement, which stands in the address."""
LONGEST_VALUE: Final = 2_000
"""Characters of a parameter's value."""
ROWS: Final = 200
"""Rows on the page where no number is asked for."""
MOST_ROWS: Final = 1_000
MOST_SAVED: Final = 20_000
"""Rows of a downloaded file."""
PARAMETER: Final = "p_"
"""Begins the names of the form's fields for parameters."""


# Implements REQ-WEB-009.
def ask_page(asked: Asked) -> Page:
    """The form, and the answer where a statement is given that has all its values."""
    statement = asked.value("query")
    limit = asked.number("limit", min(ROWS, asked.project.settings.query.limit), MOST_ROWS) or ROWS
    view = "graph" if asked.value("view") == "graph" else "table"
    names = parameter_names(statement)
    given = {name: asked.value(PARAMETER + name) for name in names}
    values: dict[str, Any] = {
        "statement": statement,
        "parameters": given,
        "missing": [name for name, text in given.items() if not text],
        "limit": limit,
        "most_rows": MOST_ROWS,
        "most_saved": MOST_SAVED,
        "longest": LONGEST_STATEMENT,
        "view": view,
        "saved": SAVED_QUERIES,
        "words": query_words(),
        "error": None,
        "rows": None,
        "table": None,
        "picture": None,
        "address": lambda **changes: asked.links.ask(
            **{"query": statement, **_fields(given), "limit": limit, "view": view, **changes}
        ),
        "download": lambda form: asked.links.data("ask", query=statement, **_fields(given), form=form),
    }
    if statement and not values["missing"]:
        try:
            rows = _answer(asked, statement, given, limit)
        except LoregraphError as error:
            # Shown beside the statement, where it can be corrected.
            return Page("Ask", "ask.html", {**values, "error": error}, "ask", status=200)
        columns = asked.project.reader().columns
        values["rows"] = rows
        if view == "graph":
            values["picture"] = picture_of(statement, rows, columns, asked.links)
        else:
            values["table"] = table_of(rows.columns, rows, columns, asked.links)
    return Page("Ask", "ask.html", values, "ask")


def ask_data(asked: Asked) -> File:
    """The answer as a file, "csv" or "json": `{"columns", "rows", "truncated"}` with rows as objects."""
    statement = asked.value("query")
    given = {name: asked.value(PARAMETER + name) for name in parameter_names(statement)}
    rows = _answer(asked, statement, given, MOST_SAVED)
    form = asked.value("form", "json")
    if form == "csv":
        return File("answer.csv", "text/csv; charset=utf-8", csv_of(rows.columns, rows).encode())
    if form != "json":
        raise UsageError(f"form: {form[:40]!r} is neither csv nor json", "use the links of the page")
    value = {"columns": rows.columns, "rows": list(rows), "truncated": rows.truncated}
    return File("answer.json", "application/json", msgspec.json.format(msgspec.json.encode(value), indent=2))


# Implements REQ-QRY-001.
def _answer(asked: Asked, statement: str, given: Mapping[str, str], limit: int) -> Rows:
    if len(statement) > LONGEST_STATEMENT:
        raise QueryRefusedError(
            f"the query has {len(statement):,} characters; an address has room for {LONGEST_STATEMENT:,}",
            "ask longer ones with `loregraph query`",
        )
    for name, text in given.items():
        if len(text) > LONGEST_VALUE:
            raise QueryRefusedError(f"${name} has more than {LONGEST_VALUE:,} characters", "use `loregraph query`")
    return asked.project.query(statement, {name: value_of(text) for name, text in given.items()}, limit=limit)


def _fields(given: Mapping[str, str]) -> dict[str, str]:
    return {PARAMETER + name: text for name, text in given.items()}


def parameter_names(statement: str) -> list[str]:
    """The names of a statement's parameters in order of the alphabet; none where it cannot be read."""
    if not statement or len(statement) > LONGEST_STATEMENT:
        return []
    try:
        return sorted(parameters(check_read_only(statement)))
    except QueryRefusedError:
        return []


def value_of(text: str) -> Any:
    """A parameter as it was typed: a number, true, false, null, a list or a quoted text as JSON, else the text."""
    if text[:1] in '-0123456789["tfn':
        try:
            return json.loads(text)
        except (ValueError, RecursionError):
            return text
    return text
