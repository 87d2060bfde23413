"""`copies-of`: whether a function is there already."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from .conftest import Run

LOAD = '''def load(path, limit=10):
    """Read the rows of a file."""
    rows = []
    with open(path, encoding="utf-8") as stream:
        for number, line in enumerate(stream):
            if number >= limit or not line.strip():
                break
            name, _, value = line.partition("=")
            rows.append((name.strip(), float(value)))
    return sorted(rows, key=lambda row: row[1])
'''


@pytest.fixture(scope="module")
def rows(tmp_path_factory: pytest.TempPathFactory) -> Path:
    from loregraph.project import Project

    root = tmp_path_factory.mktemp("rows")
    (root / "a.py").write_text(LOAD, encoding="utf-8")
    (root / "b.py").write_text(LOAD.replace("load", "fetch").replace("rows", "found"), encoding="utf-8")
    with Project(root) as project:
        project.index(jobs=1, embed=False)
    return root


def test_the_answer_is_that_of_the_tool(run: Run, rows: Path) -> None:
    result = run("--root", rows, "copies-of", "load", "--json")
    assert result.code == 0
    answer = json.loads(result.out)
    assert list(answer) == ["duplicates", "has_duplicates"]
    (copy,) = answer["duplicates"]
    assert (copy["id"], copy["clone_type"], answer["has_duplicates"]) == ("b.py::fetch", "type-2", True)
    assert set(copy) == set(
        "id name signature file_path start_line end_line similarity clone_type recommendation".split()
    )


def test_code_that_is_not_in_the_project(run: Run, rows: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(LOAD.encode()), encoding="utf-8"))
    piped = json.loads(run("--root", rows, "copies-of", "--code", "-", "--limit", "1", "--json").out)
    assert [copy["clone_type"] for copy in piped["duplicates"]] == ["type-1"]
    (tmp_path / "other.py").write_text("for x in range(10):\n    print(x, x * x, x ** 3)\n", encoding="utf-8")
    nothing = run("--root", rows, "copies-of", "--code", tmp_path / "other.py", "--json")
    assert (nothing.code, json.loads(nothing.out)) == (0, {"duplicates": [], "has_duplicates": False})


def test_people_see_where_and_what_to_do(run: Run, rows: Path) -> None:
    first, second = run("--root", rows, "copies-of", "a.py::load").out.splitlines()
    assert first.startswith("b.py:1-10  def fetch(path, limit=10)")
    assert second.startswith("  → use fetch: it differs in names and literals only")
    assert run("--root", rows, "copies-of", "load", "--threshold", "1", "--language", "go").err == "no copies\n"


@pytest.mark.parametrize("words", [[], ["load", "--code", "-"], ["load", "--threshold", "0.3"], ["no_such_thing"]])
def test_a_wrong_call(run: Run, rows: Path, words: list[str]) -> None:
    result = run("--root", rows, "copies-of", *words)
    assert (result.code, result.out) == (2, "")
