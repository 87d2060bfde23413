"""`loregraph proxy`: its options, exit codes and streams. The server itself is tested in tests/bridges."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from .conftest import Run

STUB = Path(__file__).parents[1] / "bridges" / "stub_upstream.py"


def write(folder: Path, found: dict[str, Any]) -> str:
    path = folder / "tools.json"
    path.write_text(json.dumps(found), encoding="utf-8")
    return str(path)


@pytest.fixture
def shipped(run: Run) -> dict[str, Any]:
    """The file for the episodic-memory server, before a stub of it."""
    found: dict[str, Any] = json.loads(run("proxy", "--example", "episodic-memory").out)
    found["upstream"] = {"command": sys.executable, "args": [str(STUB)]}
    return found


def test_examples_are_printed(run: Run) -> None:
    for name in ("episodic-memory", "server-memory"):
        result = run("proxy", "--example", name)
        assert (result.code, result.err) == (0, "")
        assert set(json.loads(result.out)) == {"upstream", "tools"}


def test_an_example_that_is_not_there_names_those_that_are(run: Run) -> None:
    result = run("proxy", "--example", "nonsense")
    assert result.code == 2
    assert "there are episodic-memory, server-memory" in result.err


def test_a_file_that_fits_is_said_to(run: Run, tmp_path: Path, shipped: dict[str, Any]) -> None:
    result = run("proxy", "--check", write(tmp_path, shipped))
    assert (result.code, result.out) == (0, "ok: 2 tools, all of them in stub 1.4.0\n")


def test_what_the_upstream_does_not_have_is_a_finding(run: Run, tmp_path: Path, shipped: dict[str, Any]) -> None:
    shipped["tools"][1]["upstream"]["paramMapping"]["path"] = "file"
    result = run("proxy", "--check", write(tmp_path, shipped))
    assert result.code == 1
    assert result.out.splitlines() == [
        "$.tools[1].upstream.paramMapping.path: 'read' has no parameter 'file'; there is path, startLine, endLine",
        "$.tools[1].upstream.paramMapping: 'read' needs 'path', and nothing is mapped to it",
    ]


@pytest.mark.parametrize("options", [[], ["--check"]])
def test_a_file_that_is_wrong_is_refused_with_the_path(
    run: Run, tmp_path: Path, shipped: dict[str, Any], options: list[str]
) -> None:
    del shipped["tools"][0]["upstream"]["tool"]
    result = run("proxy", *options, write(tmp_path, shipped))
    assert (result.code, result.out) == (2, "")
    assert "$.tools[0].upstream.tool: is missing" in result.err


def test_an_upstream_that_does_not_start_is_a_failure(run: Run, tmp_path: Path, shipped: dict[str, Any]) -> None:
    shipped["upstream"]["command"] = "no-such-server-here"
    result = run("proxy", "--check", write(tmp_path, shipped))
    assert (result.code, result.out) == (3, "")
    assert "cannot start the upstream server" in result.err


def test_a_file_is_needed(run: Run) -> None:
    result = run("proxy")
    assert result.code == 2
    assert "TOOLS.JSON" in result.err
