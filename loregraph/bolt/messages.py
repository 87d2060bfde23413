"""What the process that holds the connection is asked, and what it answers."""

from __future__ import annotations

from typing import Any

import msgspec


class Statement(msgspec.Struct, frozen=True):
    """A statement of Cypher. At most `limit` rows are fetched; where `rows` is not negative and the first value of the
    first row (0 where there is none) is another number, the transaction is rolled back."""

    cypher: str
    params: dict[str, Any] = {}
    limit: int = 10_000
    rows: int = -1


class Request(msgspec.Struct, frozen=True, tag=True):
    """One transaction of `statements`, in this order, for at most `seconds`.

    With `writes` it is committed, else rolled back. `alone`: a statement of schema, which is no part of a transaction.
    """

    statements: list[Statement]
    seconds: float
    writes: bool = False
    alone: bool = False


class Question(msgspec.Struct, frozen=True, tag=True):
    """A user's statement, and one that lists the generations to be seen: its first column is the statement's parameter
    `generations`. Both are asked in one transaction, which is rolled back."""

    statement: Statement
    listing: Statement
    parameter: str
    seconds: float


class Result(msgspec.Struct, frozen=True):
    """The rows of a statement as plain JSON values. `truncated`: there were more."""

    columns: list[str] = []
    rows: list[list[Any]] = []
    truncated: bool = False


class Answer(msgspec.Struct, frozen=True):
    """`results` by statement, or the name of an error class of `loregraph.errors` with its message and suggestion.

    `again`: the transaction had no effect and may succeed when it is repeated. `unexpected` is the index of the
    statement with another count than it was to have, -1 where there is none.
    """

    results: list[Result] = []
    error: str = ""
    message: str = ""
    suggestion: str = ""
    again: bool = False
    unexpected: int = -1


class Opening(msgspec.Struct, frozen=True):
    """The first message: which server, and for how many seconds a connection is tried."""

    url: str
    database: str
    seconds: float
