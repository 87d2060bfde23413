"""Starts the server: over standard input and output, or over HTTP."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from loregraph.mcp_server.address import TOKEN, check_address

if TYPE_CHECKING:
    from loregraph.mcp_server.server import Service

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
    watch: bool = True,
    workspace: str = "",
) -> None:
    """Serves the project at `root` until the client disconnects (stdio) or a signal arrives (http). With `watch`,
    and unless the settings say otherwise, its graph is brought up to date after every change.

    `workspace` is the file of one, which is served instead: its repositories are not followed.

    Raises UsageError for invalid settings, before anything is served.
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
    from loregraph.workspaces.opening import WORKSPACE

    options: dict[str, Any] = {} if project_id is None else {"project_id": project_id}
    if workspace:
        options[WORKSPACE] = workspace
    served = Workspace(root, store=store, **options)
    follows = watch and not workspace and served.settings.serve.watch
    service = Service(served, profile, warm=True, watch=follows)
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
    """Limits glibc to two arenas for all threads: otherwise each thread that ever answered keeps its peak memory."""
    import ctypes
    import sys

    if sys.platform != "linux":
        return
    try:
        ctypes.CDLL(None).mallopt(M_ARENA_MAX, 2)
    except (OSError, AttributeError):  # another C library, without arenas
        return


def over_stdio(service: Service) -> None:
    import anyio

    from loregraph.mcp_server.stdio import standard_streams

    async def run() -> None:
        async with standard_streams() as (read, write):
            await service.server.run(read, write, service.server.create_initialization_options())

    anyio.run(run)


def over_http(service: Service, host: str, port: int, token: str) -> None:
    import uvicorn

    from loregraph import http_connections
    from loregraph.mcp_server import http, log

    url = f"http://{f'[{host}]' if ':' in host else host}:{port}{http.PATH}"
    log.write("INFO", "serving", url=url, token=bool(token))
    bounds = http.Bounds()
    app = http.application(service, host, token, bounds)
    uvicorn.Server(http_connections.configuration(app, host, port, bounds)).run()
