"""Questions to a server: a user's Cypher, answered from one generation of each repository."""

from __future__ import annotations

import time
from collections.abc import Collection, Mapping
from typing import Any, Final

from loregraph.bolt.connection import Connection
from loregraph.bolt.layout import REPOSITORY, check_name
from loregraph.bolt.messages import Question, Result, Statement
from loregraph.bolt.scope import Scoped, scoped
from loregraph.errors import NotIndexedError, ServerFailedError, UsageError
from loregraph.graph.cypher import check_parameters
from loregraph.graph.cypher_worker import QueryResult

MOST_ASKED: Final = 5
"""How often a question is asked again because a repository was replaced under it."""
MOST_REPOSITORIES: Final = 10_000

_LISTING: Final = f"""
MATCH (r:{REPOSITORY})
WHERE r.shown IS NOT NULL AND (size($names) = 0 OR r.name IN $names)
RETURN r.shown AS generation, r.name AS name ORDER BY name
"""


# Implements REQ-SRV-003, REQ-SRV-004, REQ-SRV-006.
def ask(
    connection: Connection,
    cypher: str,
    params: Mapping[str, Any],
    *,
    limit: int,
    timeout: float,
    repositories: Collection[str] = (),
) -> QueryResult:
    """At most `limit` rows of the answer, in at most `timeout` seconds each time it is asked, from all repositories of
    the server or from those named.

    The statement and the two lists of generations before and after it are one transaction: where they are the same, no
    generation was replaced meanwhile, so none was being removed; else the question is asked again.

    Raises QueryRefusedError for anything but a read, NotIndexedError where nothing was pushed, and the errors of
    `Connection`.
    """
    if limit < 1 or timeout <= 0:
        raise UsageError("limit and timeout must be positive")
    statement = scoped(cypher)
    check_parameters(cypher, params)
    question = Question(
        Statement(statement.cypher, dict(params), limit),
        Statement(_LISTING, {"names": [check_name(name) for name in repositories]}, MOST_REPOSITORIES),
        statement.parameter,
        timeout,
    )
    started = time.perf_counter()
    for _ in range(MOST_ASKED):
        before, result, after = connection.ask(question)
        if before == after:
            _check_found(connection, before, repositories)
            return _shown(statement, result, time.perf_counter() - started)
    raise ServerFailedError(f"{connection.server.shown} replaces its graphs faster than it answers", "try again")


def _check_found(connection: Connection, listing: Result, repositories: Collection[str]) -> None:
    """Raises NotIndexedError where a repository is not there: an empty answer would look like one."""
    there = {row[1] for row in listing.rows if len(row) == 2}
    missing = sorted(set(repositories) - there)
    if missing or not there:
        what = f"no repository {missing[0]!r}" if missing else "no graph"
        raise NotIndexedError(f"{connection.server.shown} has {what}", "load one with `loregraph push`")


def _shown(statement: Scoped, result: Result, seconds: float) -> QueryResult:
    """The answer without the nodes that only the scope has names for (`RETURN *`)."""
    kept = [i for i, column in enumerate(result.columns) if not column.startswith(statement.invented)]
    columns = tuple(result.columns[i] for i in kept)
    rows = [[row[i] for i in kept] for row in result.rows]
    return QueryResult(columns, rows, result.truncated, seconds)
