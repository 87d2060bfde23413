"""Reads from the two journals: visibility, search, ranking."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final

import msgspec

from loregraph.errors import NotAllowedError, NotFoundError
from loregraph.graph.embedders import Embedder
from loregraph.memory import recall
from loregraph.memory.anchors import Code, hops_from, resolve_anchors, stale_anchors
from loregraph.memory.answers import (
    Found,
    Page,
    Recalled,
    Recollection,
    Relation,
    Statistics,
)
from loregraph.memory.counting import statistics
from loregraph.memory.holding import Holding
from loregraph.memory.limits import Limits
from loregraph.memory.matching import similarities
from loregraph.memory.questions import Question, Selection
from loregraph.memory.record import (
    ABOUT,
    SUPERSEDES,
    Memory,
    is_memory_id,
    moment,
    timestamp,
)
from loregraph.memory.scopes import Viewer, may_read, may_write
from loregraph.memory.selecting import passes_question, passes_selection

SESSION_DAYS: Final = 7


class Reading:
    """Read access to memories in journals. Thread-safe; other processes may write the same journals.

    `code` returns the graph's columns (None without a graph), `embedder` the embedder (None: words alone; it may raise
    EmbedderUnavailableError), `clock` the time.
    """

    def __init__(
        self,
        project_id: str,
        project_journal: Path,
        user_journal: Path,
        *,
        code: Callable[[], Code | None] = lambda: None,
        embedder: Callable[[], Embedder | None] = lambda: None,
        clock: Callable[[], datetime] = lambda: datetime.now(UTC),
        limits: Limits | None = None,
        root: Path | None = None,
    ) -> None:
        self.project_id = project_id
        self.project = Holding(project_journal, root)
        self.user = Holding(user_journal, root)
        self.code = code
        self.embedder = embedder
        self.clock = clock
        self.limits = limits

    @property
    def holdings(self) -> tuple[Holding, Holding]:
        return self.project, self.user

    def refresh(self) -> None:
        """Reads what other processes wrote: one `stat` each where nothing changed."""
        for holding in self.holdings:
            holding.refresh()

    def close(self) -> None:
        for holding in self.holdings:
            holding.close()

    # visibility

    def _sees(self, memory: Memory, viewer: Viewer, deleted: bool = False) -> bool:
        return (deleted or memory.state != "deleted") and may_read(memory, viewer) and not self._is_over(memory)

    def _is_over(self, memory: Memory) -> bool:
        """Whether the memory's session has ended, so that none of its memories counts any more."""
        return memory.scope == "session" and self.clock() - moment(memory.updated_at) > timedelta(days=SESSION_DAYS)

    def _find(self, memory_id: str) -> tuple[Holding, Memory] | None:
        """The place of a memory that is not deleted, regardless of visibility."""
        found = self._find_any(memory_id)
        return found if found is not None and found[1].state != "deleted" else None

    def _find_any(self, memory_id: str) -> tuple[Holding, Memory] | None:
        for holding in self.holdings:
            memory = holding.journal.current(memory_id)
            if memory is not None:
                return holding, memory
        return None

    def _seen(self, memory_id: str, viewer: Viewer, deleted: bool = False) -> tuple[Holding, Memory]:
        self.refresh()
        found = self._find_any(memory_id)
        if found is None or not self._sees(found[1], viewer, deleted):
            raise not_found(memory_id)
        return found

    def _owned(self, memory_id: str, viewer: Viewer, deleted: bool = False) -> tuple[Holding, Memory]:
        holding, memory = self._seen(memory_id, viewer, deleted)
        return holding, self._require_owned(memory, memory_id, viewer, deleted)

    def _require_owned(self, memory: Memory | None, memory_id: str, viewer: Viewer, deleted: bool = False) -> Memory:
        if memory is None or not self._sees(memory, viewer, deleted):
            raise not_found(memory_id)
        if not may_write(memory, viewer):
            owner = memory.agent_id if memory.scope == "agent" else memory.user_id or memory.session_id
            raise NotAllowedError(
                f"memory {memory_id} belongs to {owner or 'someone else'}",
                "add a memory of your own that supersedes it, or ask its owner",
            )
        return memory

    # reading

    def get(self, memory_id: str, viewer: Viewer, *, relationships: bool = False, touch: bool = True) -> Found:
        """The present version of one memory. `touch` counts as an access. Raises NotFoundError."""
        holding, memory = self._seen(memory_id, viewer)
        found = self._found(holding, memory, self.code())
        if relationships:
            found = msgspec.structs.replace(found, relationships=tuple(self._relations(memory, viewer)))
        if touch:
            holding.counts.note([memory], timestamp(self.clock()))
        return found

    def history(self, memory_id: str, viewer: Viewer) -> list[Memory]:
        """Every version of a memory, oldest first, including a deleted one's. Raises NotFoundError."""
        holding, _ = self._seen(memory_id, viewer, deleted=True)
        return holding.journal.history(memory_id)

    def _found(self, holding: Holding, memory: Memory, code: Code | None) -> Found:
        count, at = holding.counts.of(memory)
        stale = stale_anchors(memory, code)
        return Found(
            memory=msgspec.structs.replace(memory, access_count=count, accessed_at=at),
            stale=bool(stale),
            stale_anchors=stale,
            superseded_by=self._superseded_by(memory.id),
        )

    def _superseded_by(self, memory_id: str) -> tuple[str, ...]:
        found: set[str] = set()
        for holding in self.holdings:
            with holding.threads:
                found |= holding.linked_from(memory_id).get(SUPERSEDES, set())
        return tuple(sorted(found))

    def _relations(self, memory: Memory, viewer: Viewer) -> list[Relation]:
        """Links from the memory, then links to it from memories visible to the viewer."""
        code = self.code()
        stale = set(stale_anchors(memory, code))
        typed = {link.target_id for link in memory.relationships}
        found = [Relation(ABOUT, anchor, stale=anchor in stale) for anchor in memory.anchors if anchor not in typed]
        for link in memory.relationships:
            gone = is_memory_id(link.target_id) and self._find(link.target_id) is None
            found.append(Relation(link.type, link.target_id, stale=gone or link.target_id in stale))
        for holding in self.holdings:
            with holding.threads:
                into = {kind: set(ids) for kind, ids in holding.linked_from(memory.id).items()}
            for kind, ids in sorted(into.items()):
                for other in sorted(ids):
                    source = holding.journal.current(other)
                    if source is not None and self._sees(source, viewer):
                        found.append(Relation(kind, other, "incoming"))
        return found

    def visible(self, viewer: Viewer, *, deleted: bool = False) -> Iterator[tuple[Holding, Memory]]:
        """Every memory visible to the viewer, after a refresh, with its journal."""
        self.refresh()
        for holding in self.holdings:
            for memory in holding.journal.all():
                if self._sees(memory, viewer, deleted):
                    yield holding, memory

    def recall(self, question: Question, viewer: Viewer) -> Recollection:
        """See MemoryStore. Counts as an access of every returned memory."""
        begun = time.perf_counter()
        pool = self._pool(question, viewer)
        similar, mode, note = similarities(question.text, pool, self.holdings, self.embedder)
        now = self.clock()
        code = self.code()
        hops = hops_from(resolve_anchors(question.near, code), code) if question.near else {}
        ranked: list[tuple[float, float, int, Holding, Memory]] = []
        for holding, memory in pool:
            similarity = similar.get(memory.id, 0.0)
            if similarity <= 0 or similarity < question.min_similarity:
                continue
            near = [hops[anchor] for anchor in memory.anchors if anchor in hops]
            count, _ = holding.counts.of(memory)
            score = recall.relevance(
                similarity, memory.importance, moment(memory.updated_at), min(near, default=None), now
            )
            # Rounded as displayed: visible ties are broken by use.
            ranked.append((round(score, 4), similarity, count, holding, memory))
        ranked.sort(key=lambda row: (-row[0], -row[2], -moment(row[4].updated_at).timestamp(), row[4].id))
        results = []
        for score, similarity, _, holding, memory in ranked[: question.limit]:
            found = self._found(holding, memory, code)
            results.append(
                Recalled(
                    memory=found.memory,
                    similarity=round(similarity, 4),
                    relevance=score,
                    stale=found.stale,
                    superseded_by=found.superseded_by,
                )
            )
        at = timestamp(now)
        for holding in self.holdings:
            returned = [memory for *_, own, memory in ranked[: question.limit] if own is holding]
            if returned:
                holding.counts.note(returned, at)
        return Recollection(
            results=tuple(results),
            total=len(ranked),
            query_time_ms=round((time.perf_counter() - begun) * 1000, 3),
            mode=mode,
            note=note,
        )

    def _pool(self, question: Question, viewer: Viewer) -> list[tuple[Holding, Memory]]:
        """The candidate memories for a question."""
        passes = passes_question(question, viewer)
        return [(holding, memory) for holding, memory in self.visible(viewer) if passes(memory)]

    def list(self, selection: Selection, viewer: Viewer) -> Page:
        """See MemoryStore. Does not count as an access."""
        code = self.code()
        passes = passes_selection(selection, resolve_anchors([selection.anchor], code)[0] if selection.anchor else "")
        chosen = [pair for pair in self.visible(viewer) if passes(pair[1])]
        if selection.stale is not None:
            chosen = [pair for pair in chosen if bool(stale_anchors(pair[1], code)) == selection.stale]

        def rank(pair: tuple[Holding, Memory]) -> tuple[Any, str, str]:
            holding, memory = pair
            count, at = holding.counts.of(memory)
            keys = {"accessed_at": at, "access_count": count}
            key = keys.get(selection.sort_by, getattr(memory, selection.sort_by))
            return key, memory.updated_at, memory.id

        chosen.sort(key=rank, reverse=selection.sort_order == "desc")
        last = selection.offset + selection.limit
        return Page(
            memories=tuple(self._found(holding, memory, code) for holding, memory in chosen[selection.offset : last]),
            total=len(chosen),
            limit=selection.limit,
            offset=selection.offset,
            has_more=last < len(chosen),
        )

    def stats(self, viewer: Viewer) -> Statistics:
        """See MemoryStore."""
        seen = [memory for _, memory in self.visible(viewer, deleted=True)]
        return statistics(
            [memory for memory in seen if memory.state != "deleted"],
            (memory.state for memory in seen),
            self.code(),
            project_id=self.project_id,
            storage_bytes=sum(_size(f) for h in self.holdings for f in h.path.parent.glob(h.path.name + "*")),
            journal_bytes=sum(_size(holding.path) for holding in self.holdings),
            rejected_lines=sum(holding.journal.rejected for holding in self.holdings),
            journals=tuple(str(holding.path) for holding in self.holdings),
        )


def links_from(memory: Memory) -> tuple[Relation, ...]:
    """The links that a memory itself has."""
    typed = {link.target_id for link in memory.relationships}
    about = [Relation(ABOUT, anchor) for anchor in memory.anchors if anchor not in typed]
    return (*about, *(Relation(link.type, link.target_id) for link in memory.relationships))


def not_found(memory_id: str) -> NotFoundError:
    return NotFoundError(f"there is no memory {memory_id}", "list or search memories to find its id")


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0
