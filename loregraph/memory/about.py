"""The memories about a piece of code: those anchored in it, and those that answer a question about it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from loregraph.graph.authored import Remembered

if TYPE_CHECKING:
    from loregraph.memory.api import ProjectMemory
    from loregraph.memory.record import Memory

MOST: Final = 5
"""Maximum memories of either kind."""
RELATED_SIMILARITY: Final = 0.2
"""Minimum relevance of a memory that is not anchored in the code."""
EXCERPT: Final = 1000
"""Characters shown of a memory."""


def about(memory: ProjectMemory, component: str | None, question: str) -> tuple[Remembered, ...]:
    """Memories anchored in the code `component`, None for none, followed by those that answer `question`, "" for
    none."""
    found: dict[str, Remembered] = {}
    if component is not None:
        for one in memory.page(anchor=component, limit=MOST).memories:
            found[one.memory.id] = _short(one.memory, one.stale)
    if question:
        near = (component,) if component is not None else ()
        for hit in memory.search(question, near=near, limit=MOST).results:
            if hit.similarity >= RELATED_SIMILARITY:
                found.setdefault(hit.memory.id, _short(hit.memory, hit.stale))
    return tuple(found.values())


def _short(memory: Memory, stale: bool) -> Remembered:
    return Remembered(memory.id, memory.kind, memory.content[:EXCERPT], stale)
