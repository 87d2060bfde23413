"""The recording of one process, and how its children take it up.

A child that is a copy of this process (`os.fork`, `multiprocessing` on Linux) goes on with a part of its own. One that
starts Python anew finds two things in its environment: `LOREGRAPH_RECORDING`, which says where and what is recorded,
and on PYTHONPATH a folder with a `sitecustomize` that reads it. What a child cannot be seen doing: it is started with
`-I`, `-E` or `-S` or without the environment, it is of a Python before 3.11 or without loregraph, or it is killed (its
last test is lost).
"""

from __future__ import annotations

import atexit
import json
import os
import sys
from pathlib import Path
from typing import Final

from loregraph.recording.recorder import Recorder
from loregraph.recording.sink import Part
from loregraph.recording.watching import watch

VARIABLE: Final = "LOREGRAPH_RECORDING"
STARTUP: Final = Path(__file__).with_name("startup")
_SESSIONS: Final[list[Session]] = []
"""The one of this process, once there is one."""


class Session:
    """Records below `root` into `folder` until `stop`. Use `begin`, since there is one of a process."""

    def __init__(self, root: str, folder: Path, test: str = "") -> None:
        self._root = root
        self._folder = folder
        self._test = test
        self._pid = os.getpid()
        self._recorder = Recorder(root)
        self._part = Part(folder)
        self._watching = watch(self._recorder)
        self.how = self._watching.how if self._watching else ""
        """What records: "" for nothing, where another profiler holds the only place there is."""

    def test(self, name: str) -> None:
        """What runs from now on is part of the test `name`; "" for none."""
        self._part.write(self._recorder, self._test)
        self._test = name
        os.environ[VARIABLE] = self._said()
        if name and self._watching:
            self._watching.renew()

    def publish(self) -> None:
        """Lets processes that are started from now on record, too."""
        os.environ[VARIABLE] = self._said()
        old = os.environ.get("PYTHONPATH", "")
        if str(STARTUP) not in old.split(os.pathsep):
            os.environ["PYTHONPATH"] = f"{STARTUP}{os.pathsep}{old}" if old else str(STARTUP)

    def stop(self) -> None:
        """Writes what is left. Does nothing in a process that this is only a copy in."""
        if self._pid != os.getpid():
            return
        if self._watching:
            self._watching.stop()
            self._watching = None
            self._part.write(self._recorder, self._test)
            self._part.close(self._recorder)

    def split(self) -> None:
        """In a copy of the process: goes on with a part of its own, without what the first had recorded."""
        self._pid = os.getpid()
        self._recorder.taken()
        self._part = Part(self._folder)
        _stop_at_end()

    def _said(self) -> str:
        return json.dumps({"root": self._root, "folder": str(self._folder), "test": self._test})


def begin(root: str, folder: Path, test: str = "") -> Session:
    """The recording of this process: a new one, or the one that it was started with."""
    if not _SESSIONS:
        _SESSIONS.append(Session(root, folder, test))
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(after_in_child=_split)
    return _SESSIONS[0]


def begin_as_child() -> None:
    """Takes up the recording that the environment names; called by `startup/sitecustomize.py`."""
    try:
        said = json.loads(os.environ.get(VARIABLE, ""))
        root, folder, test = said["root"], Path(said["folder"]), said["test"]
    except (ValueError, KeyError, TypeError):
        return
    if folder.is_dir():  # the run may have ended before its children
        begin(root, folder, test)
        _stop_at_end()


def _split() -> None:
    for session in _SESSIONS:
        session.split()


def _stop_at_end() -> None:
    """A process of multiprocessing ends without running what `atexit` has, and its copies forget all finalizers
    first."""
    atexit.register(_stop)
    multiprocessing = sys.modules.get("multiprocessing.util")
    if multiprocessing is not None:
        multiprocessing.register_after_fork(_SESSIONS[0], _stop_at_end_of_copy)


def _stop_at_end_of_copy(session: Session) -> None:
    import multiprocessing.util

    multiprocessing.util.Finalize(None, session.stop, exitpriority=-1_000)


def _stop() -> None:
    for session in _SESSIONS:
        session.stop()
