"""What a proposed fix touches and what it forgets.

With a diff the functions before and after it are compared (`changes.definitions`), so that concerns are about what
really changes; without one they are about what the component is joined to.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

import msgspec

from loregraph.analysis.context import Context, context, ids
from loregraph.analysis.fixes.concerns import around, changed_nodes, concerns_of
from loregraph.analysis.fixes.proposed import Concern, FindCopies, Proposed
from loregraph.analysis.places import ends
from loregraph.config import CheckSettings
from loregraph.graph.columns import GraphColumns
from loregraph.graph.queries import within

LOSS: Final = {"high": 0.3, "medium": 0.15, "low": 0.05}
"""What a concern takes from the score of 1."""
TOLD: Final = frozenset({"requirements", "memories", "already_applied"})
"""Concerns that say something to keep in mind and no fault: they take nothing."""


class Review(msgspec.Struct, frozen=True):
    """`alignment` is 1 less the `LOSS` of each concern that is not `TOLD`, 0 at least."""

    alignment: float
    context: Context
    concerns: tuple[Concern, ...]
    callers: tuple[str, ...]
    tests: tuple[str, ...]
    requirements: tuple[str, ...]


# Implements REQ-CON-003.
def review(
    columns: GraphColumns,
    node: int,
    description: str,
    affected_files: Sequence[str],
    proposed: Proposed | None,
    copies: FindCopies,
    settings: CheckSettings,
) -> Review:
    """The fix to `node` that `description` describes and that changes `affected_files`, `proposed` where there is a
    diff."""
    changed = changed_nodes(columns, proposed) if proposed is not None else []
    inside = within(columns, node)
    scope = list(dict.fromkeys([*changed, *inside]))
    own = set(scope)
    callers = [one for one in ends(columns, scope, "CALLS", outward=False) if one not in own]
    tests = ends(columns, scope, "TESTS", outward=False)
    production = [one for one in callers if not columns.own(one, "is_test")]
    found = context(columns, node)
    requirements = dict.fromkeys(str(one["requirement_id"]) for one in found.requirements)
    requirements.update(dict.fromkeys(ids(columns, ends(columns, changed, "IMPLEMENTS_REQ", outward=True))))
    files = list(dict.fromkeys([*affected_files, *(proposed.files if proposed is not None else ())]))
    concerns = concerns_of(columns, node, description, affected_files, proposed, copies, settings)
    concerns += around(columns, production, tests, files, proposed)
    if requirements:
        message = f"{len(requirements)} requirements are implemented here: see that they still hold"
        concerns.append(Concern("requirements", message, "low", tuple(requirements)))
    return Review(
        score(concerns), found, tuple(concerns), ids(columns, production), ids(columns, tests), tuple(requirements)
    )


def score(concerns: Iterable[Concern]) -> float:
    """What is left of 1."""
    lost = sum(LOSS[concern.severity] for concern in concerns if concern.type not in TOLD)
    return round(max(0.0, 1 - lost), 2)
