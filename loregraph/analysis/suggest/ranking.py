"""From requirements to ranked suggestions with reasons."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final

import numpy as np

from loregraph.analysis.suggest.evidence import Reasons
from loregraph.analysis.suggest.measures import Matrix, above_background, relative, without_hubs
from loregraph.analysis.suggest.requirements import read_requirements, title_and_body
from loregraph.analysis.suggest.setting import Setting, setting_for
from loregraph.analysis.suggest.sources import Code, read_code
from loregraph.analysis.suggest.spreading import Neighbours, neighbours, spread
from loregraph.analysis.suggest.views import Match, match
from loregraph.analysis.tracing.traces import SuggestedLink
from loregraph.graph.columns import GraphColumns

LIMIT: Final = 200
"""Suggestions per requirement."""
_TESTS: Final = 0.5
"""Weight of a match in a file of tests, which are linked to requirements by what they test."""
_SHARPNESS: Final = 2.0
"""Exponent applied before spreading, so that only good matches spread."""
_HUBS: Final = 0.2
"""How strongly a file's score is divided by how well it matches all requirements: matching everything means little."""
_HALF: Final = 0.75
"""The share of a usual requirement's best match that gives a score of one half."""


# Implements REQ-TRC-004.
def suggest(
    columns: GraphColumns, root: Path, requirements: Sequence[int], *, limit: int = LIMIT
) -> dict[int, list[SuggestedLink]]:
    """Code for each of the Requirement nodes: one entry per file, best first, at most `limit` each.

    Scores are between 0 and 1 and comparable across requirements. Word weights are learned from all requirements of the
    graph, whichever are given.
    """
    known = sorted({*columns.nodes("Requirement").tolist(), *requirements})
    texts = [title_and_body(columns.own(node, "title") or "", columns.own(node, "text") or "") for node in known]
    places = {node: row for row, node in enumerate(known)}
    rows = [places[node] for node in requirements]
    return dict(zip(requirements, rank(columns, root, texts, rows, limit), strict=True))


def rank(
    columns: GraphColumns, root: Path, texts: Sequence[tuple[str, str]], rows: Iterable[int], limit: int = LIMIT
) -> list[list[SuggestedLink]]:
    """As `suggest`, for `rows` of `texts`, which are titles and bodies."""
    asked = read_requirements(texts)
    code = read_code(columns, root, asked.vocabulary)
    if not len(asked.vocabulary) or not code.files:
        return [[] for _ in rows]
    setting = setting_for(asked)
    matched = match(columns, asked, code, setting)
    around = neighbours(columns, asked, code)
    scores = _measured(code, matched, around, setting)
    reasons = Reasons(columns, asked, code, matched, around.related, [part for text in texts for part in text])
    return [_links(columns, code, matched, reasons, scores, row, limit) for row in rows]


def _measured(code: Code, matched: Match, around: Neighbours, setting: Setting) -> Matrix:
    tests = np.where(code.is_test, np.float32(_TESTS), np.float32(1))
    scores = relative(matched.scores * tests, setting.before) ** np.float32(_SHARPNESS)
    scores = spread(scores, around, setting).clip(0) ** np.float32(1 / _SHARPNESS) * tests
    scores = above_background(without_hubs(scores, _HUBS), setting.background)
    scores = relative(scores, setting.after, setting.broad)
    scores /= scores.max(axis=1).mean() + np.float32(1e-9)
    found: Matrix = scores / (scores + np.float32(_HALF))
    return found


def _links(
    columns: GraphColumns, code: Code, matched: Match, reasons: Reasons, scores: Matrix, row: int, limit: int
) -> list[SuggestedLink]:
    own = np.round(scores[row].astype(np.float64), 4)
    best = np.argsort(-own, kind="stable")[:limit].astype(np.int32)
    best = best[own[best] > 0]
    return [
        SuggestedLink(
            columns.id(code.elements[matched.best[row, file]].node),
            columns.path(code.files[file]),
            float(own[file]),
            reason,
        )
        for file, reason in zip(best.tolist(), reasons.of(row, best), strict=True)
    ]
