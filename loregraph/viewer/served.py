"""The project that a viewer shows, for several questions at once, and what was computed for its graph."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cached_property
from pathlib import Path
from typing import Any, Final

from loregraph.project import Project
from loregraph.viewer.asked import Kept
from loregraph.workspaces.opening import opened

MOST_IDLE: Final = 4
"""Projects kept open for later questions."""


class ServedProject:
    """Thread-safe. `close` releases everything; `options` are those of `Project`."""

    def __init__(self, root: Path, *, store: Path | None = None, **options: Any) -> None:
        self._opening = root, store, options
        first = self._open()
        self.root, self.settings, self._store = first.root, first.settings, first.store
        self._idle = [first]
        self._lock = threading.Lock()
        self._kept: tuple[str, Kept] = ("", Kept())

    def _open(self) -> Project:
        root, store, options = self._opening
        return opened(root, store, options)

    @contextmanager
    def reading(self) -> Iterator[Project]:
        """A project for one question."""
        with self._lock:
            project = self._idle.pop() if self._idle else None
        project = project or self._open()
        try:
            yield project
        finally:
            with self._lock:
                keep = len(self._idle) < MOST_IDLE
                if keep:
                    self._idle.append(project)
            if not keep:
                project.close()

    def state(self) -> str:
        """Names what is shown: another graph, memory or decision is another state. Two calls of `stat`, or three."""
        with self._lock:
            current = self._store.current()
        sizes = []
        for journal in self._journals:
            with suppress(OSError):
                sizes.append(journal.stat().st_size)
        return f"{current.generation if current else 0}:{':'.join(map(str, sizes))}"

    @cached_property
    def _journals(self) -> tuple[Path, ...]:
        with self.reading() as project:
            return project.memory.shown_journals

    def kept(self, state: str) -> Kept:
        """What was computed in this state; of older ones everything is forgotten."""
        with self._lock:
            if self._kept[0] != state:
                self._kept = (state, Kept())
            return self._kept[1]

    def close(self) -> None:
        with self._lock:
            idle, self._idle = self._idle, []
        for project in idle:
            project.close()
