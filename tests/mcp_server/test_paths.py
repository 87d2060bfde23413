"""No path leads out of the project, by whatever way."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from .conftest import Asker

ARGUMENTS: list[tuple[str, dict[str, Any], str]] = [
    ("index_file", {}, "file_path"),
    ("index_directory", {}, "directory_path"),
    ("reindex", {}, "directory_path"),
    ("code_search", {"query": "a"}, "path"),
    ("export_memory", {}, "output_path"),
    ("import_memory", {}, "file_path"),
]


@pytest.fixture
def outside(tmp_path: Path, root: Path) -> Path:
    """A folder beside the project, and a link in the project that leads to it."""
    folder = tmp_path / "outside"
    folder.mkdir()
    (folder / "secret.py").write_text("def secret() -> None: ...\n", encoding="utf-8")
    (root / "link").symlink_to(folder)
    (root / "link.py").symlink_to(folder / "secret.py")
    return folder


# Verifies REQ-MCP-007.
@pytest.mark.parametrize(("tool", "arguments", "field"), ARGUMENTS)
@pytest.mark.parametrize(
    "path", ["..", "../outside/secret.py", "/etc/passwd", "link/secret.py", "link.py", "shop/../../x"]
)
def test_a_path_out_of_the_project_is_refused(
    ask: Asker, outside: Path, tool: str, arguments: dict[str, Any], field: str, path: str
) -> None:
    before = sorted(outside.iterdir())
    answer = ask(tool, **arguments, **{field: path})
    assert answer.code == "PERMISSION_DENIED"
    assert field in answer.message
    assert str(outside) not in answer.text
    assert str(ask.root) not in answer.text
    assert sorted(outside.iterdir()) == before


@pytest.mark.parametrize("path", [".git/config", ".loregraph/current", ".loregraph/x.jsonl"])
def test_exports_stay_out_of_what_is_not_theirs(ask: Asker, path: str) -> None:
    assert ask("export_memory", output_path=path).code == "PERMISSION_DENIED"


def test_what_cannot_be_a_path_is_wrong(ask: Asker) -> None:
    assert ask("index_file", file_path="a\0b").code == "VALIDATION_ERROR"


def test_affected_files_stay_inside(ask: Asker) -> None:
    answer = ask("validate_fix", fix_description="x", component_id="shop", affected_files=["../x.py"])
    assert answer.code == "PERMISSION_DENIED"


def test_absolute_paths_inside_are_fine(ask: Asker) -> None:
    assert ask.ok("index_file", file_path=str(ask.root / "shop/money.py"))["status"] == "skipped"
