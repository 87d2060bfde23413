"""Which symbols answer a question, in which order, and how much of the budget each may take.

Scores of search are spread along the edges of the graph: what the best results call, are called by and contain is near
the answer, too.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from typing import Final

from msgspec import Struct

from loregraph.analysis.code_roles import CodeRoles
from loregraph.analysis.explore.evidence import Evidence
from loregraph.graph.columns import GraphColumns
from loregraph.graph.model import CONSTANT
from loregraph.graph.search import SearchHit

CANDIDATES: Final = 40
"""How many search results are asked for."""
SEEDS: Final = 10
"""How many of the best are places from which scores spread."""
NEIGHBOURS: Final = 200
"""Maximum edges of one relationship followed from one place: those in the order of the graph."""
MOST_RANKED: Final = 120
START_SCORE: Final = 2.0
"""The score of what was asked for by name, relative to the best search result."""
START_STEP: Final = 0.001
"""By how much the next of several is below: they keep their order."""
SAME_FILE: Final = 0.2
"""Added for a match in the file of what was asked for by name."""
SPREAD: Final[dict[tuple[str, bool], float]] = {
    ("CALLS", True): 0.1,
    ("CALLS", False): 0.2,
    ("CONTAINS", True): 0.05,
    ("CONTAINS", False): 0.05,
    ("OVERRIDES", True): 0.1,
    ("OVERRIDES", False): 0.1,
    ("EXTENDS", True): 0.1,
    ("EXTENDS", False): 0.1,
    ("IMPLEMENTS", True): 0.1,
    ("IMPLEMENTS", False): 0.1,
}
"""(relationship, whether along its direction) → the share of its score that a place gives to all its neighbours of that
kind, each a part by the square root of their number."""
_REASONS: Final[dict[tuple[str, bool], str]] = {
    ("CALLS", True): "called by",
    ("CALLS", False): "calls",
    ("CONTAINS", True): "in",
    ("CONTAINS", False): "contains",
    ("OVERRIDES", True): "overridden by",
    ("OVERRIDES", False): "overrides",
    ("EXTENDS", True): "base of",
    ("EXTENDS", False): "extends",
    ("IMPLEMENTS", True): "implemented by",
    ("IMPLEMENTS", False): "implements",
}
_START_SHARE: Final = 0.4
_LEAST_START: Final = 0.12
"""Parts of the budget of what was asked for by name alone; whoever asks a question from there on knows it."""
_FIRST_SHARE: Final = 0.17
_DECAY: Final = 0.78
_LEAST_SHARE: Final = 0.012
"""Those of what was found, by place: more symbols with shorter excerpts find more than a few whole ones."""


class Asked(Struct, frozen=True):
    """What is asked: `question` in words, "" where it is about symbols only; `starts`, the nodes of the symbols asked
    for, or touched by a diff, in their order; `hits`, up to `CANDIDATES` results of searching for the question, best
    first, and the `evidence` gathered for it."""

    question: str = ""
    starts: tuple[int, ...] = ()
    hits: Sequence[SearchHit] = ()
    evidence: Evidence | None = None


class Ranked(Struct, frozen=True):
    """A node of the answer. `score` is comparable within one list; `reason` says in words why it is there; `share` is
    the part of the budget that it may take at most, 0…1; `line` is that of a constant in the file `node`, else 0."""

    node: int
    score: float
    reason: str
    share: float
    line: int = 0


def ranked(columns: GraphColumns, roles: CodeRoles, asked: Asked) -> list[Ranked]:
    """At most `MOST_RANKED` functions, classes and constants, best first, ties in order of id."""
    scores: dict[tuple[int, int], float] = {}
    reasons: dict[tuple[int, int], str] = {}
    for place, start in enumerate(asked.starts):
        scores[start, 0] = START_SCORE - START_STEP * min(place, MOST_RANKED)
        reasons[start, 0] = "asked for"
    best = max((hit.score for hit in asked.hits), default=0.0)
    for hit in asked.hits:
        node = columns.find_id(hit.id)
        if node is None or best <= 0:
            continue
        if hit.kind == CONSTANT and (node, hit.start_line) not in scores:
            scores[node, hit.start_line] = hit.score / best
            reasons[node, hit.start_line] = "found: " + ", ".join(hit.why)
    if asked.evidence is not None:
        most = max(asked.evidence.scores.values(), default=0.0)
        for node, score in asked.evidence.scores.items():
            if (node, 0) not in scores:
                scores[node, 0] = score / most
                said = asked.evidence.reasons.get(node)
                reasons[node, 0] = f"has {said}" if said else "words"
        near = {int(columns.paths.codes[start]) for start in asked.starts}
        for node in asked.evidence.scores:
            if int(columns.paths.codes[node]) in near:
                scores[node, 0] += SAME_FILE
    spread: dict[int, float] = {}
    for node, line in sorted(scores, key=lambda key: (-scores[key], key))[:SEEDS]:
        if not line:
            for end, given, reason in _given(columns, node, scores[node, 0]):
                if roles.is_test(end):
                    continue  # listed with what it tests
                spread[end] = spread.get(end, 0.0) + given
                reasons.setdefault((end, 0), reason)
    starts = frozenset(asked.starts)
    for end in spread.keys() - starts:
        scores[end, 0] = scores.get((end, 0), 0.0) + spread[end]
    order = sorted(scores, key=lambda key: (-scores[key], key))[:MOST_RANKED]
    return [
        Ranked(
            node,
            round(scores[node, line], 4),
            reasons[node, line],
            _share(place, node in starts and not asked.question),
            line,
        )
        for place, (node, line) in enumerate(order)
    ]


def _share(place: int, is_subject: bool) -> float:
    if is_subject:
        return max(_LEAST_START, _START_SHARE / (1 + place))
    return max(_LEAST_SHARE, _FIRST_SHARE * _DECAY**place)


def _given(columns: GraphColumns, node: int, score: float) -> list[tuple[int, float, str]]:
    """(neighbour, what `node` adds to its score, the reason)."""
    found = []
    for (rel, outward), share in SPREAD.items():
        edges = (columns.out(node, rel) if outward else columns.into(node, rel))[:NEIGHBOURS]
        ends = (columns.target if outward else columns.source)[edges].tolist()
        for end in ends:
            if columns.label(end) in ("Function", "Class"):
                given = score * share / sqrt(len(ends))
                found.append((end, given, f"{_REASONS[rel, outward]} {columns.name(node)}"))
    return found
