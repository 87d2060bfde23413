"""Statistics of memories, for every backend."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final

from loregraph.memory.anchors import Code, stale_anchors
from loregraph.memory.answers import Statistics
from loregraph.memory.record import KINDS, STATES, Memory, level_of
from loregraph.memory.scopes import SCOPES

TOP_TAGS: Final = 10


def statistics(
    kept: Sequence[Memory],
    states: Iterable[str],
    code: Code | None,
    *,
    project_id: str,
    storage_bytes: int,
    journal_bytes: int = 0,
    rejected_lines: int = 0,
    journals: tuple[str, ...] = (),
) -> Statistics:
    """Statistics of the memories `kept`, none of them deleted; `states` are those of all memories read. Sizes are in
    bytes."""
    created = sorted(memory.created_at for memory in kept)
    tags = Counter(tag for memory in kept for tag in memory.tags)
    levels = Counter(level_of(memory.importance) for memory in kept)
    return Statistics(
        total=len(kept),
        by_type=_counted((memory.kind for memory in kept), KINDS),
        by_scope=_counted((memory.scope for memory in kept), SCOPES),
        by_state=_counted(states, STATES),
        by_importance={level: levels[level] for level in ("high", "medium", "low")},
        top_tags=dict(sorted(tags.items(), key=lambda item: (-item[1], item[0]))[:TOP_TAGS]),
        oldest=created[0] if created else "",
        newest=created[-1] if created else "",
        stale=sum(bool(stale_anchors(memory, code)) for memory in kept),
        journal_bytes=journal_bytes,
        storage_bytes=storage_bytes,
        rejected_lines=rejected_lines,
        project_id=project_id,
        journals=journals,
    )


def _counted(values: Iterable[str], known: Iterable[str]) -> dict[str, int]:
    counts = Counter(values)
    return {value: counts[value] for value in known if counts[value]}
