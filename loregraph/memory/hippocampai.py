"""A memory backend on HippocampAI: a `MemoryStore` over its synchronous client. An optional extra.

HippocampAI assigns ids itself, adds tags of its own (ours are restored afterwards), and merges a memory with an
existing one that says nearly the same. It has no earlier versions, and deleted memories cannot be restored.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

import msgspec

from loregraph.errors import BackendError, NotAllowedError
from loregraph.memory.anchors import Code, hashes_of, missing, resolve_anchors, stale_anchors
from loregraph.memory.answers import Added, Deleted, Found, Page, Recalled, Recollection, Statistics, Updated
from loregraph.memory.counting import statistics
from loregraph.memory.hippocampai_client import (
    CANDIDATES,
    IMPORTANCES,
    KEY,
    MOST,
    OWN,
    SCALE,
    TYPES,
    Client,
    Kept,
    asked,
    connected,
    decoded,
    lost,
    partition,
    partitions,
    within,
)
from loregraph.memory.merging import merged
from loregraph.memory.questions import Question, Selection, scopes_of
from loregraph.memory.reading import links_from, not_found
from loregraph.memory.record import Memory, refusal, validated
from loregraph.memory.scopes import SCOPES, Viewer, check_scope, default_scopes, may_read, may_write
from loregraph.memory.secrets import refuse_secrets
from loregraph.memory.selecting import passes_question, passes_selection
from loregraph.memory.store import CHANGEABLE, check_changes, check_claims, check_version, with_changes


class HippocampStore:
    """A `MemoryStore` over `client`, by default the one configured by HippocampAI's own settings.

    `code` returns the graph's columns, None without a graph. Raises BackendError.
    """

    def __init__(
        self,
        project_id: str,
        client: Client | None = None,
        *,
        code: Callable[[], Code | None] = lambda: None,
    ) -> None:
        self.project_id = project_id
        self.client = client if client is not None else connected()
        self.code = code

    # writing

    def remember(self, memory: Memory, viewer: Viewer, *, allow_secret: bool = False) -> Added:
        """See MemoryStore. The id is HippocampAI's; `status` is "merged" where it merged the memory with an existing
        one."""
        memory = check_scope(validated(memory))
        check_claims(memory, viewer, self.project_id)
        if not allow_secret:
            refuse_secrets(memory.content, memory.metadata)
        memory, stale = self._linked(memory)
        owner = partition(memory)
        before = {kept.id: kept for kept in self._all(owner)}
        kept = asked(
            self.client.remember,
            text=memory.content,
            user_id=owner,
            session_id=memory.session_id or None,
            type=TYPES[memory.kind],
            importance=memory.importance * SCALE,
            tags=list(memory.tags),
            agent_id=memory.agent_id or None,
            run_id=memory.run_id or None,
            visibility=memory.visibility,
        )
        if kept.id not in before:
            if self._write(kept.id, memory) is not None:
                return Added(memory_id=kept.id, stale_links=stale)
            # It reports success without storing: it has nearly the same words already, and does not say where.
            same = next((old for old in before.values() if old.text == memory.content), None)
            if same is None:
                raise BackendError(
                    "HippocampAI kept nothing: it took the memory for one that it has", "recall that one and update it"
                )
            kept = same
        self._merge(before[kept.id], kept.text, memory, viewer)
        return Added(memory_id=kept.id, status="merged", stale_links=stale)

    def _merge(self, old: Kept, text: str, memory: Memory, viewer: Viewer) -> None:
        """Merges the existing memory and the new one, which HippocampAI considers equal.

        If the existing one belongs to someone else, it is restored: NotAllowedError.
        """
        known = decoded(old)
        if not may_write(known, viewer):
            self._required(
                old.id, text=old.text, importance=old.importance, tags=list(old.tags), metadata=dict(old.metadata)
            )
            raise NotAllowedError(
                f"HippocampAI takes this for memory {old.id}, which belongs to {known.user_id or known.author}",
                "say what differs from that one",
            )
        both = merged(known, memory, accesses=known.access_count)
        both = msgspec.structs.replace(both, content=text, version=known.version + 1)
        if self._write(old.id, both) is None:
            raise lost(old.id)

    def _linked(self, memory: Memory) -> tuple[Memory, tuple[str, ...]]:
        """The memory with its anchors as ids of the graph, and the unknown ones."""
        code = self.code()
        anchors = resolve_anchors(memory.anchors, code)
        memory = msgspec.structs.replace(memory, anchors=anchors, anchor_hashes=hashes_of(anchors, code))
        return memory, missing(anchors, code)

    def _write(self, memory_id: str, memory: Memory, text: str | None = None) -> Any:
        """Writes all our fields to a record; None where HippocampAI has no record with that id."""
        fields = {name: value for name, value in msgspec.to_builtins(memory).items() if name not in OWN}
        return asked(
            self.client.update_memory,
            memory_id=memory_id,
            text=text,
            importance=memory.importance * SCALE,
            tags=list(memory.tags),
            metadata={KEY: fields},
        )

    def _required(self, memory_id: str, **fields: Any) -> None:
        if asked(self.client.update_memory, memory_id=memory_id, **fields) is None:
            raise lost(memory_id)

    def update(
        self,
        memory_id: str,
        changes: Mapping[str, Any],
        viewer: Viewer,
        *,
        allow_secret: bool = False,
        if_version: int | None = None,
    ) -> Updated:
        """See MemoryStore."""
        check_changes(changes)
        before = self._owned(memory_id, viewer)
        check_version(before, if_version)
        after = with_changes(before, changes)
        stale: tuple[str, ...] = ()
        if set(changes) != {"state"}:
            after, stale = self._linked(after)
        if partition(after) != partition(before):
            raise refusal("visibility", "cannot be changed where HippocampAI keeps the memory: delete it, add it again")
        names = (*CHANGEABLE, "anchor_hashes")
        fields = tuple(name for name in names if getattr(before, name) != getattr(after, name))
        if not fields:
            return Updated(memory_id=memory_id, updated_fields=(), version=before.version, stale_links=stale)
        if not allow_secret and {"content", "metadata"} & set(fields):
            refuse_secrets(after.content, after.metadata)
        after = msgspec.structs.replace(after, version=before.version + 1)
        if self._write(memory_id, after, after.content if "content" in fields else None) is None:
            raise lost(memory_id)
        return Updated(memory_id=memory_id, updated_fields=fields, version=after.version, stale_links=stale)

    def delete(self, memory_id: str, viewer: Viewer, *, purge: bool = False) -> Deleted:
        """See MemoryStore. HippocampAI hides nothing: deleted memories are gone, with or without `purge`."""
        memory = self._owned(memory_id, viewer)
        if not asked(self.client.delete_memory, memory_id=memory_id, user_id=partition(memory)):
            raise lost(memory_id)
        return Deleted(memory_id=memory_id, relationships_removed=len(links_from(memory)))

    def _owned(self, memory_id: str, viewer: Viewer) -> Memory:
        for memory in self._seen(viewer, tuple(SCOPES)):
            if memory.id == memory_id:
                if may_write(memory, viewer):
                    return memory
                raise NotAllowedError(
                    f"memory {memory_id} belongs to {memory.user_id or 'someone else'}",
                    "add a memory of your own that supersedes it, or ask its owner",
                )
        raise not_found(memory_id)

    # reading

    def recall(self, question: Question, viewer: Viewer) -> Recollection:
        """See MemoryStore. Ranked by HippocampAI; ignores `question.near`."""
        begun = time.perf_counter()
        passes = passes_question(question, viewer)
        code = self.code()
        best: dict[str, Recalled] = {}
        for owner in partitions(viewer, scopes_of(question.scope, default_scopes(viewer))):
            filters = {"tags": list(question.tags)} if question.tags else None
            for result in asked(self.client.recall, query=question.text, user_id=owner, k=CANDIDATES, filters=filters):
                memory = decoded(result.memory)
                similarity = within(result.breakdown.get("sim", result.score))
                if not may_read(memory, viewer) or not passes(memory):
                    continue
                if 0 < similarity >= question.min_similarity:
                    best[memory.id] = Recalled(
                        memory=memory,
                        similarity=similarity,
                        relevance=round(float(result.score), 4),
                        stale=bool(stale_anchors(memory, code)),
                    )
        ranked = sorted(best.values(), key=lambda found: (-found.relevance, found.memory.id))
        return Recollection(
            results=tuple(ranked[: question.limit]),
            total=len(ranked),
            query_time_ms=round((time.perf_counter() - begun) * 1000, 3),
            mode="hybrid",
            note="ranked by HippocampAI",
        )

    def list(self, selection: Selection, viewer: Viewer) -> Page:
        """See MemoryStore."""
        code = self.code()
        passes = passes_selection(selection, resolve_anchors([selection.anchor], code)[0] if selection.anchor else "")
        filters: dict[str, Any] = dict(IMPORTANCES.get(selection.importance, {}))
        if selection.tags:
            filters["tags"] = [tag.lower().strip() for tag in selection.tags]  # any of them; our filter requires all
        scopes = scopes_of(selection.scope, tuple(SCOPES))
        chosen = [found(memory, code) for memory in self._seen(viewer, scopes, filters) if passes(memory)]
        if selection.stale is not None:
            chosen = [each for each in chosen if each.stale == selection.stale]
        chosen.sort(
            key=lambda each: (getattr(each.memory, selection.sort_by), each.memory.updated_at, each.memory.id),
            reverse=selection.sort_order == "desc",
        )
        last = selection.offset + selection.limit
        return Page(
            memories=tuple(chosen[selection.offset : last]),
            total=len(chosen),
            limit=selection.limit,
            offset=selection.offset,
            has_more=last < len(chosen),
        )

    def stats(self, viewer: Viewer) -> Statistics:
        """See MemoryStore. There are no journals."""
        kept = [*self._seen(viewer, tuple(SCOPES))]
        return statistics(
            kept,
            (memory.state for memory in kept),
            self.code(),
            project_id=self.project_id,
            storage_bytes=sum(len(memory.content.encode()) for memory in kept),
        )

    def _seen(
        self, viewer: Viewer, scopes: Iterable[str], filters: Mapping[str, Any] | None = None
    ) -> Iterator[Memory]:
        """The memories visible to the viewer, from the partitions that may contain them."""
        for owner in partitions(viewer, scopes):
            for kept in self._all(owner, filters):
                memory = decoded(kept)
                if memory.state != "deleted" and may_read(memory, viewer):
                    yield memory

    def _all(self, owner: str, filters: Mapping[str, Any] | None = None) -> Sequence[Kept]:
        # A copy: the client removes entries from the mapping.
        found: Sequence[Kept] = asked(
            self.client.get_memories, user_id=owner, filters=dict(filters) if filters else None, limit=MOST
        )
        return found


def found(memory: Memory, code: Code | None) -> Found:
    stale = stale_anchors(memory, code)
    return Found(memory=memory, stale=bool(stale), stale_anchors=stale)
