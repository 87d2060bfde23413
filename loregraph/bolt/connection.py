"""A connection to a server as this process sees it: requests to the process that holds it (`driver`)."""

from __future__ import annotations

import importlib.util
from collections.abc import Sequence
from types import TracebackType
from typing import Any, Final

import msgspec

from loregraph.bolt.address import Server
from loregraph.bolt.messages import Answer, Opening, Question, Request, Result, Statement
from loregraph.errors import (
    LoregraphError,
    MissingDriverError,
    QueryFailedError,
    QueryLimitError,
    ServerAccessError,
    ServerFailedError,
    ServerUnreachableError,
    UsageError,
)
from loregraph.worker_process import WorkerProcess, answer_within

WRITE_SECONDS: Final = 120.0
"""Maximum seconds of one transaction of a push."""
CONNECT_SECONDS: Final = 15.0
MOST_TRIES: Final = 20
"""How often a transaction is tried that the server asks to repeat: another push wrote the same page or node."""
_GRACE: Final = 1.0
"""Seconds after its time is up that a server has to stop by itself before the connection is dropped."""
_ERRORS: Final[dict[str, type[LoregraphError]]] = {
    kind.__name__: kind
    for kind in (
        QueryFailedError,
        QueryLimitError,
        ServerAccessError,
        ServerFailedError,
        ServerUnreachableError,
        UsageError,
    )
}


class UnexpectedRowsError(Exception):
    """The statement with this index gave another count than it was to give; the transaction was rolled back."""

    def __init__(self, index: int) -> None:
        super().__init__(f"statement {index} gave another count")
        self.index = index


# Implements REQ-SRV-009.
class Connection:
    """A connection to `server`, made by the first request and made again after one that had to be stopped.

    One thread at a time may use it. It ends by `close`, with the last reference to it, and with this process.
    """

    def __init__(self, server: Server) -> None:
        if importlib.util.find_spec("neo4j") is None:
            raise MissingDriverError(
                "the driver of Bolt servers is not installed", "run `pip install 'loregraph[server]'`"
            )
        self.server = server
        self._process: WorkerProcess | None = None
        self._agent = ""

    def agent(self) -> str:
        """What the server calls itself; connects to it."""
        self._started()
        return self._agent

    def write(self, statements: Sequence[Statement]) -> list[Result]:
        """Runs `statements` as one transaction, repeated where the server asks for it.

        Raises UnexpectedRowsError where a statement gives another count than it has to; then nothing is written.
        """
        request = Request(list(statements), WRITE_SECONDS, writes=True)
        for _ in range(MOST_TRIES - 1):
            answer = self._ask(request, request.seconds)
            if not answer.again:
                break
        else:
            answer = self._ask(request, request.seconds)
        return _results(answer)

    def read(self, statement: Statement, seconds: float = WRITE_SECONDS) -> Result:
        """The answer to one statement of our own."""
        return _results(self._ask(Request([statement], seconds), seconds))[0]

    def change_schema(self, cypher: str) -> None:
        """Runs a statement of schema, outside of any transaction. Raises QueryFailedError where it is not known."""
        request = Request([Statement(cypher)], WRITE_SECONDS, alone=True)
        _results(self._ask(request, request.seconds))

    def ask(self, question: Question) -> tuple[Result, Result, Result]:
        """The generations before the statement, its answer, and the generations after it."""
        before, result, after = _results(self._ask(question, question.seconds))
        return before, result, after

    def close(self) -> None:
        """Ends the connection. The next request makes another."""
        process, self._process = self._process, None
        if process is not None:
            process.end()

    def __enter__(self) -> Connection:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _ask(self, request: Request | Question, seconds: float) -> Answer:
        try:
            message = msgspec.msgpack.encode(request)
        except (TypeError, ValueError, OverflowError) as error:
            raise QueryFailedError(f"a parameter cannot be passed on: {error}", "parameters are JSON values") from None
        return self._answer(self._started(), message, seconds + _GRACE)

    def _started(self) -> WorkerProcess:
        """The process, connected."""
        if self._process is not None and self._process.running:
            return self._process
        self.close()
        process = self._process = WorkerProcess("loregraph.bolt.driver")
        opening = msgspec.msgpack.encode(Opening(self.server.url, self.server.database, CONNECT_SECONDS))
        try:
            # The process imports the driver, tries to connect and asks for a first answer.
            self._agent = str(_results(self._answer(process, opening, 4 * CONNECT_SECONDS))[0].rows[0][0])
        except LoregraphError:
            self.close()
            raise
        return process

    def _answer(self, process: WorkerProcess, message: bytes, seconds: float) -> Answer:
        server = self.server.shown
        late = f"{server} did not answer within {seconds - _GRACE:g} s"
        gone = f"the answer of {server} needs more memory than it may have"
        return msgspec.msgpack.decode(answer_within(process, message, seconds, late=late, gone=gone), type=Answer)


def _results(answer: Answer) -> list[Result]:
    if answer.error:
        raise _ERRORS.get(answer.error, ServerFailedError)(answer.message, answer.suggestion)
    if answer.unexpected >= 0:
        raise UnexpectedRowsError(answer.unexpected)
    return answer.results


def count_of(result: Result) -> Any:
    """The first value of the first row; None where there is none."""
    return result.rows[0][0] if result.rows and result.rows[0] else None
