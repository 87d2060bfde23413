"""Access rules: who may see and who may change a memory, as a table of scopes, with the two queries on it.

There is no authentication: user, project, agent and session are given by a call or detected (see identity.py). The
rules restrict a call to the identity it gives; they do not protect against direct access to the files.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

import msgspec

from loregraph.errors import UsageError
from loregraph.memory.record import Memory, one_of, refusal

PROJECT_ID: Final = re.compile(r"^[a-z][a-z0-9_-]{0,62}$")


class Viewer(msgspec.Struct, frozen=True, kw_only=True):
    """The identity of a call. Empty texts mean absent values."""

    user_id: str = ""
    project_id: str = ""
    agent_id: str = ""
    session_id: str = ""


class Scope(msgspec.Struct, frozen=True, kw_only=True):
    """One row of the table. `same` are the fields in which viewer and memory have to be equal for recalling it."""

    required: tuple[str, ...] = ()
    forbidden: tuple[str, ...] = ()
    same: tuple[str, ...] = ()
    owner: tuple[str, ...] = ()
    """The fields in which viewer and memory have to be equal for changing it, in addition."""


SCOPES: Final[Mapping[str, Scope]] = {
    "project": Scope(required=("user_id", "project_id"), same=("project_id",), owner=("user_id",)),
    "agent": Scope(
        required=("user_id", "project_id", "agent_id"),
        same=("user_id", "project_id", "agent_id"),
        owner=("user_id", "project_id", "agent_id"),
    ),
    "user": Scope(required=("user_id",), forbidden=("project_id", "agent_id"), same=("user_id",), owner=("user_id",)),
    "session": Scope(required=("session_id",), same=("session_id",), owner=("session_id",)),
    "org": Scope(forbidden=("project_id", "agent_id"), owner=("user_id",)),
}

OF_THE_PROJECT: Final = ("project", "agent")
"""Scopes of memories in the project's journal; memories of other scopes belong to no single project and are in
`_user.jsonl`."""
ALL: Final = "all"
"""The scope argument of a recall for all visible scopes."""


def check_scope(memory: Memory) -> Memory:
    """Returns `memory` if its fields suit its scope. Raises UsageError that names the invalid field."""
    one_of("scope", memory.scope, tuple(SCOPES))
    rules = SCOPES[memory.scope]
    for field in rules.required:
        if not getattr(memory, field):
            raise refusal(field, f"is needed for scope {memory.scope}")
    for field in rules.forbidden:
        if getattr(memory, field):
            raise refusal(field, f"is not allowed for scope {memory.scope}: such a memory belongs to no {field[:-3]}")
    if memory.project_id:
        check_project_id(memory.project_id)
    return memory


def check_project_id(text: str) -> str:
    """Returns `text` if it is a valid project id. Raises UsageError with the reason."""
    if PROJECT_ID.fullmatch(text):
        return text
    if not text:
        why = "it is empty"
    elif len(text) > 63:
        why = f"it is {len(text)} characters long, at most 63 are allowed"
    elif not re.match("[a-z]", text):
        why = "it does not begin with a lower-case letter"
    else:
        why = "it holds something else than lower-case letters, digits, _ and -"
    raise UsageError(
        f"project_id: {text!r} is refused: {why}",
        "set project_id in loregraph.toml: a letter, then letters, digits, _ -",
    )


# Implements REQ-MEM-005.
def may_read(memory: Memory, viewer: Viewer) -> bool:
    """Whether `viewer` may recall `memory`. An empty field equals nothing, not even another empty one."""
    if memory.scope not in SCOPES:
        return False
    if _equal(memory, viewer, SCOPES[memory.scope].same):
        return True
    if memory.scope != "agent":
        return False
    if memory.visibility == "public":
        return True
    return memory.visibility == "shared" and _equal(memory, viewer, ("project_id",))


# Implements REQ-MEM-005.
def may_write(memory: Memory, viewer: Viewer) -> bool:
    """Whether `viewer` may change or delete `memory`: it must be able to recall it, and own it."""
    if not may_read(memory, viewer):
        return False
    return _equal(memory, viewer, SCOPES[memory.scope].owner)


def default_scopes(viewer: Viewer) -> tuple[str, ...]:
    """The scopes that a recall without a scope searches: the project's, and the viewer's own."""
    found = ["project"]
    if viewer.agent_id:
        found.append("agent")
    if viewer.session_id:
        found.append("session")
    return tuple(found)


def _equal(memory: Memory, viewer: Viewer, fields: tuple[str, ...]) -> bool:
    return all((own := getattr(memory, field)) and own == getattr(viewer, field) for field in fields)
