"""The store of memories in journals: all writes. Reads are in reading.py."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

import msgspec

from loregraph.errors import (
    ChangedMeanwhileError,
    LoregraphError,
    NotAllowedError,
    NotFoundError,
    UsageError,
)
from loregraph.memory import recall
from loregraph.memory.anchors import hashes_of, missing, resolve_anchors
from loregraph.memory.answers import (
    Added,
    BulkAdded,
    Conflict,
    Deleted,
    RowError,
    Updated,
)
from loregraph.memory.holding import Holding
from loregraph.memory.journal import Purge, Writer
from loregraph.memory.limits import check_size, expired, to_make_room
from loregraph.memory.reading import Reading
from loregraph.memory.record import (
    ABOUT,
    Memory,
    Relationship,
    converted,
    importance_of,
    is_memory_id,
    moment,
    one_of,
    refusal,
    timestamp,
    validated,
)
from loregraph.memory.scopes import (
    OF_THE_PROJECT,
    Viewer,
    check_scope,
    may_write,
)
from loregraph.memory.secrets import refuse_secrets

CHANGEABLE: Final = (
    "content",
    "kind",
    "category",
    "tags",
    "importance",
    "metadata",
    "visibility",
    "state",
    "anchors",
    "relationships",
)
"""The fields that an update may change; the others are owners and times."""


class JournalStore(Reading):
    """A `MemoryStore` over two journals. Thread-safe; other processes may write the same journals."""

    def remember(self, memory: Memory, viewer: Viewer, *, allow_secret: bool = False) -> Added:
        """See MemoryStore. Raises UsageError that names the invalid field, SecretError, NotAllowedError,
        LimitExceededError."""
        memory, stale = self._prepared(memory, viewer, allow_secret)
        holding = self.holding_for(memory)
        conflicts = self._conflicts(memory, viewer, holding)
        with holding.threads, holding.journal.writing() as writer:
            archived = self._write(memory, viewer, holding, writer)
        return Added(memory_id=memory.id, conflicts=conflicts, stale_links=stale, archived=archived)

    def remember_many(
        self, memories: Iterable[Memory | LoregraphError], viewer: Viewer, *, allow_secret: bool = False
    ) -> BulkAdded:
        """Stores many, with one write per journal, skipping invalid ones. A row may be the error that it failed
        with."""
        kept: list[str] = []
        errors: list[RowError] = []
        ready: dict[int, Memory] = {}
        for index, row in enumerate(memories):
            try:
                if isinstance(row, LoregraphError):
                    raise row
                ready[index] = self._prepared(row, viewer, allow_secret)[0]
            except LoregraphError as error:
                errors.append(RowError(index, error.message, error.code))
        for holding in self.holdings:
            own = {index: memory for index, memory in ready.items() if self.holding_for(memory) is holding}
            if not own:
                continue
            with holding.threads, holding.journal.writing() as writer:
                for index, memory in own.items():
                    try:
                        self._write(memory, viewer, holding, writer)
                    except LoregraphError as error:
                        errors.append(RowError(index, error.message, error.code))
                        continue
                    kept.append(memory.id)
        ids = set(kept)
        ordered = tuple(memory.id for memory in ready.values() if memory.id in ids)
        return BulkAdded(created=len(ordered), memory_ids=ordered, errors=tuple(sorted(errors, key=lambda e: e.index)))

    def _prepared(self, memory: Memory, viewer: Viewer, allow_secret: bool) -> tuple[Memory, tuple[str, ...]]:
        """The memory in the form to be stored, and the non-existent targets of its links."""
        self.refresh()
        memory = check_scope(validated(memory))
        check_claims(memory, viewer, self.project_id)
        if self.limits is not None:
            check_size(memory, self.limits)
        if not allow_secret:
            refuse_secrets(memory.content, memory.metadata)
        return self._linked(memory)

    def _linked(self, memory: Memory) -> tuple[Memory, tuple[str, ...]]:
        """The memory with its links sorted: those to memories as relationships, all others as anchors too."""
        code = self.code()
        anchors = [*memory.anchors, *(link.target_id for link in memory.relationships)]
        # Memories are linked by relationships; an anchor that names one becomes such a link.
        direct = [anchor for anchor in anchors if not is_memory_id(anchor)]
        resolved = dict(zip(direct, (resolve_anchors([anchor], code)[0] for anchor in direct), strict=True))
        links = [
            Relationship(link.type, resolved.get(link.target_id, link.target_id))
            for link in memory.relationships
            if is_memory_id(link.target_id) or link.type.upper() != ABOUT
        ]
        links += [Relationship(ABOUT, anchor) for anchor in memory.anchors if is_memory_id(anchor)]
        anchors = list(dict.fromkeys(resolved.values()))
        memory = msgspec.structs.replace(
            memory,
            anchors=tuple(anchors),
            anchor_hashes=hashes_of(anchors, code),
            relationships=tuple(dict.fromkeys(links)),
        )
        gone = [link.target_id for link in links if is_memory_id(link.target_id) and self._find(link.target_id) is None]
        return memory, tuple(dict.fromkeys([*missing(anchors, code), *gone]))

    def _write(self, memory: Memory, viewer: Viewer, holding: Holding, writer: Writer) -> tuple[str, ...]:
        """Appends a new memory, and new versions of those archived to make room. Under the journal's lock."""
        if holding.journal.current(memory.id) is not None or memory.id in holding.journal.purged():
            raise UsageError(f"id: {memory.id} is taken", "leave the id out to add, or update that memory")
        archived: list[str] = []
        if self.limits is not None and memory.kind in self.limits.by_kind and memory.state == "active":
            active = [
                other
                for other in holding.journal.all()
                if other.kind == memory.kind and other.state == "active" and may_write(other, viewer)
            ]
            use = {other.id: holding.counts.of(other) for other in active}
            for other in to_make_room(memory.kind, 1, active, use, self.limits):
                writer.put(self._next(other, holding, state="archived"))
                archived.append(other.id)
        writer.put(memory)
        if self.limits is not None:
            writer.write()  # the next one of the same write must count this one
        return tuple(archived)

    def _next(self, memory: Memory, holding: Holding, **changes: Any) -> Memory:
        """The next version of a memory, with present counters."""
        count, at = holding.counts.of(memory)
        # Never before the version that it follows, whatever that one's clock was.
        now = max(self.clock(), moment(memory.updated_at))
        return msgspec.structs.replace(
            memory,
            version=memory.version + 1,
            updated_at=timestamp(now),
            access_count=count,
            accessed_at=at,
            **changes,
        )

    def update(
        self,
        memory_id: str,
        changes: Mapping[str, Any],
        viewer: Viewer,
        *,
        allow_secret: bool = False,
        if_version: int | None = None,
    ) -> Updated:
        """See MemoryStore. Metadata is merged: a key with the value None is removed. Without changes, or with any
        except of the state alone, the anchors count as confirmed: the memory is no longer stale."""
        check_changes(changes)
        holding = self._owned(memory_id, viewer)[0]
        with holding.threads, holding.journal.writing() as writer:
            before = self._require_owned(holding.journal.current(memory_id), memory_id, viewer)
            check_version(before, if_version)
            after, stale = self._changed(before, changes)
            fields = tuple(field for field in CHANGEABLE if getattr(before, field) != getattr(after, field))
            if before.anchor_hashes != after.anchor_hashes:
                fields += ("anchor_hashes",)
            if not fields:
                return Updated(memory_id=memory_id, updated_fields=(), version=before.version, stale_links=stale)
            if self.limits is not None:
                check_size(after, self.limits)
            if not allow_secret and {"content", "metadata"} & set(fields):
                refuse_secrets(after.content, after.metadata)
            changed = {field: getattr(after, field) for field in (*CHANGEABLE, "anchor_hashes")}
            version = self._next(before, holding, **changed)
            writer.put(version)
        conflicts = self._conflicts(version, viewer, holding) if "content" in fields else ()
        return Updated(
            memory_id=memory_id, updated_fields=fields, version=version.version, conflicts=conflicts, stale_links=stale
        )

    def _changed(self, before: Memory, changes: Mapping[str, Any]) -> tuple[Memory, tuple[str, ...]]:
        """`before` with `changes`, validated, and the non-existent targets of its links."""
        after = with_changes(before, changes)
        if set(changes) == {"state"}:
            return after, ()
        return self._linked(after)

    def delete(self, memory_id: str, viewer: Viewer, *, purge: bool = False) -> Deleted:
        """See MemoryStore. Purged memories leave the journal's file with the next `normalize`."""
        holding = self._owned(memory_id, viewer, deleted=purge)[0]
        with holding.threads, holding.journal.writing() as writer:
            before = self._require_owned(holding.journal.current(memory_id), memory_id, viewer, deleted=purge)
            removed = len(self._relations(before, viewer))
            if purge:
                writer.put(Purge(memory_id, timestamp(self.clock())))
            else:
                writer.put(self._next(before, holding, state="deleted"))
        return Deleted(memory_id=memory_id, relationships_removed=removed)

    def restore(self, memory_id: str, version: int, viewer: Viewer) -> Updated:
        """Restores the memory to its content at `version`, as a new version. Also undoes a deletion."""
        holding = self._owned(memory_id, viewer, deleted=True)[0]
        with holding.threads, holding.journal.writing() as writer:
            before = self._require_owned(holding.journal.current(memory_id), memory_id, viewer, deleted=True)
            old = [other for other in holding.journal.history(memory_id) if other.version == version]
            if not old:
                known = ", ".join(str(other.version) for other in holding.journal.history(memory_id))
                raise NotFoundError(f"memory {memory_id} has no version {version}", f"it has {known}")
            state = "active" if old[-1].state == "deleted" else old[-1].state
            changed = {field: getattr(old[-1], field) for field in (*CHANGEABLE, "anchor_hashes")} | {"state": state}
            fields = tuple(field for field in CHANGEABLE if getattr(before, field) != changed[field])
            after = self._next(before, holding, **changed)
            writer.put(after)
        return Updated(memory_id=memory_id, status="restored", updated_fields=fields, version=after.version)

    def end_session(self, session_id: str, viewer: Viewer) -> int:
        """Purges the memories of a session; returns their number."""
        if not session_id or viewer.session_id != session_id:
            raise NotAllowedError(f"session_id: {session_id!r} is not the session that is asking", "name your own")
        holding = self.user
        with holding.threads, holding.journal.writing() as writer:
            own = [m.id for m in holding.journal.all() if m.scope == "session" and m.session_id == session_id]
            for memory_id in own:
                writer.put(Purge(memory_id, timestamp(self.clock())))
        return len(own)

    def archive_expired(self, viewer: Viewer) -> tuple[str, ...]:
        """Archives memories beyond the limits: unused learnings, tasks completed long ago."""
        if self.limits is None:
            return ()
        self.refresh()
        archived: list[str] = []
        for holding in self.holdings:
            use = {memory.id: holding.counts.of(memory) for memory in holding.journal.all()}
            old = expired(holding.journal.all(), use, self.limits, self.clock())
            if not any(may_write(memory, viewer) for memory in old):
                continue
            with holding.threads, holding.journal.writing() as writer:
                for memory in expired(holding.journal.all(), use, self.limits, self.clock()):
                    if may_write(memory, viewer):
                        writer.put(self._next(memory, holding, state="archived"))
                        archived.append(memory.id)
        return tuple(archived)

    def holding_for(self, memory: Memory) -> Holding:
        """The journal of a memory, by its scope."""
        return self.project if memory.scope in OF_THE_PROJECT else self.user

    def _conflicts(self, memory: Memory, viewer: Viewer, holding: Holding) -> tuple[Conflict, ...]:
        with holding.threads:
            holding.refresh()
            near = holding.contents().similar(memory.content, recall.CONFLICT_ABOVE)
            found = [
                Conflict(other.id, round(cosine, 4))
                for key, cosine in near
                if (other := holding.journal.current(key)) is not None
                and other.id != memory.id
                and other.kind == memory.kind
                and other.state == "active"
                and self._sees(other, viewer)
            ]
        return tuple(found)


def check_claims(memory: Memory, viewer: Viewer, project_id: str) -> None:
    """Refuses writes in another identity's name, or to another project. Raises NotAllowedError."""
    for field in ("user_id", "agent_id", "session_id"):
        own, claimed = getattr(viewer, field), getattr(memory, field)
        if claimed and own and claimed != own:
            raise NotAllowedError(f"{field}: {claimed!r} is not {own!r}, who is asking", f"leave {field} out")
    if memory.scope in OF_THE_PROJECT and memory.project_id != project_id:
        raise NotAllowedError(
            f"project_id: {memory.project_id!r} is not the project {project_id!r} that is open",
            "leave project_id out, or open that project",
        )


def check_changes(changes: Mapping[str, Any]) -> None:
    """Raises UsageError for a field that cannot be updated."""
    for field in changes:
        one_of("update", field, CHANGEABLE)


def check_version(before: Memory, wanted: int | None) -> None:
    """Raises ChangedMeanwhileError unless `before` is the version that a change was made from; None stands for any."""
    if wanted not in (None, before.version):
        raise ChangedMeanwhileError(
            f"memory {before.id} is at version {before.version}, the change was made from version {wanted}",
            "look at what was changed meanwhile, then make the change again",
        )


def with_changes(before: Memory, changes: Mapping[str, Any]) -> Memory:
    """`before` with `changes`, validated; metadata is merged, keys with the value None are removed. Raises
    UsageError."""
    data = dict(changes)
    if "importance" in data:
        data["importance"] = importance_of(data["importance"])
    if (more := data.get("metadata")) is not None:
        if not isinstance(more, Mapping):
            raise refusal("metadata", "is no JSON object")
        merged = {**before.metadata, **more}
        data["metadata"] = {key: value for key, value in merged.items() if value is not None}
    record = {**msgspec.to_builtins(before), **data}
    return check_scope(validated(converted(record, Memory)))
