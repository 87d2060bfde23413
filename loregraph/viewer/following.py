"""The process that keeps the graph up to date while it is looked at, unless a server or `loregraph watch` does so."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec

from loregraph import orphans
from loregraph.errors import LoregraphError
from loregraph.worker_process import WorkerProcess, receive, take_output


class Opening(msgspec.Struct):
    """Which project, and how."""

    root: str
    store: str | None
    options: dict[str, Any]


def started(root: Path, store: Path | None, options: dict[str, Any]) -> WorkerProcess:
    """It ends with this process, or by `end`."""
    process = WorkerProcess("loregraph.viewer.following")
    process.tell(msgspec.msgpack.encode(Opening(str(root), None if store is None else str(store), options)))
    return process


def main() -> None:
    from loregraph.project import Project

    orphans.end_with_parent()
    # Before numpy loads: see cli.main.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    take_output()
    first = receive(sys.stdin.buffer)
    if first is None:
        return
    opening = msgspec.msgpack.decode(first, type=Opening)
    # What fails here is seen on the pages: they say which files are not in the graph.
    with suppress(LoregraphError), Project(opening.root, store=opening.store, **opening.options) as project:
        for _ in project.watch():
            pass
