"""The format `agent-memory`: a folder with `core_memories.jsonl`, `learnings.jsonl` and `tasks.jsonl`.

A line has the fields of that format; other fields are stored under the key `loregraph`, which other programs may ignore
or drop. If another program changed a field, its value wins over the copy in `loregraph`.
"""

from __future__ import annotations

import hashlib
import json
import uuid
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import msgspec

from loregraph.memory.record import Memory, is_memory_id, level_of

FILES: Final[Mapping[str, str]] = {"core": "core_memories.jsonl", "learning": "learnings.jsonl", "task": "tasks.jsonl"}
_AS_LEARNING: Final = ("session", "test_history")
"""Kinds stored among learnings; other kinds that the format lacks become core memories."""
_OWN_ID: Final = "agent_memory_id"
"""Metadata key for an original id that is not a UUID."""
EXTRA: Final = "loregraph"


def type_of(kind: str) -> str:
    """core, learning or task."""
    return kind if kind in FILES else "learning" if kind in _AS_LEARNING else "core"


def fields_of(memory: Memory) -> dict[str, Any]:
    """The fields of the format; metadata only if there are any."""
    fields = {
        "id": memory.id,
        "type": type_of(memory.kind),
        "content": memory.content,
        "category": memory.category,
        "created_at": memory.created_at,
        "updated_at": memory.updated_at,
        "accessed_at": memory.accessed_at,
        "access_count": memory.access_count,
        "tags": list(memory.tags),
        "importance": level_of(memory.importance),
        "archived": memory.state == "archived",
    }
    return {**fields, "metadata": memory.metadata} if memory.metadata else fields


def to_line(memory: Memory) -> dict[str, Any]:
    """The memory as a line of the format."""
    metadata = {key: value for key, value in memory.metadata.items() if key != _OWN_ID}
    extra = msgspec.to_builtins(memory)
    line = fields_of(msgspec.structs.replace(memory, metadata=metadata))
    line["id"] = memory.metadata.get(_OWN_ID, memory.id)
    line["accessed_at"] = memory.accessed_at or memory.updated_at
    for field in ("content", "category", "created_at", "updated_at", "access_count", "tags", "metadata", "state"):
        extra.pop(field, None)
    line[EXTRA] = extra
    return line


def from_line(line: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of the memory in a line."""
    own = line.get(EXTRA)
    data: dict[str, Any] = dict(own) if isinstance(own, dict) else {}
    known = {"id", "type", "importance", "archived", EXTRA, "accessed_at", "metadata"}
    data.update({key: value for key, value in line.items() if key not in known and value is not None})
    metadata = line.get("metadata", {})
    data["metadata"] = dict(metadata) if isinstance(metadata, dict) else metadata
    identifier = str(line.get("id", ""))
    if not is_memory_id(identifier):
        data["id"] = id_from("agent-memory", identifier or json.dumps(line, sort_keys=True))
        if identifier and isinstance(data["metadata"], dict):
            data["metadata"][_OWN_ID] = identifier
    else:
        data["id"] = identifier
    kind = line.get("type")
    if "kind" not in data or type_of(str(data["kind"])) != kind:
        data["kind"] = kind
    word = line.get("importance", "medium")
    number = data.get("importance", 0.5)
    if not isinstance(number, float | int) or level_of(number) != word:
        data["importance"] = word
    else:
        data["importance"] = number
    if "accessed_at" not in data and data.get("access_count"):
        data["accessed_at"] = line.get("accessed_at", "")
    data["state"] = "archived" if line.get("archived") is True else "active"
    return data


def id_from(format_name: str, text: str) -> str:
    """A UUID of version 4's form that is a function of the text: importing twice adds nothing."""
    digest = hashlib.sha256(f"loregraph {format_name}\0{text}".encode("utf-8", "surrogatepass")).digest()
    return str(uuid.UUID(bytes=digest[:16], version=4))


def is_folder_of(folder: Path) -> bool:
    """Whether a folder has the format's files."""
    return any((folder / name).is_file() for name in FILES.values())


def files_in(folder: Path) -> Iterator[Path]:
    """The files of a folder to read: the three, then those in its archive."""
    yield from (folder / name for name in FILES.values() if (folder / name).is_file())
    yield from sorted((folder / "archive").glob("*.jsonl"))


def grouped(memories: Iterable[Memory]) -> dict[str, list[dict[str, Any]]]:
    """File name → its lines, for every file of the format."""
    lines: dict[str, list[dict[str, Any]]] = {name: [] for name in FILES.values()}
    for memory in memories:
        lines[FILES[type_of(memory.kind)]].append(to_line(memory))
    return lines
