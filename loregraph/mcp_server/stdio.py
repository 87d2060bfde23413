"""The protocol over standard input and output, with limits on lines and on unanswered requests.

Replaces the SDK's transport, which buffers lines of any length, ignores unreadable ones silently, and accepts requests
from a client that never reads an answer until memory is full.
"""

from __future__ import annotations

import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any, Final

import anyio
import anyio.to_thread
import mcp_types as types
from mcp.shared.message import ServerMessageMetadata, SessionMessage

from loregraph.mcp_server import wire

MOST_OPEN: Final = 100
"""Maximum unanswered requests; no more is read until the client has read an answer."""
PIECE: Final = 1 << 16
_REFUSAL: Final = ServerMessageMetadata()
"""Marks the error for an invalid message, so that it is not counted as a request's answer."""


# Implements REQ-SEC-011.
@asynccontextmanager
async def standard_streams() -> AsyncIterator[tuple[Any, Any]]:
    """The streams for the SDK's server. Until the end no other code can use them: descriptor 0 is empty, and printed
    text goes to standard error."""
    given, taken = os.dup(0), os.dup(1)
    with Path(os.devnull).open("rb") as nothing:
        os.dup2(nothing.fileno(), 0)
    os.dup2(2, 1)
    if sys.platform == "win32":
        import msvcrt

        msvcrt.setmode(given, os.O_BINARY)
        msvcrt.setmode(taken, os.O_BINARY)
    try:
        async with streams(given, taken) as both:
            yield both
    finally:
        # `given` stays open: a thread may block on it, and another file must not get its number.
        os.dup2(given, 0)
        os.dup2(taken, 1)


@asynccontextmanager
async def streams(given: int, taken: int, most_open: int = MOST_OPEN) -> AsyncIterator[tuple[Any, Any]]:
    """As `standard_streams`, for two descriptors."""
    to_server, from_client = anyio.create_memory_object_stream[SessionMessage | Exception](0)
    to_client, from_server = anyio.create_memory_object_stream[SessionMessage](0)
    connection = _Connection(given, taken, most_open)
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(connection.read, to_server, to_client.clone())
        tasks.start_soon(connection.write, from_server)
        yield from_client, to_client


class _Connection:
    """Both directions of one client, and the number of its unanswered requests."""

    def __init__(self, given: int, taken: int, most_open: int) -> None:
        self._given = given
        self._taken = taken
        self._open = anyio.Semaphore(most_open)
        self._reading = anyio.CapacityLimiter(1)
        self._writing = anyio.CapacityLimiter(1)

    async def read(self, to_server: Any, to_client: Any) -> None:
        lines = Lines()
        async with to_server, to_client:
            try:
                while piece := await self._in_thread(self._reading, partial(os.read, self._given, PIECE)):
                    for line in lines.take(piece):
                        await self._forward(line, to_server, to_client)
                if last := lines.rest():
                    await self._forward(last, to_server, to_client)
            except (anyio.ClosedResourceError, anyio.BrokenResourceError, OSError):
                return  # the server ends

    async def _forward(self, line: bytes | wire.WireError, to_server: Any, to_client: Any) -> None:
        try:
            if isinstance(line, wire.WireError):
                raise line
            message = wire.read(line)
        except wire.WireError as error:
            await to_client.send(SessionMessage(error.answer(), _REFUSAL))
            return
        if not isinstance(message, types.JSONRPCRequest):
            await to_server.send(SessionMessage(message))
            return
        await self._open.acquire()

        async def unanswered() -> None:
            self._open.release()

        await to_server.send(SessionMessage(message, ServerMessageMetadata(on_request_unanswered=unanswered)))

    async def write(self, from_server: Any) -> None:
        async with from_server:
            async for item in from_server:
                content = wire.encoded(item.message) + b"\n"
                try:
                    await self._in_thread(self._writing, partial(_write, self._taken, content))
                except OSError:
                    return  # the reader has ended
                answer = isinstance(item.message, types.JSONRPCResponse | types.JSONRPCError)
                if answer and item.metadata is not _REFUSAL:
                    self._open.release()

    async def _in_thread(self, limiter: anyio.CapacityLimiter, work: Any) -> Any:
        return await anyio.to_thread.run_sync(work, abandon_on_cancel=True, limiter=limiter)


def _write(descriptor: int, content: bytes) -> None:
    left = memoryview(content)
    while left:
        left = left[os.write(descriptor, left) :]


class Lines:
    """Splits chunks into lines. Of a line that is too long only the start and the end are kept."""

    def __init__(self, most: int = wire.MOST_BYTES) -> None:
        self._most = most
        self._held = bytearray()
        self._start: bytes | None = None

    def take(self, piece: bytes) -> list[bytes | wire.WireError]:
        """The lines completed by `piece`, without empty ones; for a line that is too long, its error."""
        found: list[bytes | wire.WireError] = []
        *complete, rest = piece.split(b"\n")
        for end in complete:
            self._hold(end)
            if line := self.rest():
                found.append(line)
        self._hold(rest)
        return found

    def rest(self) -> bytes | wire.WireError | None:
        """The buffered rest, as a line."""
        held, start = self._held, self._start
        self._held, self._start = bytearray(), None
        if start is not None:
            return wire.too_long(start, bytes(held[-wire.ENDS :]))
        return bytes(held) if held.strip() else None

    def _hold(self, piece: bytes) -> None:
        self._held += piece
        if len(self._held) > self._most and self._start is None:
            self._start = bytes(self._held[: wire.ENDS])
        if self._start is not None:
            del self._held[: -wire.ENDS]
