"""The results of memory operations: one record each."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from loregraph.memory.record import Memory, published


class Conflict(msgspec.Struct, frozen=True):
    """A memory with nearly the same text; `similarity` is above 0.95."""

    memory_id: str
    similarity: float


class Added(msgspec.Struct, frozen=True, kw_only=True):
    """A stored memory. `stale_links` are targets known not to exist."""

    memory_id: str
    status: str = "created"
    conflicts: tuple[Conflict, ...] = ()
    stale_links: tuple[str, ...] = ()
    archived: tuple[str, ...] = ()
    """Memories archived to make room, where limits apply."""


class RowError(msgspec.Struct, frozen=True, omit_defaults=True):
    """The reason why a row was rejected; `code` is that of errors.py, in JSON only where it is another than this."""

    index: int
    error: str
    code: str = "VALIDATION_ERROR"


class BulkAdded(msgspec.Struct, frozen=True, kw_only=True):
    """The result of a bulk write: ids in the order of the accepted rows."""

    created: int
    memory_ids: tuple[str, ...]
    errors: tuple[RowError, ...] = ()


class Updated(msgspec.Struct, frozen=True, kw_only=True):
    memory_id: str
    status: str = "updated"
    updated_fields: tuple[str, ...]
    version: int
    conflicts: tuple[Conflict, ...] = ()
    stale_links: tuple[str, ...] = ()


class Deleted(msgspec.Struct, frozen=True, kw_only=True):
    """`relationships_removed` counts links to and from the memory."""

    memory_id: str
    status: str = "deleted"
    relationships_removed: int


class Relation(msgspec.Struct, frozen=True):
    """A link of a memory: from it (`direction` "outgoing") or from another memory to it ("incoming").

    `target_id` is the other end; `stale`: it has changed since, or is gone.
    """

    type: str
    target_id: str
    direction: str = "outgoing"
    stale: bool = False


class Found(msgspec.Struct, frozen=True, kw_only=True):
    """The present version of one memory, with counters, staleness and links."""

    memory: Memory
    stale: bool = False
    stale_anchors: tuple[str, ...] = ()
    superseded_by: tuple[str, ...] = ()
    relationships: tuple[Relation, ...] | None = None

    def published(self) -> dict[str, Any]:
        """The JSON form: the fields of the memory and of this record."""
        return published(
            self.memory,
            stale=self.stale,
            stale_anchors=list(self.stale_anchors),
            superseded_by=list(self.superseded_by),
        )


class Recalled(msgspec.Struct, frozen=True, kw_only=True):
    """A memory that answers a question. `similarity` is to the question alone, `relevance` determines the rank."""

    memory: Memory
    similarity: float
    relevance: float
    stale: bool = False
    superseded_by: tuple[str, ...] = ()

    def published(self) -> dict[str, Any]:
        return published(
            self.memory,
            memory_id=self.memory.id,
            similarity=self.similarity,
            relevance=self.relevance,
            stale=self.stale,
            superseded_by=list(self.superseded_by),
        )

    def brief(self) -> dict[str, Any]:
        """The JSON form for agents: what to know before the memory is read whole."""
        return {
            "memory_id": self.memory.id,
            "memory_type": self.memory.kind,
            "content": self.memory.content,
            "similarity": self.similarity,
            "relevance": self.relevance,
            "metadata": self.memory.metadata,
            "stale": self.stale,
        }


class Recollection(msgspec.Struct, frozen=True, kw_only=True):
    """The best memories for a question, best first; `total` is the number of all matches.

    `mode` is "hybrid", or "lexical" where no embedder was available; `note` is the reason.
    """

    results: tuple[Recalled, ...]
    total: int
    query_time_ms: float
    mode: str
    note: str = ""


class Page(msgspec.Struct, frozen=True, kw_only=True):
    """A page of the selected memories, of `total`."""

    memories: tuple[Found, ...]
    total: int
    limit: int
    offset: int
    has_more: bool


class Statistics(msgspec.Struct, frozen=True, kw_only=True):
    """Counts of the memories that the viewer may see, deleted ones only in `by_state`; bytes of the journals."""

    total: int
    by_type: Mapping[str, int]
    by_scope: Mapping[str, int]
    by_state: Mapping[str, int]
    by_importance: Mapping[str, int]
    top_tags: Mapping[str, int]
    oldest: str
    newest: str
    stale: int
    journal_bytes: int
    storage_bytes: int
    """All files of the journals, including backups, snapshots and counters."""
    rejected_lines: int
    project_id: str
    journals: tuple[str, ...]

    def counts(self) -> dict[str, Any]:
        """The counts without what is said of files, and of more than one project."""
        return {
            "total": self.total,
            "by_type": self.by_type,
            "by_scope": self.by_scope,
            "by_state": self.by_state,
        }


class ImportRowError(msgspec.Struct, frozen=True):
    line: int
    error: str


class Imported(msgspec.Struct, frozen=True, kw_only=True):
    imported: int
    links: int = 0
    """Imported decisions about links to requirements."""
    skipped: int
    errors: tuple[ImportRowError, ...] = ()
    memory_ids: tuple[str, ...] = ()


class Exported(msgspec.Struct, frozen=True, kw_only=True):
    file_path: str
    memories_exported: int
    file_size_bytes: int
