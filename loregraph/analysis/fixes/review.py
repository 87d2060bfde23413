"""The review of a proposed fix: what it touches and what it forgets.

With a diff the functions before and after are compared (`changes.definitions`), so that concerns are about actual
changes; without one they are about the surroundings of the component.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

import msgspec

from loregraph.analysis.component_lookup import ends
from loregraph.analysis.context import Context, DesignDocument, RequirementExcerpt, context, ids
from loregraph.analysis.fixes.concerns import around, changed_nodes, concerns_of
from loregraph.analysis.fixes.contradictions import Statement, contradictions
from loregraph.analysis.fixes.proposed import Concern, FindCopies, Proposed
from loregraph.analysis.rules.rule import Habit
from loregraph.config import CheckSettings
from loregraph.graph.authored import Remembered
from loregraph.graph.columns import GraphColumns
from loregraph.graph.queries import within

LOSS: Final = {"high": 0.3, "medium": 0.15, "low": 0.05}
"""How much a concern subtracts from the score of 1, by severity."""
MOST_TESTS: Final = 5
"""Maximum tests recommended to run."""
MEMORY_IN_PATTERN: Final = 200
"""Maximum characters of a memory as a pattern."""


class DesignOfFix(msgspec.Struct, frozen=True):
    """What a fix has to agree with: `patterns` are the habits of the code, and memories about it."""

    requirements: tuple[RequirementExcerpt, ...]
    design_documents: tuple[DesignDocument, ...]
    patterns: tuple[Habit, ...] = ()


class Touched(msgspec.Struct, frozen=True):
    """Ids of what a fix touches."""

    callers: tuple[str, ...]
    tests: tuple[str, ...]
    requirements: tuple[str, ...]


class Review(msgspec.Struct, frozen=True):
    """`alignment_score` is 1 minus the `LOSS` of each concern, at least 0; `recommendations` say what to check first,
    and what to run."""

    alignment_score: float
    design_context: DesignOfFix
    concerns: tuple[Concern, ...]
    impact: Touched
    recommendations: tuple[str, ...]


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
    """Reviews the fix of `node` described by `description`, which changes `affected_files`; `proposed` is its analysed
    diff, if there is one."""
    changed = changed_nodes(columns, proposed) if proposed is not None else []
    inside = within(columns, node)
    scope = list(dict.fromkeys([*changed, *inside]))
    own = set(scope)
    callers = [one for one in ends(columns, scope, "CALLS", outward=False) if one not in own]
    tests = ends(columns, scope, "TESTS", outward=False)
    production = [one for one in callers if not columns.own(one, "is_test")]
    found = context(columns, node)
    requirements = dict.fromkeys(one.requirement_id for one in found.requirements)
    requirements.update(dict.fromkeys(ids(columns, ends(columns, changed, "IMPLEMENTS_REQ", outward=True))))
    files = list(dict.fromkeys([*affected_files, *(proposed.files if proposed is not None else ())]))
    concerns = concerns_of(columns, node, description, affected_files, proposed, copies, settings)
    told = decided(columns, found, requirements)
    concerns = [*contradictions(told, description, proposed.diff if proposed is not None else ""), *concerns]
    concerns += around(columns, production, tests, files, proposed)
    if requirements:
        message = f"{len(requirements)} requirements are implemented here: see that they still hold"
        concerns.append(Concern("requirements", message, "low", tuple(requirements)))
    design = DesignOfFix(found.requirements, found.design_documents)
    return judged(design, concerns, Touched(ids(columns, production), ids(columns, tests), tuple(requirements)))


def judged(design: DesignOfFix, concerns: Iterable[Concern], touched: Touched) -> Review:
    """The review with these concerns: its score, and what follows from them."""
    concerns = tuple(concerns)
    recommended = [concern.message for concern in concerns if concern.severity != "low"]
    if touched.tests:
        recommended.append(f"run {', '.join(touched.tests[:MOST_TESTS])}")
    lost = score(concern.severity for concern in concerns)
    return Review(lost, design, concerns, touched, tuple(recommended))


def decided(columns: GraphColumns, found: Context, requirements: Iterable[str]) -> list[Statement]:
    """The statements of the code's requirements and designs, then those of all other designs."""
    statements = []
    for id in requirements:
        node = columns.find_id(id)
        if node is not None:
            title, text = columns.own(node, "title") or "", columns.own(node, "text") or ""
            statements.append(Statement("requirement", id, f"{title}\n\n{text}"))
    near = {(design.path, design.title) for design in found.design_documents}
    designs = columns.nodes("Design").tolist()
    # An architecture decision applies to all code, whether or not it names it.
    for node in designs:
        status = (columns.own(node, "status") or "").casefold()
        if status.startswith(("superseded", "deprecated", "rejected")):
            continue
        title = columns.own(node, "title") or columns.name(node)
        if (columns.path(node), title) in near or columns.kind(node) == "adr":
            text = columns.own(node, "text") or ""
            statements.append(Statement("design", columns.id(node), f"{title}\n\n{text}"))
    return statements


def with_memories(
    found: Review, habits: Iterable[Habit], memories: Sequence[Remembered], description: str, diff: str
) -> Review:
    """`found` plus `memories` about the code and contradictions between them and the fix in `description` and `diff`;
    the patterns are the `habits` of the code, then memories."""
    told = [Statement("memory", memory.memory_id, memory.content) for memory in memories]
    concerns = [*contradictions(told, description, diff), *found.concerns]
    if memories:
        message = f"{len(memories)} memories are about this: see that the fix agrees with them"
        concerns.append(Concern("memories", message, "low", tuple(memory.memory_id for memory in memories)))
    if stale := tuple(memory.memory_id for memory in memories if memory.stale):
        message = "the code has changed since these were written: confirm or update them with memory_update"
        concerns.append(Concern("stale_memories", message, "low", stale))
    patterns = (*habits, *map(as_pattern, memories))
    return judged(msgspec.structs.replace(found.design_context, patterns=patterns), concerns, found.impact)


def as_pattern(memory: Remembered) -> Habit:
    return Habit(f"{memory.memory_type}: {memory.content[:MEMORY_IN_PATTERN]}", (memory.memory_id,))


def score(severities: Iterable[str]) -> float:
    """The score after all deductions."""
    lost = sum(LOSS[severity] for severity in severities)
    return round(max(0.0, 1 - lost), 2)
