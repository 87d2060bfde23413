"""`duplicates`: what it prints, what it gates, what it lets pass."""

from __future__ import annotations

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
COPY = LOAD.replace("load", "fetch").replace("rows", "found")


def write(root: Path, files: dict[str, str], run: Run) -> Path:
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    assert run("--root", root, "index", "--jobs", "1", "--no-embed").code == 0
    return root


@pytest.fixture
def clean(tmp_path: Path, run: Run) -> Path:
    return write(tmp_path / "shop", {"a.py": LOAD, "b/c.py": "def one():\n    return 1\n"}, run)


@pytest.fixture
def copied(clean: Path, run: Run) -> Path:
    return write(clean, {"b/d.py": COPY}, run)


def test_nothing_found(clean: Path, run: Run) -> None:
    result = run("--root", clean, "duplicates")
    assert (result.code, result.out, result.err) == (0, "", "no copies in 2 functions\n")
    assert json.loads(run("--root", clean, "duplicates", "--json").out) == []


# Verifies REQ-DUP-001.
def test_copies_are_printed_for_people_and_fail_the_build(copied: Path, run: Run) -> None:
    result = run("--root", copied, "duplicates")
    assert result.code == 1
    assert "2 copies, type-2" in result.out
    assert "a.py:1-10  load" in result.out
    assert "b/d.py:1-10  fetch" in result.out
    assert "→ Keep a.py::load" in result.out
    assert "1 family of copies in 3 functions; up to 10 lines could go" in result.err


def test_the_form_for_programs(copied: Path, run: Run) -> None:
    result = run("--root", copied, "duplicates", "--json")
    assert result.code == 1
    (pair,) = json.loads(result.out)
    assert pair == {
        "a": {"id": "a.py::load", "file_path": "a.py", "start_line": 1, "end_line": 10},
        "b": {"id": "b/d.py::fetch", "file_path": "b/d.py", "start_line": 1, "end_line": 10},
        "similarity": pair["similarity"],
        "clone_type": "type-2",
        "scope": "function",
        "tokens": pair["tokens"],
    }
    assert 0.9 <= pair["similarity"] < 1
    assert result.out == run("--root", copied, "duplicates", "--format", "json").out


def test_sarif_and_html(copied: Path, run: Run) -> None:
    sarif = json.loads(run("--root", copied, "duplicates", "--format", "sarif").out)
    (found,) = sarif["runs"][0]["results"]
    assert found["ruleId"] == "duplicate-function"
    assert found["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "b/d.py"
    page = run("--root", copied, "duplicates", "--format", "html").out
    assert page.startswith("<!doctype html>")
    assert page.rstrip().endswith("</html>")
    assert ">found</mark>" in page


def test_a_threshold_and_a_size(copied: Path, run: Run) -> None:
    assert run("--root", copied, "duplicates", "--threshold", "1").code == 0
    assert run("--root", copied, "duplicates", "--min-tokens", "200").code == 0
    assert run("--root", copied, "duplicates", "--threshold", "0.1").code == 2


def test_a_path(copied: Path, run: Run) -> None:
    assert run("--root", copied, "duplicates", copied / "b").code == 0
    assert run("--root", copied, "duplicates", copied).code == 1


# Verifies REQ-DUP-004.
def test_a_baseline_lets_known_copies_pass_and_no_others(copied: Path, run: Run, tmp_path: Path) -> None:
    known = tmp_path / "known.json"
    written = run("--root", copied, "duplicates", "--write-baseline", known)
    assert (written.code, written.out) == (0, "")
    assert "2 copies written" in written.err
    assert run("--root", copied, "duplicates", "--baseline", known).code == 0
    write(copied, {"e.py": COPY}, run)
    result = run("--root", copied, "duplicates", "--baseline", known, "--json")
    assert result.code == 1
    assert {pair["b"]["id"] for pair in json.loads(result.out)} == {"e.py::fetch"}
    assert run("--root", copied, "duplicates", "--baseline", tmp_path / "none.json").code == 2


def test_the_configuration(copied: Path, run: Run) -> None:
    (copied / "loregraph.toml").write_text('[duplicates]\nexclude = ["b/"]\n', encoding="utf-8")
    result = run("--root", copied, "duplicates")
    assert (result.code, result.out) == (0, "")
    assert "left out: files that a pattern names: 2" in result.err
    (copied / "loregraph.toml").write_text("[duplicates]\nthreshold = 3.0\n", encoding="utf-8")
    assert run("--root", copied, "duplicates").code == 2


def test_without_a_graph(tmp_path: Path, run: Run) -> None:
    result = run("--root", tmp_path, "duplicates")
    assert result.code == 2
    assert "loregraph index" in result.err
