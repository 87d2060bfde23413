"""Namespaces of entity names: which one a name gets, and where names occur in a tool's arguments.

A name is stored as `namespace:name`; the namespace is the project's id, or `org` for entities of all projects.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterator, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from itertools import islice
from typing import Any, Final

ORG: Final = "org"
SCOPES: Final = ("auto", "org", "project")
EACH: Final = "*"
"""In a path: every element of the list."""

MAX_DEPTH: Final = 20
"""Maximum steps of a path into a tool's arguments."""
MAX_PLACES: Final = 200
"""Maximum paths per tool."""

Path = tuple[str, ...]

_NAMESPACE: Final = re.compile(r"[a-z][a-z0-9_-]{0,62}:(?![:/\s])(?=.)", re.DOTALL)
"""Matches a name with a namespace. `std::vector`, `https://…` and `note: text` have none."""

_OF_AN_ENTITY: Final = re.compile(
    r"(the |an? )?((array|list) of )?(the )?(names? of (the |an? )?(\w+ )?entit(y|ies)|entity names?)\b", re.IGNORECASE
)
"""How the official server's descriptions of arguments with entity names begin."""

NAMES_IN: Final[Mapping[str, tuple[Path, ...]]] = {
    "create_entities": (("entities", EACH, "name"),),
    "create_relations": (("relations", EACH, "from"), ("relations", EACH, "to")),
    "add_observations": (("observations", EACH, "entityName"),),
    "delete_entities": (("entityNames", EACH),),
    "delete_observations": (("deletions", EACH, "entityName"),),
    "delete_relations": (("relations", EACH, "from"), ("relations", EACH, "to")),
    "read_graph": (),
    "search_nodes": (),
    "open_nodes": (("names", EACH),),
}
"""The tools of the official server and the places of entity names in their arguments."""

READERS: Final = frozenset({"read_graph", "search_nodes", "open_nodes"})
"""The read-only ones among them, for versions that do not declare it."""


@dataclass(frozen=True)
class Naming:
    """Rules for the namespaces of names.

    `scope` "auto": `org` for entities whose type is among `org_types` or whose name matches one of the patterns
    `org_names` (both ignoring case), else the project's. `project` "": there is no project, all is `org`.
    """

    project: str
    scope: str = "auto"
    org_types: tuple[str, ...] = ()
    org_names: tuple[str, ...] = ()

    def namespace(self, name: str, entity_type: str = "") -> str:
        """The namespace of a new entity."""
        if self.scope == ORG or not self.project:
            return ORG
        if self.scope == "auto":
            if entity_type.lower() in (known.lower() for known in self.org_types):
                return ORG
            if any(fnmatchcase(name.lower(), pattern.lower()) for pattern in self.org_names):
                return ORG
        return self.project

    def has_namespace(self, name: str) -> bool:
        own = (f"{ORG}:", f"{self.project}:" if self.project else f"{ORG}:")
        return name.startswith(own) or _NAMESPACE.match(name) is not None

    def new(self, name: str, entity_type: str = "") -> str:
        """The stored name of a new entity."""
        if self.has_namespace(name) or not name.strip():
            return name
        return f"{self.namespace(name, entity_type)}:{name}"

    def known(self, name: str, stored: Container[str]) -> str:
        """The stored name of an existing entity.

        It may have been put into the other namespace by its type, or been stored without one by the unwrapped server:
        of the possible names the first that is stored; else that of a new one.
        """
        fresh = self.new(name)
        if fresh == name:
            return name
        first = self.namespace(name)
        others = [space for space in (self.project, ORG) if space and space != first]
        for candidate in (fresh, *(f"{space}:{name}" for space in others), name):
            if candidate in stored:
                return candidate
        return fresh


def places(tool: str, schema: Mapping[str, Any] | None) -> tuple[Path, ...]:
    """The places of entity names in the arguments of a tool: by our table, else by the descriptions in its schema."""
    if tool in NAMES_IN:
        return NAMES_IN[tool]
    return tuple(islice(_named_in(schema, ()), MAX_PLACES)) if isinstance(schema, Mapping) else ()


def _named_in(schema: Mapping[str, Any], path: Path) -> Iterator[Path]:
    if len(path) > MAX_DEPTH:
        return
    kind = schema.get("type")
    description = schema.get("description")
    key = next((part for part in reversed(path) if part != EACH), "")
    if kind == "string":
        if key in ("entityName", "entityNames") or (isinstance(description, str) and _OF_AN_ENTITY.match(description)):
            yield path
    elif kind == "array":
        items = schema.get("items")
        if isinstance(items, Mapping):
            # A list's description tells what its items are.
            about = {"description": description, **items} if items.get("type") == "string" else items
            yield from _named_in(about, (*path, EACH))
    else:
        properties = schema.get("properties")
        if isinstance(properties, Mapping):
            for name, inner in properties.items():
                if isinstance(name, str) and isinstance(inner, Mapping):
                    yield from _named_in(inner, (*path, name))


def renamed(value: Any, path: Path, rename: Callable[[str, Mapping[str, Any]], str]) -> Any:
    """`value` with the text at `path` renamed; values of another shape stay as they are.

    `rename` gets the text and the object that contains it.
    """
    return _renamed(value, path, rename, {})


def _renamed(value: Any, path: Path, rename: Callable[[str, Mapping[str, Any]], str], around: Mapping[str, Any]) -> Any:
    if not path:
        return rename(value, around) if isinstance(value, str) else value
    step, rest = path[0], path[1:]
    if step == EACH:
        return [_renamed(item, rest, rename, around) for item in value] if isinstance(value, list) else value
    if isinstance(value, dict) and step in value:
        return {**value, step: _renamed(value[step], rest, rename, value)}
    return value
