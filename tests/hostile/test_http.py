"""Clients that dawdle, flood or pretend: over real sockets of this machine, with small bounds."""

from __future__ import annotations

import json
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import Any

import pytest
import uvicorn

from loregraph import http_connections
from loregraph.mcp_server import http
from loregraph.mcp_server.server import Service
from loregraph.mcp_server.workspace import Workspace

from ..mcp_server.conftest import _indexed, home, root

__all__ = ["_indexed", "home", "root"]

TOKEN = "a-long-random-text-for-the-test"
PATIENCE = 30.0
"""Seconds after which a test fails that waits for what never comes; nothing is timed."""
LONG = 3_600.0
INITIALIZE = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}},
}

Serve = Callable[..., int]


@pytest.fixture
def serve(root: Path) -> Iterator[Serve]:
    """Starts a server with bounds; returns its port."""
    with ExitStack() as stack:

        def start(token: str = "", **bounds: Any) -> int:
            given = http.Bounds(**{"head_seconds": LONG, "body_seconds": LONG, "send_seconds": LONG, **bounds})
            service = Service(Workspace(root))
            stack.callback(service.close)
            return stack.enter_context(running(http.application(service, "127.0.0.1", token, given), given))

        yield start


@contextmanager
def running(app: Any, bounds: http.Bounds) -> Iterator[int]:
    """The port of a server of `app`."""
    server = uvicorn.Server(http_connections.configuration(app, "127.0.0.1", 0, bounds))
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        assert thread.is_alive()
        time.sleep(0.01)
    try:
        yield server.servers[0].sockets[0].getsockname()[1]
    finally:
        server.should_exit = server.force_exit = True
        thread.join(PATIENCE)


def connected(port: int) -> socket.socket:
    return socket.create_connection(("127.0.0.1", port), PATIENCE)


def head(length: int, *more: str, method: str = "POST", host: str = "127.0.0.1:80") -> bytes:
    lines = [
        f"{method} /mcp HTTP/1.1",
        f"Host: {host}",
        "Content-Type: application/json",
        "Accept: application/json, text/event-stream",
        f"Content-Length: {length}",
        *more,
    ]
    return "\r\n".join([*lines, "", ""]).encode()


def until_closed(connection: socket.socket) -> bytes:
    """All that comes until the server closes; fails where it does not."""
    found = b""
    try:
        while piece := connection.recv(1 << 16):
            found += piece
    except ConnectionError:
        pass
    return found


def post(port: int, body: Any, *more: str) -> tuple[int, str, bytes]:
    """(status, session id, body) of one request."""
    content = body if isinstance(body, bytes) else json.dumps(body).encode()
    with closing(connected(port)) as connection:
        connection.sendall(head(len(content), "Connection: close", *more) + content)
        told, _, rest = until_closed(connection).partition(b"\r\n\r\n")
    session = next((line[16:] for line in told.decode().split("\r\n") if line.startswith("mcp-session-id: ")), "")
    return int(told.split()[1]), session, rest


def alive(port: int, *more: str) -> bool:
    return post(port, INITIALIZE, *more)[0] == 200


# Verifies REQ-SEC-012.
@pytest.mark.parametrize("said", [b"", b"POST /mcp HTTP/1.1\r\nHost: "], ids=["nothing", "half a head"])
def test_who_sends_no_head_is_dropped(serve: Serve, said: bytes) -> None:
    port = serve(TOKEN, head_seconds=0.2)
    with closing(connected(port)) as connection:
        connection.sendall(said)
        assert until_closed(connection) == b""
    assert alive(port, f"Authorization: Bearer {TOKEN}")


# Verifies REQ-SEC-012.
def test_who_dribbles_a_second_head_is_dropped(serve: Serve) -> None:
    port = serve(head_seconds=0.2)
    content = json.dumps({"jsonrpc": "2.0"}).encode()
    with closing(connected(port)) as connection:
        connection.sendall(head(len(content), method="PUT") + content)
        assert connection.recv(1 << 16).startswith(b"HTTP/1.1 4")
        try:
            connection.sendall(b"POST")
        except ConnectionError:
            return
        until_closed(connection)


# Verifies REQ-SEC-012.
def test_a_body_that_does_not_come_is_not_waited_for(serve: Serve) -> None:
    port = serve(body_seconds=0.2)
    with closing(connected(port)) as connection:
        connection.sendall(head(1_000) + b'{"jsonrpc"')
        assert until_closed(connection).startswith(b"HTTP/1.1 408 ")
    assert alive(port)


# Verifies REQ-SEC-012.
def test_without_the_token_no_body_is_read(serve: Serve) -> None:
    port = serve(TOKEN)
    with closing(connected(port)) as connection:
        connection.sendall(head(1_000_000))
        assert until_closed(connection).startswith(b"HTTP/1.1 401 ")
    assert alive(port, f"Authorization: Bearer {TOKEN}")


# Verifies REQ-SEC-012.
@pytest.mark.parametrize("more", [[], ["Transfer-Encoding: chunked"]], ids=["length", "chunked"])
def test_a_body_has_a_size(serve: Serve, more: list[str]) -> None:
    port = serve(body_bytes=1_000)
    with closing(connected(port)) as connection:
        if more:
            piece = b"100\r\n" + b"a" * 256 + b"\r\n"
            connection.sendall(head(0, *more).replace(b"Content-Length: 0\r\n", b"") + piece * 8)
        else:
            connection.sendall(head(5_000) + b"a" * 5_000)
        assert until_closed(connection).startswith(b"HTTP/1.1 413 ")
    assert alive(port)


# Verifies REQ-SEC-012.
def test_connections_are_limited_in_number(serve: Serve) -> None:
    port = serve(connections=5)
    with ExitStack() as stack:
        held = [stack.enter_context(closing(connected(port))) for _ in range(5)]
        for connection in held:
            connection.sendall(b"POST")
        refused = stack.enter_context(closing(connected(port)))
        assert until_closed(refused) == b""
    # Those are gone: there is room again, as soon as the server has noticed.
    given_up = time.monotonic() + PATIENCE
    while time.monotonic() < given_up:
        try:
            assert alive(port)
            return
        except (IndexError, ConnectionError):
            continue
    pytest.fail("no room after all have gone")


# Verifies REQ-SEC-012.
def test_sessions_are_limited_and_expire(serve: Serve) -> None:
    port = serve(sessions=2)
    opened = [post(port, INITIALIZE)[1] for _ in range(2)]
    assert all(opened)
    assert post(port, INITIALIZE)[0] == 503
    port = serve(sessions=2, session_seconds=0.1)
    given = 0
    for _ in range(20):
        status, opened_now, _ = post(port, INITIALIZE)
        if status == 503:
            time.sleep(0.2)
        else:
            given, session = given + 1, opened_now
    assert given > 2  # more than there may be at once
    time.sleep(0.5)
    assert post(port, {"jsonrpc": "2.0", "id": 2, "method": "ping"}, f"Mcp-Session-Id: {session}")[0] == 404


# Verifies REQ-SEC-012.
@pytest.mark.parametrize("more", [["Host: evil.example"], ["Origin: http://evil.example"]])
def test_a_page_that_resolves_its_name_to_this_machine_gets_nothing(serve: Serve, more: list[str]) -> None:
    port = serve()
    with closing(connected(port)) as connection:
        request = head(1_000_000, *more)
        if more[0].startswith("Host"):
            request = head(1_000_000, host="evil.example")
        connection.sendall(request)
        assert until_closed(connection).split()[1] == (b"421" if more[0].startswith("Host") else b"403")


# Verifies REQ-SEC-011.
@pytest.mark.parametrize(
    ("body", "code"),
    [
        (b"[]", -32600),
        (b"{", -32700),
        (b'{"jsonrpc":"2.0","id":null,"method":"ping"}', -32600),
        (b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"x":"\\ud800"}}', -32700),
        (b'{"x":' + b"[" * 100_000 + b"]" * 100_000 + b"}", -32600),
    ],
)
def test_what_cannot_be_read_has_its_error(serve: Serve, body: bytes, code: int) -> None:
    port = serve()
    status, _, said = post(port, body)
    assert status == 400
    assert json.loads(said)["error"]["code"] == code
    assert alive(port)


def test_errors_tell_nothing_of_this_machine(serve: Serve, root: Path) -> None:
    port = serve(TOKEN)
    with closing(connected(port)) as connection:
        connection.sendall(b"\x00\x01 nonsense\r\n\r\n")
        said = until_closed(connection)
    said += post(port, b"{", f"Authorization: Bearer {TOKEN}")[2]
    said += post(port, b"{")[2]
    assert b"Traceback" not in said
    assert b"uvicorn" not in said
    assert str(root).encode() not in said


# Verifies REQ-SEC-012.
def test_who_takes_no_answer_is_dropped() -> None:
    """The answer is larger than what the sockets hold, and nobody takes it."""
    over = threading.Event()

    async def app(scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "http":
            await send({"type": "http.response.start", "status": 200, "headers": []})
            await send({"type": "http.response.body", "body": b"a" * 50_000_000, "more_body": True})
            while (await receive())["type"] != "http.disconnect":
                continue
            over.set()

    bounds = http.Bounds(head_seconds=LONG, send_seconds=0.2)
    with running(app, bounds) as port, closing(connected(port)) as connection:
        connection.sendall(head(0))
        assert over.wait(PATIENCE)
