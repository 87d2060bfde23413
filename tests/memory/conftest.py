"""Stores of memories in folders of their own, at a time that the test sets."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from loregraph.config import Settings
from loregraph.memory.api import ProjectMemory
from loregraph.memory.record import Memory, new_memory_id


class Clock:
    """A clock that moves a second a look, and by what the test says."""

    def __init__(self) -> None:
        self.now = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)

    def __call__(self) -> datetime:
        self.now += timedelta(seconds=1)
        return self.now

    def pass_days(self, days: float) -> None:
        self.now += timedelta(days=days)


Opens = Callable[..., ProjectMemory]


@pytest.fixture(autouse=True)
def home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """The data folder, the test's own; git knows nobody but Ann."""
    folder = tmp_path / "home"
    monkeypatch.setenv("LOREGRAPH_HOME", str(folder))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    gitconfig = tmp_path / "gitconfig"
    gitconfig.write_text("[user]\n\tname = Ann Lee\n\temail = ann@example.org\n")
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(gitconfig))
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    return folder


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def opens(tmp_path: Path, clock: Clock) -> Opens:
    """Opens the memory of a project; again for the same name, as another process would."""

    def open_memory(name: str = "shop", code: Any = None, **settings: Any) -> ProjectMemory:
        root = tmp_path / name
        root.mkdir(exist_ok=True)
        return ProjectMemory(root, Settings(**settings), code=lambda: code, clock=clock)

    return open_memory


@pytest.fixture
def memory(opens: Opens) -> ProjectMemory:
    return opens()


def record(content: str = "a fact", **fields: Any) -> Memory:
    """A sound project memory of Ann's."""
    given = {
        "id": new_memory_id(),
        "kind": "learning",
        "content": content,
        "user_id": "ann@example.org",
        "project_id": "shop",
        "created_at": "2026-01-01T00:00:00.000000Z",
        "updated_at": "2026-01-01T00:00:00.000000Z",
    }
    return Memory(**{**given, **fields})


class FakeCode:
    """A graph of a few nodes: id → (label, content hash), and edges between ids."""

    def __init__(self, nodes: dict[str, tuple[str, str]], edges: list[tuple[str, str]] | None = None) -> None:
        import numpy as np

        self.ids = sorted(nodes)
        self.nodes = nodes
        pairs = [(self.ids.index(a), self.ids.index(b)) for a, b in edges or []]
        self.source = np.array([a for a, _ in pairs], dtype=np.int32)
        self.target = np.array([b for _, b in pairs], dtype=np.int32)

    def rel(self, edge: int) -> str:
        return "CALLS"

    def find_id(self, text: str) -> int | None:
        return self.ids.index(text) if text in self.nodes else None

    def find_symbol(self, text: str) -> list[int]:
        return [i for i, identity in enumerate(self.ids) if identity == text or identity.endswith("::" + text)]

    def ids_with(self, prefix: str) -> tuple[int, int]:
        found = [i for i, identity in enumerate(self.ids) if identity.startswith(prefix)]
        return (found[0], found[-1] + 1) if found else (0, 0)

    def id(self, node: int) -> str:
        return self.ids[node]

    def label(self, node: int) -> str:
        return self.nodes[self.ids[node]][0]

    def own(self, node: int, field: str) -> Any:
        return self.nodes[self.ids[node]][1] if field == "content_hash" else None

    def out(self, node: int) -> Any:
        import numpy as np

        return np.flatnonzero(self.source == node)

    def into(self, node: int) -> Any:
        import numpy as np

        return np.flatnonzero(self.target == node)
