"""Tools for analyses: habits and deviations, fixes, context, requirements. They answer from the graph."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

from msgspec import UNSET

from loregraph.analysis.context import EXCERPT
from loregraph.analysis.fixes.contradictions import Statement
from loregraph.analysis.fixes.review import with_memories
from loregraph.analysis.rules.rule import Habit
from loregraph.errors import UsageError
from loregraph.mcp_server.arguments import Diff, MaxTokens, Names, Paths, Query, Symbol
from loregraph.mcp_server.call import Call
from loregraph.mcp_server.models import (
    Consistency,
    Covered,
    DesignContext,
    DesignOfFix,
    FixValidated,
    Impact,
    OneTrace,
    Trace,
    TracedCode,
    TracedDesign,
    TracedRequirement,
    TracedTest,
)
from loregraph.mcp_server.registry import tool
from loregraph.memory.about import Remembered, about
from loregraph.project import Project

if TYPE_CHECKING:
    from loregraph.analysis.tracing.traces import CodeLink, RequirementTrace

T = TypeVar("T", bound=OneTrace)

SHOWN = 50
"""Neighbours shown with a component."""
SUGGESTED = 10
CODE_LINES = 120
MEMORY_IN_PATTERN = 200
"""Characters shown of a memory as a pattern."""

MORE_HERE = "ask about a smaller component"


@tool(reads=True, apart=True, rest=MORE_HERE)
def check_consistency(call: Call, component_id: Symbol, rules: Names | None = None) -> Consistency:
    """Where code differs from declared contracts and from what most code around it does.
    rules: layers, import-cycles, memories, naming, ..."""
    with call.workspace.reading() as project:
        found = project.consistency(component_id, rules=rules or ())
    return Consistency.of(found, consistency_score=found.score)


@tool(reads=True, apart=True, rest=MORE_HERE)
def validate_fix(
    call: Call,
    fix_description: Query,
    component_id: Symbol,
    affected_files: Paths | None = None,
    diff: Diff | None = None,
) -> FixValidated:
    """Before applying a fix: callers, tests and requirements it touches, what it forgets or contradicts. Pass the
    unified diff if you have it. score: 1 less .3, .15 or .05 for each high, medium or low concern."""
    files = [call.workspace.relative(call.workspace.path("affected_files", path)) for path in affected_files or ()]
    with call.workspace.reading() as project:
        review = project.review(component_id, description=fix_description, affected_files=files, diff=diff or "")
        habits = patterns(project, component_id)
    decided = about(call.workspace.memory, review.context.component["id"], fix_description)
    said = [Statement("memory", memory.memory_id, memory.content) for memory in decided]
    stale = [memory.memory_id for memory in decided if memory.stale]
    review = with_memories(review, said, stale, fix_description, diff or "")
    return FixValidated.of(
        review,
        alignment_score=review.alignment,
        design_context=DesignOfFix.of(review.context, patterns=[*habits, *map(as_pattern, decided)]),
        impact=Impact.of(review),
    )


@tool(reads=True, apart=True, rest="pass a larger max_tokens, or ask about a smaller component")
def get_design_context(
    call: Call,
    component_id: Symbol | None = None,
    query: Query | None = None,
    include_code: bool = False,
    max_tokens: MaxTokens = 10_000,
) -> DesignContext:
    """Why code is as it is: requirements, designs, memories, dependencies and dependents of a code id or path, or of
    the best answer to query."""
    if component_id is None and query is None:
        raise UsageError("component_id, query: one of the two is required", "pass component_id or query")
    with call.workspace.reading() as project:
        if component_id is None:
            hits = project.search(query or "", limit=1)
            component_id = hits[0].id if hits else None
        if component_id is None:
            return DesignContext(memories=about(call.workspace.memory, None, query or ""))
        context = project.context(component_id)
        habits = patterns(project, component_id)
        component = dict(context.component)
        if include_code and component.get("end_line") and component.get("start_line"):
            component["code"] = code_of(call, component)
    return DesignContext.of(
        context,
        component=component,
        patterns=habits,
        memories=about(call.workspace.memory, component["id"], query or ""),
        dependencies=context.dependencies[:SHOWN],
        dependents=context.dependents[:SHOWN],
    )


@tool(reads=True, apart=True, rest="name one requirement_id, or pass a larger max_tokens")
def trace_requirements(
    call: Call,
    requirement_id: Symbol | None = None,
    include_suggestions: bool = False,
    max_tokens: MaxTokens = 10_000,
) -> Trace:
    """Code, tests and designs of a requirement, or of every one. Mentions and suggestions (guesses) are no links."""
    with call.workspace.reading() as project:
        report = project.trace(requirement_id, suggest=include_suggestions)
    if requirement_id is not None:
        return traced(Trace, report.requirements[0])
    return Trace(
        requirement=None,
        implementations=[],
        design_documents=[],
        tests=[],
        coverage=Covered.of(report.coverage),
        requirements=[traced(OneTrace, one) for one in report.requirements],
    )


def traced(answer: type[T], one: RequirementTrace) -> T:
    """One requirement in the form of the answer."""
    source = f"{one.path}:{one.line}"
    return answer(
        requirement=TracedRequirement.of(one, requirement_id=one.id, text=one.text[:EXCERPT], source=source),
        implementations=[traced_code(link) for link in one.implementations],
        design_documents=[
            TracedDesign.of(design, type=design.kind, excerpt=design.text[:EXCERPT]) for design in one.designs
        ],
        tests=[TracedTest.of(test, status=test.result or "found") for test in one.tests],
        coverage=Covered(implementation=float(one.implemented), testing=float(one.tested), total=1),
        mentions=[traced_code(link) for link in one.mentions],
        suggestions=UNSET if one.suggestions is UNSET else one.suggestions[:SUGGESTED],
    )


def traced_code(link: CodeLink) -> TracedCode:
    return TracedCode.of(link, link=link.how)


def patterns(project: Project, component: str) -> list[Habit]:
    """The habits of the component."""
    return list(project.consistency(component).habits.values())


def as_pattern(memory: Remembered) -> Habit:
    return Habit(f"{memory.memory_type}: {memory.content[:MEMORY_IN_PATTERN]}", (memory.memory_id,))


def code_of(call: Call, component: dict[str, Any]) -> str:
    """The component's source, at most so many lines."""
    path = call.workspace.path("component_id", component["file_path"])
    try:
        lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return ""
    return "\n".join(lines[component["start_line"] - 1 : component["end_line"]][:CODE_LINES])
