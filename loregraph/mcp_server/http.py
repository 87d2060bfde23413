"""The protocol over HTTP, with limits on connections and their times, bodies, and sessions.

uvicorn itself waits without limit for the rest of a request, and for a client to read an answer.
"""

from __future__ import annotations

import asyncio
import hmac
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import anyio
from uvicorn.protocols.http.h11_impl import H11Protocol

from loregraph.mcp_server import wire
from loregraph.mcp_server.address import LOOPBACK

if TYPE_CHECKING:
    from mcp.server.transport_security import TransportSecurityMiddleware
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

    from loregraph.mcp_server.server import Service

PATH: Final = "/mcp"
HEAD_BYTES: Final = 32 << 10
"""Maximum bytes of a request's line and headers."""


@dataclass(frozen=True)
class Bounds:
    """The limits of one server. Times are in seconds."""

    connections: int = 128
    head_seconds: float = 10.0
    """From the connection, or the previous answer, to the end of a request's headers."""
    body_seconds: float = 20.0
    send_seconds: float = 30.0
    """How long a client may stop reading an answer."""
    body_bytes: int = wire.MOST_BYTES
    sessions: int = 64
    session_seconds: float = 30 * 60.0
    """How long a session may be idle."""


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


def application(service: Service, host: str, token: str, bounds: Bounds) -> ASGIApp:
    """The ASGI application: streamable HTTP at `/mcp`, for holders of the token if there is one."""
    from mcp.server.transport_security import TransportSecurityMiddleware, TransportSecuritySettings

    names = [name if ":" not in name else f"[{name}]" for name in LOOPBACK] if host in LOOPBACK else []
    security = TransportSecuritySettings(
        enable_dns_rebinding_protection=bool(names),
        allowed_hosts=[f"{name}:*" for name in names],
        allowed_origins=[f"http://{name}:*" for name in names],
    )
    app: Any = service.server.streamable_http_app(
        host=host,
        transport_security=security,
        streamable_http_path=PATH,
        max_request_body_size=bounds.body_bytes,
        max_sessions=bounds.sessions,
        session_idle_timeout=bounds.session_seconds,
    )
    app = Bounded(app, bounds, TransportSecurityMiddleware(security))
    return Guarded(app, token) if token else app


class Guarded:
    """Passes only requests with the token to `app`; of others nothing but the headers is read."""

    def __init__(self, app: ASGIApp, token: str) -> None:
        self._app = app
        self._expected = f"Bearer {token}".encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":  # lifespan
            await self._app(scope, receive, send)
            return
        given = next((value for name, value in scope["headers"] if name == b"authorization"), b"")
        if hmac.compare_digest(given, self._expected):
            await self._app(scope, receive, send)
            return
        extra = [(b"www-authenticate", b"Bearer")]
        await refuse(send, 401, b'{"error": "a bearer token is required"}', extra)


class Bounded:
    """Reads a request's whole body, within limits, and passes it to `app` if it is a message.

    Before that `security` checks Host and Origin: a page in a browser may resolve its own name to this machine.
    """

    def __init__(self, app: ASGIApp, bounds: Bounds, security: TransportSecurityMiddleware) -> None:
        self._app = app
        self._bounds = bounds
        self._security = security

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":  # lifespan
            await self._app(scope, receive, send)
            return
        from starlette.requests import Request

        refusal = await self._security.validate_request(Request(scope), is_post=scope["method"] == "POST")
        if refusal is not None:
            refusal.headers["connection"] = "close"
            await refusal(scope, receive, send)
            return
        if scope["method"] != "POST":
            await self._app(scope, receive, send)
            return
        try:
            with anyio.fail_after(self._bounds.body_seconds):
                body = await whole(receive, self._bounds.body_bytes)
        except TimeoutError:
            await refuse(send, 408, b'{"error": "the body took too long"}')
            return
        except ValueError:
            await refuse(send, 413, b'{"error": "the body is too large"}')
            return
        if body is None:
            return  # the client has gone
        try:
            wire.read(body)
        except wire.WireError as error:
            await refuse(send, 400, wire.encoded(error.answer()))
            return
        pending: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

        async def again() -> Message:
            return pending.pop() if pending else await receive()

        await self._app(scope, again, send)


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
