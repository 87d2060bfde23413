"""`explore` and the report of `impact`: brings together the graph, the files on disk and the memories."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import cache
from typing import Final

import msgspec

from loregraph.analysis.explore import packing, ranking
from loregraph.analysis.explore.answer import Exploration
from loregraph.analysis.explore.evidence import gathered
from loregraph.analysis.explore.meaning import symbol_meant
from loregraph.analysis.explore.sent import Sent
from loregraph.analysis.history.suggesting import ChangesWith
from loregraph.analysis.impact import report
from loregraph.analysis.impact.report import ImpactReport
from loregraph.analysis.since import changed_symbols
from loregraph.git import ChangedFile
from loregraph.graph.authored import Remembered
from loregraph.graph.columns import GraphColumns
from loregraph.graph.queries import CODE_LABELS, resolve_number
from loregraph.graph.terms import query_terms
from loregraph.memory.about import about
from loregraph.memory.api import ProjectMemory
from loregraph.reader import Reader

MEMORY_CHARACTERS: Final = 300
"""Characters shown of a memory."""

Stale = Callable[[Collection[str]], Collection[str]]
"""Those of some files that changed since they were indexed."""


def explored(
    reader: Reader,
    lines: Callable[[str], Sequence[str]],
    stale: Stale,
    memory: ProjectMemory,
    *,
    question: str,
    symbol: str,
    changes: Mapping[str, ChangedFile] | None,
    max_tokens: int,
    sent: Sent | None,
    resend: bool,
) -> Exploration:
    """See `Project.explore`."""
    columns = reader.columns
    lines = cache(lines)
    asked = _asked(reader, question, symbol, changes, lines)
    ranked = ranking.ranked(columns, reader.roles, asked)
    paths = {columns.path(one.node) for one in ranked}
    material = packing.Material(
        columns,
        reader.roles,
        _weighted(reader, asked.question),
        lines,
        _memories(columns, memory),
        stale(paths),
        sent,
        resend,
        changes or {},
        [_short(one) for one in about(memory, None, asked.question)] if asked.question else (),
    )
    return packing.packed(material, ranked, max_tokens)


def _asked(
    reader: Reader,
    question: str,
    symbol: str,
    changes: Mapping[str, ChangedFile] | None,
    lines: Callable[[str], Sequence[str]],
) -> ranking.Asked:
    columns = reader.columns
    if changes is not None:
        changed = sorted(changed_symbols(columns, changes), key=lambda node: (reader.roles.is_test(node), node))
        return ranking.Asked(starts=tuple(changed))
    meant = resolve_number(columns, symbol, CODE_LABELS) if symbol else symbol_meant(columns, question)
    starts = () if meant is None else (meant,)
    if starts and not (symbol and question.strip()):
        return ranking.Asked(starts=starts)
    hits = reader.search(
        question, kind=None, language=None, path=None, limit=ranking.CANDIDATES, mode="hybrid", generated=False
    )
    evidence = gathered(columns, reader.roles, reader.lexical, question, hits, lines)
    return ranking.Asked(question, starts, hits, evidence)


def _weighted(reader: Reader, question: str) -> dict[str, float]:
    """The terms of the question, weighed by how rare they are in the project; the mean weight is 1."""
    rare = {term: reader.lexical.idf(term) for term in query_terms(question)} if question else {}
    mean = sum(rare.values()) / max(1, len(rare))
    return {term: weight / mean for term, weight in rare.items()} if mean else {}


def reported(
    reader: Reader,
    stale: Stale,
    memory: ProjectMemory,
    starts: Sequence[int],
    max_tokens: int | None,
    suggested: Iterable[ChangesWith] = (),
) -> ImpactReport:
    """See `Project.impact_report`; `starts` are the nodes that change."""
    columns = reader.columns
    memories = _memories(columns, memory)

    found = report.report(columns, reader.roles, starts, reader.mentioning, memories)
    found = msgspec.structs.replace(found, changes_with=tuple(suggested))
    found = msgspec.structs.replace(found, stale=tuple(sorted(stale(report.files(found)))))
    return found if max_tokens is None else report.fitted(columns, reader.roles, found, max_tokens)


def _memories(columns: GraphColumns, memory: ProjectMemory) -> Callable[[str], Sequence[Remembered]]:
    """The memories about a symbol, in short."""

    def of(id: str) -> list[Remembered]:
        node = columns.find_id(id)
        if node is None or not len(columns.into(node, "ABOUT")):
            return []
        return [_short(one) for one in about(memory, id, "")]

    return of


def _short(memory: Remembered) -> Remembered:
    return msgspec.structs.replace(memory, content=memory.content[:MEMORY_CHARACTERS])
