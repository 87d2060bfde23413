"""The format `knowledge-graph`: the file of the official memory server, entities and relations as JSON lines.

A memory is an entity whose first observation is its content; a last observation that begins with `[loregraph] ` has the
fields that the format lacks, since that server drops unknown fields. An entity written by another program becomes a
memory of its name and observations, and is exported byte-identically if it is unchanged.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

import msgspec

from loregraph.memory.agent_memory import id_from
from loregraph.memory.record import ABOUT, KINDS, Memory, converted, is_memory_id, title_of

MARK: Final = "[loregraph] "
_SAID: Final = (
    *("id", "kind", "content", "metadata", "category", "tags", "importance", "scope"),
    *("agent_id", "session_id", "run_id", "visibility", "state", "anchor_hashes"),
)
"""Fields that a line has to preserve; links are lines of their own."""
_KEY: Final = "knowledge_graph"
"""Metadata key for a foreign entity's name and type."""


# Implements REQ-BRG-004.
def to_lines(memories: Sequence[Memory]) -> list[dict[str, Any]]:
    """Entities in the order of `memories`, then relations."""
    names = _names(memories)
    lines = [_entity(memory, names[memory.id]) for memory in memories]
    for memory in memories:
        links = [(anchor, ABOUT) for anchor in memory.anchors]
        links += [(link.target_id, link.type) for link in memory.relationships]
        for target, kind in dict.fromkeys(links):
            lines.append(
                {"type": "relation", "from": names[memory.id], "to": names.get(target, target), "relationType": kind}
            )
    return lines


def _names(memories: Iterable[Memory]) -> dict[str, str]:
    """Id → the entity's name, its unique key in that format."""
    names: dict[str, str] = {}
    taken: set[str] = set()
    for memory in memories:
        foreign = memory.metadata.get(_KEY)
        name = foreign.get("name") if isinstance(foreign, dict) else None
        if not isinstance(name, str) or name in taken:
            name = f"{title_of(memory.content, 60)} ({memory.id[:8]})"
        if name in taken:
            name = memory.id
        taken.add(name)
        names[memory.id] = name
    return names


def _entity(memory: Memory, name: str) -> dict[str, Any]:
    foreign = memory.metadata.get(_KEY)
    if isinstance(foreign, dict) and foreign.get("name") == name:
        observations = list(foreign.get("observations", ()))
        kind = str(foreign.get("entityType", memory.kind))
        if memory.content != _content(name, observations):
            observations = [line for line in memory.content.split("\n") if line.strip() and line != name]
    else:
        observations, kind = [memory.content], memory.kind
    line = {"type": "entity", "name": name, "entityType": kind, "observations": observations}
    if not _says_all(line, memory):
        extra = msgspec.to_builtins(memory)
        del extra["content"]
        observations.append(MARK + json.dumps(extra, ensure_ascii=False, sort_keys=True))
    return line


def _says_all(line: Mapping[str, Any], memory: Memory) -> bool:
    """Whether the line alone reproduces the memory, except for author and times, as for lines of other programs."""
    again = converted(from_entity(line, memory.project_id), Memory)
    return all(getattr(again, field) == getattr(memory, field) for field in _SAID)


def _content(name: str, observations: Iterable[str]) -> str:
    return "\n".join([name, *observations])


def from_entity(line: Mapping[str, Any], scope_key: str) -> dict[str, Any]:
    """The fields of the memory in an entity. Raises ValueError for anything but an entity.

    `scope_key` keeps entities with the same name in two projects apart.
    """
    name, observations = line.get("name"), line.get("observations", [])
    if not isinstance(name, str) or not name.strip():
        raise ValueError("an entity without a name")
    if not isinstance(observations, list) or not all(isinstance(item, str) for item in observations):
        raise ValueError("observations are no list of texts")
    kept = [item for item in observations if not item.startswith(MARK)]
    extra = _extra(observations)
    if extra is not None:
        foreign = extra.get("metadata", {}).get(_KEY)
        if isinstance(foreign, dict) and foreign.get("name") == name:
            extra["metadata"] = {**extra["metadata"], _KEY: {**foreign, "observations": kept}}
            return {**extra, "content": _content(name, kept)}
        return {**extra, "content": "\n".join(kept) or name}
    kind = str(line.get("entityType", ""))
    return {
        "id": id_from("knowledge-graph", f"{scope_key}\0{name}"),
        "kind": kind if kind in KINDS else "learning",
        "content": _content(name, kept),
        "metadata": {_KEY: {"name": name, "entityType": kind, "observations": kept}},
    }


def _extra(observations: Iterable[str]) -> dict[str, Any] | None:
    for item in observations:
        if item.startswith(MARK):
            try:
                value = json.loads(item.removeprefix(MARK))
            except (ValueError, RecursionError):
                continue
            if isinstance(value, dict) and isinstance(value.get("metadata", {}), dict):
                return value
    return None


def add_relations(
    entities: Mapping[str, dict[str, Any]], relations: Iterable[Mapping[str, Any]]
) -> list[tuple[int, str]]:
    """Adds relations, each with its `line`, to the entities where they start, by the names of `entities`.

    Returns (line, reason) for those without a start.
    """
    bad: list[tuple[int, str]] = []
    for relation in relations:
        source, target, kind = relation.get("from"), relation.get("to"), relation.get("relationType")
        if not all(isinstance(value, str) and value for value in (source, target, kind)):
            bad.append((relation["line"], "a relation needs from, to and relationType"))
            continue
        if source not in entities:
            bad.append((relation["line"], f"there is no entity {source!r} for the relation to start at"))
            continue
        data = entities[str(source)]
        end = entities[str(target)]["id"] if target in entities else str(target)
        if kind == ABOUT and not is_memory_id(end):
            if end not in data.setdefault("anchors", []):
                data["anchors"] = [*data["anchors"], end]
            continue
        link = {"type": kind, "target_id": end}
        if link not in data.setdefault("relationships", []):
            data["relationships"] = [*data["relationships"], link]
    return bad
