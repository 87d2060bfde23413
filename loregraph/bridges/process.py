"""A server process: lines in, lines out, and its last error output."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import threading
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from queue import SimpleQueue
from typing import BinaryIO, Final, cast

from loregraph import orphans
from loregraph.bridges.lines import Line, TooLong, lines, shown
from loregraph.errors import UpstreamError
from loregraph.terminal import tell

CLOSE_SECONDS: Final = 2.0
"""Seconds that a server has to end after its input was closed, and again after it was asked to end."""
LAST_WORDS: Final = 5
"""Lines of standard error that are remembered."""
MAX_OUTBOX: Final = 64 << 20
"""Maximum bytes queued for a server that does not read."""
MAX_ERROR_LINE: Final = 8_192
MAX_ERRORS: Final = 1 << 20
"""Bytes of standard error that are passed on while no request is pending."""
ERRORS_A_LINE: Final = 16_384
"""Bytes of standard error added to the allowance by each line sent to the server, up to `MAX_ERRORS`."""

OnLine = Callable[["Process", Line], None]
OnEnd = Callable[["Process"], None]


@dataclass(frozen=True)
class Launch:
    """How to start a server. `env` is added to the environment of this process."""

    command: tuple[str, ...]
    env: Mapping[str, str] = field(default_factory=dict)
    cwd: str | None = None

    def __str__(self) -> str:
        return shown(" ".join(self.command))


class Process:
    """A running server. `on_line` and `on_end` are called by a separate thread, `on_end` once, after the last line.

    Writes are queued: a server that does not read must not block the writer. Raises UpstreamError where it cannot be
    started.
    """

    def __init__(self, launch: Launch, on_line: OnLine, on_end: OnEnd) -> None:
        self._on_line, self._on_end = on_line, on_end
        self._words: deque[str] = deque(maxlen=LAST_WORDS)
        self._outbox: SimpleQueue[tuple[bytes, int] | None] = SimpleQueue()
        self._lock = threading.Lock()
        self._waits = 0
        """Bytes in the outbox."""
        self._errors_left = MAX_ERRORS
        self.undelivered: set[int] = set()
        """Numbers of what was sent and certainly not read, whole once `on_end` is called."""
        self._process = started(launch)
        # Daemon threads: a server that never ends must not keep this process alive.
        self._reader = threading.Thread(target=self._read, daemon=True, name="upstream-stdout")
        self._errors = threading.Thread(target=self._relay_errors, daemon=True, name="upstream-stderr")
        self._writer = threading.Thread(target=self._write, daemon=True, name="upstream-stdin")
        for thread in (self._errors, self._writer, self._reader):  # the last one waits for the others
            thread.start()

    @property
    def pid(self) -> int:
        return self._process.pid

    def send(self, line: bytes, number: int = 0) -> bool:
        """Sends a line, under a number by which `undelivered` identifies it. False where the queue is full."""
        with self._lock:
            if self._waits and self._waits + len(line) > MAX_OUTBOX:
                return False
            self._waits += len(line)
            self._errors_left = min(MAX_ERRORS, self._errors_left + ERRORS_A_LINE)
        self._outbox.put((line, number))
        return True

    def settle(self) -> None:
        """If the process has ended, waits until its last lines are read and `on_end` has been called."""
        if self._process.poll() is None or threading.current_thread() is self._reader:
            return
        self._reader.join(CLOSE_SECONDS)
        if self._reader.is_alive():  # a child of it holds the pipe
            self.kill()
            self._reader.join(CLOSE_SECONDS)

    def kill(self) -> None:
        """Ends the process and its children at once."""
        self._signal(signal.SIGKILL if os.name == "posix" else signal.SIGTERM)

    def close(self) -> None:
        """Ends the process: its input is closed, then it is asked to end, then it is killed."""
        self._outbox.put(None)
        if self._gone(CLOSE_SECONDS):
            return
        self._signal(signal.SIGTERM)
        if not self._gone(CLOSE_SECONDS):
            self.kill()
            self._gone(CLOSE_SECONDS)

    def epitaph(self) -> str:
        """How the process ended, with its last error output: `exit code 1: Error: no such file`."""
        code = self._process.poll()
        if code is None:
            how = "it closed its output"
        elif code < 0:
            how = f"signal {-code}"
        else:
            how = f"exit code {code}"
        last = next((line for line in reversed(self._words) if line.strip()), "")
        return f"{how}: {last}" if last else how

    def _gone(self, seconds: float) -> bool:
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(seconds)
        return self._process.poll() is not None

    def _signal(self, number: int) -> None:
        with contextlib.suppress(OSError):
            if os.name == "posix":
                os.killpg(self._process.pid, number)  # `npx` starts the server as a child
            else:
                self._process.send_signal(number)

    def _read(self) -> None:
        for line in lines(pipe(self._process.stdout)):
            self._on_line(self, line)
        if not self._gone(CLOSE_SECONDS):
            self.kill()
            self._gone(CLOSE_SECONDS)
        self._errors.join(CLOSE_SECONDS)  # its last error output
        self._outbox.put(None)
        self._writer.join(CLOSE_SECONDS)
        self._on_end(self)

    def _relay_errors(self) -> None:
        for line in lines(pipe(self._process.stderr), MAX_ERROR_LINE):
            text = (
                f"{shown(line.head)} ({line.size:,} bytes)"
                if isinstance(line, TooLong)
                else shown(line, MAX_ERROR_LINE)
            )
            self._words.append(shown(text))
            with self._lock:
                left, self._errors_left = self._errors_left, self._errors_left - len(text) - 1
            if left <= 0:
                continue
            if left <= len(text):
                text = "loregraph: the upstream server's log is long; no more of it is shown until it is asked again"
            tell(text)

    def _write(self) -> None:
        stdin = pipe(self._process.stdin)
        while (sent := self._outbox.get()) is not None:
            try:
                stdin.write(sent[0])
                stdin.flush()
            except (OSError, ValueError):  # the end of the output tells that it is gone
                self.undelivered.add(sent[1])
                if not self._gone(CLOSE_SECONDS):  # a server that no longer reads its input cannot answer either
                    self.kill()
            with self._lock:
                self._waits -= len(sent[0])
        with contextlib.suppress(OSError, ValueError):
            stdin.close()


def started(launch: Launch) -> subprocess.Popen[bytes]:
    """Starts the server in a new session; it ends when this process does. Raises UpstreamError."""
    program = launch.command[0]
    try:
        return orphans.start(
            launch.command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={**os.environ, **launch.env},
            cwd=launch.cwd,
            start_new_session=True,
        )
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise UpstreamError(
            f"cannot start the upstream server `{launch}`: {why}",
            f"check that `{shown(program)}` is installed and on PATH",
        ) from error


def pipe(stream: object) -> BinaryIO:
    assert stream is not None
    return cast(BinaryIO, stream)
