"""The memories of the repositories of a workspace, read together.

They are written in their repositories only: which journal a memory belongs to decides who sees it, so nobody guesses.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any, NoReturn

import msgspec

from loregraph.config import Settings
from loregraph.errors import UnsupportedError
from loregraph.memory.answers import Added, Deleted, Page, Recollection, Statistics, Updated
from loregraph.memory.api import ProjectMemory
from loregraph.memory.links import LinkDecision
from loregraph.memory.questions import MemoryStore, Question, Selection
from loregraph.memory.record import Memory
from loregraph.memory.scopes import Viewer
from loregraph.workspaces.members import Members, prefixed


# Implements REQ-WSP-007.
class WorkspaceMemory(ProjectMemory):
    """See the module. What changes all memories at once is refused: it is done in each repository."""

    def __init__(self, root: Path, settings: Settings, members: Members) -> None:
        super().__init__(root, settings)
        self._members = members

    @cached_property
    def store(self) -> MemoryStore:
        return JoinedMemories(self._members)

    @property
    def project_id(self) -> str:
        return self._acting.project_id

    @property
    def remarks(self) -> tuple[str, ...]:
        return ()

    @property
    def journals(self) -> tuple[Path, ...]:
        """The journals of all repositories, and the user's."""
        return tuple(dict.fromkeys(path for _, memory in self._each() for path in memory.shown_journals))

    @property
    def shown_journals(self) -> tuple[Path, ...]:
        return self.journals

    def acting_as(self, *, limits: Any = None, client: str | None = None, **viewer: Any) -> ProjectMemory:
        other = WorkspaceMemory(self._root, self._settings, self._members)
        other._identity, other._sources = self._identity, self._sources
        other._acting = msgspec.structs.replace(self._acting, **{k: v for k, v in viewer.items() if v is not None})
        other._author = client if client is not None else self._author
        return other

    def close(self) -> None:
        pass  # the repositories close theirs

    def links(self) -> tuple[LinkDecision, ...]:
        """The decisions of all repositories, with their names before the ids."""
        found = []
        for name, memory in self._each():
            for decision in memory.links():
                requirement, code = prefixed(name, (decision.requirement, decision.code))
                found.append(msgspec.structs.replace(decision, requirement=requirement, code=code))
        return tuple(sorted(found, key=lambda decision: decision.pair))

    def decide_links(self, decisions: Any) -> NoReturn:
        raise _refused("decisions about links")

    def refuse_reserved(self, path: Path) -> None:
        for _, memory in self._each():
            memory.refuse_reserved(path)

    def archive_expired(self) -> tuple[str, ...]:
        return ()

    def _each(self) -> Iterator[tuple[str, ProjectMemory]]:
        for name, project in self._members.projects():
            yield name, project.memory


class JoinedMemories:
    """The stores of several repositories as one (`MemoryStore`)."""

    def __init__(self, members: Members) -> None:
        self._members = members

    def recall(self, question: Question, viewer: Viewer) -> Recollection:
        near = self._members.by_member(question.near)
        kept: dict[str, Any] = {}
        total, milliseconds, modes, notes = 0, 0.0, [], []
        for name, memory in self._acting(viewer):
            if question.near and name not in near and not question.text.strip():
                continue
            found = memory.store.recall(
                msgspec.structs.replace(question, near=tuple(near.get(name, ()))), memory.viewer
            )
            total += found.total
            milliseconds += found.query_time_ms
            modes.append(found.mode)
            notes.append(found.note)
            for one in found.results:
                kept.setdefault(one.memory.id, one)
        ranked = sorted(kept.values(), key=lambda one: (-one.relevance, one.memory.id))
        return Recollection(
            results=tuple(ranked[: question.limit]),
            total=max(total, len(ranked)),
            query_time_ms=milliseconds,
            mode="hybrid" if "hybrid" in modes or not modes else modes[0],
            note=next(filter(None, notes), ""),
        )

    def list(self, selection: Selection, viewer: Viewer) -> Page:
        last = selection.offset + selection.limit
        kept: dict[str, Any] = {}
        total = 0
        owner, inner = self._members.whose(selection.anchor)
        for name, memory in self._acting(viewer):
            if selection.anchor and name != owner:
                continue
            own = msgspec.structs.replace(selection, anchor=inner, offset=0, limit=last)
            page = memory.store.list(own, memory.viewer)
            fresh = {found.memory.id: found for found in page.memories if found.memory.id not in kept}
            total += page.total - (len(page.memories) - len(fresh))
            kept.update(fresh)
        ordered = sorted(kept.values(), key=lambda found: found.memory.id)
        field, falls = selection.sort_by, selection.sort_order == "desc"
        ordered.sort(key=lambda found: getattr(found.memory, field, ""), reverse=falls)
        shown = tuple(ordered[selection.offset : last])
        return Page(memories=shown, total=total, limit=selection.limit, offset=selection.offset, has_more=total > last)

    def stats(self, viewer: Viewer) -> Statistics:
        found = [memory.store.stats(memory.viewer) for _, memory in self._acting(viewer)]

        def counted(field: str) -> dict[str, int]:
            counts: dict[str, int] = {}
            for one in found:
                for key, number in getattr(one, field).items():
                    counts[key] = counts.get(key, 0) + number
            return counts

        def summed(field: str) -> int:
            return sum(getattr(one, field) for one in found)

        return Statistics(
            total=summed("total"),
            by_type=counted("by_type"),
            by_scope=counted("by_scope"),
            by_state=counted("by_state"),
            by_importance=counted("by_importance"),
            top_tags=counted("top_tags"),
            oldest=min((one.oldest for one in found if one.oldest), default=""),
            newest=max((one.newest for one in found), default=""),
            stale=summed("stale"),
            journal_bytes=summed("journal_bytes"),
            storage_bytes=summed("storage_bytes"),
            rejected_lines=summed("rejected_lines"),
            project_id="",
            journals=tuple(dict.fromkeys(path for one in found for path in one.journals)),
        )

    def remember(self, memory: Memory, viewer: Viewer, *, allow_secret: bool = False) -> Added:
        raise _refused("a memory")

    def update(
        self,
        memory_id: str,
        changes: Mapping[str, Any],
        viewer: Viewer,
        *,
        allow_secret: bool = False,
        if_version: int | None = None,
    ) -> Updated:
        raise _refused("a memory")

    def delete(self, memory_id: str, viewer: Viewer, *, purge: bool = False) -> Deleted:
        raise _refused("a memory")

    def _acting(self, viewer: Viewer) -> Iterator[tuple[str, ProjectMemory]]:
        for name, project in self._members.projects():
            memory = project.memory
            if viewer.agent_id or viewer.session_id:
                memory = memory.acting_as(agent_id=viewer.agent_id or None, session_id=viewer.session_id or None)
            yield name, memory


def _refused(what: str) -> UnsupportedError:
    return UnsupportedError(f"{what} cannot be written for a workspace", "write it in its repository, with --root")
