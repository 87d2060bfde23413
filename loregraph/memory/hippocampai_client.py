"""HippocampAI's client as used by `HippocampStore`, and the conversion of its records to memories.

It only separates memories by `user_id`, so that field encodes who may recall one: a user, a project, an agent, a
session, or everyone. Fields that its records lack are stored under one key of their metadata.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, Final, Protocol

from loregraph.errors import BackendError
from loregraph.memory.record import HIGH_FROM, MEDIUM_FROM, Memory, converted, normal_tags, timestamp
from loregraph.memory.scopes import Viewer

KEY: Final = "loregraph"
"""Metadata key for the fields that HippocampAI's records lack."""
OWN: Final = ("content", "importance", "created_at", "updated_at", "accessed_at", "access_count", "id")
"""Fields that its records have."""
MOST: Final = 10_000
"""Number of memories per request: of everyone, of one project, of one user."""
CANDIDATES: Final = 50
"""Number of answers requested, before our filters. Its ranking ends there."""
SCALE: Final = 10.0
"""Its importance is from 0 to 10."""
PREFIX: Final = "loregraph:"
"""Prefix of `user_id`s that are not users."""
IMPORTANCES: Final[Mapping[str, Mapping[str, float]]] = {
    "high": {"min_importance": HIGH_FROM * SCALE},
    "medium": {"min_importance": MEDIUM_FROM * SCALE, "max_importance": HIGH_FROM * SCALE},
    "low": {"max_importance": MEDIUM_FROM * SCALE},
}
"""Our filter → its filter, bounds included; ours is applied afterwards."""

TYPES: Final[Mapping[str, str]] = {
    "user_preference": "preference",
    "task": "goal",
    "session": "context",
    "test_history": "event",
    **dict.fromkeys(("requirements", "design", "code_pattern", "component", "function"), "fact"),
    **dict.fromkeys(("architecture", "core", "learning"), "fact"),
}
"""Our kind → its type."""
KINDS_OF: Final[Mapping[str, str]] = {"preference": "user_preference", "goal": "task", "context": "session"}
"""Its type → our kind, for memories written by other programs; any other is a learning."""


class Kept(Protocol):
    """The fields used of its record of a memory."""

    id: str
    text: str
    user_id: str
    session_id: str | None
    type: Any
    importance: float
    tags: list[str]
    created_at: datetime
    updated_at: datetime
    access_count: int
    metadata: dict[str, Any]


class Client(Protocol):
    """The methods used of `hippocampai.MemoryClient`."""

    def remember(
        self,
        text: str,
        user_id: str,
        session_id: str | None = None,
        type: str = "fact",
        importance: float | None = None,
        tags: list[str] | None = None,
        ttl_days: int | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
        visibility: str | None = None,
    ) -> Any: ...

    def recall(
        self, query: str, user_id: str, session_id: str | None = None, k: int = 5, filters: dict[str, Any] | None = None
    ) -> Sequence[Any]: ...

    def update_memory(
        self,
        memory_id: str,
        text: str | None = None,
        importance: float | None = None,
        tags: list[str] | None = None,
        metadata: dict[str, Any] | None = None,
    ) -> Any: ...

    def delete_memory(self, memory_id: str, user_id: str | None = None) -> bool: ...

    def get_memories(self, user_id: str, filters: dict[str, Any] | None = None, limit: int = 100) -> Sequence[Any]: ...


def connected() -> Client:
    """A client configured by HippocampAI's own settings (`QDRANT_URL`, …). Raises BackendError."""
    try:
        from hippocampai import MemoryClient
    except ImportError as error:
        raise BackendError(
            f"HippocampAI cannot be loaded: {error}",
            "pip install 'loregraph[hippocampai]', or keep memories in journals",
        ) from error
    client: Client = asked(MemoryClient)
    return client


def partition(memory: Memory) -> str:
    """The `user_id` of a memory in HippocampAI: who may recall it."""
    if memory.scope == "user":
        return memory.user_id
    if memory.scope == "project":
        return f"{PREFIX}project:{memory.project_id}"
    if memory.scope == "session":
        return f"{PREFIX}session:{memory.session_id}"
    if memory.scope == "org":
        return f"{PREFIX}org"
    if memory.visibility == "public":
        return f"{PREFIX}public"
    if memory.visibility == "shared":
        return f"{PREFIX}shared:{memory.project_id}"
    return f"{PREFIX}agent:{memory.project_id}:{memory.agent_id}:{memory.user_id}"


def partitions(viewer: Viewer, scopes: Iterable[str]) -> tuple[str, ...]:
    """The partitions with memories visible to the viewer, each once."""
    of_scope = {
        "project": [f"{PREFIX}project:{viewer.project_id}"] if viewer.project_id else [],
        "agent": [f"{PREFIX}shared:{viewer.project_id}", f"{PREFIX}public"],
        "user": [viewer.user_id] if viewer.user_id else [],
        "session": [f"{PREFIX}session:{viewer.session_id}"] if viewer.session_id else [],
        "org": [f"{PREFIX}org"],
    }
    if viewer.agent_id:
        of_scope["agent"].append(f"{PREFIX}agent:{viewer.project_id}:{viewer.agent_id}:{viewer.user_id}")
    return tuple(dict.fromkeys(owner for scope in scopes for owner in of_scope[scope]))


def decoded(kept: Kept) -> Memory:
    """A record of HippocampAI's as a memory: written by us, or by another program and then the user's."""
    common: dict[str, Any] = {
        "id": kept.id,
        "content": kept.text,
        "importance": within(kept.importance / SCALE),
        "created_at": timestamp(kept.created_at),
        "updated_at": timestamp(kept.updated_at),
        "access_count": kept.access_count,
    }
    ours = kept.metadata.get(KEY)
    if isinstance(ours, dict):
        return converted({**ours, **common}, Memory)
    kind = str(getattr(kept.type, "value", kept.type))
    return Memory(
        kind=KINDS_OF.get(kind, "learning"), tags=normal_tags(kept.tags), scope="user", user_id=kept.user_id, **common
    )


def within(value: float) -> float:
    """Clamped to 0–1, without rounding errors."""
    return round(min(max(float(value), 0.0), 1.0), 6)


def lost(memory_id: str) -> BackendError:
    return BackendError(f"HippocampAI did not change memory {memory_id}", "its own log says why")


def asked(function: Callable[..., Any], **arguments: Any) -> Any:
    """The client's answer. Raises BackendError for any exception: its database's, models' and network's."""
    try:
        return function(**arguments)
    except Exception as error:
        raise BackendError(
            f"HippocampAI failed: {type(error).__name__}: {error}", "check QDRANT_URL and that Qdrant runs"
        ) from error
