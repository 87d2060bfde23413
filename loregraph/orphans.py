"""Child processes that end with their parent, however that ends.

A killed process cannot notify its children. They notice only when they next read from or write to it, and not at all
where a sibling holds the other end of the pipe open. So every process that loregraph starts is tied to its parent:

    Linux       a pipe whose other end only the parent holds. Its read end asks the kernel to kill the child, or all of
                its process group, when the pipe hangs up (`F_SETOWN`, `O_ASYNC`): no code of the child has to run, so
                this holds for other people's programs and for native code that never gives the interpreter back.
                `PR_SET_PDEATHSIG` would not do: it fires when the *thread* that forked ends, and servers fork in
                threads that come and go.
    elsewhere   a thread of the child that waits for the parent: only in processes that run loregraph's own code.
"""

from __future__ import annotations

import contextlib
import errno
import os
import signal
import subprocess
import sys
import threading
import time
import weakref
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import IO, Any, Final

if sys.platform == "linux":
    import fcntl

LOOK_SECONDS: Final = 1.0
"""Interval in which a child checks for its parent where the platform cannot notify it."""

_SYNCHRONIZE: Final = 0x00100000
_INFINITE: Final = 0xFFFFFFFF


# Implements REQ-SEC-014.
def start(command: Sequence[str], **options: Any) -> subprocess.Popen[bytes]:
    """`subprocess.Popen(command, **options)` for a process that ends with this one, where the kernel supports that.

    With `start_new_session` all processes in that session's first group end, too. Raises what `Popen` raises.
    """
    if sys.platform == "win32":
        found = program(command[0])
        if found is None:
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), command[0])
        command = [found, *command[1:]]
    if sys.platform != "linux":
        return subprocess.Popen(command, **options)
    theirs, ours = os.pipe()
    try:
        process = subprocess.Popen(command, pass_fds=(*options.pop("pass_fds", ()), theirs), **options)
        _kill_at_hangup(theirs, -process.pid if options.get("start_new_session") else process.pid)
    except BaseException:
        os.close(ours)
        raise
    finally:
        os.close(theirs)
    # A caller that loses the process without ending it cannot end it later.
    weakref.finalize(process, os.close, ours)
    return process


# Implements REQ-SEC-006.
def program(name: str) -> str | None:
    """The file that is run as `name`: on PATH, unless it names a folder. None where there is none.

    Windows looks into the current folder first, which may be a repository with a `git.exe`: only PATH counts here.
    """
    if sys.platform == "win32":
        return listed_program(name, os.environ.get("PATH", ""), os.environ.get("PATHEXT", ".COM;.EXE;.BAT;.CMD"))
    import shutil  # 3 ms that a question would wait for

    return shutil.which(name)


def listed_program(name: str, folders: str, endings: str) -> str | None:
    """As `program` on Windows, where the folders of PATH are `folders`, and `endings` those of PATHEXT, by `;`."""
    if Path(name).name != name:
        return name
    known = endings.split(";")
    has_one = Path(name).suffix.lower() in map(str.lower, known)
    names = [name] if has_one else [f"{name}{ending}" for ending in known]
    for folder in folders.split(os.pathsep):
        place = Path(folder.strip('"'))
        if place.is_absolute():
            found = next((place / one for one in names if (place / one).is_file()), None)
            if found is not None:
                return str(found)
    return None


class TooMuchOutputError(Exception):
    """A process wrote more than its caller takes, and was ended."""


def run(
    command: Sequence[str],
    *,
    cwd: os.PathLike[str] | str,
    env: Mapping[str, str],
    given: bytes,
    timeout: float,
    most: int | None = None,
) -> subprocess.CompletedProcess[bytes]:
    """As `subprocess.run` with `input=given` and both outputs captured, for a process that ends with this one.

    Raises TooMuchOutputError as soon as it has written more than `most` bytes to its standard output.
    """
    if most is not None:
        return _run_up_to(most, command, cwd=cwd, env=env, given=given, timeout=timeout)
    pipe = subprocess.PIPE
    with start(command, cwd=cwd, env=env, stdin=pipe, stdout=pipe, stderr=pipe) as process:
        try:
            output, errors = process.communicate(given, timeout)
        except BaseException:
            process.kill()
            raise
    return subprocess.CompletedProcess(command, process.returncode, output, errors)


def _run_up_to(
    most: int,
    command: Sequence[str],
    *,
    cwd: os.PathLike[str] | str,
    env: Mapping[str, str],
    given: bytes,
    timeout: float,
) -> subprocess.CompletedProcess[bytes]:
    pipe = subprocess.PIPE
    late = threading.Event()
    errors: list[bytes] = []
    with start(command, cwd=cwd, env=env, stdin=pipe, stdout=pipe, stderr=pipe) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None

        def end() -> None:
            late.set()
            process.kill()

        timer = threading.Timer(timeout, end)
        # Three pipes at once: a process that waits for one of them would leave the others waiting.
        others = [
            threading.Thread(target=_feed, args=(process.stdin, given)),
            threading.Thread(target=lambda stream: errors.append(stream.read()), args=(process.stderr,)),
        ]
        for thread in (timer, *others):
            thread.start()
        try:
            output = process.stdout.read(most + 1)
            if len(output) > most:
                raise TooMuchOutputError(f"more than {most:,} bytes")
            process.wait()
        finally:
            timer.cancel()
            process.kill()
            for thread in others:
                thread.join()
    if late.is_set():
        raise subprocess.TimeoutExpired(command, timeout)
    return subprocess.CompletedProcess(command, process.returncode, output, b"".join(errors))


def _feed(stream: IO[bytes], given: bytes) -> None:
    with contextlib.suppress(OSError):  # it ended without reading everything
        stream.write(given)
        stream.close()


# Implements REQ-SEC-014.
def tie(keep: Collection[int], *, forked: bool) -> None:
    """To be called first in a process started by `multiprocessing`: makes it end with its parent.

    A forked one closes every descriptor except its own and those in `keep`: it inherits its siblings' pipes, the
    parent's database and the parent's locks, which it would hold beyond the parent's end.
    """
    import multiprocessing  # asking git, which needs `run`, must not load it
    from multiprocessing.connection import wait

    parent = multiprocessing.parent_process()
    if parent is None:
        raise RuntimeError("only in a process that multiprocessing has started")
    if sys.platform == "linux":
        if forked:
            _close_inherited({*keep, parent.sentinel})
        _kill_at_hangup(parent.sentinel, os.getpid())
        if wait([parent.sentinel], 0):  # it ended before the kernel was asked
            os._exit(1)
    else:
        threading.Thread(target=_end_after, args=(parent.sentinel,), name="parent", daemon=True).start()


def end_with_parent() -> None:
    """To be called first in a process started by `start` that runs loregraph's code: makes it end with its parent, even
    where `start` cannot."""
    if sys.platform != "linux":
        threading.Thread(target=_watch, args=(os.getppid(),), name="parent", daemon=True).start()


def _kill_at_hangup(descriptor: int, owner: int) -> None:
    """Makes the kernel kill `owner`, a process or with a minus a group, when the other end of the pipe is closed."""
    if sys.platform != "linux":
        return
    # Some sandboxes support neither: there the child has to notice by itself.
    with contextlib.suppress(OSError):
        fcntl.fcntl(descriptor, fcntl.F_SETSIG, signal.SIGKILL)
        fcntl.fcntl(descriptor, fcntl.F_SETOWN, owner)
        fcntl.fcntl(descriptor, fcntl.F_SETFL, fcntl.fcntl(descriptor, fcntl.F_GETFL) | os.O_ASYNC)


def _close_inherited(keep: Collection[int]) -> None:
    kept = {0, 1, 2, *keep}
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError, AttributeError):
            kept.add(stream.fileno())
    for number in [int(entry.name) for entry in Path("/proc/self/fd").iterdir()]:
        if number not in kept:
            with contextlib.suppress(OSError):  # includes the descriptor of the listing itself
                os.close(number)


def _end_after(sentinel: int) -> None:
    from multiprocessing.connection import wait

    wait([sentinel])
    os._exit(1)


def _watch(parent: int) -> None:
    """Never returns; ends this process when `parent` is gone."""
    if sys.platform == "win32":
        import ctypes

        kernel = ctypes.WinDLL("kernel32")
        kernel.OpenProcess.restype = ctypes.c_void_p
        kernel.WaitForSingleObject.argtypes = (ctypes.c_void_p, ctypes.c_uint32)
        handle = kernel.OpenProcess(_SYNCHRONIZE, False, parent)
        if handle:
            kernel.WaitForSingleObject(handle, _INFINITE)
    else:
        while os.getppid() == parent:
            time.sleep(LOOK_SECONDS)
    os._exit(1)
