"""Filters for questions and selections, shared by all backends."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

from loregraph.memory.holding import text_of
from loregraph.memory.questions import MAX_PAGE, ORDERS, SORTS, Question, Selection, kinds_of, scopes_of
from loregraph.memory.record import Memory, level_of, moment, one_of, parse_time, refusal
from loregraph.memory.scopes import SCOPES, Viewer, default_scopes

Passes = Callable[[Memory], bool]


def passes_question(question: Question, viewer: Viewer) -> Passes:
    """A predicate for visible memories that may answer. Raises UsageError that names the invalid field."""
    if not question.text.strip():
        raise refusal("query", "is empty")
    if not 1 <= question.limit <= MAX_PAGE:
        raise refusal("limit", f"{question.limit} is not from 1 to {MAX_PAGE}")
    if not 0 <= question.min_similarity <= 1:
        raise refusal("min_similarity", f"{question.min_similarity} is not from 0 to 1")
    scopes = scopes_of(question.scope, default_scopes(viewer))
    kinds = kinds_of(question.kinds)
    since = parse_time("time_range.start", question.since) if question.since else None
    until = parse_time("time_range.end", question.until) if question.until else None
    if until is not None and len(question.until) == len("2026-01-01"):
        until += timedelta(days=1)  # the whole of that day
    wanted = set(question.tags)

    def passes(memory: Memory) -> bool:
        return (
            memory.state == "active"
            and memory.scope in scopes
            and (not kinds or memory.kind in kinds)
            and wanted <= set(memory.tags)
            and (since is None or moment(memory.created_at) >= since)
            and (until is None or moment(memory.created_at) <= until)
        )

    return passes


def passes_selection(selection: Selection, anchor: str = "") -> Passes:
    """A predicate for visible memories to list, except for `stale`, which needs the graph.

    `anchor` is the resolved id of the selection's anchor. Raises UsageError that names the invalid field.
    """
    if not 1 <= selection.limit <= MAX_PAGE:
        raise refusal("limit", f"{selection.limit} is not from 1 to {MAX_PAGE}")
    if selection.offset < 0:
        raise refusal("offset", f"{selection.offset} is below 0")
    one_of("sort_by", selection.sort_by, SORTS)
    one_of("sort_order", selection.sort_order, ORDERS)
    if selection.importance:
        one_of("importance", selection.importance, ("high", "medium", "low"))
    scopes = scopes_of(selection.scope, tuple(SCOPES))
    kinds = kinds_of(selection.kinds)
    tags = {tag.lower().strip() for tag in selection.tags}
    words = selection.search.lower().split()
    ids = frozenset(selection.ids)

    def passes(memory: Memory) -> bool:
        return (
            (not ids or memory.id in ids)
            and memory.scope in scopes
            and (not kinds or memory.kind in kinds)
            and (selection.archived is None or (memory.state == "archived") == selection.archived)
            and tags <= set(memory.tags)
            and (not selection.importance or level_of(memory.importance) == selection.importance)
            and (not selection.category or memory.category == selection.category)
            and (not anchor or anchor in memory.anchors)
            and (not selection.author or selection.author.lower() in memory.author.lower())
            and (not words or all(word in text_of(memory).lower() for word in words))
        )

    return passes
