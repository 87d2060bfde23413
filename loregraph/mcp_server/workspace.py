"""The project that a server serves, shared by calls in threads of their own.

A `Project` serves one call at a time: it replaces its reader when another graph was published. So calls borrow one from
a pool and return it; all of them map the same files, which costs next to nothing.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from loregraph import rooted
from loregraph.errors import LoregraphError, PathOutsideProjectError, StoreBusyError, UnsupportedError, UsageError
from loregraph.mcp_server import log
from loregraph.mcp_server.analyst import Analyst
from loregraph.project import Project
from loregraph.worker_process import memory_limited
from loregraph.workspaces.opening import WORKSPACE, opened

if TYPE_CHECKING:
    from loregraph.memory.api import ProjectMemory

MOST_IDLE: Final = 4
"""Maximum projects kept open for later calls."""
GIT_FOLDER: Final = ".git"
DEFAULT_MEMORY_DIR: Final = "~/.claude/agents/memories"
AGENT_FILES: Final = ("core_memories.jsonl", "learnings.jsonl", "tasks.jsonl")


class AnalysedProject(Project):
    """A project in the worker, whose memory is limited: the engine reserves terabytes of address space for writing."""

    def _bring_memories(self) -> bool:
        with memory_limited(None):
            return super()._bring_memories()

    def bring_copies(self) -> None:
        with memory_limited(None):
            super().bring_copies()


class ServedProject(Project):
    """A project whose graph is brought up to date by the worker: see `analyst`."""

    bring: Callable[[str], bool]
    shared: Callable[[], ProjectMemory] | None = None
    """The memories of the workspace, so that journals are read once; None for the project that has them."""

    @property
    def memory(self) -> ProjectMemory:
        return super().memory if self.shared is None else self.shared()

    def _bring_memories(self) -> bool:
        return self.bring("memories")

    def bring_copies(self) -> None:
        current = self.store.current()
        if current is not None and not current.similar and not self.bring("copies"):
            raise StoreBusyError("an analysis is running, after which copies can be compared", "try again in a minute")


class Workspace:
    """The project at `root`; `options` are those of `Project`. `close` releases everything.

    `in_worker`: this is the analysing process itself; otherwise `analyst` does that.
    """

    def __init__(self, root: Path, *, store: Path | None = None, in_worker: bool = False, **options: Any) -> None:
        self.store = store
        self.options = options
        self.in_worker = in_worker
        first = self._project(root)
        self.root = first.root
        self.analyst = Analyst(first.root, store, options)
        """Who does what may have to be ended."""
        self.settings = first.settings
        for remark in first.settings.remarks:
            log.write("WARNING", remark)
        self.store_folder = first.store
        self.project_id = first.settings.project_id
        """What the project is called in the log; "" until `name_project` has found it, or where nothing can name it."""
        self._named = bool(self.project_id)
        self._idle: list[Project] = [first]
        self._comparing: list[Project] = []
        self._generation: int | None = None
        self._closed = False
        self._lock = threading.Lock()
        self._cypher = threading.Lock()
        self._asked: Project | None = None
        self._remembers: Project | None = None
        self._limited: ProjectMemory | None = None

    @contextmanager
    def reading(self) -> Iterator[Project]:
        """A project for this call alone."""
        with self._borrowed(self._idle) as project:
            yield project

    @contextmanager
    def comparing(self) -> Iterator[Project]:
        """As `reading`, to compare files with the graph: the projects that answer keep what they have loaded."""
        with self._borrowed(self._comparing) as project:
            yield project

    @contextmanager
    def _borrowed(self, pool: list[Project]) -> Iterator[Project]:
        self._let_old_graphs_go()
        with self._lock:
            project = pool.pop() if pool else None
        if project is None:
            project = self._another()
        try:
            yield project
        finally:
            with self._lock:
                keep = len(pool) < MOST_IDLE and not self._closed
                if keep:
                    pool.append(project)
            if not keep:
                project.close()

    def _let_old_graphs_go(self) -> None:
        """Closes pooled projects with an older graph: an open graph occupies disk space."""
        with suppress(LoregraphError):
            current = self.store_folder.current()
            generation = current.generation if current is not None else 0
            with self._lock:
                before, self._generation = self._generation, generation
                if before in (None, generation):
                    return
                idle = [*self._idle, *self._comparing]
                self._idle.clear()
                self._comparing.clear()
            for project in idle:
                project.close()
            if self._cypher.acquire(blocking=False):
                try:
                    if self._asked is not None:
                        self._asked.close()
                finally:
                    self._cypher.release()

    @contextmanager
    def asking(self) -> Iterator[Project]:
        """The project whose worker process answers Cypher: one query at a time, so that one worker is enough."""
        with self._cypher:
            if self._asked is None:
                self._asked = self._another()
            yield self._asked

    @property
    def memory(self) -> ProjectMemory:
        """The project's memories. Thread-safe."""
        with self._lock:
            if self._remembers is None:
                self._remembers = self._project(self.root, shares=False)
            return self._remembers.memory

    def name_project(self) -> None:
        """Determines `project_id`, which runs git, once."""
        if not self._named:
            self._named = True
            with suppress(LoregraphError):
                self.project_id = self.memory.project_id

    def acting_as(self, *, agent_id: str | None = None, session_id: str | None = None) -> ProjectMemory:
        """The memories as seen by an agent or session."""
        memory = self.memory
        if agent_id is None and session_id is None:
            return memory
        return memory.acting_as(agent_id=agent_id, session_id=session_id)

    @property
    def limited_memory(self) -> ProjectMemory:
        """The memories within the limits set by the environment: the profile `agent-memory`.

        The first use imports the memories of the folder `MEMORY_DIR` once; every use archives what exceeds the limits.
        """
        with self._lock:
            memory = self._limited
        if memory is None:
            from loregraph.memory.limits import limits_from

            memory = self.memory.acting_as(limits=limits_from())
            import_once(memory)
            with self._lock:
                self._limited = memory
        memory.archive_expired()
        return memory

    # Implements REQ-MCP-007.
    def path(self, field: str, text: str) -> Path:
        """The absolute path denoted by `text`, relative to the root, links resolved.

        Raises PathOutsideProjectError where it leaves the project, UsageError where it is not a valid path.
        """
        try:
            resolved = rooted.resolved(self.root / text)
        except (OSError, ValueError):
            raise UsageError(f"{field}: {text!r} cannot be a path", "name a path inside the project") from None
        if not resolved.is_relative_to(self.root):
            raise PathOutsideProjectError(
                f"{field}: {text!r} leads outside the project", "name a path inside the project, relative to its root"
            )
        return resolved

    def relative(self, path: Path) -> str:
        """`path` in the form used in ids."""
        return path.relative_to(self.root).as_posix()

    @property
    def is_no_project(self) -> bool:
        """Whether the root is the home folder or the top of the disk."""
        return self.root in (Path.home().resolve(), Path(self.root.anchor))

    def refuse_home(self) -> None:
        """Raises UsageError where the host started the server in the home folder or the root: that is no project to
        index."""
        if self.is_no_project:
            raise UsageError(
                "the server was started in the home folder or at the top of the disk, which is no project",
                'add "--root", "/path/to/the/project" before "serve" in the host\'s configuration',
            )

    def writable(self, field: str, text: str) -> Path:
        """As `path`, for a file to be written: not in git's folder or the store, nor over a file of another kind."""
        path = self.path(field, text)
        for reserved in (self.root / GIT_FOLDER, self.store_folder.path.resolve()):
            if path.is_relative_to(reserved):
                raise PathOutsideProjectError(
                    f"{field}: {text!r} is not for exports", "name another folder of the project"
                )
        return path

    def warm(self) -> None:
        """Preloads what the first questions need. Errors are reported by the question that needs it."""
        try:
            with self.reading() as project:
                if self.store_folder.current() is not None:
                    project.search("warm", limit=1)
            self.memory.stats()
        except (LoregraphError, OSError, ImportError):
            return

    def close(self) -> None:
        self.analyst.close()
        with self._lock:
            self._closed = True
            projects = [*self._idle, *self._comparing, *filter(None, (self._asked, self._remembers))]
            self._idle.clear()
            self._comparing.clear()
            self._asked, self._remembers = None, None
        for project in projects:
            project.close()

    def _another(self) -> Project:
        return self._project(self.root)

    @property
    def is_several(self) -> bool:
        """Whether several repositories are served: see `workspaces`."""
        return WORKSPACE in self.options

    def refuse_several(self) -> None:
        """Raises UnsupportedError where several repositories are served, which are indexed one by one."""
        if self.is_several:
            raise UnsupportedError(
                "this server answers for several repositories and indexes none",
                "a server of the repository itself does it, or a person who runs `loregraph watch` there",
            )

    def _project(self, root: Path, *, shares: bool = True) -> Project:
        if self.is_several:
            return opened(root, self.store, self.options)
        if self.in_worker:
            return AnalysedProject(root, store=self.store, **self.options)
        project = ServedProject(root, store=self.store, **self.options)
        project.bring = self._bring
        if shares:
            project.shared = lambda: self.memory
        return project

    def _bring(self, what: str) -> bool:
        return self.analyst.bring(what)


def import_once(memory: ProjectMemory) -> None:
    """Imports the files of an agent memory server in `MEMORY_DIR`. Memories imported before are skipped by id."""
    folder = Path(os.environ.get("MEMORY_DIR") or DEFAULT_MEMORY_DIR).expanduser()
    if not any((folder / name).is_file() for name in AGENT_FILES):
        return
    try:
        done = memory.import_(folder, form="agent-memory", conflict_resolution="skip")
    except UnsupportedError as error:
        log.write("WARNING", "memories were not imported", folder=str(folder), reason=error.message)
        return
    log.write("INFO", "imported memories", imported=done.imported, skipped=done.skipped, errors=len(done.errors))
