"""Resources of the profiles, which a host may show without calling a tool. Reading one counts as no access."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any, Final

import msgspec

from loregraph import __version__
from loregraph.mcp_server import budget
from loregraph.mcp_server.tools_agent import TYPES
from loregraph.mcp_server.workspace import Workspace
from loregraph.memory.agent_memory import fields_of

RECENT: Final = 20
MOST: Final = 1_000
LEARNING_DAYS: Final = 30


def read(workspace: Workspace, uri: str) -> str:
    """The resource as JSON."""
    answer = health(workspace) if uri == "health://status" else memories(workspace, uri.removeprefix("memory://"))
    answer = budget.fit(answer, budget.DEFAULT_TOKENS, "use query_memories with limit and offset")
    return msgspec.json.encode(answer).decode()


def memories(workspace: Workspace, which: str) -> dict[str, Any]:
    """The memories of one of the resources, last changed first."""
    memory = workspace.limited_memory
    kinds = {"recent": TYPES, "core": ("core",), "learnings": ("learning",)}.get(which, ("task",))
    archived = None if which == "tasks/completed" else False
    page = memory.page(kinds=kinds, archived=archived, limit=RECENT if which == "recent" else MOST)
    found = [fields_of(one.memory) for one in page.memories]
    if which == "learnings":
        since = (datetime.now(UTC) - timedelta(days=LEARNING_DAYS)).isoformat()
        found = [one for one in found if one["updated_at"][:19] >= since[:19]]
    if which.startswith("tasks/"):
        completed = which == "tasks/completed"
        found = [one for one in found if (one.get("metadata", {}).get("status") == "completed") == completed]
    return {"memories": found, "total": len(found)}


def health(workspace: Workspace) -> dict[str, Any]:
    """A health report: the checks of `loregraph doctor`, short, and the server's settings."""
    from loregraph.doctor import overall
    from loregraph.mcp_server.errors import without_paths

    with workspace.reading() as project:
        checks = project.doctor()
    stats = workspace.memory.stats()
    return {
        "status": overall(checks),
        "version": __version__,
        "project_id": stats.project_id,
        "memories": stats.total,
        "checks": [
            msgspec.structs.replace(
                check,
                detail=without_paths(check.detail, workspace.root),
                suggestion=without_paths(check.suggestion, workspace.root),
            )
            for check in checks
        ],
    }
