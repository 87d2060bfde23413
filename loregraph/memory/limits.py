"""Limits of the profile `agent-memory`: how much it keeps, and what it archives automatically."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from typing import Final

import msgspec

from loregraph.errors import ConfigError, LimitExceededError
from loregraph.memory.record import Memory, moment, refusal, title_of

CORE, LEARNING, TASK = "core", "learning", "task"
NAMED: Final = 3
"""How many memories a refusal suggests to archive."""

Use = tuple[int, str]
"""(count, time of the last access or "", ISO 8601) of a memory."""


class Limits(msgspec.Struct, frozen=True, kw_only=True):
    """Limits by kind, and days without access until a memory is archived."""

    max_core: int = 1000
    max_learnings: int = 500
    max_tasks: int = 200
    archive_learnings_days: int = 90
    archive_tasks_days: int = 30
    max_content: int = 5_000
    max_tags: int = 10
    max_tag: int = 30

    @property
    def by_kind(self) -> dict[str, int]:
        return {CORE: self.max_core, LEARNING: self.max_learnings, TASK: self.max_tasks}


VARIABLES: Final[Mapping[str, str]] = {
    "MAX_CORE_MEMORIES": "max_core",
    "MAX_LEARNINGS": "max_learnings",
    "MAX_TASKS": "max_tasks",
    "AUTO_ARCHIVE_LEARNINGS_DAYS": "archive_learnings_days",
    "AUTO_ARCHIVE_TASKS_DAYS": "archive_tasks_days",
}


def limits_from(environment: Mapping[str, str] = os.environ) -> Limits:
    """The limits in the environment. Raises ConfigError for anything but a positive integer."""
    given: dict[str, int] = {}
    for variable, field in VARIABLES.items():
        text = environment.get(variable, "").strip()
        if not text:
            continue
        if not text.isascii() or not text.isdigit() or int(text) < 1:
            raise ConfigError(f"{variable}={text!r} is no whole number above 0", "correct or unset it")
        given[field] = int(text)
    return Limits(**given)


def check_size(memory: Memory, limits: Limits) -> None:
    """Raises UsageError, naming the field, for a memory that is too large for the profile."""
    if len(memory.content) > limits.max_content:
        raise refusal("content", f"is {len(memory.content):,} characters long, at most {limits.max_content:,} are kept")
    if len(memory.tags) > limits.max_tags:
        raise refusal("tags", f"are {len(memory.tags)}, at most {limits.max_tags} are kept")
    if long := [tag for tag in memory.tags if len(tag) > limits.max_tag]:
        raise refusal("tags", f"{long[0][:40]!r} is longer than {limits.max_tag} characters")


def least_valuable(memories: Iterable[Memory], use: Mapping[str, Use]) -> list[Memory]:
    """`memories`, the least valuable first: unimportant, rarely used, old."""
    return sorted(
        memories,
        key=lambda m: (m.importance, use.get(m.id, (0, ""))[0], moment(m.updated_at), m.id),
    )


def to_make_room(
    kind: str, more: int, active: Iterable[Memory], use: Mapping[str, Use], limits: Limits
) -> list[Memory]:
    """The memories to archive among the `active` ones of a kind so that `more` fit.

    Raises LimitExceededError for core memories: only the user may archive those.
    """
    most = limits.by_kind.get(kind)
    if most is None:
        return []
    ranked = least_valuable(active, use)
    over = len(ranked) + more - most
    if over <= 0:
        return []
    if kind == CORE or over > len(ranked):
        shown = "; ".join(f"{m.id} ({title_of(m.content, 40)})" for m in ranked[:NAMED])
        raise LimitExceededError(
            f"{len(ranked)} {kind} memories are kept, and no more than {most} are allowed",
            f"archive or delete some first, for example: {shown}" if shown else "raise the limit",
        )
    return ranked[:over]


def expired(memories: Iterable[Memory], use: Mapping[str, Use], limits: Limits, now: datetime) -> list[Memory]:
    """Active learnings without a recall for long, and tasks that were completed long ago."""
    quiet = now - timedelta(days=limits.archive_learnings_days)
    done = now - timedelta(days=limits.archive_tasks_days)
    found = []
    for memory in memories:
        if memory.state != "active":
            continue
        written = moment(memory.updated_at)
        if memory.kind == LEARNING and max(written, moment(use.get(memory.id, (0, ""))[1])) < quiet:
            found.append(memory)
        if memory.kind == TASK and memory.metadata.get("status") == "completed" and written < done:
            found.append(memory)
    return found
