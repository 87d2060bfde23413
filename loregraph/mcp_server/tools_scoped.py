"""The profile `scoped`: memories with clear borders. Each tool has one scope, so that none can be confused."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from loregraph.mcp_server.arguments import Content, Name, Names, NewImportance, Object, Query, Visibility, present
from loregraph.mcp_server.call import Call
from loregraph.mcp_server.models import MemoriesFound
from loregraph.mcp_server.registry import tool
from loregraph.mcp_server.tools_search import memories_found
from loregraph.memory.answers import Added
from loregraph.memory.record import Kind

Limit = Annotated[int, Meta(ge=1, le=100)]
ADDED = "memory_id status conflicts stale_links"
REST = "ask for fewer with limit"


@tool(shows=ADDED)
def remember_project_memory(
    call: Call,
    content: Content,
    memory_type: Kind = "learning",
    tags: Names | None = None,
    importance: NewImportance | None = None,
    metadata: Object | None = None,
    agent_id: Annotated[Name, Meta(description="who keeps it")] | None = None,
) -> Added:
    """Keep something that everyone who works on this project should know."""
    return remember(call, "project", content, memory_type, tags, importance, metadata, agent_id, None)


@tool(shows=ADDED)
def remember_agent_memory(
    call: Call,
    agent_id: Annotated[Name, Meta(description="who keeps it")],
    content: Content,
    memory_type: Kind = "learning",
    tags: Names | None = None,
    importance: NewImportance | None = None,
    metadata: Object | None = None,
    visibility: Annotated[
        Visibility, Meta(description="shared: to the project's other agents; public: to all")
    ] = "private",
) -> Added:
    """Keep something for one agent in this project."""
    return remember(call, "agent", content, memory_type, tags, importance, metadata, agent_id, visibility)


@tool(shows=ADDED)
def remember_user_preference(
    call: Call,
    content: Content,
    tags: Names | None = None,
    importance: NewImportance | None = None,
    metadata: Object | None = None,
) -> Added:
    """Keep what the user prefers, in every project. Nothing about a project belongs here."""
    return remember(call, "user", content, "user_preference", tags, importance, metadata, None, None)


@tool(reads=True, rest=REST)
def recall_project_context(call: Call, query: Query, tags: Names | None = None, limit: Limit = 10) -> MemoriesFound:
    """What is known about this project that answers query; memories of agents and of the user are not in it."""
    return recall(call, "project", query, tags, limit, None)


@tool(reads=True, rest=REST)
def recall_agent_context(
    call: Call,
    agent_id: Annotated[Name, Meta(description="who asks")],
    query: Query,
    tags: Names | None = None,
    limit: Limit = 10,
) -> MemoriesFound:
    """What one agent remembers of this project that answers query, with what others share."""
    return recall(call, "agent", query, tags, limit, agent_id)


@tool(reads=True, rest=REST)
def recall_user_preferences(call: Call, query: Query, tags: Names | None = None, limit: Limit = 10) -> MemoriesFound:
    """What the user prefers that answers query, from every project."""
    return recall(call, "user", query, tags, limit, None)


def remember(
    call: Call,
    scope: str,
    content: str,
    kind: str,
    tags: list[str] | None,
    importance: float | str | None,
    metadata: Object | None,
    agent_id: str | None,
    visibility: str | None,
) -> Added:
    given = present(tags=tags, importance=importance, metadata=metadata, visibility=visibility)
    memory = call.workspace.acting_as(agent_id=agent_id)
    return memory.add(content, scope=scope, kind=kind, **given)


def recall(
    call: Call, scope: str, query: str, tags: list[str] | None, limit: int, agent_id: str | None
) -> MemoriesFound:
    found = call.workspace.acting_as(agent_id=agent_id).search(query, scope=scope, tags=tags or (), limit=limit)
    return memories_found(call, found)
