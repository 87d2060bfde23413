"""Tools that store, read and change memories."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from msgspec import Meta

from loregraph.errors import LoregraphError
from loregraph.mcp_server import validation
from loregraph.mcp_server.arguments import (
    Content,
    Importance,
    MaxTokens,
    Name,
    Names,
    NewImportance,
    Object,
    OwnAgent,
    OwnSession,
    Relationship,
    Relationships,
    Scope,
    State,
    Visibility,
    present,
)
from loregraph.mcp_server.call import Call
from loregraph.mcp_server.models import MemoryGot
from loregraph.mcp_server.registry import tool
from loregraph.memory.answers import Added, BulkAdded, Deleted, RowError, Updated
from loregraph.memory.record import Kind

MOST_ROWS = 100


class NewMemory(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One row of `memory_bulk_add`: the arguments of `memory_add`."""

    memory_type: Kind
    content: Content
    metadata: Object | None = None
    tags: Names | None = None
    importance: Importance | None = None
    scope: Scope | None = None
    agent_id: Name | None = None
    session_id: Name | None = None
    visibility: Visibility | None = None
    relationships: Relationships | None = None
    allow_secret: bool = False


Rows = Annotated[
    list[Any],
    Meta(
        description="each as for memory_add",
        min_length=1,
        max_length=MOST_ROWS,
        extra_json_schema={
            "type": "array",
            "items": {"type": "object"},
        },
    ),
]


@tool(unlisted=("allow_secret",), shows="memory_id status conflicts stale_links")
def memory_add(
    call: Call,
    memory_type: Kind,
    content: Content,
    metadata: Object | None = None,
    tags: Names | None = None,
    importance: NewImportance | None = None,
    scope: Scope = "project",
    agent_id: Name | None = None,
    session_id: Name | None = None,
    visibility: Visibility | None = None,
    relationships: Relationships | None = None,
    allow_secret: Annotated[bool, Meta(description="keep it although it looks like a credential")] = False,
) -> Added:
    """Keep a decision or lesson for later sessions, linked to the code it is about; not what the code says."""
    given = present(
        metadata=metadata,
        tags=tags,
        importance=importance,
        visibility=visibility,
        relationships=links(relationships),
        # The ids are passed both for the memory and for the acting identity: where the scope forbids one, it is refused
        # and not ignored.
        agent_id=agent_id,
        session_id=session_id,
    )
    memory = call.workspace.acting_as(agent_id=agent_id, session_id=session_id)
    return memory.add(content, kind=memory_type, scope=scope, allow_secret=allow_secret, **given)


@tool(reads=True, rest="pass a larger max_tokens")
def memory_get(
    call: Call, memory_id: Name, include_relationships: bool = False, max_tokens: MaxTokens = 10_000
) -> MemoryGot:
    """Read one memory whole, by its id. To find one use memory_search."""
    memory = call.workspace.memory
    found = memory.found(memory.full_id(memory_id), relationships=include_relationships)
    call.shows(found.memory.id, found.memory.anchors)
    related = [msgspec.to_builtins(relation) for relation in found.relationships or ()]
    return MemoryGot(memory=found.published(), relationships=related)


@tool(
    destroys=True,
    repeats=True,
    unlisted=("agent_id", "session_id"),
    shows="memory_id status updated_fields version",
)
def memory_update(
    call: Call,
    memory_id: Name,
    content: Content | None = None,
    metadata: Annotated[Object, Meta(description="merged; null removes a key")] | None = None,
    tags: Annotated[Names, Meta(description="replace the old ones")] | None = None,
    importance: Importance | None = None,
    state: State | None = None,
    agent_id: OwnAgent | None = None,
    session_id: OwnSession | None = None,
) -> Updated:
    """Correct a memory, archive it (state) or, with memory_id alone, confirm a stale one. For news use memory_add."""
    changes = present(content=content, metadata=metadata, tags=tags, importance=importance, state=state)
    memory = call.workspace.acting_as(agent_id=agent_id, session_id=session_id)
    return memory.update(memory.full_id(memory_id), **changes)


@tool(destroys=True, repeats=True, unlisted=("agent_id", "session_id"), shows="status relationships_removed")
def memory_delete(
    call: Call,
    memory_id: Name,
    hard_delete: Annotated[bool, Meta(description="else restorable for 30 days")] = False,
    agent_id: OwnAgent | None = None,
    session_id: OwnSession | None = None,
) -> Deleted:
    """Delete a memory that is wrong. If it is outdated, use memory_update."""
    memory = call.workspace.acting_as(agent_id=agent_id, session_id=session_id)
    return memory.delete(memory.full_id(memory_id), hard=hard_delete)


@tool()
def memory_bulk_add(call: Call, memories: Rows) -> BulkAdded:
    """Keep up to 100 memories; good ones are kept if others fail."""
    rows: list[tuple[int, NewMemory]] = []
    errors: list[RowError] = []
    for index, memory in enumerate(memories):
        try:
            rows.append((index, read_row(memory, index)))
        except LoregraphError as error:
            errors.append(RowError(index, error.message, error.code))
    ids: dict[int, str] = {}
    # Rows of the same identity are written at once.
    named: dict[tuple[str | None, str | None, bool], list[tuple[int, NewMemory]]] = {}
    for index, row in rows:
        named.setdefault((row.agent_id, row.session_id, row.allow_secret), []).append((index, row))
    for (agent_id, session_id, allow_secret), own in named.items():
        memory = call.workspace.acting_as(agent_id=agent_id, session_id=session_id)
        done = memory.add_many([arguments(row) for _, row in own], allow_secret=allow_secret)
        failed = {error.index for error in done.errors}
        errors += [msgspec.structs.replace(error, index=own[error.index][0]) for error in done.errors]
        kept = [index for place, (index, _) in enumerate(own) if place not in failed]
        ids.update(zip(kept, done.memory_ids, strict=True))
    errors.sort(key=lambda error: error.index)
    return BulkAdded(created=len(ids), memory_ids=tuple(ids[index] for index in sorted(ids)), errors=tuple(errors))


def read_row(memory: Any, index: int) -> NewMemory:
    """One row, validated. Raises UsageError that names the field."""
    return validation.read(NewMemory, memory, f"memories[{index}]")


def arguments(row: NewMemory) -> dict[str, Any]:
    """The row as arguments of `ProjectMemory.add_many`."""
    given = msgspec.structs.asdict(row)
    del given["allow_secret"]
    given["relationships"] = links(row.relationships)
    return present(**given)


def links(relationships: list[Relationship] | None) -> list[dict[str, str]] | None:
    return None if relationships is None else [msgspec.structs.asdict(link) for link in relationships]
