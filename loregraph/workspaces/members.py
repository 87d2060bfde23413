"""The repositories of a workspace, opened: which of them can be asked, what is wrong with the others, and whose a path
is."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Final

from loregraph.errors import LoregraphError, NotIndexedError, UsageError
from loregraph.graph.generation import Current, StoreFolder
from loregraph.graph.joined_columns import SEPARATOR, prefix_of
from loregraph.graph.model import SCHEMA_VERSION
from loregraph.project import Project
from loregraph.workspaces.file import Member, WorkspaceFile

INDEX_IT: Final = "run `loregraph index --workspace FILE`"


class Members:
    """The repositories of a workspace by name, each opened when it is first needed; `close` releases them.

    `opened` opens the project of a repository that is in a folder, `pulled` gives the store of a published graph.
    """

    def __init__(
        self, file: WorkspaceFile, opened: Callable[[Path], Project], pulled: Callable[[Member], StoreFolder]
    ) -> None:
        self.listed: Mapping[str, Member] = {member.name: member for member in file.members}
        self._open, self._pull = opened, pulled
        self._projects: dict[str, Project] = {}
        self._pulled: dict[str, StoreFolder] = {}
        self._failed: dict[str, LoregraphError] = {}
        self._damage: dict[str, tuple[Current, str]] = {}
        self.problems: dict[str, str] = {}
        """Name → why a repository cannot be asked, as `states` found it."""

    def close(self) -> None:
        projects, self._projects = self._projects, {}
        for project in projects.values():
            project.close()

    def project(self, name: str) -> Project | None:
        """The project of a repository; None for one whose files are not here.

        Raises UsageError where its folder is missing, ConfigError for wrong settings.
        """
        root = self.listed[name].root
        if root is None:
            return None
        if name not in self._projects:
            if not root.is_dir():
                raise UsageError(f"there is no folder {root}", "correct its path in the workspace's file")
            self._projects[name] = self._open(root)
        return self._projects[name]

    def projects(self) -> Iterator[tuple[str, Project]]:
        """The repositories whose files are here and that can be opened."""
        for name in self.listed:
            try:
                project = self.project(name)
            except LoregraphError:
                continue
            if project is not None:
                yield name, project

    def store(self, name: str) -> StoreFolder:
        """The store with the graph of a repository, which need not have one yet."""
        project = self.project(name)
        if project is not None:
            return project.store
        if name not in self._pulled:
            if name in self._failed:  # not asked again by each question: a place may take long to fail
                raise self._failed[name]
            try:
                self._pulled[name] = self._pull(self.listed[name])
            except LoregraphError as error:
                self._failed[name] = error
                raise
        return self._pulled[name]

    # Implements REQ-WSP-003.
    def states(self) -> dict[str, Current]:
        """The current generation of each repository that can be asked; the others are in `problems` afterwards."""
        found: dict[str, Current] = {}
        self.problems = {}
        for name in self.listed:
            try:
                found[name] = self._state(name)
            except LoregraphError as error:
                self.problems[name] = error.message
        return found

    def _state(self, name: str) -> Current:
        store = self.store(name)
        current = store.current()
        if current is None:
            why = f": the store {store.path} is not believed ({store.doubt})" if store.doubt else ""
            raise NotIndexedError(f"it is not indexed{why}", INDEX_IT)
        if current.schema_version < SCHEMA_VERSION:
            raise NotIndexedError("it was indexed by an older loregraph", INDEX_IT)
        damaged = self._damage.get(name)
        if damaged is not None and damaged[0] == current:
            raise NotIndexedError(damaged[1], INDEX_IT)
        return current

    def is_damaged(self, name: str, current: Current, message: str) -> None:
        """Leaves a repository out until it has another generation."""
        self._damage[name] = current, message

    def whose(self, path: str) -> tuple[str, str]:
        """The repository of a path or id, and what it is there; "" for the name where it is none's."""
        name, separator, inner = path.partition(SEPARATOR)
        return (name, inner) if separator and name in self.listed else ("", path)

    def by_member(self, paths: Iterable[str]) -> dict[str, list[str]]:
        """Repository → the paths there."""
        found: dict[str, list[str]] = {}
        for path in paths:
            name, inner = self.whose(path)
            if name:
                found.setdefault(name, []).append(inner)
        return found


def prefixed(name: str, paths: Iterable[str]) -> Iterator[str]:
    """Paths or ids of a repository as the workspace has them."""
    prefix = prefix_of(name)
    return (prefix + path for path in paths)
