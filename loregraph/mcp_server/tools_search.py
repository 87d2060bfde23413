"""Tools for searching: memories, code, copies, neighbours, and arbitrary Cypher."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from msgspec import Meta

from loregraph.analysis.duplicates.results import CopiesFound
from loregraph.mcp_server.arguments import (
    Between,
    Cypher,
    Direction,
    Language,
    MaxTokens,
    MemoryTypes,
    Name,
    Names,
    Object,
    PathText,
    Query,
    RecallScope,
    RelationshipTypes,
    Share,
    Source,
    Symbol,
    SymbolKind,
    TimeRange,
)
from loregraph.mcp_server.call import Call
from loregraph.mcp_server.models import (
    CodeFound,
    GraphRows,
    MemoriesFound,
    RelatedFound,
)
from loregraph.mcp_server.registry import QUERIES, tool

if TYPE_CHECKING:
    from loregraph.memory.answers import Recollection


@tool(
    reads=True, rest="ask for fewer with limit, or read one whole with memory_get", unlisted=("agent_id", "session_id")
)
def memory_search(
    call: Call,
    query: Query,
    memory_types: MemoryTypes | None = None,
    scope: Annotated[RecallScope, Meta(description="default: project and own")] | None = None,
    tags: Names | None = None,
    time_range: Between | None = None,
    limit: Annotated[int, Meta(ge=1, le=100)] = 10,
    min_similarity: Share = 0,
    agent_id: Annotated[Name, Meta(description="also memories of that agent")] | None = None,
    session_id: Annotated[Name, Meta(description="also memories of that session")] | None = None,
) -> MemoriesFound:
    """Recall what was decided or learned here, before starting work: "why is X cached". Not for code."""
    when = time_range or TimeRange()
    memory = call.workspace.acting_as(agent_id=agent_id, session_id=session_id)
    found = memory.search(
        query,
        kinds=memory_types or (),
        scope=scope,
        tags=tags or (),
        since=when.start or "",
        until=when.end or "",
        limit=limit,
        min_similarity=min_similarity,
    )
    return memories_found(call, found)


@tool(reads=True, rest="ask for fewer with limit, or narrow it with path, kind or language")
def code_search(
    call: Call,
    query: Query,
    language: Language | None = None,
    kind: SymbolKind | None = None,
    path: Annotated[PathText, Meta(description="only this file or folder")] | None = None,
    limit: Annotated[int, Meta(ge=1, le=50)] = 10,
) -> CodeFound:
    """Find functions and classes by words or a code snippet, best first: "retry with backoff". For callers of an id
    use get_related."""
    below = None if path is None else call.workspace.relative(call.workspace.path("path", path))
    with call.workspace.reading() as project:
        hits = project.search(query, kind=kind, language=language, path=below, limit=limit, docstrings=True)
    return CodeFound(results=hits)


@tool(reads=True, apart=True, rest="ask for fewer with limit, or raise threshold")
def find_duplicates(
    call: Call,
    code: Annotated[Source, Meta(description="a whole function")] | None = None,
    id: Annotated[Symbol, Meta(description="of a function, instead of code")] | None = None,
    language: Name | None = None,
    threshold: Annotated[float, Meta(ge=0.5, le=1)] = 0.7,
    limit: Annotated[int, Meta(ge=1, le=20)] = 5,
) -> CopiesFound:
    """Before writing a function, see whether it is there: exact, renamed and edited copies. For ideas use
    code_search."""
    with call.workspace.reading() as project:
        copies = project.copies_of(code=code, symbol=id, language=language, threshold=threshold, limit=limit)
    return CopiesFound.of(copies)


def memories_found(call: Call, found: Recollection) -> MemoriesFound:
    for hit in found.results:
        call.shows(hit.memory.id, hit.memory.anchors)
    return MemoriesFound.of(found)


@tool(reads=True, rest="ask for fewer with limit or relationship_types, or pass a larger max_tokens")
def get_related(
    call: Call,
    entity_id: Annotated[Symbol, Meta(description="of code, a requirement, design or memory")],
    relationship_types: RelationshipTypes | None = None,
    direction: Direction = "BOTH",
    depth: Annotated[int, Meta(ge=1, le=5)] = 1,
    limit: Annotated[int, Meta(ge=1, le=1000)] = 100,
    max_tokens: MaxTokens = 10_000,
) -> RelatedFound:
    """Neighbours of an id; callers: relationship_types=[CALLS], direction=INCOMING."""
    with call.workspace.reading() as project:
        types = relationship_types or ()
        found = project.related(entity_id, relationship_types=types, direction=direction, depth=depth, limit=limit)
        unresolved = project.unresolved_near(
            entity_id, found, relationship_types=types, direction=direction, depth=depth
        )
    return RelatedFound(related=found, unresolved_calls=unresolved)


@tool(reads=True, lane=QUERIES, rest="narrow the query or page with SKIP and LIMIT")
def graph_query(
    call: Call,
    cypher: Cypher,
    params: Annotated[Object, Meta(description="values of $names")] | None = None,
    limit: Annotated[int, Meta(ge=1, le=10_000)] = 200,
    timeout_ms: Annotated[int, Meta(ge=1, le=60_000)] = 5000,
    max_tokens: MaxTokens = 10_000,
) -> GraphRows:
    """Read-only Cypher, for what no other tool answers: MATCH (f:Function)-[:CALLS]->(g) RETURN g.id, count(f)."""
    with call.workspace.asking() as project:
        call.elsewhere = bool(project.settings.server.url)
        ask = project.ask_server if call.elsewhere else project.query
        rows = ask(cypher, params, limit=limit, timeout=timeout_ms / 1000)
    more = {"rest": f"there are more than {limit} rows: raise limit, or page with SKIP and LIMIT"}
    return GraphRows(
        columns=rows.columns,
        rows=[list(row.values()) for row in rows],
        truncated=rows.truncated,
        query_time_ms=round(rows.seconds * 1000, 3),
        **(more if rows.truncated else {}),
    )
