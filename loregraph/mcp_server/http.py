"""The protocol over HTTP, with limits on bodies and sessions; those on connections are of `http_connections`."""

from __future__ import annotations

import hmac
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import anyio

from loregraph import http_connections
from loregraph.http_connections import refuse, whole
from loregraph.mcp_server import wire
from loregraph.mcp_server.address import LOOPBACK

if TYPE_CHECKING:
    from mcp.server.transport_security import TransportSecurityMiddleware
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

    from loregraph.mcp_server.server import Service

PATH: Final = "/mcp"


@dataclass(frozen=True)
class Bounds(http_connections.Bounds):
    """The limits of one server of the protocol. Times are in seconds."""

    body_bytes: int = wire.MOST_BYTES
    sessions: int = 64
    session_seconds: float = 30 * 60.0
    """How long a session may be idle."""


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
