"""`index` and `status`."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

from .conftest import Run

FORM = {"files", "functions", "classes", "components", "requirements", "relationships", "problems", "seconds"}
SECONDS = {"discover", "extract", "resolve", "embed", "store", "total"}


def index(run: Run, root: Path, *words: str) -> dict[str, object]:
    result = run("--root", root, "index", "--json", "--no-embed", *words)
    assert (result.code, result.err) == (0, "")
    report: dict[str, object] = json.loads(result.out)
    return report


# Verifies REQ-IDX-001.
def test_the_report_has_the_documented_form(run: Run, project: Path) -> None:
    report = index(run, project)
    assert {
        "files",
        "functions",
        "classes",
        "components",
        "requirements",
        "relationships",
        "problems",
        "seconds",
    } <= set(report)
    assert report["files"] == {"indexed": 5, "unchanged": 0, "removed": 0, "failed": 0, "unsupported": 0}
    assert (report["functions"], report["classes"], report["problems"]) == (7, 1, [])
    assert isinstance(report["seconds"], dict)
    assert set(report["seconds"]) == SECONDS


def test_only_what_changed_is_indexed_again(run: Run, project: Path) -> None:
    index(run, project)
    assert index(run, project)["files"] == {"indexed": 0, "unchanged": 5, "removed": 0, "failed": 0, "unsupported": 0}
    with (project / "shop" / "money.py").open("a") as file:
        file.write("\n\ndef added() -> None:\n    run()\n")
    (project / "shop" / "jobs.py").unlink()
    report = index(run, project)
    assert report["files"] == {"indexed": 1, "unchanged": 3, "removed": 1, "failed": 0, "unsupported": 0}
    assert report["functions"] == 7


# Verifies REQ-IDX-016.
def test_full_starts_from_nothing(run: Run, project: Path) -> None:
    index(run, project)
    files = index(run, project, "--full")["files"]
    assert files == {"indexed": 5, "unchanged": 0, "removed": 0, "failed": 0, "unsupported": 0}


# Verifies REQ-IDX-016.
def test_a_dry_run_writes_nothing(run: Run, project: Path) -> None:
    files = index(run, project, "--dry-run")["files"]
    assert isinstance(files, dict)
    assert files["indexed"] == 5
    assert not (project / ".loregraph").exists()


# Verifies REQ-STO-001.
def test_git_sees_nothing_of_the_store(run: Run, project: Path) -> None:
    index(run, project)
    assert (project / ".loregraph" / ".gitignore").read_text() == "*\n"


# Verifies REQ-STO-001.
def test_the_store_can_lie_elsewhere(run: Run, project: Path, tmp_path: Path) -> None:
    store = tmp_path / "elsewhere"
    assert run("--root", project, "--store", store, "index", "--no-embed").code == 0
    assert not (project / ".loregraph").exists()
    assert run("--root", project, "--store", store, "callers", "checkout").code == 0


# Verifies REQ-IDX-017.
def test_what_is_indexed_can_be_narrowed(run: Run, project: Path) -> None:
    assert index(run, project, "--include", "shop/")["functions"] == 6
    assert index(run, project, "--exclude", "shop/", "--full")["functions"] == 1


def test_a_broken_file_is_a_problem_with_its_place(run: Run, project: Path) -> None:
    (project / "broken.py").write_text("def fine() -> None:\n    pass\n\n\ndef broken(:\n")
    report = index(run, project)
    assert isinstance(report["problems"], list)
    assert [problem["path"] for problem in report["problems"]] == ["broken.py"]
    assert report["functions"] == 9
    text = run("--root", project, "index", "--full", "--no-embed").out
    assert "1 problem" in text
    assert "broken.py:" in text


# Verifies REQ-IDX-009.
def test_no_symbol_out_of_sources_is_a_failure(run: Run, tmp_path: Path) -> None:
    (tmp_path / "only.py").write_bytes(b"\0\1\2" * 100)
    result = run("--root", tmp_path, "index")
    assert result.code == 3
    assert result.err.startswith("error: ")


def test_a_path_outside_the_root_is_refused(run: Run, project: Path, tmp_path: Path) -> None:
    result = run("--root", project, "index", tmp_path)
    assert result.code == 2
    assert "outside" in result.err


def test_the_report_for_people(run: Run, project: Path) -> None:
    result = run("--root", project, "index", "--no-embed")
    assert result.err == ""
    lines = result.out.splitlines()
    assert lines[0] == str(project)
    assert lines[1] == "  5 files indexed"
    assert any(line.split()[:2] == ["functions", "7"] for line in lines)
    assert any("CALLS" in line for line in lines)
    assert "Try" in lines
    assert "\x1b" not in result.out


def test_what_is_suggested_works(run: Run, project: Path) -> None:
    out = run("--root", project, "index", "--no-embed").out
    lines = [shlex.split(line) for line in out.partition("Try\n")[2].splitlines()]
    assert [words[:2] for words in lines] == [
        ["loregraph", "callers"],
        ["loregraph", "impact"],
        ["loregraph", "search"],
    ]
    for words in lines:
        result = run("--root", project, *words[1:])
        assert result.code == 0
        assert result.out != ""


def test_status_before_and_after(run: Run, project: Path) -> None:
    before = json.loads(run("--root", project, "status", "--json").out)
    assert (before["indexed"], before["nodes"]) == (False, {})
    index(run, project)
    after = json.loads(run("--root", project, "status", "--json").out)
    assert after["indexed"] is True
    assert after["languages"] == {"python": 5}
    assert after["nodes"]["Function"] == 7
    assert after["relationships"]["CALLS"] > 0
    assert after["stale"] == {"changed": [], "added": [], "removed": []}
    assert after["embedder"] is None
    assert after["bytes"]["total"] >= after["bytes"]["graph"] > 0


# Verifies REQ-CLI-007.
def test_status_says_why_calls_are_unresolved(run: Run, project: Path) -> None:
    (project / "tool.py").write_text("def use(thing) -> None:\n    thing.go()\n    thing.come()\n    other()\n")
    index(run, project)
    found = json.loads(run("--root", project, "status", "--unresolved", "--json").out)
    reasons = {one["reason"]: one for one in found["reasons"]}
    assert reasons["untyped-parameter"]["calls"] >= 2
    assert {"file_path": "tool.py", "line": 2} in reasons["untyped-parameter"]["examples"]
    assert sum(one["calls"] for one in found["reasons"]) == found["calls"]["unresolved"]
    shown = run("--root", project, "status", "--unresolved", "--examples", "9").out
    assert "tool.py:3  thing.come()" in shown
    assert "nothing of that name is in sight" in shown
    none = json.loads(run("--root", project, "status", "--unresolved", "--examples", "0", "--json").out)
    assert all(one["examples"] == [] for one in none["reasons"])


# Verifies REQ-CLI-007.
def test_status_of_what_was_not_kept_says_what_to_do(run: Run, project: Path) -> None:
    index(run, project)
    (project / ".loregraph" / "state.sqlite").unlink()
    result = run("--root", project, "status", "--unresolved")
    assert result.code == 2
    assert "index --full" in result.err


# Verifies REQ-CLI-007.
def test_status_names_what_is_stale(run: Run, project: Path) -> None:
    index(run, project)
    (project / "shop" / "money.py").write_text("def changed() -> None: ...\n")
    (project / "shop" / "jobs.py").unlink()
    (project / "new.py").write_text("def new() -> None: ...\n")
    stale = json.loads(run("--root", project, "status", "--json").out)["stale"]
    assert stale == {"changed": ["shop/money.py"], "added": ["new.py"], "removed": ["shop/jobs.py"]}
    assert "1 changed, 1 added, 1 removed" in run("--root", project, "status").out
