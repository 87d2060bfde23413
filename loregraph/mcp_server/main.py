"""Serving: over standard input and output, or over HTTP."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from loregraph.errors import UsageError

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope, Send

    from loregraph.mcp_server.server import Service

LOOPBACK: Final = ("127.0.0.1", "::1", "localhost")
PATH: Final = "/mcp"
TOKEN: Final = "LOREGRAPH_TOKEN"
SHORTEST_TOKEN: Final = 16
M_ARENA_MAX: Final = -8


# Implements REQ-MCP-010.
def serve(
    root: Path,
    *,
    store: Path | None,
    profile: str,
    project_id: str | None,
    transport: str,
    host: str,
    port: int,
) -> None:
    """Serves the project at `root` until the client goes (stdio) or a signal comes (http).

    Raises UsageError for what cannot be served, before anything is.
    """
    # Before numpy loads: see cli.main.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    few_arenas()
    token = os.environ.get(TOKEN, "")
    if transport == "http":
        check_address(host, token)

    from loregraph.mcp_server import log
    from loregraph.mcp_server.server import Service
    from loregraph.mcp_server.workspace import Workspace

    options: dict[str, Any] = {} if project_id is None else {"project_id": project_id}
    service = Service(Workspace(root, store=store, **options), profile, warm=True)
    log.take_over()
    try:
        if transport == "http":
            over_http(service, host, port, token)
        else:
            over_stdio(service)
    except KeyboardInterrupt:
        return
    finally:
        service.close()


# Implements REQ-SEC-013.
def few_arenas() -> None:
    """Has glibc share two arenas among all threads: else each thread that ever answered keeps what it once needed."""
    import ctypes
    import sys

    if sys.platform != "linux":
        return
    try:
        ctypes.CDLL(None).mallopt(M_ARENA_MAX, 2)
    except (OSError, AttributeError):  # another C library, which has no arenas
        return


# Implements REQ-MCP-011.
def check_address(host: str, token: str) -> None:
    """Raises UsageError for an address that others reach without a token, and for a token that can be guessed."""
    if host not in LOOPBACK and not token:
        raise UsageError(
            f"--host {host} would let anyone who reaches it read and change this project",
            f"set {TOKEN} to a long random text that clients send as `Authorization: Bearer ...`, or use 127.0.0.1",
        )
    if token and len(token) < SHORTEST_TOKEN:
        raise UsageError(f"{TOKEN} is shorter than {SHORTEST_TOKEN} characters", "use a long random text")


def over_stdio(service: Service) -> None:
    import anyio

    from loregraph.mcp_server.stdio import standard_streams

    async def run() -> None:
        async with standard_streams() as (read, write):
            await service.server.run(read, write, service.server.create_initialization_options())

    anyio.run(run)


def over_http(service: Service, host: str, port: int, token: str) -> None:
    import uvicorn

    from loregraph.mcp_server import log

    log.write("INFO", "serving", url=f"http://{f'[{host}]' if ':' in host else host}:{port}{PATH}", token=bool(token))
    uvicorn.run(http_app(service, host, token), host=host, port=port, log_config=None, access_log=False)


def http_app(service: Service, host: str, token: str) -> ASGIApp:
    """The ASGI application: streamable HTTP at `/mcp`, for those who have the token if there is one."""
    app: Any = service.server.streamable_http_app(host=host, streamable_http_path=PATH)
    return Guarded(app, token) if token else app


class Guarded:
    """Lets requests through to `app` that carry the token."""

    def __init__(self, app: ASGIApp, token: str) -> None:
        self._app = app
        self._expected = f"Bearer {token}".encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        import hmac

        if scope["type"] != "http":  # lifespan
            await self._app(scope, receive, send)
            return
        given = next((value for name, value in scope["headers"] if name == b"authorization"), b"")
        if hmac.compare_digest(given, self._expected):
            await self._app(scope, receive, send)
            return
        headers = [(b"content-type", b"application/json"), (b"www-authenticate", b"Bearer")]
        await send({"type": "http.response.start", "status": 401, "headers": headers})
        await send({"type": "http.response.body", "body": b'{"error": "a bearer token is required"}'})
