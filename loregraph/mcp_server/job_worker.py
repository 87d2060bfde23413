"""The process of a job: reads one request from standard input, prints progress and the result, line by line.

It ends when its input ends, so that it never outlives the server.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from loregraph import orphans
from loregraph.gc_control import never_collect

NICE: Final = 10
"""Niceness: the server answers meanwhile."""
EVERY: Final = 0.1
"""Minimum seconds between two progress reports of one phase."""

SHARES: Final = {"discover": 0.02, "extract": 0.58, "resolve": 0.2, "embed": 0.1, "store": 0.1}
"""The share of each phase in an indexer run."""

Say = Callable[[dict[str, Any]], None]


def main() -> None:
    orphans.end_with_parent()
    never_collect()
    # Before numpy loads: see cli.main.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    if hasattr(os, "nice"):
        os.nice(NICE)
    # Printed text must not disturb the messages to the server.
    output = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)

    def say(message: dict[str, Any]) -> None:
        output.write(json.dumps(message).encode() + b"\n")
        output.flush()

    signal.signal(signal.SIGTERM, _stop)
    request = json.loads(_line())
    threading.Thread(target=_end_with_input, daemon=True).start()
    try:
        say(perform(request, say))
    except BrokenPipeError:
        sys.exit(1)
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)  # it is over; nothing is left to stop


def _line() -> bytes:
    """The first line of standard input, read without Python's buffer: see `_end_with_input`."""
    found = b""
    while not found.endswith(b"\n") and (piece := os.read(0, 1 << 16)):
        found += piece
    return found


def _stop(number: int, frame: object) -> None:
    """Ends by an exception, so that transactions are rolled back."""
    raise SystemExit(128 + number)


def _end_with_input() -> None:
    # Not through `sys.stdin`: a thread blocked in it makes Python abort on exit.
    while os.read(0, 1 << 16):
        continue
    os.kill(os.getpid(), signal.SIGTERM)


def perform(request: dict[str, Any], say: Say) -> dict[str, Any]:
    """Does the requested work. Returns the last line to print."""
    from loregraph.errors import LoregraphError
    from loregraph.mcp_server import log
    from loregraph.mcp_server.errors import body, unexpected

    root = Path(request["root"])
    try:
        return _WORK[request["kind"]](request, _Reports(say))
    except LoregraphError as error:
        answer = body(error, root, "")
    except Exception as error:
        log.write("ERROR", "job failed", kind=request["kind"], exception=log.traced(error))
        answer = unexpected("")
        answer["error"]["suggestion"] = "the server's log has the details"
    del answer["error"]["details"]["correlation_id"]
    return answer


class _Reports:
    """Prints progress, at a limited rate."""

    def __init__(self, say: Say) -> None:
        self._say = say
        self._phase = ""
        self._last = 0.0

    def __call__(self, phase: str, progress: float, counts: dict[str, int]) -> None:
        now = time.monotonic()
        if phase != self._phase or now - self._last >= EVERY:
            self._phase, self._last = phase, now
            self._say({"phase": phase, "progress": progress, "counts": counts})


def _project(request: dict[str, Any]) -> Any:
    from loregraph.project import Project

    return Project(request["root"], store=request["store"], **request["options"])


def _index(request: dict[str, Any], report: _Reports) -> dict[str, Any]:
    import msgspec

    with _project(request) as project:
        done = project.index(
            full=request["full"],
            paths=request["paths"],
            include=request["include"],
            exclude=request["exclude"],
            force=request["force"],
            progress=lambda p: report(p.phase, part(p.phase, p.done, p.total), {"done": p.done, "total": p.total}),
        )
    result = msgspec.to_builtins(done)
    counts = {
        **{f"files_{name}": number for name, number in result["files"].items()},
        "functions": done.functions,
        "classes": done.classes,
        "relationships": sum(done.relationships.values()),
        "problems": len(done.problems),
    }
    return {"result": {"problems": result["problems"]}, "counts": counts}


def _normalize(request: dict[str, Any], report: _Reports) -> dict[str, Any]:
    import msgspec

    with _project(request) as project:
        done = msgspec.to_builtins(
            project.memory.normalize(
                phases=request["phases"],
                dry_run=request["dry_run"],
                progress=lambda p: report(p.phase, p.done, {}),
            )
        )
    return {"result": None, "counts": done["stats"]}


def part(phase: str, done: int, total: int) -> float:
    """The progress of an indexer run that has done `done` of `total` in `phase`, 0…1."""
    before = 0.0
    for name, share in SHARES.items():
        if name == phase:
            return before + share * (done / total if total else 0.0)
        before += share
    return 0.0


_WORK: Final[dict[str, Callable[[dict[str, Any], _Reports], dict[str, Any]]]] = {
    "index": _index,
    "normalize": _normalize,
}
