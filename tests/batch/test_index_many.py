"""`index-many`, as it is installed."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from loregraph.batch.job import FAILED, PUBLISHED, Job, attempt
from loregraph.batch.listing import Listed
from loregraph.project import open_project
from tests.conftest import Repository


def index_many(folder: Path, lines: Sequence[str], *options: str, code: int = 0) -> list[dict[str, Any]]:
    """The rows of the command for a list of these lines in `folder`, published to `graphs` in there."""
    listed = folder / "list.txt"
    listed.write_text("\n".join(lines) + "\n", encoding="utf-8")
    command = [sys.executable, "-m", "loregraph", "index-many", str(listed), "--publish", str(folder / "graphs")]
    done = subprocess.run([*command, "--no-embed", "--json", *options], capture_output=True, text=True, check=False)
    assert done.returncode == code, done.stderr
    rows: list[dict[str, Any]] = json.loads(done.stdout)
    return rows


# Verifies REQ-MNY-001, REQ-MNY-002, REQ-MNY-005.
def test_each_repository_is_published_and_found_by_its_clones(three: list[Repository], tmp_path: Path) -> None:
    lines = ["# ours", "web", "api as team/api", str(three[2].root)]
    rows = index_many(tmp_path, lines)
    assert [(row["repository"], row["status"]) for row in rows] == [
        ("web", "published"),
        ("team/api", "published"),
        ("jobs", "published"),
    ]
    assert [row["commit"] for row in rows] == [one.git("rev-parse", "HEAD") for one in three]
    assert all(not (one.root / ".loregraph").exists() for one in three)
    with open_project(three[1].root, store=tmp_path / "store") as project:
        project.pull(str(tmp_path / "graphs"), name="team/api")
        assert [row.id for row in project.callers("start")] == ["api.py::serve_api"]
    three[0].write("web.py", "def other():\n    return 2\n")
    three[0].commit("second")
    again = index_many(tmp_path, lines)
    assert [row["status"] for row in again] == ["published", "present", "present"]


# Verifies REQ-MNY-003, REQ-MNY-004.
def test_what_fails_is_reported_and_does_not_stop_the_others(three: list[Repository], tmp_path: Path) -> None:
    (tmp_path / "plain").mkdir()
    rows = index_many(tmp_path, ["web", "api no-such-branch", "plain", "jobs"], "--retries", "0", code=3)
    assert [row["status"] for row in rows] == ["published", "failed", "failed", "published"]
    assert "has no no-such-branch" in rows[1]["error"]
    assert "git ls-remote failed" in rows[2]["error"]


# Verifies REQ-MNY-003.
def test_a_job_without_memory_fails_alone(three: list[Repository], tmp_path: Path) -> None:
    url = str(tmp_path / "graphs")
    starved, fed = (
        attempt(Job(Listed(str(one.root), name=one.root.name), url, embed=False, memory=memory))
        for one, memory in ((three[0], 96 << 20), (three[1], 0))
    )
    assert (starved.status, starved.again) == (FAILED, True)
    assert "memory" in starved.error
    assert fed.status == PUBLISHED


# Verifies REQ-MNY-001.
def test_two_sources_are_not_published_under_one_name(three: list[Repository], tmp_path: Path) -> None:
    listed = tmp_path / "list.txt"
    listed.write_text("web as shop\napi as shop\n", encoding="utf-8")
    command = [sys.executable, "-m", "loregraph", "index-many", str(listed), "--publish", str(tmp_path / "graphs")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "would both be published as 'shop'" in done.stderr
    assert not (tmp_path / "graphs").exists()
