"""The public interface of a project's memory, used by Python programs, the command line and the MCP server:
`Project.memory`."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import msgspec

from loregraph import outputs, rooted
from loregraph.config import Settings, store_path
from loregraph.errors import (
    AmbiguousSymbolError,
    LoregraphError,
    NotAllowedError,
    StoreError,
    UnsupportedError,
    UsageError,
)
from loregraph.memory.answers import (
    Added,
    BulkAdded,
    Deleted,
    Exported,
    Found,
    Imported,
    Page,
    Recollection,
    Relation,
    Statistics,
    Updated,
)
from loregraph.memory.identity import Identity
from loregraph.memory.limits import Limits
from loregraph.memory.questions import MAX_PAGE, MemoryStore, Question, Selection, remember_each
from loregraph.memory.reading import links_from, not_found
from loregraph.memory.record import Memory, Relationship, converted, importance_of, new_memory_id, refusal, timestamp
from loregraph.memory.scopes import OF_THE_PROJECT, SCOPES, Viewer, check_project_id, may_write
from loregraph.memory.store import JournalStore
from loregraph.user_files import data_folder

if TYPE_CHECKING:
    from loregraph.graph.embedders import Embedder
    from loregraph.memory.anchors import Code
    from loregraph.memory.links import LinkDecision
    from loregraph.memory.normalize import NormalizeReport, Progress

ID_LENGTH: Final = 36
"""Characters of a complete memory id."""

Link = Mapping[str, str] | Relationship
Memories = list[Memory]


class ProjectMemory:
    """The memories of the project at `root`, of the current user, and of everyone.

    Nothing is read before the first use. Methods raise subclasses of LoregraphError: UsageError names the invalid
    field. `code` and `embedder` are as for `JournalStore`.
    """

    def __init__(
        self,
        root: Path,
        settings: Settings,
        *,
        code: Callable[[], Code | None] = lambda: None,
        embedder: Callable[[], Embedder | None] = lambda: None,
        clock: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self._root = root
        self._settings = settings
        self._identity = Identity(root, settings)
        self._sources = (code, embedder, clock)
        self._acting = Viewer()
        self._author = ""
        self._limits: Limits | None = None
        self._is_nameless = False

    @cached_property
    def store(self) -> MemoryStore:
        """The store of the memories: the journals, unless the configuration names another backend."""
        if self._settings.memory_backend == "journal":
            return self.journal_store
        from loregraph.memory.hippocampai import HippocampStore

        return HippocampStore(self.project_id, code=self._sources[0])

    @cached_property
    def journal_store(self) -> JournalStore:
        """The journals of the project and of the user: for memories, and for decisions about links with any backend."""
        code, embedder, clock = self._sources
        project_id = self.project_id
        journal = self._identity.journal_of(project_id)
        store = JournalStore(
            project_id,
            journal,
            self._identity.user_journal,
            code=code,
            embedder=embedder,
            clock=clock,
            limits=self._limits,
            root=self._root,
        )
        if self._identity.is_shared and project_id == self._identity.project_id:
            store.project.journal.file.prepare = partial(prepare_shared_folder, journal.parent, store.project.base)
        return store

    @property
    def project_id(self) -> str:
        """The project whose memories these are."""
        return self._acting.project_id or self._identity.project_id

    @property
    def remarks(self) -> tuple[str, ...]:
        """Warnings about project names requested by the repository but not granted, one per line; determines the
        project's name first."""
        _ = self._identity.project_id
        return self._identity.remarks

    @property
    def journals(self) -> tuple[Path, ...]:
        """The journals shown in the project's own graph; they need not exist."""
        return self._identity.journal_of(self._identity.project_id), self.user_journal

    @property
    def shown_journals(self) -> tuple[Path, ...]:
        """The journals shown in the project's graph; only the user's where the project's is uncertain, which is an
        error only for commands about memories."""
        try:
            return self.journals
        except (UsageError, StoreError) as error:
            if not self._is_nameless:
                import logging

                self._is_nameless = True
                log = logging.getLogger("loregraph.memory")
                log.warning("warning: the graph is without the project's memories: %s", error.message)
            return (self.user_journal,)

    @property
    def user_journal(self) -> Path:
        """The journal of memories that belong to no single project; it need not exist."""
        return self._identity.user_journal

    @property
    def viewer(self) -> Viewer:
        """The identity used for access: what `acting_as` set, git's user, this project."""
        acting = self._acting
        return msgspec.structs.replace(
            acting, user_id=acting.user_id or self._identity.user_id, project_id=self.project_id
        )

    @property
    def named(self) -> Viewer:
        """The parts of the viewer set by `acting_as`; the rest is detected."""
        return self._acting

    @property
    def author(self) -> str:
        """The author of new memories: the client set by `acting_as`, else git's user."""
        return self._author or self._identity.author

    def acting_as(
        self,
        *,
        user_id: str | None = None,
        project_id: str | None = None,
        agent_id: str | None = None,
        session_id: str | None = None,
        client: str | None = None,
        limits: Limits | None = None,
    ) -> ProjectMemory:
        """The same memory as used by someone else. None leaves a value unchanged.

        `project_id` names another project of the same data folder; `client` is the author of new memories where git has
        no user; `limits` are those of the profile `agent-memory`.
        """
        other = ProjectMemory(self._root, self._settings)
        other._identity, other._sources = self._identity, self._sources
        if project_id is not None:
            check_project_id(project_id)
        given = {"user_id": user_id, "project_id": project_id, "agent_id": agent_id, "session_id": session_id}
        other._acting = msgspec.structs.replace(self._acting, **{k: v for k, v in given.items() if v is not None})
        other._author = client if client is not None else self._author
        other._limits = limits if limits is not None else self._limits
        if other.project_id == self.project_id and other._limits == self._limits:
            # Caches are shared.
            other.__dict__["journal_store"] = self.journal_store
            other.__dict__["store"] = self.store
        return other

    def close(self) -> None:
        """Writes the access counters that were not written yet."""
        if "journal_store" in self.__dict__:
            self.journal_store.close()

    def _journals(self, wanted: str) -> JournalStore:
        """The journals, for operations that only they support. Raises UnsupportedError with another backend."""
        if self.store is not self.journal_store:
            raise UnsupportedError(
                f"{wanted} is not possible: memories are kept by {self._settings.memory_backend}",
                'set memory_backend = "journal" for what journals can do',
            )
        return self.journal_store

    # writing

    def add(
        self,
        content: str,
        *,
        kind: str = "learning",
        category: str = "",
        tags: Iterable[str] = (),
        importance: float | str = 0.5,
        metadata: Mapping[str, Any] | None = None,
        scope: str = "project",
        anchors: Iterable[str] = (),
        relationships: Iterable[Link] = (),
        user_id: str | None = None,
        project_id: str | None = None,
        agent_id: str | None = None,
        session_id: str | None = None,
        run_id: str = "",
        visibility: str = "private",
        author: str = "",
        allow_secret: bool = False,
    ) -> Added:
        """Stores a memory; it is on disk when this returns.

        `anchors` are symbols of the graph (id, qualified name or name); `relationships` have `type` and `target_id`, a
        memory's or a symbol's. The ids of user, project, agent and session are filled in where the scope needs them and
        the call has none. Raises SecretError for a text that looks like a credential unless `allow_secret`.
        """
        given = {name: value for name, value in locals().items() if name not in ("self", "allow_secret")}
        return self.store.remember(self._record(given), self.viewer, allow_secret=allow_secret)

    def add_many(self, memories: Iterable[Mapping[str, Any]], *, allow_secret: bool = False) -> BulkAdded:
        """Stores many, each a mapping of `add`'s arguments (`memory_type` for `kind` too); invalid rows are rejected
        one by one."""
        rows: list[Memory | LoregraphError] = []
        for memory in memories:
            try:
                rows.append(self._record(memory))
            except LoregraphError as error:
                rows.append(error)
        if self.store is self.journal_store:
            return self.journal_store.remember_many(rows, self.viewer, allow_secret=allow_secret)
        return remember_each(self.store, rows, self.viewer, allow_secret=allow_secret)

    def _record(self, given: Mapping[str, Any]) -> Memory:
        """The record that `add`'s arguments make."""
        if not isinstance(given, Mapping):
            raise UsageError("a memory is a JSON object", "see docs/memory.md")
        data = {("kind" if name in ("memory_type", "type") else name): value for name, value in given.items()}
        data = {name: value for name, value in data.items() if value is not None}
        if unknown := sorted(data.keys() - _ADDABLE):
            raise refusal(unknown[0], "is unknown here")
        scope = data.setdefault("scope", "project")
        data["importance"] = importance_of(data.get("importance", 0.5))
        for name in ("tags", "anchors"):
            if isinstance(data.get(name), str):
                raise refusal(name, "is a text, not a list of texts")
            data[name] = list(data.get(name, ()))
        links = data.get("relationships", ())
        data["relationships"] = [msgspec.to_builtins(link) for link in links]
        viewer = self.viewer
        if isinstance(scope, str) and scope in SCOPES:
            data.setdefault("user_id", viewer.user_id)
            if scope in OF_THE_PROJECT:
                data.setdefault("project_id", viewer.project_id)
            if scope in (*OF_THE_PROJECT, "session") and viewer.agent_id:
                data.setdefault("agent_id", viewer.agent_id)
            if scope in (*OF_THE_PROJECT, "session") and viewer.session_id:
                data.setdefault("session_id", viewer.session_id)
        now = timestamp(self._sources[2]())
        data["author"] = data.get("author") or self.author
        data.update(id=new_memory_id(), created_at=now, updated_at=now)
        data.setdefault("kind", "learning")
        if "content" not in data:
            raise refusal("content", "is missing")
        return converted(data, Memory)

    def update(
        self, memory_id: str, *, allow_secret: bool = False, if_version: int | None = None, **changes: Any
    ) -> Updated:
        """Changes `content`, `kind`, `category`, `tags`, `importance`, `metadata` (merged; None removes a key),
        `visibility`, `state`, `anchors` or `relationships`. Without changes, confirms the anchors.

        `if_version` is the version that the change was made from: raises ChangedMeanwhileError where the memory has
        another one now.
        """
        named = {("kind" if name == "memory_type" else name): value for name, value in changes.items()}
        named = {name: value for name, value in named.items() if value is not None}
        for name in ("tags", "anchors"):
            if isinstance(named.get(name), str):
                raise refusal(name, "is a text, not a list of texts")
            if name in named:
                named[name] = list(named[name])
        if "relationships" in named:
            named["relationships"] = [msgspec.to_builtins(link) for link in named["relationships"]]
        return self.store.update(memory_id, named, self.viewer, allow_secret=allow_secret, if_version=if_version)

    def confirm(self, memory_id: str) -> Updated:
        """Confirms that the memory is still true of the present code: it is no longer stale."""
        return self.update(memory_id)

    def delete(self, memory_id: str, *, hard: bool = False) -> Deleted:
        """Hides a memory, which can be restored for 30 days; `hard` deletes it for good."""
        return self.store.delete(memory_id, self.viewer, purge=hard)

    def restore(self, memory_id: str, version: int) -> Updated:
        """Restores a memory to its content at `version`, deleted or not, as a new version."""
        return self._journals("undoing a change").restore(memory_id, version, self.viewer)

    def end_session(self, session_id: str | None = None) -> int:
        """Purges the memories of the current session; returns their number."""
        return self._journals("ending a session").end_session(session_id or self.viewer.session_id, self.viewer)

    def archive_expired(self) -> tuple[str, ...]:
        """Archives memories beyond the limits of `acting_as`; returns their ids. Other backends have no limits."""
        return self.journal_store.archive_expired(self.viewer) if self.store is self.journal_store else ()

    def decide_links(self, decisions: Iterable[tuple[str, str, str]]) -> tuple[LinkDecision, ...]:
        """Stores (decision, requirement, code) triples, in one write: see `links.decide`.

        They belong to the project, whoever decides; the graph is not consulted.
        """
        from loregraph.memory.links import decide

        return decide(self.journal_store.project.journal, decisions, self.author, self._sources[2]())

    def links(self) -> tuple[LinkDecision, ...]:
        """The latest decision about every link of code to a requirement, ordered by requirement and code."""
        journal = self.journal_store.project.journal
        journal.refresh()
        return tuple(sorted(journal.links(), key=lambda decision: decision.pair))

    # reading

    def get(self, memory_id: str, *, touch: bool = True) -> Memory:
        """The present version of one memory, with its counters. Counts as an access unless `touch` is False."""
        return self.found(memory_id, touch=touch).memory

    def found(self, memory_id: str, *, relationships: bool = False, touch: bool = True) -> Found:
        """One memory with staleness, what supersedes it, and optionally its links."""
        if self.store is self.journal_store:
            return self.journal_store.get(memory_id, self.viewer, relationships=relationships, touch=touch)
        page = self.store.list(Selection(ids=(memory_id,), archived=None, limit=1), self.viewer)
        if not page.memories:
            raise not_found(memory_id)
        (found,) = page.memories
        return msgspec.structs.replace(found, relationships=links_from(found.memory)) if relationships else found

    def ids_from(self, beginning: str) -> tuple[str, ...]:
        """The ids of visible memories, including deleted ones, with this prefix."""
        if self.store is self.journal_store:
            seen = (memory.id for _, memory in self.journal_store.visible(self.viewer, deleted=True))
        else:
            seen = (
                found.memory.id
                for found in self.store.list(Selection(archived=None, limit=MAX_PAGE), self.viewer).memories
            )
        return tuple(sorted(each for each in seen if each.startswith(beginning)))

    def full_id(self, given: str) -> str:
        """The id of the memory with the prefix `given`; `given` itself where there is none. Raises AmbiguousSymbolError
        with the ids where there are several."""
        if len(given) >= ID_LENGTH or not given:
            return given
        found = self.ids_from(given)
        if len(found) > 1:
            raise AmbiguousSymbolError(
                f"memory_id: {len(found)} memories begin with {given!r}", found, "give more of the id"
            )
        return found[0] if found else given

    def relationships(self, memory_id: str) -> tuple[Relation, ...]:
        """Links from and to a memory."""
        return self.found(memory_id, relationships=True, touch=False).relationships or ()

    def search(
        self,
        query: str,
        *,
        kinds: Iterable[str] = (),
        scope: str | None = None,
        tags: Iterable[str] = (),
        since: str = "",
        until: str = "",
        near: Iterable[str] = (),
        limit: int = 10,
        min_similarity: float = 0.0,
    ) -> Recollection:
        """The memories that answer `query`, best first.

        Searches the project's memories, and the own ones of the current agent and session; `scope` names another one,
        "all" every visible one. `since` and `until` are dates or times of creation. `near` are symbols that the
        question is about: memories close to them in the graph rank higher.
        """
        question = Question(
            text=query,
            kinds=tuple(kinds),
            scope=scope,
            tags=tuple(tag.lower() for tag in tags),
            since=since,
            until=until,
            near=tuple(near),
            limit=limit,
            min_similarity=min_similarity,
        )
        return self.store.recall(question, self.viewer)

    def page(self, **selection: Any) -> Page:
        """Memories by their fields, in pages: the arguments are the fields of `questions.Selection`."""
        for name in ("kinds", "tags"):
            if name in selection:
                selection[name] = list(selection[name])
        return self.store.list(converted(selection, Selection), self.viewer)

    def list(self, **selection: Any) -> Memories:
        """The memories of `page`."""
        return [found.memory for found in self.page(**selection).memories]

    def history(self, memory_id: str) -> Memories:
        """Every version of a memory, oldest first, including a deleted one's."""
        return self._journals("showing earlier versions").history(memory_id, self.viewer)

    def may_change(self, memory: Memory) -> bool:
        """Whether this viewer may change, delete or restore `memory`."""
        return may_write(memory, self.viewer)

    def deleted(self) -> Memories:
        """The deleted memories that this viewer may restore, those deleted last first; none with another backend than
        journals."""
        if self.store is not self.journal_store:
            return []
        viewer = self.viewer
        seen = (memory for _, memory in self.journal_store.visible(viewer, deleted=True))
        kept = [memory for memory in seen if memory.state == "deleted" and may_write(memory, viewer)]
        return sorted(kept, key=lambda memory: (memory.updated_at, memory.id), reverse=True)

    def stats(self) -> Statistics:
        """Counts of the visible memories, and the size of the journals."""
        return self.store.stats(self.viewer)

    # import, export, maintenance

    def export(
        self,
        path: Path | str,
        *,
        form: str = "jsonl",
        kinds: Iterable[str] = (),
        scope: str | None = None,
        include_embeddings: bool = False,
        replace: bool = False,
    ) -> Exported:
        """Writes the visible memories to the file (for "agent-memory": folder) `path`.

        An existing file is replaced if it is an unchanged earlier export, any other only with `replace`; never the
        store, a journal or a file beside one. Raises InTheWayError, NotAllowedError, StoreError.
        """
        from loregraph.memory import formats

        self.refuse_reserved(Path(path))
        return formats.export_to(
            Path(path),
            form,
            self._journals("exporting"),
            self.viewer,
            kinds=kinds,
            scope=scope,
            include_embeddings=include_embeddings,
            place=formats.ExportPlace(root=self._root, record=data_folder() / outputs.RECORD, replace=replace),
        )

    # Implements REQ-SEC-005.
    def refuse_reserved(self, path: Path) -> None:
        """Raises NotAllowedError where an output to `path` would be in the store, in git's folder or among the
        journals."""
        folder = self._identity.shared_folder
        reserved = (store_path(self._root, self._settings), self._identity.folder)
        outputs.refuse_reserved(path, self._root, reserved, folder)
        if folder is not None and Path(os.path.abspath(path)) in self.journals:  # noqa: PTH100 - as written
            raise NotAllowedError(f"{path} is not for outputs: it is a journal", "name another file")

    def import_(
        self,
        path: Path | str,
        *,
        form: str | None = None,
        conflict_resolution: str = "skip",
        scope: str | None = None,
        allow_secret: bool = False,
    ) -> Imported:
        """Reads memories from a file or folder written by `export`, or by the tool whose format it has.

        `form` None: detected from the content. `scope` is for memories without one.
        """
        from loregraph.memory import formats

        self._journals("importing")
        return formats.import_from(
            Path(path), form, self, conflict_resolution=conflict_resolution, scope=scope, allow_secret=allow_secret
        )

    def normalize(
        self,
        *,
        phases: Iterable[str] = (),
        dry_run: bool = False,
        progress: Callable[[Progress], None] | None = None,
    ) -> NormalizeReport:
        """Merges duplicates, drops dead links, renews vectors, purges deleted memories, and rewrites the journals."""
        from loregraph.memory.normalize import normalize

        return normalize(self._journals("normalizing"), tuple(phases), dry_run=dry_run, progress=progress)


_ADDABLE = frozenset(
    "content kind category tags importance metadata scope anchors relationships user_id project_id agent_id session_id "
    "run_id visibility author".split()
)

_IGNORED = """\
# Written by loregraph: what is derived from the journals, or belongs to one machine.
*.lock
*.rejected
*.access
*.vectors
*.new
*.backup-*
snapshots/
"""
_MERGED = """\
# Written by loregraph: lines of both branches are kept; their order means nothing.
*.jsonl merge=union
"""


def prepare_shared_folder(folder: Path, base: Path) -> None:
    """Configures git to merge journals in `folder` by keeping both sides' lines, and to ignore the files beside
    them."""
    for name, text in ((".gitignore", _IGNORED), (".gitattributes", _MERGED)):
        rooted.write_new(base, folder / name, text.encode())
