"""Repositories to index together."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conftest import Repository


@pytest.fixture
def three(tmp_path: Path, git_identity: None) -> list[Repository]:
    """Three small repositories, each with a function of its own."""
    made = []
    for name in ("web", "api", "jobs"):
        root = tmp_path / name
        root.mkdir()
        one = Repository(root)
        one.git("init", "-q")
        one.write(f"{name}.py", f"def serve_{name}():\n    return start()\n\n\ndef start():\n    return 1\n")
        one.commit("first")
        made.append(one)
    return made
