"""What agents are told: the instructions, the same as a skill, and the hint of a hook."""

from __future__ import annotations

import json
from functools import cache
from importlib import resources
from typing import Any, Final

_ABOUT: Final = (
    "Ask the loregraph graph of this repository who calls, implements or tests code, what a change breaks, and what "
    "was decided before. Use it before grep for questions about meaning."
)
_HINT: Final = (
    "For callers, tests, effects of a change or where something is done, ask loregraph (explore and impact, or "
    "code_search and get_related), which answers with reasons; grep is for text."
)
"""Without characters that a shell would read."""


# Implements REQ-CLI-021.
@cache
def instructions() -> str:
    """At most 25 lines of Markdown: when to ask loregraph, and when grep is better."""
    return resources.files("loregraph.hosts").joinpath("instructions.md").read_text(encoding="utf-8")


def skill() -> str:
    """The instructions in the form of <https://agentskills.io>: a name, when to use it, and the text."""
    return f"---\nname: loregraph\ndescription: {_ABOUT}\n---\n\n{instructions()}"


# Implements REQ-CLI-021.
def hook() -> dict[str, Any]:
    """A hint before a search by grep, for Claude Code's `PreToolUse`.

    It decides nothing, so the tool runs; a failure of it does not stop the tool either. A shell's own `echo` takes
    about a millisecond, and loregraph more than a hundred times that to start.
    """
    said = {"hookSpecificOutput": {"hookEventName": "PreToolUse", "additionalContext": _HINT}}
    command = f"echo '{json.dumps(said)}'"
    return {"matcher": "Grep", "hooks": [{"type": "command", "command": command, "timeout": 5}]}
