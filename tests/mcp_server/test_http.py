"""Streamable HTTP: reachable from this machine, from elsewhere with a token only."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import anyio
import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from loregraph.errors import UsageError
from loregraph.mcp_server.address import check_address
from loregraph.mcp_server.http import Guarded

LOREGRAPH = str(Path(sys.executable).with_name("loregraph"))
TOKEN = "a-long-random-text-for-the-test"


@pytest.mark.parametrize(("host", "token"), [("127.0.0.1", ""), ("localhost", ""), ("::1", ""), ("0.0.0.0", TOKEN)])
def test_addresses_that_are_safe(host: str, token: str) -> None:
    check_address(host, token)


# Verifies REQ-MCP-011.
@pytest.mark.parametrize(("host", "token"), [("0.0.0.0", ""), ("192.168.1.5", ""), ("::", ""), ("127.0.0.1", "short")])
def test_addresses_that_are_not(host: str, token: str) -> None:
    with pytest.raises(UsageError):
        check_address(host, token)


# Verifies REQ-MCP-011.
@pytest.mark.parametrize(
    ("header", "passes"),
    [(f"Bearer {TOKEN}", True), (f"bearer {TOKEN}", False), (f"Bearer {TOKEN}x", False), (TOKEN, False), ("", False)],
)
def test_only_the_token_opens(header: str, passes: bool) -> None:
    reached: list[str] = []
    sent: list[dict[str, Any]] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        reached.append(scope["type"])

    async def send(message: Any) -> None:
        sent.append(message)

    async def ask() -> None:
        headers = [(b"authorization", header.encode())] if header else []
        await Guarded(app, TOKEN)({"type": "http", "headers": headers}, None, send)  # type: ignore[arg-type]

    anyio.run(ask)
    assert bool(reached) is passes
    assert [message["status"] for message in sent if "status" in message] == ([] if passes else [401])


def free_port() -> int:
    with closing(socket.socket()) as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@pytest.fixture(params=["", TOKEN])
def served(request: pytest.FixtureRequest, root: Path) -> Iterator[tuple[str, str]]:
    """(URL, token) of a server that runs; the token is "" where it has none."""
    port, token = free_port(), request.param
    environment = {**os.environ, **({"LOREGRAPH_TOKEN": token} if token else {})}
    process = subprocess.Popen(
        [LOREGRAPH, "serve", "--transport", "http", "--port", str(port)],
        cwd=root,
        env=environment,
        stderr=subprocess.PIPE,
    )
    while True:
        assert process.poll() is None, process.stderr and process.stderr.read()
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
            break
        except OSError:
            time.sleep(0.05)
    yield f"http://127.0.0.1:{port}/mcp", token
    process.terminate()
    process.wait(30)
    assert process.stderr is not None
    process.stderr.close()


def test_a_client_over_http(served: tuple[str, str]) -> None:
    url, token = served

    async def ask() -> Any:
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        async with (
            httpx2.AsyncClient(headers=headers, timeout=60) as http,
            Client(streamable_http_client(url, http_client=http)) as client,
        ):
            return (await client.call_tool("graph_query", {"cypher": "RETURN 1 AS one"})).structured_content

    assert anyio.run(ask)["rows"] == [[1]]
    if token:
        assert httpx2.post(url, json={}).status_code == 401
    else:
        # A page in a browser that calls itself something else and resolves to this machine gets nothing.
        assert httpx2.post(url, json={}, headers={"Host": "evil.example"}).status_code == 421
