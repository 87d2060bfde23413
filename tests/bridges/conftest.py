"""A host that speaks plain lines, the official memory server from npm, and a person whom git knows."""

from __future__ import annotations

import json
import os
import queue
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

LOREGRAPH = (sys.executable, "-c", "from loregraph.cli.main import main; main()")
"""The command line, without the installed script."""
OFFICIAL = "@modelcontextprotocol/server-memory@2026.8.31"
SECONDS = 60.0
"""How long an answer is waited for: a test that has to wait that long has failed."""


class Wire:
    """A client of one server process: JSON-RPC, a line each, so that nothing is hidden by an SDK."""

    def __init__(self, command: tuple[str, ...], *, env: dict[str, str] | None = None, cwd: Path | None = None) -> None:
        self.process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={**os.environ, **(env or {})},
            cwd=cwd,
        )
        self._numbers = 0
        self._answers: dict[Any, queue.SimpleQueue[dict[str, Any]]] = {}
        self.others: queue.SimpleQueue[dict[str, Any]] = queue.SimpleQueue()
        """What the server sends of its own accord."""
        self.errors: list[str] = []
        self.lines: list[bytes] = []
        self._readers = [threading.Thread(target=task, daemon=True) for task in (self._read, self._read_errors)]
        for thread in self._readers:
            thread.start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.lines.append(line)
            message = json.loads(line)
            waiting = self._answers.get(message.get("id")) if "method" not in message else None
            (waiting or self.others).put(message)

    def _read_errors(self) -> None:
        assert self.process.stderr is not None
        for line in self.process.stderr:
            self.errors.append(line.decode("utf-8", "replace"))

    def send(self, message: dict[str, Any]) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")
        self.process.stdin.flush()

    def ask(self, method: str, params: dict[str, Any] | None = None) -> int:
        """Sends a request; its id, for `answer`."""
        self._numbers += 1
        self._answers[self._numbers] = queue.SimpleQueue()
        self.send({"id": self._numbers, "method": method, **({"params": params} if params is not None else {})})
        return self._numbers

    def answer(self, number: int) -> dict[str, Any]:
        return self._answers[number].get(timeout=SECONDS)

    def request(self, method: str, params: dict[str, Any] | None = None) -> dict[str, Any]:
        return self.answer(self.ask(method, params))

    def open(self) -> dict[str, Any]:
        """The handshake."""
        params = {
            "protocolVersion": "2025-06-18",
            "capabilities": {},
            "clientInfo": {"name": "test-host", "version": "1"},
        }
        answer = self.request("initialize", params)
        self.send({"method": "notifications/initialized"})
        result: dict[str, Any] = answer["result"]
        return result

    def call(self, tool: str, /, **arguments: Any) -> dict[str, Any]:
        """The result of a tool."""
        answer = self.request("tools/call", {"name": tool, "arguments": arguments})
        result: dict[str, Any] = answer["result"]
        return result

    def ok(self, tool: str, /, **arguments: Any) -> dict[str, Any]:
        """The structured content of a result that is no error."""
        result = self.call(tool, **arguments)
        assert not result.get("isError"), result
        body: dict[str, Any] = result["structuredContent"]
        return body

    def close(self) -> int:
        """Closes the server's input and returns its exit code."""
        assert self.process.stdin is not None
        if not self.process.stdin.closed:
            self.process.stdin.close()
        try:
            return self.process.wait(SECONDS)
        finally:
            self.process.kill()
            for thread in self._readers:
                thread.join(SECONDS)
            for stream in (self.process.stdout, self.process.stderr):
                if stream is not None:
                    stream.close()


Opens = Callable[..., Wire]


@pytest.fixture
def wire() -> Iterator[Opens]:
    """Starts a server and shakes hands with it; it is ended with the test."""
    with ExitStack() as stack:

        def new(*command: str, opened: bool = True, **options: Any) -> Wire:
            client = Wire(command, **options)
            stack.callback(client.close)
            if opened:
                client.open()
            return client

        yield new


@pytest.fixture(scope="session")
def official(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, ...]:
    """The command that starts the official memory server, installed from npm."""
    npm, node = shutil.which("npm"), shutil.which("node")
    if node is None or npm is None:
        pytest.skip("node is not installed")
    folder = tmp_path_factory.mktemp("npm-memory")
    (folder / "package.json").write_text('{"private": true}', encoding="utf-8")
    install = [npm, "install", "--no-save", "--no-audit", "--no-fund", "--ignore-scripts", OFFICIAL]
    subprocess.run(install, cwd=folder, check=True, capture_output=True, timeout=300)
    return (node, str(folder / "node_modules/@modelcontextprotocol/server-memory/dist/index.js"))


@pytest.fixture(autouse=True)
def home(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Nothing of whoever runs the tests reaches them: git knows Ada, and no memory file is named."""
    folder = tmp_path_factory.mktemp("home")
    (folder / ".gitconfig").write_text("[user]\n\tname = Ada\n\temail = ada@example.org\n", encoding="utf-8")
    monkeypatch.setenv("HOME", str(folder))
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(folder / ".gitconfig"))
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(folder / "config"))
    monkeypatch.setenv("LOREGRAPH_HOME", str(folder / "data"))
    for name in ("MEMORY_FILE_PATH", "LOREGRAPH_PROJECT_ID", "LOREGRAPH_DEBUG"):
        monkeypatch.delenv(name, raising=False)
    return folder


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A git repository whose namespace is `shop`."""
    root = tmp_path / "checkout"
    root.mkdir()
    for words in (["init", "--quiet"], ["remote", "add", "origin", "git@example.org:acme/Shop.git"]):
        subprocess.run(["git", *words], cwd=root, check=True, capture_output=True)
    return root
