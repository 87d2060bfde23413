"""The process that holds the connection to a server. The only module that imports the driver.

The driver reads what a server sends without bounds of its own, so it runs in a process with a limit of memory that can
be killed when its time is up (see `worker_process`). User and password are read from the environment here, reach no
argument of a process, and are cut out of every message.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, Final

import msgspec

from loregraph import orphans
from loregraph.bolt.address import PASSWORD_VARIABLE, USER_VARIABLE, credentials
from loregraph.bolt.messages import Answer, Opening, Question, Request, Result, Statement
from loregraph.bolt.values import plain
from loregraph.errors import (
    QueryFailedError,
    QueryLimitError,
    ServerAccessError,
    ServerFailedError,
    ServerUnreachableError,
)
from loregraph.worker_process import NARROWER, limit_memory, receive, send, take_output

if TYPE_CHECKING:
    import neo4j

MEMORY: Final = 2 << 30
"""Bytes of address space of this process."""
MOST_BYTES: Final = 64 << 20
"""Bytes of an answer."""
MOST_MESSAGE: Final = 500
"""Characters of a server's message that are passed on."""
_FETCHED: Final = 1_000
"""Rows that a server may send at once."""


def main() -> None:
    """Answer requests until the input ends."""
    orphans.end_with_parent()
    output = take_output()
    limit_memory(MEMORY)
    opening = receive(sys.stdin.buffer)
    if opening is None:
        return
    held = _Held(msgspec.msgpack.decode(opening, type=Opening))
    send(output, _encoded(held.opened()))
    while (message := receive(sys.stdin.buffer)) is not None:
        send(output, _encoded(held.answer(msgspec.msgpack.decode(message, type=Request | Question))))
    held.close()


def _encoded(answer: Answer) -> bytes:
    try:
        message = msgspec.msgpack.encode(answer)
    except (TypeError, ValueError, OverflowError, RecursionError) as error:
        return msgspec.msgpack.encode(
            Answer(error=QueryFailedError.__name__, message=f"the answer cannot be written: {error}")
        )
    if len(message) > MOST_BYTES:
        text = f"the answer is larger than {MOST_BYTES >> 20} MiB"
        return msgspec.msgpack.encode(Answer(error=QueryLimitError.__name__, message=text, suggestion=NARROWER))
    return message


class _Unexpected(Exception):
    """The statement with this index had another count than it was to have."""

    def __init__(self, index: int) -> None:
        super().__init__()
        self.index = index


class _Held:
    """A connection to the server, made by the first request."""

    def __init__(self, opening: Opening) -> None:
        self._opening = opening
        self._driver: neo4j.Driver | None = None

    def opened(self) -> Answer:
        """What the server calls itself, if it can be reached and lets us in."""
        return self._explained(self._open)

    def answer(self, request: Request | Question) -> Answer:
        if isinstance(request, Question):
            return self._explained(lambda: self._asked(request))
        return self._explained(lambda: self._alone(request) if request.alone else self._transaction(request))

    def close(self) -> None:
        driver, self._driver = self._driver, None
        if driver is not None:
            driver.close()

    def _open(self) -> Answer:
        import neo4j

        self._driver = neo4j.GraphDatabase.driver(
            self._opening.url,
            auth=credentials(),
            connection_timeout=self._opening.seconds,
            connection_acquisition_timeout=self._opening.seconds,
            max_connection_pool_size=1,
            max_transaction_retry_time=0,
            telemetry_disabled=True,
            user_agent="loregraph",
        )
        agent = self._driver.get_server_info().agent
        return Answer([Result(["agent"], [[str(agent)[:MOST_MESSAGE]]])])

    def _session(self, *, writes: bool) -> neo4j.Session:
        assert self._driver is not None
        return self._driver.session(
            database=self._opening.database or None,
            default_access_mode="WRITE" if writes else "READ",
            fetch_size=_FETCHED,
        )

    def _alone(self, request: Request) -> Answer:
        with self._session(writes=True) as session:
            for statement in request.statements:
                session.run(_query(statement.cypher, request.seconds), statement.params).consume()
        return Answer()

    def _transaction(self, request: Request) -> Answer:
        results: list[Result] = []
        with (
            self._session(writes=request.writes) as session,
            session.begin_transaction(timeout=request.seconds) as transaction,
        ):
            for index, statement in enumerate(request.statements):
                result = _rows(transaction, statement)
                first = result.rows[0][0] if result.rows and result.rows[0] else 0
                if statement.rows >= 0 and first != statement.rows:
                    raise _Unexpected(index)
                results.append(result)
            if request.writes:
                transaction.commit()
            else:
                transaction.rollback()
        return Answer(results)

    def _asked(self, question: Question) -> Answer:
        with (
            self._session(writes=False) as session,
            session.begin_transaction(timeout=question.seconds) as transaction,
        ):
            before = _rows(transaction, question.listing)
            params = {**question.statement.params, question.parameter: [row[0] for row in before.rows]}
            result = _rows(transaction, msgspec.structs.replace(question.statement, params=params))
            after = _rows(transaction, question.listing)
            # Whatever a statement did that should not have been let through is undone.
            transaction.rollback()
        return Answer([before, result, after])

    def _explained(self, work: Any) -> Answer:
        """The answer of `work`; what it raises as an answer."""
        import neo4j.exceptions as known

        try:
            answer: Answer = work()
            return answer
        except _Unexpected as stopped:
            return Answer(unexpected=stopped.index)
        except known.AuthError as error:
            return self._failed(
                ServerAccessError,
                f"the server refuses the user: {_message(error)}",
                f"check {USER_VARIABLE} and {PASSWORD_VARIABLE}",
            )
        except known.Neo4jError as error:
            return self._refused(error)
        except (known.ServiceUnavailable, known.SessionExpired, OSError) as error:
            return self._failed(
                ServerUnreachableError,
                f"the server cannot be reached: {error}",
                "check address and port, that it runs, and TLS: bolt+s:// wants a certificate trusted here",
            )
        except known.DriverError as error:
            return self._failed(ServerFailedError, f"{error}", "is it a server that speaks Bolt 4.4 or newer?")
        except MemoryError:
            return self._failed(QueryLimitError, "the server's answer needs more memory than it may have", NARROWER)
        except (TypeError, ValueError, LookupError, AttributeError, RecursionError, AssertionError) as error:
            # What the driver raises where a server does not keep to the protocol.
            return self._failed(
                ServerFailedError,
                f"the server's answer cannot be read ({type(error).__name__})",
                "is it a Bolt server?",
            )

    def _refused(self, error: neo4j.exceptions.Neo4jError) -> Answer:
        """What the server said to a statement."""
        code = str(error.code or "")
        if "TimedOut" in code or "Timeout" in code:
            return self._failed(QueryLimitError, "the server stopped the query: it took too long", NARROWER)
        if "Forbidden" in code or ".Security." in code:
            return self._failed(
                ServerAccessError,
                f"the server does not allow it: {_message(error)}",
                "ask who runs it for the rights, or use another user",
            )
        if "Database.DatabaseNotFound" in code:
            return self._failed(ServerFailedError, _message(error), "name a database that it has with --database")
        kind = ServerFailedError if ".DatabaseError." in code else QueryFailedError
        answer = self._failed(kind, _message(error), "docs/server.md lists where the dialects differ")
        # Two transactions that make the same node at once, by MERGE, are told so by the constraint.
        return msgspec.structs.replace(answer, again=error.is_retryable() or "ConstraintValidationFailed" in code)

    def _failed(self, kind: type[Exception], message: str, suggestion: str) -> Answer:
        return Answer(error=kind.__name__, message=_without_secrets(message)[:MOST_MESSAGE], suggestion=suggestion)


def _rows(transaction: neo4j.Transaction, statement: Statement) -> Result:
    """The answer to a statement: at most its limit of rows, of `MOST_BYTES` in all."""
    answer = transaction.run(statement.cypher, statement.params)
    columns = list(map(str, answer.keys()))
    rows: list[list[Any]] = []
    taken = 0
    for record in answer:
        if len(rows) == statement.limit:
            return Result(columns, rows, True)
        row = [plain(value) for value in record.values()]
        if len(row) != len(columns):
            raise ValueError("a row of another length")
        taken += len(msgspec.msgpack.encode(row))
        if taken > MOST_BYTES:
            raise MemoryError
        rows.append(row)
    return Result(columns, rows)


def _query(cypher: str, seconds: float) -> neo4j.Query:
    import neo4j

    return neo4j.Query(cypher, timeout=seconds)


def _message(error: neo4j.exceptions.Neo4jError) -> str:
    return " ".join(str(error.message or error.code or "no message").split())


def _without_secrets(text: str) -> str:
    """`text` without the password, which a server could send back."""
    known = credentials()
    return text.replace(known[1], "***") if known is not None and known[1] else text
