"""Worker processes of loregraph's own, which answer one request at a time and can be killed in the middle of one.

Parent (`WorkerProcess`) and worker exchange messages over pipes: four bytes of length, little endian, then the content.
A worker ends when its input ends and with its parent; it is killed when an answer takes too long. `re`, numpy and
native engines hold the interpreter's lock, so a thread could not be stopped that way.
"""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import weakref
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Final

from loregraph import orphans
from loregraph.errors import QueryLimitError

MOST_BYTES: Final = 256 << 20
"""Maximum bytes of a message."""
NARROWER: Final = "narrow it: a label, a WHERE, a bound on the path length, a LIMIT"
"""What to do about a query that is beyond its limits."""


class TooLateError(Exception):
    """The worker did not answer in time and was killed."""


class GoneError(Exception):
    """The worker ended without an answer: it crashed, ran out of memory, or was ended by `kill`."""


def command(module: str, *arguments: str) -> list[str]:
    """The command that runs `main` of `module` with `arguments` from `sys.argv[2]` on."""
    package = str(Path(__file__).resolve().parents[1])
    # -P and the path at the end: nothing in the working directory can shadow one of our modules or a package.
    code = f"import sys; sys.path.append(sys.argv[1]); from {module} import main; main()"
    return [sys.executable, "-P", "-c", code, package, *arguments]


class WorkerProcess:
    """A running worker. One thread at a time may ask; any may `kill`.

    It ends with `end`, with the last reference to this object, and with the parent.
    """

    def __init__(self, module: str, *arguments: str, told: bool = False) -> None:
        """`told`: its standard error is shown to the user."""
        self._process = orphans.start(
            command(module, *arguments),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=None if told else subprocess.DEVNULL,
            # glibc gives every thread an arena and frees none.
            env={"MALLOC_ARENA_MAX": "2", **os.environ},
        )
        self._end = weakref.finalize(self, _end, self._process)

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def running(self) -> bool:
        return self._process.poll() is None

    def ask(self, message: bytes | None, seconds: float) -> bytes:
        """The answer to `message`, or without one the next message. Raises TooLateError after `seconds` and GoneError;
        the process is killed then."""
        process = self._process
        assert process.stdin is not None
        assert process.stdout is not None
        late = threading.Event()

        def end() -> None:  # refers to the process alone: the timer's thread must not keep `self` alive
            late.set()
            process.kill()

        timer = threading.Timer(seconds, end)
        timer.daemon = True
        timer.start()
        content = None
        try:
            if message is not None:
                send(process.stdin, message)
            content = receive(process.stdout)
        except (OSError, ValueError):
            content = None
        finally:
            timer.cancel()
        if content is not None and not late.is_set():
            return content
        self.end()
        raise TooLateError if late.is_set() else GoneError

    def tell(self, message: bytes) -> None:
        """Sends a message that is not answered. Where the process is gone, the next `ask` says so."""
        assert self._process.stdin is not None
        with suppress(OSError):
            send(self._process.stdin, message)

    def kill(self) -> None:
        """Kills the process while another thread waits for an answer: that one gets GoneError."""
        self._process.kill()

    def end(self) -> None:
        self._end()


def answer_within(process: WorkerProcess, message: bytes | None, seconds: float, *, late: str, gone: str) -> bytes:
    """As `process.ask`, for a query of the user's: raises QueryLimitError that says `late` or `gone`."""
    try:
        return process.ask(message, seconds)
    except TooLateError:
        raise QueryLimitError(late, NARROWER) from None
    except GoneError:
        raise QueryLimitError(gone, NARROWER) from None


def _end(process: subprocess.Popen[bytes]) -> None:
    """Kill and reap. It has nothing to save."""
    process.kill()
    process.wait()
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            # Buffered data cannot be sent any more.
            with suppress(OSError):
                pipe.close()


def send(pipe: IO[bytes], message: bytes) -> None:
    pipe.write(len(message).to_bytes(4, "little") + message)
    pipe.flush()


def receive(pipe: IO[bytes]) -> bytes | None:
    """One message, None at the end of the pipe and for an invalid one."""
    prefix = pipe.read(4)
    if len(prefix) < 4:
        return None
    size = int.from_bytes(prefix, "little")
    if size > MOST_BYTES:
        return None
    message = pipe.read(size)
    return message if len(message) == size else None


# the worker process


def take_output() -> IO[bytes]:
    """Reserves standard output for messages: other printed text goes to standard error from now on."""
    output = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    return output


def limit_memory(most: int) -> None:
    """Limits the address space of this process to `most` bytes permanently, where the platform supports it."""
    _set_limit(most, for_good=True)


@contextmanager
def memory_limited(most: int | None) -> Iterator[None]:
    """As `limit_memory` while this lasts; None lifts the limit meanwhile."""
    before = _set_limit(most, for_good=False)
    try:
        yield
    finally:
        if before is not None:
            _set_limit(before, for_good=False)


def _set_limit(most: int | None, *, for_good: bool) -> int | None:
    """Sets the limit and returns the previous one, None where there is no such limit."""
    try:
        import resource  # not on Windows
    except ImportError:
        return None
    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    limit = hard if most is None or most < 0 else most if hard == resource.RLIM_INFINITY else min(most, hard)
    # macOS accepts the limit but does not enforce it.
    with suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_AS, (limit, limit if for_good else hard))
    return soft
