"""A bridge in this process before a real upstream, and a host that speaks lines: a test sees what was sent."""

from __future__ import annotations

import json
import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, BinaryIO

STUB = Path(__file__).with_name("stub_upstream.py")
HELLO = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}
ENVELOPE = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
    "io.modelcontextprotocol/clientCapabilities": {},
}
PATIENCE = 60.0
"""Seconds after which a test that hears nothing fails."""

Serve = Callable[[BinaryIO, BinaryIO], None]


class RawHost:
    """The host's end of a bridge that runs in a thread."""

    def __init__(self, serve: Serve) -> None:
        theirs_in, ours_out = os.pipe()
        ours_in, theirs_out = os.pipe()
        self._write, self._read = os.fdopen(ours_out, "wb"), os.fdopen(ours_in, "rb")
        self._numbers = 0
        self._changed = threading.Condition()
        self.lines: list[bytes] = []

        def run() -> None:
            with os.fdopen(theirs_in, "rb") as read, os.fdopen(theirs_out, "wb") as write:
                serve(read, write)

        self._thread = threading.Thread(target=run, daemon=True)
        self._thread.start()
        self._listener = threading.Thread(target=self._listen, daemon=True)
        self._listener.start()

    def _listen(self) -> None:
        for line in self._read:
            with self._changed:
                self.lines.append(line)
                self._changed.notify_all()

    def send(self, message: dict[str, Any] | bytes) -> None:
        self._write.write(message if isinstance(message, bytes) else json.dumps(message).encode() + b"\n")
        self._write.flush()

    def begin(self, method: str, params: dict[str, Any] | None = None) -> int:
        """Sends a request and does not wait."""
        self._numbers += 1
        self.send({"jsonrpc": "2.0", "id": self._numbers, "method": method, "params": params or {}})
        return self._numbers

    def notify(self, method: str, params: dict[str, Any] | None = None) -> None:
        self.send({"jsonrpc": "2.0", "method": method, "params": params or {}})

    def line(self, wanted: Callable[[dict[str, Any]], bool]) -> bytes:
        """The first line that is `wanted`, waited for."""

        def found() -> bytes | None:
            return next((line for line in self.lines if wanted(json.loads(line))), None)

        with self._changed:
            line = self._changed.wait_for(found, PATIENCE)
        assert line, f"heard only {self.lines}"
        return line

    def answer(self, number: Any) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.line(lambda m: m.get("id") == number and "method" not in m))
        return found

    def ask(self, method: str, params: dict[str, Any] | None = None) -> dict[str, Any]:
        return self.answer(self.begin(method, params))

    def call(self, name: str, **arguments: Any) -> dict[str, Any]:
        """The result of a tool."""
        answered = self.ask("tools/call", {"name": name, "arguments": arguments})
        result: dict[str, Any] = answered["result"]
        return result

    def told(self, name: str, **arguments: Any) -> str:
        """The text of a tool's answer that is an error."""
        result = self.call(name, **arguments)
        assert result["isError"] is True, result
        text: str = result["content"][0]["text"]
        return text

    def hello(self) -> dict[str, Any]:
        """The handshake."""
        answered = self.ask("initialize", HELLO)
        self.notify("notifications/initialized")
        return answered

    @property
    def alive(self) -> bool:
        return self._thread.is_alive()

    def close(self) -> None:
        self._write.close()
        self._thread.join(PATIENCE)
        assert not self._thread.is_alive()
        self._listener.join(PATIENCE)
        self._read.close()


def command(folder: Path) -> list[str]:
    """Starts the stub."""
    return [sys.executable, str(STUB), str(folder)]


def heard(folder: Path, method: str) -> list[dict[str, Any]]:
    """Parameters of what the stub was sent under `method`, in order."""
    lines = (folder / "heard.jsonl").read_text(encoding="utf-8").splitlines()
    return [message.get("params", {}) for message in map(json.loads, lines) if message.get("method") == method]


def starts(folder: Path) -> int:
    return len((folder / "starts").read_text())


def runs(folder: Path) -> bool:
    """Whether the stub that was started last still runs."""
    try:
        state = Path(f"/proc/{(folder / 'pid').read_text()}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"


def kill(folder: Path) -> None:
    """Kills the stub that was started last, and waits until it is dead."""
    os.kill(int((folder / "pid").read_text()), signal.SIGKILL)
    until = time.monotonic() + PATIENCE
    while runs(folder):
        assert time.monotonic() < until
        time.sleep(0.001)
