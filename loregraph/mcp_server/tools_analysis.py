"""Tools for analyses: habits and deviations, fixes, context, requirements. They answer from the graph."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from loregraph.analysis.consistency_report import Consistency
from loregraph.analysis.context import Context
from loregraph.analysis.fixes.review import Review
from loregraph.analysis.tracing.formats import tool_answer
from loregraph.analysis.tracing.formats.tool_answer import TraceAnswer
from loregraph.mcp_server.arguments import Component, Diff, MaxTokens, Names, Paths, Query, Symbol
from loregraph.mcp_server.call import Call
from loregraph.mcp_server.registry import tool

MORE_HERE = "ask about a smaller component"


@tool(
    reads=True,
    apart=True,
    rest=MORE_HERE,
    shows="component base_pattern consistency_score deviations recommendations",
)
def check_consistency(
    call: Call,
    component_id: Component,
    rules: Annotated[Names, Meta(description="layers, import-cycles, naming...; default: those on")] | None = None,
) -> Consistency:
    """Where code differs from declared contracts and from what most code around it does."""
    with call.workspace.reading() as project:
        return project.consistency(component_id, rules=rules or ())


@tool(reads=True, apart=True, rest=MORE_HERE)
def validate_fix(
    call: Call,
    fix_description: Query,
    component_id: Component,
    affected_files: Annotated[Paths, Meta(description="if there is no diff")] | None = None,
    diff: Diff | None = None,
) -> Review:
    """Before applying a fix: callers, tests and requirements it touches, what it forgets or contradicts."""
    files = [call.workspace.relative(call.workspace.path("affected_files", path)) for path in affected_files or ()]
    with call.workspace.reading() as project:
        return project.review(component_id, description=fix_description, affected_files=files, diff=diff or "")


@tool(reads=True, apart=True, rest="pass a larger max_tokens, or ask about a smaller component")
def get_design_context(
    call: Call,
    component_id: Component | None = None,
    query: Annotated[Query, Meta(description="words, instead of component_id")] | None = None,
    include_code: bool = False,
    max_tokens: MaxTokens = 10_000,
) -> Context:
    """Why code is as it is: its requirements, designs, habits, memories, dependencies and dependents."""
    with call.workspace.reading() as project:
        return project.context(component_id, query=query or "", include_code=include_code)


@tool(reads=True, apart=True, rest="name one requirement_id, or pass a larger max_tokens")
def trace_requirements(
    call: Call,
    requirement_id: Symbol | None = None,
    include_suggestions: bool = False,
    max_tokens: MaxTokens = 10_000,
) -> TraceAnswer:
    """Code, tests and designs of one requirement, or of all. Mentions and suggestions are no links."""
    with call.workspace.reading() as project:
        report = project.trace(requirement_id, suggest=include_suggestions)
    return tool_answer.answer(report, requirement_id)
