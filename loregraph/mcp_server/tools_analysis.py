"""Tools for analyses: habits and deviations, fixes, context, requirements. They answer from the graph."""

from __future__ import annotations

from loregraph.analysis.consistency_report import Consistency
from loregraph.analysis.context import Context
from loregraph.analysis.fixes.review import Review
from loregraph.analysis.tracing.formats import tool_answer
from loregraph.analysis.tracing.formats.tool_answer import TraceAnswer
from loregraph.mcp_server.arguments import Diff, MaxTokens, Names, Paths, Query, Symbol
from loregraph.mcp_server.call import Call
from loregraph.mcp_server.registry import tool

MORE_HERE = "ask about a smaller component"


@tool(
    reads=True,
    apart=True,
    rest=MORE_HERE,
    shows="component base_pattern consistency_score deviations recommendations",
)
def check_consistency(call: Call, component_id: Symbol, rules: Names | None = None) -> Consistency:
    """Where code differs from declared contracts and from what most code around it does.
    rules: layers, import-cycles, memories, naming, ..."""
    with call.workspace.reading() as project:
        return project.consistency(component_id, rules=rules or ())


@tool(reads=True, apart=True, rest=MORE_HERE)
def validate_fix(
    call: Call,
    fix_description: Query,
    component_id: Symbol,
    affected_files: Paths | None = None,
    diff: Diff | None = None,
) -> Review:
    """Before applying a fix: callers, tests and requirements it touches, what it forgets or contradicts. Pass the
    unified diff if you have it. score: 1 less .3, .15 or .05 for each high, medium or low concern."""
    files = [call.workspace.relative(call.workspace.path("affected_files", path)) for path in affected_files or ()]
    with call.workspace.reading() as project:
        return project.review(component_id, description=fix_description, affected_files=files, diff=diff or "")


@tool(reads=True, apart=True, rest="pass a larger max_tokens, or ask about a smaller component")
def get_design_context(
    call: Call,
    component_id: Symbol | None = None,
    query: Query | None = None,
    include_code: bool = False,
    max_tokens: MaxTokens = 10_000,
) -> Context:
    """Why code is as it is: requirements, designs, memories, dependencies and dependents of a code id or path, or of
    the best answer to query."""
    with call.workspace.reading() as project:
        return project.context(component_id, query=query or "", include_code=include_code)


@tool(reads=True, apart=True, rest="name one requirement_id, or pass a larger max_tokens")
def trace_requirements(
    call: Call,
    requirement_id: Symbol | None = None,
    include_suggestions: bool = False,
    max_tokens: MaxTokens = 10_000,
) -> TraceAnswer:
    """Code, tests and designs of a requirement, or of every one. Mentions and suggestions (guesses) are no links."""
    with call.workspace.reading() as project:
        report = project.trace(requirement_id, suggest=include_suggestions)
    return tool_answer.answer(report, requirement_id)
