"""A workspace as a project: what reads graphs, sources and memories of one repository reads those of several."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Never

import msgspec

from loregraph.config import ProjectSettings, load_settings
from loregraph.errors import LoregraphError, UnsupportedError, UsageError
from loregraph.graph.generation import StoreFolder
from loregraph.opened import StrPath
from loregraph.project import Project
from loregraph.workspaces.file import read_workspace
from loregraph.workspaces.joined_store import JoinedStore, joined_store_path
from loregraph.workspaces.members import Members, prefixed
from loregraph.workspaces.pulled import pulled_store

if TYPE_CHECKING:
    from loregraph.analysis.history.answer import History
    from loregraph.analysis.rules.code import Code
    from loregraph.freshness import Behind, Outdated
    from loregraph.git import ChangedFile
    from loregraph.indexer.build.unresolved_calls import Reason
    from loregraph.memory.api import ProjectMemory
    from loregraph.status import Stale, Status

_ONE: Final = "ask the repository itself, with --root"
_NO_HISTORY: Final = "each repository of a workspace has its own; ask the repository itself, with --root"


# Implements REQ-WSP-001.
class WorkspaceProject(Project):
    """The repositories that the file at `path` lists, as one project: ids and paths have the name of their repository
    before them.

    What changes files or graphs is refused, except that memories are brought into the graphs of their repositories.
    `settings` override the user's configuration; repositories have no say in those of the workspace, and each keeps its
    own for what is read from its files.
    """

    def __init__(self, path: StrPath, **settings: Any) -> None:
        self.listed = read_workspace(Path(path))
        self._joined = joined_store_path(self.listed.path)
        super().__init__(self.listed.path.parent, **settings)
        self._options["workspace"] = str(self.listed.path)
        self.members = Members(self.listed, self._opened, pulled_store)
        self.store: StoreFolder = JoinedStore(self._joined, self.members)

    def _read_settings(self) -> ProjectSettings:
        # The folder of the workspace's file may be a repository's: only the user's own configuration counts.
        options = {name: value for name, value in self._options.items() if name != "workspace"}
        return load_settings(self._joined, **options)

    def _opened(self, root: Path) -> Project:
        return Project(root)

    def close(self) -> None:
        super().close()
        self.members.close()

    @property
    def remarks(self) -> tuple[str, ...]:
        """What is wrong with repositories, and a line for each untrusted thing in them; names its repository first."""
        with suppress(LoregraphError):
            self.store.current()
        told = [f"{name}: {problem}: left out" for name, problem in self.members.problems.items()]
        for name in self.without_sources:
            if name not in self.members.problems:
                told.append(f"{name}: its files are not here: answers have none of its source")
        for name, project in self.members.projects():
            told += [f"{name}: {remark}" for remark in project.settings.remarks]
        return tuple(told)

    # Bringing it up to date

    def catch_up(self) -> bool:
        done = True
        for _, project in self.members.projects():
            with suppress(LoregraphError):
                done = project.catch_up() and done
        return done

    def bring_copies(self) -> None:
        """Adds the SIMILAR_TO edges of each repository: copies of code of another one are not looked for."""
        for _, project in self.members.projects():
            with suppress(LoregraphError):
                project.bring_copies()

    def history(self) -> History:
        """None: each repository has its own, which `bring_history` joins."""
        from loregraph.analysis.history.answer import History
        from loregraph.analysis.history.past import Past

        self._history_remark = _NO_HISTORY
        return History(self.root, self.reader().columns, Past(refusal=_NO_HISTORY))

    def bring_history(self) -> None:
        """Adds what git's history says of each repository to its graph; no commit is in two of them."""
        for _, project in self.members.projects():
            with suppress(LoregraphError):
                project.bring_history()

    # Files

    def inside(self, path: StrPath) -> str:
        """`path` where it is a path of the graph; the path of a file below a repository's folder as the graph has
        it."""
        name, _ = self.members.whose(str(path))
        if name:
            return str(path)
        resolved = Path(path).resolve()
        for name, project in self.members.projects():
            if resolved.is_relative_to(project.root):
                return next(prefixed(name, [resolved.relative_to(project.root).as_posix()]))
        raise UsageError(f"{path} lies in no repository of the workspace", "name it as NAME:PATH")

    # Implements REQ-WSP-006.
    def _source(self, path: str) -> bytes | None:
        name, inner = self.members.whose(path)
        try:
            project = self.members.project(name) if name else None
        except LoregraphError:
            return None
        return None if project is None else project._source(inner)

    def code(self) -> Code:
        return self.reader().code(self.root, self._source)

    @property
    def without_sources(self) -> tuple[str, ...]:
        """The repositories whose files are not here."""
        return tuple(name for name, member in self.members.listed.items() if member.root is None)

    # Freshness

    def behind(self, paths: Iterable[str] = (), *, others: bool = True) -> Behind:
        """As of a project, of all repositories: of each an equal share of files is looked at."""
        from loregraph import freshness

        asked = self.members.by_member(paths)
        projects = dict(self.members.projects())
        most = freshness.MOST_LOOKED // max(1, len(projects)) if others else 0
        changed: set[str] = set()
        unsure, is_whole, is_known = 0, True, True
        for name, project in projects.items():
            if not most and name not in asked:
                continue
            try:
                found = freshness.behind(
                    project.root, project.settings.max_file_bytes, project.store, frozenset(asked.get(name, ())), most
                )
            except LoregraphError:
                continue  # its problem is said by `remarks`
            changed.update(prefixed(name, found.changed))
            unsure += found.unsure
            is_whole, is_known = is_whole and found.is_whole, is_known and found.is_known
        return freshness.Behind(frozenset(changed), unsure, is_whole, is_known)

    def differing(self, hashes: Mapping[str, str]) -> Outdated:
        from loregraph import freshness

        changed: set[str] = set()
        gone: set[str] = set()
        for name, inner in self.members.by_member(hashes).items():
            with suppress(LoregraphError):
                project = self.members.project(name)
                if project is None:
                    continue
                own = {path: hashes[whole] for path, whole in zip(inner, prefixed(name, inner), strict=True)}
                found = project.differing(own)
                changed.update(prefixed(name, found.changed))
                gone.update(prefixed(name, found.gone))
        return freshness.Outdated(frozenset(changed), frozenset(gone))

    def stale(self) -> Stale:
        from loregraph.status import Stale

        found: dict[str, list[str]] = {"changed": [], "added": [], "removed": []}
        for name, project in self.members.projects():
            own = project.stale()
            for kind, paths in found.items():
                paths.extend(prefixed(name, getattr(own, kind)))
        return Stale(**{kind: tuple(sorted(paths)) for kind, paths in found.items()})

    def status(self) -> Status:
        from loregraph.status import status_of

        current = self.store.current()
        reader = self.reader() if current is not None else None
        found = status_of(self.root, self.settings, self.store, reader, self.remarks)
        if reader is None:
            return found
        return msgspec.structs.replace(found, root=str(self.listed.path), stale=self.stale())

    def unresolved_reasons(self, limit: int) -> list[Reason] | None:
        return None

    # Questions that need more than the graph

    @property
    def memory(self) -> ProjectMemory:
        """The memories of all repositories, to read."""
        if self._memory is None:
            from loregraph.workspaces.memory import WorkspaceMemory

            self._memory = WorkspaceMemory(self.root, self.settings, self.members)
        return self._memory

    def _changed(self, symbol: str, diff: str, since: str) -> list[int]:
        if not since.strip() or symbol.strip() or diff.strip():
            return super()._changed(symbol, diff, since)
        from loregraph import git
        from loregraph.analysis.since import changed_symbols

        changes: dict[str, ChangedFile] = {}
        failed: list[LoregraphError] = []
        compared = 0
        for name, project in self.members.projects():
            try:
                found = git.changed_lines(project.root, since)
            except UsageError as error:  # no repository of git, or one without that revision
                failed.append(error)
                continue
            compared += 1
            changes.update(zip(prefixed(name, found), found.values(), strict=True))
        if failed and not compared:
            raise failed[0]
        return changed_symbols(self.reader().columns, changes)

    def _lines_of(self, diff: str) -> Mapping[str, ChangedFile]:
        raise UsageError("a diff is of one repository, not of a workspace", _ONE)

    def index(self, **options: Any) -> Never:
        raise self._refused("a workspace is not indexed as a whole", "run `loregraph index --workspace FILE`")

    def _refused(self, message: str, suggestion: str = _ONE) -> UnsupportedError:
        return UnsupportedError(message, suggestion)
