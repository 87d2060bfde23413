"""Starts the viewer: a socket on the loopback address, a token, the address to open."""

from __future__ import annotations

import os
import secrets
import socket
import threading
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any, Final

import uvicorn

from loregraph.errors import UsageError
from loregraph.http_connections import Bounds, configuration
from loregraph.viewer.application import MOST_BODY, Service
from loregraph.viewer.security import TOKEN_BYTES, Access
from loregraph.viewer.served import ServedProject
from loregraph.workspaces.opening import WORKSPACE

LOOPBACK: Final = "127.0.0.1"


# Implements REQ-CLI-017, REQ-WEB-001.
def view(
    root: Path,
    *,
    store: Path | None = None,
    port: int = 0,
    watch: bool = True,
    ready: Callable[[str, str], None],
    **options: Any,
) -> None:
    """Serves the pages until interrupted; `port` 0 is a free one.

    `ready` is called once they can be opened, with the address and with one that works once, for the arguments of a
    command. Raises NotIndexedError without a graph, UsageError where the port is taken.
    """
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    served = ServedProject(root, store=store, **options)
    follower = None
    try:
        with served.reading() as project:
            project.reader()  # without a graph nothing can be shown
        listening = bound(port)
        access = Access(secrets.token_urlsafe(TOKEN_BYTES), listening.getsockname()[1])
        service = Service(served, access)
        server = Server(
            configuration(service.application(), LOOPBACK, access.port, Bounds(body_bytes=MOST_BODY)),
            service,
            lambda: ready(access.address, access.ticket()),
        )
        if watch and WORKSPACE not in options and served.settings.serve.watch:
            from loregraph.viewer import following

            follower = following.started(served.root, store, options)
        try:
            server.run(sockets=[listening])
        except KeyboardInterrupt:
            return
    finally:
        if follower is not None:
            follower.end()
        served.close()


def bound(port: int) -> socket.socket:
    """A socket on the loopback address. Raises UsageError where the port cannot be had."""
    made = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    try:
        if os.name != "nt":  # there it would let another process take the same port
            made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        made.bind((LOOPBACK, port))
    except OSError as error:
        made.close()
        raise UsageError(f"port {port} cannot be used: {error.strerror}", "leave --port out for a free one") from None
    return made


class Server(uvicorn.Server):
    """Calls `started` in a thread once it can be asked, and ends the streams of events when it is told to end."""

    def __init__(self, config: uvicorn.Config, service: Service, started: Callable[[], None]) -> None:
        super().__init__(config)
        self._service = service
        self._started = started

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets=sockets)
        if self.started:
            threading.Thread(target=self._started, daemon=True).start()

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        self._service.end()
        super().handle_exit(sig, frame)
