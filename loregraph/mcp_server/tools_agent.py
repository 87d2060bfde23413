"""The profile `agent-memory`: core memories, learnings and tasks, within limits."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import Meta

from loregraph.mcp_server.arguments import Level, Name, Names, Object, Query, Symbol, present
from loregraph.mcp_server.call import Call
from loregraph.mcp_server.models import (
    AgentMemories,
    AgentMemory,
    AgentMemoryDeleted,
    AgentMemoryStats,
    AgentMemoryStored,
)
from loregraph.mcp_server.registry import tool
from loregraph.memory.agent_memory import fields_of
from loregraph.memory.answers import Page

MemoryType = Literal["core", "learning", "task"]
TYPES = ("core", "learning", "task")
SortBy = Literal["created_at", "updated_at", "accessed_at", "access_count", "importance"]
Permanent = Annotated[bool, Meta(description="keep nothing of it")]
Shorter = Annotated[str, Meta(min_length=1, max_length=5_000)]


@tool(repeats=False, destroys=True)
def store_memory(
    call: Call,
    type: MemoryType,
    content: Shorter,
    category: Name | None = None,
    tags: Names | None = None,
    importance: Level = "medium",
    metadata: Annotated[
        Object, Meta(description="of a task: status completed|in-progress|blocked, outcome, context, blockers")
    ]
    | None = None,
    id: Annotated[Symbol, Meta(description="change this memory, and add none")] | None = None,
) -> AgentMemoryStored:
    """Keep something for later sessions: core for lasting facts and preferences, learning for an insight, task for
    work."""
    memory = memories(call)
    given = present(category=category, tags=tags, importance=importance, metadata=metadata)
    if id is not None:
        id = memory.full_id(id)
        memory.update(id, kind=type, content=content, **given)
        return AgentMemoryStored(id=id, status="updated", archived=())
    added = memory.add(content, kind=type, **given)
    return AgentMemoryStored(id=added.memory_id, status=added.status, archived=added.archived)


@tool(reads=True, rest="page with limit and offset")
def query_memories(
    call: Call,
    type: MemoryType | None = None,
    tags: Annotated[Names, Meta(description="all of them")] | None = None,
    search: Annotated[Query, Meta(description="words, all of them")] | None = None,
    importance: Level | None = None,
    category: Name | None = None,
    archived: Annotated[bool, Meta(description="archived ones, not active ones")] = False,
    limit: Annotated[int, Meta(ge=1, le=100)] = 10,
    offset: Annotated[int, Meta(ge=0, le=1_000_000_000)] = 0,
    sort_by: SortBy = "updated_at",
    sort_order: Literal["asc", "desc"] = "desc",
) -> AgentMemories:
    """Find memories by their fields. Use it before starting work."""
    page: Page = memories(call).page(
        kinds=[type] if type is not None else TYPES,
        tags=tags or (),
        search=search or "",
        importance=importance or "",
        category=category or "",
        archived=archived,
        limit=limit,
        offset=offset,
        sort_by=sort_by,
        sort_order=sort_order,
    )
    return AgentMemories(
        memories=[fields_of(found.memory) for found in page.memories],
        total=page.total,
        limit=page.limit,
        offset=page.offset,
        has_more=page.has_more,
    )


@tool(destroys=True, repeats=True)
def update_memory(
    call: Call,
    id: Symbol,
    content: Shorter | None = None,
    tags: Names | None = None,
    importance: Level | None = None,
    category: Name | None = None,
    metadata: Annotated[Object, Meta(description="merged; null removes a key")] | None = None,
    archived: Annotated[bool, Meta(description="false brings it back")] | None = None,
) -> AgentMemory:
    """Change a memory, archive it or bring it back."""
    memory = memories(call)
    changes = present(
        content=content,
        tags=tags,
        importance=importance,
        category=category,
        metadata=metadata,
        state=None if archived is None else "archived" if archived else "active",
    )
    id = memory.full_id(id)
    memory.update(id, **changes)
    return AgentMemory(memory=fields_of(memory.get(id, touch=False)))


@tool(destroys=True, repeats=True)
def delete_memory(call: Call, id: Symbol, permanent: Permanent = False) -> AgentMemoryDeleted:
    """Archive a memory, or delete it."""
    memory = memories(call)
    id = memory.full_id(id)
    if permanent:
        memory.delete(id, hard=True)
        return AgentMemoryDeleted(id=id, status="deleted")
    memory.update(id, state="archived")
    return AgentMemoryDeleted(id=id, status="archived")


@tool(reads=True)
def get_memory_stats(call: Call) -> AgentMemoryStats:
    """How many memories there are, by type and importance, their size, and the tags used most."""
    stats = memories(call).stats()
    return AgentMemoryStats(
        total_memories=stats.total,
        by_type={kind: stats.by_type.get(kind, 0) for kind in TYPES},
        by_importance=dict(stats.by_importance),
        total_storage_kb=round(stats.storage_bytes / 1024, 2),
        oldest_memory=stats.oldest,
        newest_memory=stats.newest,
        archived_count=stats.by_state.get("archived", 0),
        top_tags=dict(stats.top_tags),
    )


def memories(call: Call) -> Any:
    """The memories within the limits of the profile; what is due for the archive goes there first."""
    return call.workspace.limited_memory
