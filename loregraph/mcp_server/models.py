"""What tools answer where the library has no record of it: what holds records of the library, and forms of others.

The field names are the contract (`docs/mcp.md`). Most tools answer with a record of the library: all of its fields, or
those that the tool `shows`.
"""

from __future__ import annotations

from typing import Any, Self

import msgspec
from msgspec import UNSET, UnsetType

from loregraph.graph.queries import Related
from loregraph.graph.search import SearchHit
from loregraph.graph.watch_turn import WatchReport
from loregraph.mcp_server.jobs import JobState
from loregraph.memory.answers import Recollection

Truncated = str | UnsetType
"""There only where the token budget cut something: what, and how to get the rest."""


# memory


class MemoryGot(msgspec.Struct):
    memory: dict[str, Any]
    relationships: list[dict[str, Any]]
    truncated: Truncated = UNSET


# search


class MemoriesFound(msgspec.Struct):
    results: list[dict[str, Any]]
    """See `Recalled.brief`."""
    total: int
    query_time_ms: float
    truncated: Truncated = UNSET

    @classmethod
    def of(cls, found: Recollection) -> Self:
        return cls(results=[hit.brief() for hit in found.results], total=found.total, query_time_ms=found.query_time_ms)


class CodeFound(msgspec.Struct):
    results: list[SearchHit]
    truncated: Truncated = UNSET


class RelatedFound(msgspec.Struct):
    related: list[Related]
    unresolved_calls: int
    truncated: Truncated = UNSET


class GraphRows(msgspec.Struct):
    columns: list[str]
    rows: list[list[Any]]
    truncated: bool
    query_time_ms: float
    rest: str | UnsetType = UNSET


# indexing


class JobStarted(msgspec.Struct):
    job_id: str
    status: str


class IndexReport(msgspec.Struct):
    files: int
    functions: int
    classes: int
    relationships: int
    languages: dict[str, int]
    last_indexed: str | None
    stale_files: int | None
    """None where there is no graph that could be behind."""
    watch: WatchReport
    indexed: bool | UnsetType = UNSET
    """False where there is no graph; else left out."""


class IndexStatus(msgspec.Struct):
    job: JobState | None
    index: IndexReport


# maintenance


class CodeCounts(msgspec.Struct):
    files: int
    functions: int
    classes: int
    by_language: dict[str, int]


class RelationshipCounts(msgspec.Struct):
    total: int
    by_type: dict[str, int]


class Storage(msgspec.Struct):
    graph_bytes: int
    journal_bytes: int


class MemoryStatistics(msgspec.Struct):
    memories: dict[str, Any]
    """See `Statistics.counts`."""
    index: CodeCounts
    relationships: RelationshipCounts
    storage: Storage
    performance: dict[str, Any]


class NormalizeStatus(JobState, frozen=True):
    """The state of a job that normalises."""

    counts: dict[str, Any] = msgspec.field(name="stats", default_factory=dict)


# profiles agent-memory and scoped


class AgentMemoryStored(msgspec.Struct):
    id: str
    status: str
    archived: tuple[str, ...]


class AgentMemories(msgspec.Struct):
    """A page of memories, each in the form of that profile."""

    memories: list[dict[str, Any]]
    total: int
    limit: int
    offset: int
    has_more: bool
    truncated: Truncated = UNSET


class AgentMemory(msgspec.Struct):
    memory: dict[str, Any]
    truncated: Truncated = UNSET


class AgentMemoryDeleted(msgspec.Struct):
    id: str
    status: str


class AgentMemoryStats(msgspec.Struct):
    total_memories: int
    by_type: dict[str, int]
    by_importance: dict[str, int]
    total_storage_kb: float
    oldest_memory: str
    newest_memory: str
    archived_count: int
    top_tags: dict[str, int]
