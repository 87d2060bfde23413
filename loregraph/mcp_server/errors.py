"""Errors as bodies: a code, what happened, what to do. Paths outside the project are not disclosed."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, Final

from loregraph.errors import AmbiguousSymbolError, LoregraphError

CODES: Final = (
    "VALIDATION_ERROR",
    "NOT_FOUND",
    "CONFLICT",
    "LIMIT_EXCEEDED",
    "PERMISSION_DENIED",
    "UNAVAILABLE",
    "INTERNAL_ERROR",
)
NEXT: Final = {
    "VALIDATION_ERROR": "correct the arguments and call again",
    "NOT_FOUND": "search for what there is",
    "CONFLICT": "look at what is there first",
    "LIMIT_EXCEEDED": "ask for less",
    "PERMISSION_DENIED": "stay within the project and what is yours",
    "UNAVAILABLE": "try again later",
    "INTERNAL_ERROR": "see what `loregraph doctor` says on this machine",
}
"""Advice for errors without a suggestion of their own."""
SHOWN_CANDIDATES: Final = 20
ELSEWHERE: Final = "<outside the project>"

_ABSOLUTE: Final = re.compile(r"(?<![\w./:-])(?:[A-Za-z]:[\\/]|~?/)[^\s'\"`,;:()<>|]+")
_CALLS: Final = re.compile(r"`?\bloregraph (index|search)\b( --full)?`?")
_AS_TOOLS: Final = {"index": "index_directory", "search": "code_search"}


class ConflictError(LoregraphError):
    """A request that conflicts with the present state."""

    code = "CONFLICT"


# Implements REQ-MCP-003.
def body(error: LoregraphError, root: Path, correlation_id: str) -> dict[str, Any]:
    """The error body of a deliberate error."""
    details: dict[str, Any] = {"correlation_id": correlation_id}
    if field := getattr(error, "field", ""):
        details["field"] = field
    if isinstance(error, AmbiguousSymbolError):
        details["candidates"] = list(error.candidates[:SHOWN_CANDIDATES])
    code = error.code if error.code in CODES else "INTERNAL_ERROR"
    message, suggestion = without_paths(error.message, root), without_paths(error.suggestion, root)
    suggestion = suggestion or NEXT.get(code, "")
    # Suggested commands are translated to tool names for agents.
    suggestion = _CALLS.sub(lambda match: _AS_TOOLS[match[1]], suggestion)
    return {"error": {"code": code, "message": message, "suggestion": suggestion, "details": details}}


def unexpected(correlation_id: str) -> dict[str, Any]:
    """The error body of an unexpected error: without its text, only where to look."""
    return {
        "error": {
            "code": "INTERNAL_ERROR",
            "message": "something went wrong inside loregraph",
            "suggestion": f"the server's log has the details under correlation_id {correlation_id}",
            "details": {"correlation_id": correlation_id},
        }
    }


def without_paths(text: str, root: Path) -> str:
    """`text` with absolute paths made relative to `root`, and other absolute paths removed."""

    def told(match: re.Match[str]) -> str:
        found = match[0]
        path = found.rstrip(".!?…")
        end = found[len(path) :]
        try:
            if Path(path).is_relative_to(root):
                return Path(path).relative_to(root).as_posix() + end
            known = path.startswith("~") or Path(path).exists() or (Path(*Path(path).parts[:2])).is_dir()
        except (OSError, ValueError):
            known = True
        return ELSEWHERE + end if known else found

    return _ABSOLUTE.sub(told, text)
