"""What tools answer: one record a tool, as `docs/mcp.md` lists them. The field names are the contract."""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import UNSET, UnsetType

Truncated = str | UnsetType
"""There only where the token budget cut something: what, and how to get the rest."""


class Answer(msgspec.Struct):
    """Base of every answer."""


# memory


class Conflict(Answer):
    memory_id: str
    similarity: float


class MemoryAdded(Answer):
    memory_id: str
    status: str
    conflicts: list[Conflict]
    stale_links: list[str]


class MemoryGot(Answer):
    memory: dict[str, Any]
    relationships: list[dict[str, Any]]
    truncated: Truncated = UNSET


class MemoryUpdated(Answer):
    memory_id: str
    status: str
    updated_fields: list[str]
    version: int


class MemoryDeleted(Answer):
    status: str
    relationships_removed: int


class RowError(Answer):
    index: int
    error: str


class MemoriesAdded(Answer):
    created: int
    memory_ids: list[str]
    errors: list[RowError]


# search


class MemoryHit(Answer):
    memory_id: str
    memory_type: str
    content: str
    similarity: float
    relevance: float
    metadata: dict[str, Any]
    stale: bool


class MemoriesFound(Answer):
    results: list[MemoryHit]
    total: int
    query_time_ms: float
    truncated: Truncated = UNSET


class CodeHit(Answer):
    id: str
    name: str
    kind: str
    signature: str
    file_path: str
    start_line: int
    end_line: int
    score: float
    docstring: str
    why: list[str]


class CodeFound(Answer):
    results: list[CodeHit]
    truncated: Truncated = UNSET


class Duplicate(Answer):
    id: str
    name: str
    signature: str
    file_path: str
    start_line: int
    end_line: int
    similarity: float
    clone_type: str
    recommendation: str


class DuplicatesFound(Answer):
    duplicates: list[Duplicate]
    has_duplicates: bool
    truncated: Truncated = UNSET


class RelatedEntity(Answer):
    entity_id: str
    type: str
    name: str
    relationship: str
    distance: int
    evidence: str


class RelatedFound(Answer):
    related: list[RelatedEntity]
    truncated: Truncated = UNSET


class GraphRows(Answer):
    columns: list[str]
    rows: list[list[Any]]
    truncated: bool
    query_time_ms: float
    rest: str | UnsetType = UNSET


# indexing


class FileIndexed(Answer):
    status: str
    functions: int
    classes: int
    relationships: int
    problems: list[dict[str, Any]]
    truncated: Truncated = UNSET


class JobStarted(Answer):
    job_id: str
    status: str


class JobReport(Answer):
    job_id: str
    status: str
    phase: str
    progress: float
    counts: dict[str, Any]
    error: dict[str, Any] | None


class IndexReport(Answer):
    files: int
    functions: int
    classes: int
    relationships: int
    languages: dict[str, int]
    last_indexed: str | None
    stale_files: int | None
    """None where there is no graph that could be behind."""
    indexed: bool | UnsetType = UNSET
    """False where there is no graph; else left out."""


class IndexStatus(Answer):
    job: JobReport | None
    index: IndexReport


# analysis


class Pattern(Answer):
    name: str
    examples: list[str]


class Deviation(Answer):
    rule: str
    expected: str
    actual: str
    severity: str
    file_path: str
    start_line: int
    evidence: list[str]


class Consistency(Answer):
    component: str
    base_pattern: Pattern
    consistency_score: float
    deviations: list[Deviation]
    recommendations: list[str]
    truncated: Truncated = UNSET


class DesignOfFix(Answer):
    requirements: list[dict[str, Any]]
    design_documents: list[dict[str, Any]]
    patterns: list[dict[str, Any]]


class Concern(Answer):
    type: str
    message: str
    severity: str
    related: list[str]


class Impact(Answer):
    callers: list[str]
    tests: list[str]
    requirements: list[str]


class FixValidated(Answer):
    alignment_score: float
    design_context: DesignOfFix
    concerns: list[Concern]
    impact: Impact
    recommendations: list[str]
    truncated: Truncated = UNSET


class DesignContext(Answer):
    component: dict[str, Any] | None
    requirements: list[dict[str, Any]]
    design_documents: list[dict[str, Any]]
    patterns: list[dict[str, Any]]
    memories: list[dict[str, Any]]
    dependencies: list[dict[str, Any]]
    dependents: list[dict[str, Any]]
    truncated: Truncated = UNSET


class Trace(Answer):
    """The trace of one requirement; without an id, `requirements` holds that of each."""

    requirement: dict[str, Any] | None
    implementations: list[dict[str, Any]]
    design_documents: list[dict[str, Any]]
    tests: list[dict[str, Any]]
    coverage: dict[str, Any]
    mentions: list[dict[str, Any]] | UnsetType = UNSET
    requirements: list[dict[str, Any]] | UnsetType = UNSET
    suggestions: list[dict[str, Any]] | UnsetType = UNSET
    truncated: Truncated = UNSET


# maintenance


class MemoryCounts(Answer):
    total: int
    by_type: dict[str, int]
    by_scope: dict[str, int]
    by_state: dict[str, int]


class CodeCounts(Answer):
    files: int
    functions: int
    classes: int
    by_language: dict[str, int]


class RelationshipCounts(Answer):
    total: int
    by_type: dict[str, int]


class Storage(Answer):
    graph_bytes: int
    journal_bytes: int


class MemoryStatistics(Answer):
    memories: MemoryCounts
    index: CodeCounts
    relationships: RelationshipCounts
    storage: Storage
    performance: dict[str, Any]


class NormalizeStatus(Answer):
    job_id: str
    status: str
    phase: str
    progress: float
    stats: dict[str, Any]
    error: dict[str, Any] | None


class MemoriesExported(Answer):
    file_path: str
    memories_exported: int
    file_size_bytes: int


class LineError(Answer):
    line: int
    error: str


class MemoriesImported(Answer):
    imported: int
    skipped: int
    errors: list[LineError]
    truncated: Truncated = UNSET


# profiles agent-memory and scoped


class AgentMemoryStored(Answer):
    id: str
    status: str
    archived: list[str]


class AgentMemories(Answer):
    memories: list[dict[str, Any]]
    total: int
    limit: int
    offset: int
    has_more: bool
    truncated: Truncated = UNSET


class AgentMemory(Answer):
    memory: dict[str, Any]
    truncated: Truncated = UNSET


class AgentMemoryDeleted(Answer):
    id: str
    status: str


class AgentMemoryStats(Answer):
    total_memories: int
    by_type: dict[str, int]
    by_importance: dict[str, int]
    total_storage_kb: float
    oldest_memory: str
    newest_memory: str
    archived_count: int
    top_tags: dict[str, int]
