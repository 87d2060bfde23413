"""`--workspace` of the commands, as people and programs call them."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from loregraph.cli.main import cli, main

ASKING = {
    "search": ("rate",),
    "show": ("rate",),
    "callers": ("rate",),
    "callees": ("charge",),
    "impact": ("rate",),
    "explore": ("rate",),
    "trace": (),
    "query": ("MATCH (f:Function) RETURN f.id ORDER BY f.id LIMIT 1",),
    "related": ("rate",),
    "context": ("rate",),
    "status": (),
}


def installed(*words: str | Path) -> subprocess.CompletedProcess[str]:
    """The installed command."""
    command = Path(sys.executable).with_name("loregraph")
    return subprocess.run([command, *map(str, words)], check=False, capture_output=True, text=True, timeout=120)


# Verifies REQ-WSP-001.
def test_the_installed_command_asks_a_workspace(file: Path) -> None:
    done = installed("callers", "money:src/money/rates.py::rate", "--workspace", file, "--json")
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    (row,) = json.loads(done.stdout)
    assert row == {
        "id": "billing:billing/app.py::charge",
        "file_path": "billing:billing/app.py",
        "line": 13,
        "distance": 1,
        "confidence": 0.96,
        "how": "dependency",
        "lines": [13],
    }


def asked(capsys: pytest.CaptureFixture[str], *words: str | Path) -> tuple[int, Any, str]:
    """Exit code, standard output (as JSON where it is) and standard error of a command in this process."""
    capsys.readouterr()
    code = main([str(word) for word in words], standalone_mode=False)
    captured = capsys.readouterr()
    return code, captured.out, captured.err


# Verifies REQ-WSP-001.
@pytest.mark.parametrize("name", sorted(ASKING))
def test_every_command_that_asks_takes_it_before_and_after_its_name(
    file: Path, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    before = asked(capsys, "--workspace", file, name, *ASKING[name], "--json")
    after = asked(capsys, name, *ASKING[name], "--workspace", file, "--json")
    assert before[0] == after[0] == 0, after[2]
    assert json.loads(before[1]) is not None
    if name not in ("query", "status"):
        assert before[1] == after[1]
    assert any(text in after[1] for text in ("billing:", "money:", file.name))


@pytest.mark.parametrize("name", ["search", "serve", "view", "index", "workspace", *ASKING])
def test_the_help_of_a_command_that_takes_it_says_so(capsys: pytest.CaptureFixture[str], name: str) -> None:
    assert "--workspace FILE" in asked(capsys, name, "--help")[1]


@pytest.mark.parametrize("words", [("check",), ("duplicates",), ("diff", "HEAD"), ("memory", "list"), ("watch",)])
def test_what_is_not_asked_of_a_workspace_says_so(
    file: Path, capsys: pytest.CaptureFixture[str], words: tuple[str, ...]
) -> None:
    code, _, told = asked(capsys, "--workspace", file, *words)
    assert code == 2
    assert "--root" in told


def test_a_workspace_and_a_project_are_not_named_together(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, _, told = asked(capsys, "--root", file.parent, "--workspace", file, "search", "x")
    assert code == 2
    assert "leave out" in told


# Verifies REQ-WSP-008.
def test_the_overview_says_what_is_missing_and_how_they_depend_on_each_other(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file.write_text(file.read_text() + '[repositories.gone]\npath = "gone"\n')
    code, out, _ = asked(capsys, "workspace", file, "--json")
    found = json.loads(out)
    assert code == 0
    assert [one["name"] for one in found["repositories"]] == [
        "billing", "client", "flags", "gone", "money", "tool", "web",
    ]  # fmt: skip
    assert [one["name"] for one in found["repositories"] if one["problem"]] == ["gone"]
    assert {
        "source": "tool",
        "target": "flags",
        "relationship": "CALLS",
        "how": "dependency",
        "edges": 3,
        "count": 3,
    } in (found["between"])
    code, out, _ = asked(capsys, "workspace", file)
    assert "no folder" in out
    assert "billing → money" in out
    assert asked(capsys, "workspace")[0] == 2


def test_index_makes_the_graphs_of_all_and_goes_on_after_one_that_fails(
    copied: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from .conftest import workspace_file

    file = workspace_file(tmp_path, {"a": "missing", "flags": str(copied / "flags"), "tool": str(copied / "tool")})
    (copied / "tool" / "more.go").write_text("package main\n\nfunc more() { run() }\n")
    code, out, told = asked(capsys, "index", "--workspace", file, "--no-embed", "--jobs", "1", "--json")
    assert code == 2
    assert "a: there is no folder" in told
    reports = json.loads(out)
    assert reports.keys() == {"flags", "tool"}
    assert reports["tool"]["files"]["indexed"] == 1
    assert asked(capsys, "index", copied, "--workspace", file)[0] == 2


# Verifies REQ-WSP-006.
def test_a_workspace_file_is_never_looked_for(copied: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (copied / "money" / "loregraph-workspace.toml").write_text('[repositories.x]\npath = "/"\n')
    code, out, _ = asked(capsys, "--root", copied / "money", "show", "rate", "--json")
    assert code == 0
    assert json.loads(out)["id"] == "src/money/rates.py::rate"


def test_names_of_repositories_cannot_print_escapes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "w.toml"
    file.write_text('[repositories."a\\u001b[2J"]\npath = "."\n')
    code, out, told = asked(capsys, "workspace", file)
    assert code == 2
    assert "\x1b" not in out + told


def test_the_group_knows_the_command() -> None:
    assert "workspace" in cli.commands
