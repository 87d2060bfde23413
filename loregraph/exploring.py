"""`explore`: searches, ranks and packs one answer from the graph, the files on disk and the memories."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from functools import lru_cache
from typing import Any

import msgspec

from loregraph.analysis.explore import packing, ranking
from loregraph.analysis.explore.answer import Exploration
from loregraph.analysis.explore.meaning import symbol_meant
from loregraph.analysis.explore.sent import Sent
from loregraph.graph.columns import GraphColumns
from loregraph.graph.queries import CODE_LABELS, resolve_number
from loregraph.memory.about import about
from loregraph.memory.api import ProjectMemory
from loregraph.reader import Reader

MEMORY_CHARACTERS = 300
"""Characters shown of a memory."""


def explored(
    reader: Reader,
    lines: Callable[[str], Sequence[str]],
    stale: Callable[[Collection[str]], Collection[str]],
    memory: ProjectMemory,
    *,
    question: str,
    symbol: str,
    max_tokens: int,
    sent: Sent | None,
) -> Exploration:
    """See `Project.explore`."""
    columns = reader.columns
    asked = _asked(reader, columns, question, symbol)
    ranked = ranking.ranked(columns, asked)
    paths = {columns.path(one.node) for one in ranked}
    material = packing.Material(
        columns, asked.question, lru_cache(maxsize=None)(lines), _memories(columns, memory), stale(paths), sent
    )
    return packing.packed(material, ranked, max_tokens)


def _asked(reader: Reader, columns: GraphColumns, question: str, symbol: str) -> ranking.Asked:
    if symbol:
        return ranking.Asked(starts=(resolve_number(columns, symbol, CODE_LABELS),))
    meant = symbol_meant(columns, question)
    if meant is not None:
        return ranking.Asked(starts=(meant,))
    hits = reader.search(
        question, kind=None, language=None, path=None, limit=ranking.CANDIDATES, mode="hybrid", generated=False
    )
    return ranking.Asked(question, hits=hits)


def _memories(columns: GraphColumns, memory: ProjectMemory) -> Callable[[str], Sequence[dict[str, Any]]]:
    """The memories about a symbol, in short."""

    def of(id: str) -> list[dict[str, Any]]:
        node = columns.find_id(id)
        if node is None or not len(columns.into(node, "ABOUT")):
            return []
        return [
            {**msgspec.to_builtins(one), "content": one.content[:MEMORY_CHARACTERS]} for one in about(memory, id, "")
        ]

    return of
