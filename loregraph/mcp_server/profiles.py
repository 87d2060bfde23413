"""Profiles: the tools and resources shown to a host, and the length of their descriptions."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from loregraph.errors import NotFoundError, UsageError

if TYPE_CHECKING:
    from loregraph.mcp_server.registry import Tool

DEFAULT: Final = "code-memory"

CODE_MEMORY: Final = {
    "tools_memory": ("memory_add", "memory_get", "memory_update", "memory_delete", "memory_bulk_add"),
    "tools_search": ("memory_search", "code_search", "find_duplicates", "get_related", "graph_query"),
    "tools_indexing": ("index_file", "index_directory", "index_status", "reindex"),
    "tools_analysis": ("check_consistency", "validate_fix", "get_design_context", "trace_requirements"),
    "tools_maintenance": (
        "memory_statistics",
        "normalize_memory",
        "normalize_status",
        "export_memory",
        "import_memory",
    ),
}
AGENT_MEMORY: Final = {
    "tools_agent": ("store_memory", "query_memories", "update_memory", "delete_memory", "get_memory_stats"),
}
SCOPED: Final = {
    "tools_scoped": (
        "remember_project_memory",
        "remember_agent_memory",
        "remember_user_preference",
        "recall_project_context",
        "recall_agent_context",
        "recall_user_preferences",
    ),
    "tools_memory": ("memory_update", "memory_delete"),
    "tools_search": ("memory_search",),
}
Brief = tuple[str, str]
"""A description for the profile and the names of the arguments shown; other arguments are accepted, too."""

EXPLORE: Final = ("explore", "impact")
LEAN: Final[Mapping[str, Mapping[str, Brief]]] = {
    "tools_explore": {
        "explore": (
            "Ask before reading files: source, callers, callees, tests and memories for words or a symbol.",
            "query id max_tokens resend",
        ),
    },
    "tools_search": {
        "code_search": ("Find functions and classes by words or code.", "query path limit"),
        "get_related": (
            'Neighbours of a code id; callers: relationship_types ["CALLS"], direction INCOMING.',
            "entity_id relationship_types direction depth",
        ),
        "find_duplicates": (
            "Ask before writing a function: existing copies.",
            "code id",
        ),
        "memory_search": ("Recall decisions and lessons of this project.", "query"),
    },
    "tools_analysis": {
        "get_design_context": (
            "Why code is as it is: requirements, designs, memories, dependencies.",
            "component_id query",
        ),
        "trace_requirements": ("Code and tests of one requirement, or of all.", "requirement_id"),
    },
    "tools_memory": {
        "memory_add": (
            "Keep a decision or lesson, linked to the code it is about.",
            "memory_type content tags relationships",
        ),
    },
    "tools_indexing": {"index_status": ("What is indexed and what is stale.", "")},
}
CODING: Final[Mapping[str, Mapping[str, Brief]]] = {
    "tools_explore": {
        "explore": (
            "Ask this before reading files: the code that answers query, or around id or diff, with source, callers, "
            "callees, tests, requirements and memories. What does not fit is listed by id.",
            "query id diff max_tokens resend",
        ),
        "impact": (
            "Ask this before changing a function or class, or with a diff: call sites, overriding methods, tests to "
            "run, requirements and memories.",
            "id diff max_tokens",
        ),
    },
    "tools_search": {"memory_search": LEAN["tools_search"]["memory_search"]},
    "tools_memory": {"memory_add": LEAN["tools_memory"]["memory_add"]},
    "tools_indexing": {"index_status": LEAN["tools_indexing"]["index_status"]},
}

AGENT_RESOURCES: Final = {
    "memory://recent": ("recent", "The 20 memories that were changed last"),
    "memory://core": ("core", "All core memories"),
    "memory://learnings": ("learnings", "Learnings of the last 30 days"),
    "memory://tasks/active": ("tasks/active", "Tasks that are not completed or archived"),
    "memory://tasks/completed": ("tasks/completed", "Completed tasks"),
}
SCOPED_RESOURCES: Final = {"health://status": ("health", "What works on this machine and for this project")}

_GRAPH_WORDS: Final = (
    "loregraph knows this repository as a graph: functions, classes, who calls what and why, and what people and "
    "agents noted about it. Ids of code are path::Qualified.Name. Search before you read files; ask get_related before "
    "you change a function; keep decisions with memory_add. UNAVAILABLE answers say what to run first."
)
_CODING_WORDS: Final = (
    "loregraph knows this repository as a graph: functions, classes, who calls what and why, and what people and "
    "agents noted about it. Ids of code are path::Qualified.Name. Explore before you read files; ask impact before you "
    "change a function; keep decisions with memory_add. UNAVAILABLE answers say what to run first."
)


# Implements REQ-MCP-008.
@dataclass(frozen=True)
class Profile:
    """`tools` maps a module to names, or to names and how they are shown; `whole` shows every argument."""

    name: str
    tools: Mapping[str, tuple[str, ...] | Mapping[str, Brief]]
    instructions: str
    resources: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    whole: bool = False


PROFILES: Final = {
    profile.name: profile
    for profile in (
        Profile(DEFAULT, CODE_MEMORY, _GRAPH_WORDS),
        Profile(
            "agent-memory",
            AGENT_MEMORY,
            "Memory across sessions: core facts and preferences, learnings, and tasks. Query before you start, store "
            "what will still matter in the next session.",
            AGENT_RESOURCES,
        ),
        Profile(
            "scoped",
            SCOPED,
            "Memory with clear borders: of the project, of one agent in it, and of the user in every project. Recall "
            "before you start; remember in the narrowest scope that fits.",
            SCOPED_RESOURCES,
            whole=True,
        ),
        Profile("lean", LEAN, _GRAPH_WORDS),
        Profile("coding", CODING, _CODING_WORDS),
        Profile(
            "all",
            {**CODE_MEMORY, "tools_explore": EXPLORE, **AGENT_MEMORY, "tools_scoped": SCOPED["tools_scoped"]},
            _GRAPH_WORDS,
            {**AGENT_RESOURCES, **SCOPED_RESOURCES},
            whole=True,
        ),
    )
}


def get(name: str) -> Profile:
    """The profile of that name. Raises UsageError where there is none."""
    if name not in PROFILES:
        raise UsageError(f"there is no profile {name!r}", f"use one of {', '.join(PROFILES)}")
    return PROFILES[name]


class Shown(frozenset[str]):
    """The arguments that a host is shown; `brief`: with schemas as short as they can be."""

    brief = False


class BriefShown(Shown):
    brief = True


def load(profile: Profile) -> list[tuple[Tool, str, Shown]]:
    """The profile's tools with their descriptions and the arguments to show. Imports their modules."""
    found: list[tuple[Tool, str, Shown]] = []
    for module, names in profile.tools.items():
        for name in names:
            tool = _tool(module, name)
            fields = frozenset(tool.arguments.__struct_fields__)
            if isinstance(names, Mapping):
                description, shown = names[name]
                found.append((tool, description, BriefShown(shown.split())))
            else:
                found.append((tool, tool.description, Shown(fields if profile.whole else fields - set(tool.unlisted))))
    return found


def find(profile: Profile, name: str) -> Tool:
    """The profile's tool of that name. Raises NotFoundError."""
    for module, names in profile.tools.items():
        if name in names:
            return _tool(module, name)
    every = [known for names in profile.tools.values() for known in names]
    raise NotFoundError(f"there is no tool {name!r} in the profile {profile.name}", f"there are {', '.join(every)}")


def lane(profile: Profile, name: str) -> str:
    """The queue for calls of the tool; that of quick ones for an unknown tool."""
    from loregraph.mcp_server.registry import READS

    for module, names in profile.tools.items():
        if name in names:
            return _tool(module, name).lane
    return READS


def _tool(module: str, name: str) -> Tool:
    from loregraph.mcp_server.registry import TOOLS

    if name not in TOOLS:
        importlib.import_module(f"loregraph.mcp_server.{module}")
    return TOOLS[name]
