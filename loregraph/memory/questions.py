"""The queries to memories, and the interface of backends.

`MemoryStore` is the interface that a backend implements; `store.JournalStore` is the default.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final, Protocol

import msgspec

from loregraph.errors import LoregraphError
from loregraph.memory.answers import Added, BulkAdded, Deleted, Page, Recollection, RowError, Statistics, Updated
from loregraph.memory.record import KINDS, Memory, one_of
from loregraph.memory.scopes import ALL, SCOPES, Viewer

MAX_PAGE: Final = 1_000
SORTS: Final = ("created_at", "updated_at", "accessed_at", "access_count", "importance")
ORDERS: Final = ("asc", "desc")


class Question(msgspec.Struct, frozen=True, kw_only=True):
    """A query for memories. An empty filter matches everything.

    `scope` None searches the project and the viewer's own (agent, session), "all" everything visible to the viewer.
    `since` and `until` are times of creation, inclusive. `near` are ids that the question is about.
    """

    text: str
    kinds: tuple[str, ...] = ()
    scope: str | None = None
    tags: tuple[str, ...] = ()
    since: str = ""
    until: str = ""
    near: tuple[str, ...] = ()
    limit: int = 10
    min_similarity: float = 0.0


class Selection(msgspec.Struct, frozen=True, kw_only=True):
    """A selection of memories to list. `state` None: active and archived ones; `archived` selects one of the two.

    `importance` is a word; `search` are words that all have to occur in the text; `anchor` is an id that they are
    about.
    """

    ids: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    scope: str | None = None
    tags: tuple[str, ...] = ()
    search: str = ""
    importance: str = ""
    category: str = ""
    archived: bool | None = False
    anchor: str = ""
    author: str = ""
    stale: bool | None = None
    limit: int = 10
    offset: int = 0
    sort_by: str = "updated_at"
    sort_order: str = "desc"


# Implements REQ-BRG-005.
class MemoryStore(Protocol):
    """The interface of a backend. `viewer` is the acting identity; every method raises subclasses of LoregraphError."""

    def remember(self, memory: Memory, viewer: Viewer, *, allow_secret: bool = False) -> Added:
        """Stores a new memory."""

    def recall(self, question: Question, viewer: Viewer) -> Recollection:
        """The memories that answer a question, best first."""

    def update(
        self,
        memory_id: str,
        changes: Mapping[str, Any],
        viewer: Viewer,
        *,
        allow_secret: bool = False,
        if_version: int | None = None,
    ) -> Updated:
        """Changes fields of a memory. Raises ChangedMeanwhileError where `if_version` is not its present version."""

    def delete(self, memory_id: str, viewer: Viewer, *, purge: bool = False) -> Deleted:
        """Hides a memory; with `purge` it is deleted for good."""

    def list(self, selection: Selection, viewer: Viewer) -> Page:
        """Memories by their fields."""

    def stats(self, viewer: Viewer) -> Statistics:
        """Counts of the memories visible to the viewer."""


def remember_each(
    store: MemoryStore, memories: Iterable[Memory | LoregraphError], viewer: Viewer, *, allow_secret: bool = False
) -> BulkAdded:
    """Stores many, one by one, skipping invalid ones. A row may be the error that it failed with."""
    kept: list[str] = []
    errors: list[RowError] = []
    for index, row in enumerate(memories):
        try:
            if isinstance(row, LoregraphError):
                raise row
            kept.append(store.remember(row, viewer, allow_secret=allow_secret).memory_id)
        except LoregraphError as error:
            errors.append(RowError(index, error.message, error.code))
    return BulkAdded(created=len(kept), memory_ids=tuple(kept), errors=tuple(errors))


def scopes_of(scope: str | None, default: tuple[str, ...]) -> tuple[str, ...]:
    """The scopes named by a call. Raises UsageError for an unknown one."""
    if scope is None:
        return default
    one_of("scope", scope, (*SCOPES, ALL))
    return tuple(SCOPES) if scope == ALL else (scope,)


def kinds_of(kinds: Iterable[str]) -> frozenset[str]:
    for kind in kinds:
        one_of("memory_type", kind, KINDS)
    return frozenset(kinds)
