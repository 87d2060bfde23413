"""Names of entities with a namespace: which one a name gets, and where in a tool's arguments names stand.

A name is stored as `namespace:name`; the namespace is the project's id, or `org` for what belongs to every project.
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
"""Steps of a path into a tool's arguments."""
MAX_PLACES: Final = 200
"""Paths of one tool."""

Path = tuple[str, ...]

_NAMESPACE: Final = re.compile(r"[a-z][a-z0-9_-]{0,62}:(?![:/\s])(?=.)", re.DOTALL)
"""Of a name that has one. `std::vector`, `https://…` and `note: text` have none."""

_OF_AN_ENTITY: Final = re.compile(
    r"(the |an? )?((array|list) of )?(the )?(names? of (the |an? )?(\w+ )?entit(y|ies)|entity names?)\b", re.IGNORECASE
)
"""How the official server begins the descriptions of arguments that name entities."""

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
"""The tools of the official server and where their arguments name entities."""

READERS: Final = frozenset({"read_graph", "search_nodes", "open_nodes"})
"""Those of them that change nothing, for versions that do not say so themselves."""


@dataclass(frozen=True)
class Naming:
    """Which namespace names get.

    `scope` "auto": `org` for entities whose type is among `org_types` or whose name fits one of the patterns
    `org_names` (both without regard to case), else the project's. `project` "": there is no project, all is `org`.
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
        """The stored name of an entity that is to be made."""
        if self.has_namespace(name) or not name.strip():
            return name
        return f"{self.namespace(name, entity_type)}:{name}"

    def known(self, name: str, stored: Container[str]) -> str:
        """The stored name of an entity that is spoken of.

        It may have been put into the other namespace by its type, or been stored by the bare server without one: of
        the names it can have, the first that is stored; else that of a new one.
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
    """Where the arguments of a tool name entities: by our table, else by what the tool's schema says of each."""
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
            # What a list is about is said of the list.
            about = {"description": description, **items} if items.get("type") == "string" else items
            yield from _named_in(about, (*path, EACH))
    else:
        properties = schema.get("properties")
        if isinstance(properties, Mapping):
            for name, inner in properties.items():
                if isinstance(name, str) and isinstance(inner, Mapping):
                    yield from _named_in(inner, (*path, name))


def renamed(value: Any, path: Path, rename: Callable[[str, Mapping[str, Any]], str]) -> Any:
    """`value` with the text at `path` renamed; what is of another shape stays as it is.

    `rename` gets the text and the object it stands in.
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
