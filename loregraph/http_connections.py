"""uvicorn for a server on a machine where anyone may connect: limits on connections, their times and their bodies.

uvicorn itself waits without limit for the rest of a request, and for a client to read an answer.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from uvicorn.protocols.http.h11_impl import H11Protocol

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Send

HEAD_BYTES: Final = 32 << 10
"""Maximum bytes of a request's line and headers."""


@dataclass(frozen=True)
class Bounds:
    """The limits of one server. Times are in seconds."""

    body_bytes: int
    connections: int = 128
    head_seconds: float = 10.0
    """From the connection, or the previous answer, to the end of a request's headers."""
    body_seconds: float = 20.0
    send_seconds: float = 30.0
    """How long a client may stop reading an answer."""


# Implements REQ-SEC-012.
def configuration(app: ASGIApp, host: str, port: int, bounds: Bounds) -> Any:
    """uvicorn's configuration for `app`."""
    import uvicorn

    class Protocol(TimedProtocol):
        limits = bounds

    return uvicorn.Config(
        app,
        host=host,
        port=port,
        http=Protocol,
        ws="none",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,
        timeout_keep_alive=max(1, int(bounds.head_seconds)),
        h11_max_incomplete_event_size=HEAD_BYTES,
        timeout_graceful_shutdown=5,
    )


class TimedProtocol(H11Protocol):
    """A connection that is closed when a request's head takes too long or an answer is not read, and at once when there
    are too many. It is aborted: `close` would wait until the client has read the rest."""

    limits: Bounds

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        self._head: asyncio.TimerHandle | None = None
        self._taking: asyncio.TimerHandle | None = None
        super().connection_made(transport)
        if len(self.connections) > self.limits.connections:
            transport.abort()
            return
        self._head = self.loop.call_later(self.limits.head_seconds, transport.abort)

    def handle_events(self) -> None:
        before = self.cycle
        super().handle_events()
        if self.cycle is not before:
            stop(self._head)
            if self.cycle.response_complete:
                self._wait_for_head()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        # A next request may arrive byte by byte, and uvicorn's own timer ends with its first byte.
        self._wait_for_head()

    def pause_writing(self) -> None:
        super().pause_writing()
        self._taking = self.loop.call_later(self.limits.send_seconds, self.transport.abort)

    def resume_writing(self) -> None:
        stop(self._taking)
        super().resume_writing()

    def connection_lost(self, exc: Exception | None) -> None:
        stop(self._head)
        stop(self._taking)
        super().connection_lost(exc)

    def _wait_for_head(self) -> None:
        stop(self._head)
        self._head = self.loop.call_later(self.limits.head_seconds, self.transport.abort)


def stop(timer: asyncio.TimerHandle | None) -> None:
    if timer is not None:
        timer.cancel()


async def whole(receive: Receive, most: int) -> bytes | None:
    """The body, None where the client disconnects before its end. Raises ValueError where it is larger than `most`."""
    body = bytearray()
    while True:
        message = await receive()
        if message["type"] != "http.request":
            return None
        body += message.get("body", b"")
        if len(body) > most:
            raise ValueError("too large")
        if not message.get("more_body", False):
            return bytes(body)


async def refuse(send: Send, status: int, body: bytes, extra: list[tuple[bytes, bytes]] | None = None) -> None:
    """Answers and closes, without waiting for the rest of the request."""
    length = str(len(body)).encode()
    headers = [(b"content-type", b"application/json"), (b"content-length", length), (b"connection", b"close")]
    headers += extra or []
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
