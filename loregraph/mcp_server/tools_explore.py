"""Tools that answer at once what an agent needs before it changes code. Their answers are records of the library."""

from __future__ import annotations

from loregraph.analysis.explore.answer import Exploration
from loregraph.analysis.impact.report import ImpactReport
from loregraph.errors import UsageError
from loregraph.mcp_server.arguments import ChangeDiff, ExploreQuery, MaxTokens, Resend, SymbolId
from loregraph.mcp_server.call import Call
from loregraph.mcp_server.registry import tool


@tool(reads=True, rest="pass a larger max_tokens, or explore one of omitted by its id")
def explore(
    call: Call,
    query: ExploreQuery | None = None,
    id: SymbolId | None = None,
    diff: ChangeDiff | None = None,
    max_tokens: MaxTokens = 4_000,
    resend: Resend = False,
) -> Exploration:
    """Before reading files: the code that answers query, or around id or diff, with source, callers, callees, tests,
    requirements and memories, in one answer. What does not fit is listed by id."""
    if query is None or id is None or diff is not None:
        one_of(query=query, id=id, diff=diff)
    with call.workspace.reading() as project:
        return project.explore(
            query or "",
            symbol=id or "",
            diff=diff or "",
            max_tokens=max_tokens,
            sent=call.sent,
            resend=resend,
        )


@tool(reads=True, rest="pass a larger max_tokens, or use get_related for all callers")
def impact(
    call: Call, id: SymbolId | None = None, diff: ChangeDiff | None = None, max_tokens: MaxTokens = 2_000
) -> ImpactReport:
    """Before changing a function or class, or with a diff: every call site to change, overriding methods, tests to run,
    requirements and memories, the surest first."""
    one_of(id=id, diff=diff)
    with call.workspace.reading() as project:
        return project.impact_report(id or "", diff=diff or "", max_tokens=max_tokens)


def one_of(**given: str | None) -> None:
    """Raises UsageError unless exactly one of the arguments is given."""
    if sum(value is not None for value in given.values()) != 1:
        names = ", ".join(given)
        raise UsageError(f"{names}: exactly one of them is required", f"pass one of {names}")
