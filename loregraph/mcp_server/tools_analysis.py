"""Tools that judge: habits and deviations, fixes, context, requirements. They answer from what the graph holds."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import UNSET

from loregraph.analysis.fixes.contradictions import Statement, contradictions
from loregraph.analysis.fixes.review import score
from loregraph.errors import UsageError
from loregraph.mcp_server.arguments import Diff, MaxTokens, Names, Paths, Query, Symbol
from loregraph.mcp_server.call import Call
from loregraph.mcp_server.models import (
    Concern,
    Consistency,
    DesignContext,
    DesignOfFix,
    Deviation,
    FixValidated,
    Impact,
    Pattern,
    Trace,
)
from loregraph.mcp_server.registry import tool
from loregraph.project import Project

if TYPE_CHECKING:
    from loregraph.analysis.tracing.traces import CodeLink, RequirementTrace

MEMORIES = 5
"""Memories that are shown with a component."""
SHOWN = 50
"""Neighbours that are shown with a component."""
SUGGESTED = 10
EXCERPT = 400
"""Characters of a document's text that are shown."""
CODE_LINES = 120
RELATED_SIMILARITY = 0.2
"""What a memory that is not anchored near needs to be shown with a question."""

MORE_HERE = "ask about a smaller component"


@tool(reads=True, apart=True, rest=MORE_HERE)
def check_consistency(call: Call, component_id: Symbol, rules: Names | None = None) -> Consistency:
    """Where a function, class, file or folder differs from declared contracts and from what most code around it does.
    rules: layers, import-cycles, memories, naming, ..."""
    with call.workspace.reading() as project:
        found = project.consistency(component_id, rules=rules or ())
    names = "; ".join(habit.name for habit in found.habits.values()) or "no clear habit"
    examples = dict.fromkeys(example for habit in found.habits.values() for example in habit.examples)
    deviations = [Deviation(**fields(deviation)) for deviation in found.deviations]
    return Consistency(
        component=found.component,
        base_pattern=Pattern(name=names, examples=list(examples)),
        consistency_score=found.score,
        deviations=deviations,
        recommendations=[f"{d.evidence[0]}: {d.rule}, expected {d.expected}" for d in deviations[:10]],
    )


@tool(reads=True, apart=True, rest=MORE_HERE)
def validate_fix(
    call: Call,
    fix_description: Query,
    component_id: Symbol,
    affected_files: Paths | None = None,
    diff: Diff | None = None,
) -> FixValidated:
    """Before applying a fix: callers, tests and requirements it touches, what it forgets or contradicts. Pass the
    unified diff if you have it. The score is 1 less .3, .15 or .05 for each high, medium or low concern."""
    files = [call.workspace.relative(call.workspace.path("affected_files", path)) for path in affected_files or ()]
    with call.workspace.reading() as project:
        review = project.review(component_id, description=fix_description, affected_files=files, diff=diff or "")
        habits = patterns(project, component_id)
    component = review.context.component["id"]
    decided = memories_about(call, fix_description, component)
    stale = tuple(memory["memory_id"] for memory in decided if memory["stale"])
    said = [Statement("memory", memory["memory_id"], memory["content"]) for memory in decided]
    against = contradictions(said, fix_description, diff or "")
    concerns = [Concern(**fields(concern)) for concern in (*against, *review.concerns)]
    if decided:
        message = f"{len(decided)} memories are about this: see that the fix agrees with them"
        related = [memory["memory_id"] for memory in decided]
        concerns.append(Concern(type="memories", message=message, severity="low", related=related))
    if stale:
        message = "the code has changed since these were written: confirm or update them with memory_update"
        concerns.append(Concern(type="stale_memories", message=message, severity="low", related=list(stale)))
    return FixValidated(
        alignment_score=score(concern.severity for concern in concerns),
        design_context=DesignOfFix(
            requirements=list(review.context.requirements),
            design_documents=[fields(document) for document in review.context.design_documents],
            patterns=[*habits, *(as_pattern(memory) for memory in decided)],
        ),
        concerns=concerns,
        impact=Impact(callers=list(review.callers), tests=list(review.tests), requirements=list(review.requirements)),
        recommendations=recommendations(concerns, review.tests),
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
            empty: list[dict[str, Any]] = []
            found = memories_about(call, query or "", None)
            return DesignContext(
                component=None,
                requirements=empty,
                design_documents=empty,
                patterns=empty,
                memories=found,
                dependencies=empty,
                dependents=empty,
            )
        context = project.context(component_id)
        habits = patterns(project, component_id)
        component = dict(context.component)
        if include_code and component.get("end_line") and component.get("start_line"):
            component["code"] = code_of(call, component)
    return DesignContext(
        component=component,
        requirements=list(context.requirements),
        design_documents=[fields(document) for document in context.design_documents],
        patterns=habits,
        memories=memories_about(call, query or "", component["id"]),
        dependencies=[fields(one) for one in context.dependencies[:SHOWN]],
        dependents=[fields(one) for one in context.dependents[:SHOWN]],
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
        return Trace(**traced(report.requirements[0]))
    covered = report.coverage
    return Trace(
        requirement=None,
        implementations=[],
        design_documents=[],
        tests=[],
        coverage={
            "implementation": share(covered.implemented, covered.total),
            "testing": share(covered.tested, covered.total),
            "total": covered.total,
        },
        requirements=[traced(one) for one in report.requirements],
    )


def traced(one: RequirementTrace) -> dict[str, Any]:
    """One requirement in the form of the answer."""
    record = {
        "requirement": {
            "requirement_id": one.id,
            "title": one.title,
            "status": one.status,
            "text": one.text[:EXCERPT],
            "source": f"{one.path}:{one.line}",
        },
        "implementations": [code_link(link) for link in one.implementations],
        "design_documents": [
            {
                "id": d.id,
                "title": d.title,
                "type": d.kind,
                "status": d.status,
                "excerpt": d.text[:EXCERPT],
                "path": d.path,
            }
            for d in one.designs
        ],
        "tests": [
            {"id": t.id, "name": t.name, "file_path": t.file_path, "status": t.result or "found"} for t in one.tests
        ],
        "coverage": {"implementation": float(one.implemented), "testing": float(one.tested), "total": 1},
        "mentions": [code_link(link) for link in one.mentions],
    }
    if one.suggestions is not UNSET:
        record["suggestions"] = fields_of_all(one.suggestions[:SUGGESTED])
    return record


def code_link(link: CodeLink) -> dict[str, Any]:
    return {
        "id": link.id,
        "name": link.name,
        "file_path": link.file_path,
        "link": link.how,
        "confidence": link.confidence,
        "evidence": link.evidence,
    }


def share(part: int, whole: int) -> float:
    """0…1; of nothing, all."""
    return round(part / whole, 3) if whole else 1.0


def fields_of_all(records: Iterable[Any]) -> list[dict[str, Any]]:
    return [fields(record) for record in records]


def fields(record: Any) -> dict[str, Any]:
    """A record as plain JSON values, so that it can be one of the answer's."""
    plain: dict[str, Any] = msgspec.to_builtins(record)
    return {name: list(value) if isinstance(value, tuple) else value for name, value in plain.items()}


def patterns(project: Project, component: str) -> list[dict[str, Any]]:
    """What most of the component does."""
    habits = project.consistency(component).habits
    return [{"name": habit.name, "examples": list(habit.examples)} for habit in habits.values()]


def as_pattern(memory: dict[str, Any]) -> dict[str, Any]:
    return {"name": f"{memory['memory_type']}: {memory['content'][:200]}", "examples": [memory["memory_id"]]}


def memories_about(call: Call, question: str, component: str | None) -> list[dict[str, Any]]:
    """Memories anchored in the component, then those that answer the question."""
    memory = call.workspace.memory
    found: dict[str, dict[str, Any]] = {}
    if component is not None:
        for one in memory.page(anchor=component, limit=MEMORIES).memories:
            found[one.memory.id] = shown(one.memory, one.stale)
    if question:
        near = (component,) if component is not None else ()
        for hit in memory.search(question, near=near, limit=MEMORIES).results:
            if hit.similarity >= RELATED_SIMILARITY:
                found.setdefault(hit.memory.id, shown(hit.memory, hit.stale))
    return list(found.values())


def shown(memory: Any, stale: bool) -> dict[str, Any]:
    return {"memory_id": memory.id, "memory_type": memory.kind, "content": memory.content[:1000], "stale": stale}


def recommendations(concerns: list[Concern], tests: tuple[str, ...]) -> list[str]:
    found = [concern.message for concern in concerns if concern.severity != "low"]
    if tests:
        found.append(f"run {', '.join(tests[:5])}")
    return found


def code_of(call: Call, component: dict[str, Any]) -> str:
    """The component's source, at most so many lines."""
    path = call.workspace.path("component_id", component["file_path"])
    try:
        lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return ""
    return "\n".join(lines[component["start_line"] - 1 : component["end_line"]][:CODE_LINES])
