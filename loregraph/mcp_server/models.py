"""What tools answer: one record a tool, as `docs/mcp.md` lists them. The field names are the contract.

Where a record of the library has just these fields, in this order, it is the answer, or part of one, itself.
"""

from __future__ import annotations

from typing import Any, Self

import msgspec
from msgspec import UNSET, UnsetType

from loregraph.analysis.consistency_report import Deviation
from loregraph.analysis.context import DesignDocument, Neighbour
from loregraph.analysis.duplicates.results import Copy
from loregraph.analysis.fixes.proposed import Concern
from loregraph.analysis.rules.rule import Habit
from loregraph.analysis.tracing.traces import SuggestedLink
from loregraph.graph.queries import Related
from loregraph.memory.about import Remembered
from loregraph.memory.answers import Conflict, ImportRowError

Truncated = str | UnsetType
"""There only where the token budget cut something: what, and how to get the rest."""


class Answer(msgspec.Struct):
    """Base of every answer."""

    @classmethod
    def of(cls, record: object, **own: Any) -> Self:
        """The answer with those fields of `record` that it names; `own` are the others, and those that it has
        otherwise. Raises TypeError where one is missing."""
        shared = {name: getattr(record, name) for name in cls.__struct_fields__ if hasattr(record, name)}
        return cls(**{**shared, **own})


# memory


class MemoryAdded(Answer):
    memory_id: str
    status: str
    conflicts: tuple[Conflict, ...]
    stale_links: tuple[str, ...]


class MemoryGot(Answer):
    memory: dict[str, Any]
    relationships: list[dict[str, Any]]
    truncated: Truncated = UNSET


class MemoryUpdated(Answer):
    memory_id: str
    status: str
    updated_fields: tuple[str, ...]
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
    why: tuple[str, ...]


class CodeFound(Answer):
    results: list[CodeHit]
    truncated: Truncated = UNSET


class DuplicatesFound(Answer):
    duplicates: list[Copy]
    has_duplicates: bool
    truncated: Truncated = UNSET


class RelatedFound(Answer):
    related: list[Related]
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


class Consistency(Answer):
    component: str
    base_pattern: Habit
    consistency_score: float
    deviations: tuple[Deviation, ...]
    recommendations: list[str]
    truncated: Truncated = UNSET


class DesignOfFix(Answer):
    requirements: tuple[dict[str, Any], ...]
    design_documents: tuple[DesignDocument, ...]
    patterns: list[Habit]


class Impact(Answer):
    callers: tuple[str, ...]
    tests: tuple[str, ...]
    requirements: tuple[str, ...]


class FixValidated(Answer):
    alignment_score: float
    design_context: DesignOfFix
    concerns: tuple[Concern, ...]
    impact: Impact
    recommendations: list[str]
    truncated: Truncated = UNSET


class DesignContext(Answer):
    component: dict[str, Any] | None = None
    requirements: tuple[dict[str, Any], ...] = ()
    design_documents: tuple[DesignDocument, ...] = ()
    patterns: list[Habit] = []
    memories: list[Remembered] = []
    dependencies: tuple[Neighbour, ...] = ()
    dependents: tuple[Neighbour, ...] = ()
    truncated: Truncated = UNSET


class TracedRequirement(Answer):
    requirement_id: str
    title: str
    status: str
    text: str
    source: str


class TracedCode(Answer):
    id: str
    name: str
    file_path: str
    link: str
    confidence: float
    evidence: str


class TracedTest(Answer):
    id: str
    name: str
    file_path: str
    status: str


class TracedDesign(Answer):
    id: str
    title: str
    type: str
    status: str
    excerpt: str
    path: str


class Covered(Answer):
    """Parts of `total`, 0 to 1."""

    implementation: float
    testing: float
    total: int


class OneTrace(Answer):
    """The trace of one requirement."""

    requirement: TracedRequirement | None
    implementations: list[TracedCode]
    design_documents: list[TracedDesign]
    tests: list[TracedTest]
    coverage: Covered
    mentions: list[TracedCode] | UnsetType = UNSET
    suggestions: tuple[SuggestedLink, ...] | UnsetType = UNSET


class Trace(OneTrace):
    """As of one requirement; where none is named, `requirements` holds that of each."""

    requirements: list[OneTrace] | UnsetType = UNSET
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


class MemoriesImported(Answer):
    imported: int
    skipped: int
    errors: tuple[ImportRowError, ...]
    truncated: Truncated = UNSET


# profiles agent-memory and scoped


class AgentMemoryStored(Answer):
    id: str
    status: str
    archived: tuple[str, ...]


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
