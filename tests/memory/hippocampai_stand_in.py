"""Clients of HippocampAI that need no server: one of ours, and its own over a database in memory.

Ours has the signatures of 0.6.0 (test_hippocampai.py compares them with the package's source) and does what the real
one was seen to do: it gives ids, adds tags, changes the filters it is given, refuses what its records refuse, and keeps
no memory that says nearly what another of the same `user_id` says.
"""

from __future__ import annotations

import os
import re
import sys
import types
import uuid
import zlib
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from typing import Any

FOLDER = "HIPPOCAMPAI_PACKAGES"
"""Names a folder with HippocampAI 0.6.0 and its light dependencies, where it is not installed: see docs/memory.md."""


class MemoryType(StrEnum):
    PREFERENCE = "preference"
    FACT = "fact"
    GOAL = "goal"
    HABIT = "habit"
    EVENT = "event"
    CONTEXT = "context"


@dataclass
class Record:
    text: str
    user_id: str
    type: MemoryType
    importance: float
    session_id: str | None = None
    tags: list[str] = field(default_factory=list)
    metadata: dict[str, Any] = field(default_factory=dict)
    access_count: int = 0
    id: str = field(default_factory=lambda: str(uuid.uuid4()))
    created_at: datetime = field(default_factory=lambda: datetime.now(UTC))
    updated_at: datetime = field(default_factory=lambda: datetime.now(UTC))

    def __post_init__(self) -> None:
        if not 0 <= self.importance <= 10:
            raise ValueError("importance: Input should be from 0 to 10")


@dataclass
class Result:
    memory: Record
    score: float
    breakdown: dict[str, Any]


class StandIn:
    """HippocampAI's client, as far as the adapter can tell."""

    def __init__(self) -> None:
        self.records: dict[str, Record] = {}
        self.calls: list[str] = []
        self.is_down = False

    def _asked(self, name: str) -> None:
        self.calls.append(name)
        if self.is_down:
            raise ConnectionError("[Errno 111] Connection refused")

    def remember(
        self,
        text: str,
        user_id: str,
        session_id: str | None = None,
        type: str = "fact",
        importance: float | None = None,
        tags: list[str] | None = None,
        ttl_days: int | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
        visibility: str | None = None,
        auto_resolve_conflicts: bool = False,
        resolution_strategy: str = "temporal",
    ) -> Record:
        self._asked("remember")
        made = Record(
            text, user_id, MemoryType(type), importance or 6.5, session_id, [*(tags or []), "topic:of its own"]
        )
        for other in self.records.values():
            if other.user_id != user_id:
                continue
            if other.text == text:
                return made  # which is not kept
            if likeness(other.text, text) > 0.85:
                other.text, other.importance = text, min(1.0, other.importance + 0.05)
                return replace(other)
        self.records[made.id] = made
        return replace(made)

    def recall(
        self,
        query: str,
        user_id: str,
        session_id: str | None = None,
        k: int = 5,
        filters: dict[str, Any] | None = None,
    ) -> list[Result]:
        self._asked("recall")
        found = []
        for record in self._of(user_id, filters):
            sim = likeness(query, record.text)
            bare = replace(record, session_id=None)
            found.append(Result(bare, 0.55 * sim + 0.1 * record.importance / 10, {"sim": sim, "rerank": 0.5}))
        return sorted(found, key=lambda result: -result.score)[: min(k, 50)]

    def update_memory(
        self,
        memory_id: str,
        text: str | None = None,
        importance: float | None = None,
        tags: list[str] | None = None,
        metadata: dict[str, Any] | None = None,
        expires_at: datetime | None = None,
    ) -> Record | None:
        self.calls.append("update_memory")
        record = self.records.get(memory_id)
        if record is None or self.is_down:
            return None
        record.text = text if text is not None else record.text
        record.importance = importance if importance is not None else record.importance
        record.tags = tags if tags is not None else record.tags
        record.metadata.update(metadata or {})
        record.updated_at = datetime.now(UTC)
        return replace(record)

    def delete_memory(self, memory_id: str, user_id: str | None = None) -> bool:
        self.calls.append("delete_memory")
        record = self.records.get(memory_id)
        if record is None or self.is_down or (user_id and record.user_id != user_id):
            return False
        del self.records[memory_id]
        return True

    def get_memories(self, user_id: str, filters: dict[str, Any] | None = None, limit: int = 100) -> list[Record]:
        self.calls.append("get_memories")
        if self.is_down:
            return []  # it logs the error, and says nothing
        filters = filters if filters is not None else {}
        least, most = filters.pop("min_importance", 0), filters.pop("max_importance", 10)
        found = [record for record in self._of(user_id, filters) if least <= record.importance <= most]
        return sorted(found, key=lambda record: record.created_at, reverse=True)[:limit]

    def _of(self, user_id: str, filters: dict[str, Any] | None) -> list[Record]:
        tags = (filters or {}).get("tags", [])
        wanted = {tags} if isinstance(tags, str) else set(tags)
        own = [record for record in self.records.values() if record.user_id == user_id]
        return [replace(record) for record in own if not wanted or wanted & set(record.tags)]


def likeness(a: str, b: str) -> float:
    """Of two texts: the part of their words that they share."""
    left, right = (set(re.findall(r"\w+", text.lower())) for text in (a, b))
    return len(left & right) / len(left | right) if left | right else 0.0


def real_client(folder: Path, monkeypatch: Any) -> Any:
    """HippocampAI's own client: its database in memory, its models replaced by counts of words.

    Raises ImportError where it is not installed.
    """
    monkeypatch.chdir(folder)  # it writes files where it is
    if os.environ.get(FOLDER):
        monkeypatch.setattr(sys, "path", [*sys.path, os.environ[FOLDER]])
    import qdrant_client

    models: Any = types.ModuleType("sentence_transformers")
    models.SentenceTransformer, models.CrossEncoder = Embedder, Reranker
    monkeypatch.setitem(sys.modules, "sentence_transformers", models)
    from hippocampai import MemoryClient
    from hippocampai.vector import qdrant_store

    monkeypatch.setattr(qdrant_store, "QdrantClient", lambda **_: qdrant_client.QdrantClient(":memory:"))
    return MemoryClient(llm_provider="none")


class Embedder:
    def __init__(self, *_: Any, **__: Any) -> None:
        pass

    def encode(self, texts: list[str], **_: Any) -> Any:
        import numpy as np

        vectors = np.zeros((len(texts), 384), dtype=np.float32)
        for row, text in zip(vectors, texts, strict=True):
            for word in re.findall(r"\w+", text.lower()):
                row[zlib.crc32(word.encode()) % 384] += 1
        return vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-9)


class Reranker:
    def __init__(self, *_: Any, **__: Any) -> None:
        pass

    def predict(self, pairs: list[list[str]], **_: Any) -> Any:
        import numpy as np

        return np.array([likeness(one, other) for one, other in pairs])
