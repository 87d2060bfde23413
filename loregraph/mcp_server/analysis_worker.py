"""The worker process for analyses: see `analyst`. It holds the project open and answers one request at a time."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Final

import msgspec

from loregraph import orphans
from loregraph.mcp_server.analyst import Opening, Reply, Request
from loregraph.worker_process import memory_limited, receive, send, take_output

if TYPE_CHECKING:
    from loregraph.mcp_server.workspace import Workspace

PROC_STATUS: Final = Path("/proc/self/status")
SPENT: Final = 1 << 30
"""Bytes of memory above which the process asks to be replaced: the allocator returns little of it."""


def main() -> None:
    orphans.end_with_parent()
    # Before numpy loads: see cli.main.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    output = take_output()
    serve(sys.stdin.buffer, output)


def serve(given: IO[bytes], output: IO[bytes]) -> None:
    from loregraph.mcp_server import log
    from loregraph.mcp_server.workspace import Workspace

    first = receive(given)
    if first is None:
        return
    opening = msgspec.msgpack.decode(first, type=Opening)
    log.take_over()
    store = None if opening.store is None else Path(opening.store)
    workspace = Workspace(Path(opening.root), store=store, in_worker=True, **opening.options)
    send(output, b"")
    while (message := receive(given)) is not None:
        request = msgspec.msgpack.decode(message, type=Request)
        with memory_limited(opening.memory_bytes):
            reply = bring(workspace, request) if request.bring else answer(workspace, request)
        reply.spent = peak() > SPENT
        send(output, msgspec.msgpack.encode(reply))
    workspace.close()


def answer(workspace: Workspace, request: Request) -> Reply:
    from loregraph.mcp_server import profiles
    from loregraph.mcp_server.answers import answered
    from loregraph.mcp_server.call import Call
    from loregraph.mcp_server.jobs import Jobs

    call = Call(workspace, Jobs(workspace.root), request.correlation_id)
    body, outcome = answered(call, profiles.get(request.profile), request.tool, request.arguments)
    return Reply(body, outcome)


def bring(workspace: Workspace, request: Request) -> Reply:
    from loregraph.mcp_server.answers import encoded, guarded

    def work() -> tuple[dict[str, Any], str]:
        with workspace.reading() as project:
            if request.bring == "copies":
                project.bring_copies()
            else:
                project.catch_up()
        return {}, "ok"

    body, outcome = guarded(workspace.root, request.correlation_id, work, bring=request.bring)
    return Reply(encoded(body), outcome)


def peak() -> int:
    """Peak memory of this process in bytes; 0 where the platform does not tell."""
    # On Linux `getrusage` starts with the peak of the parent process.
    with suppress(OSError):
        for line in PROC_STATUS.read_text("ascii").splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) * 1024
    try:
        import resource  # not on Windows
    except ImportError:
        return 0
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most if sys.platform == "darwin" else most * 1024
