"""`loregraph.open` and what it gives."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

import loregraph
from loregraph.errors import ConfigError, NotFoundError, NotIndexedError, PathOutsideProjectError, UsageError
from loregraph.project import Project

SOURCE = '''
def helper(value):
    """Adds one to a value."""
    return value + 1


def main():
    return helper(1)
'''


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    (folder / "src").mkdir(parents=True)
    (folder / "src" / "app.py").write_text(SOURCE)
    return folder


@pytest.fixture
def indexed(root: Path) -> Path:
    with Project(root, embedder="none") as project:
        project.index(jobs=1)
    return root


def test_open_finds_the_project_around_a_folder(indexed: Path) -> None:
    with loregraph.open(indexed / "src") as project:
        assert project.root == indexed
        assert [hit.id for hit in project.callers("helper")] == ["src/app.py::main"]


def test_open_refuses_what_is_no_folder(root: Path) -> None:
    with pytest.raises(UsageError):
        loregraph.open(root / "nosuch")


def test_settings_override_and_unknown_ones_are_refused(root: Path) -> None:
    assert loregraph.open(root, query_limit=5).settings.query.limit == 5
    with pytest.raises(ConfigError, match="embeder"):
        loregraph.open(root, embeder="none")


def test_the_store_can_lie_elsewhere(root: Path, tmp_path: Path) -> None:
    with loregraph.open(root, store=tmp_path / "store", embedder="none") as project:
        project.index(jobs=1)
    assert not (root / ".loregraph").exists()
    with loregraph.open(root, store=tmp_path / "store") as project:
        assert project.callees("main")[0].id == "src/app.py::helper"


def test_reading_before_the_first_index(root: Path) -> None:
    with loregraph.open(root) as project, pytest.raises(NotIndexedError):
        project.search("anything")


def test_an_open_project_sees_what_another_one_indexes(indexed: Path) -> None:
    with loregraph.open(indexed) as reading, Project(indexed, embedder="none") as writing:
        with pytest.raises(NotFoundError):
            reading.callers("added")
        with (indexed / "src" / "app.py").open("a") as file:
            file.write("\n\ndef added():\n    return main()\n\n\nadded()\n")
        writing.index(jobs=1)
        assert [hit.id for hit in reading.callers("added")] == ["src/app.py"]
        assert reading.query("MATCH (f {name: 'added'}) RETURN f.id AS id") == [{"id": "src/app.py::added"}]


def test_query_rows(indexed: Path) -> None:
    with loregraph.open(indexed) as project:
        rows = project.query("MATCH (f:Function) RETURN f.name AS name ORDER BY name", limit=1)
    assert rows == [{"name": "helper"}]
    assert rows.columns == ["name"]
    assert rows.truncated


def test_paths_are_kept_inside_the_root(indexed: Path, tmp_path: Path) -> None:
    project = loregraph.open(indexed)
    (indexed / "link").symlink_to(tmp_path)
    assert project.inside(indexed / "src" / "app.py") == "src/app.py"
    for outside in (tmp_path, indexed / ".." / "x", indexed / "link" / "x"):
        with pytest.raises(PathOutsideProjectError):
            project.inside(outside)


def test_a_touched_file_is_not_stale(indexed: Path) -> None:
    file = indexed / "src" / "app.py"
    file.write_bytes(file.read_bytes())
    with loregraph.open(indexed) as project:
        stale = project.status().stale
        assert (stale.changed, stale.added, stale.removed) == ((), (), ())
        file.write_text("def other(): ...\n")
        assert project.status().stale.changed == ("src/app.py",)


def test_an_unknown_format_is_refused(indexed: Path) -> None:
    with loregraph.open(indexed) as project, pytest.raises(UsageError, match="sql"):
        project.export("sql")


def test_progress_is_told(root: Path) -> None:
    phases = []
    with Project(root, embedder="none") as project:
        project.index(jobs=1, progress=lambda progress: phases.append(progress.phase))
    assert phases[0] == "discover"
    assert {"extract", "resolve", "store"} <= set(phases)


# Verifies REQ-IDX-018.
def test_watch_reports_the_runs_that_changed_something(indexed: Path) -> None:
    file = indexed / "src" / "app.py"
    with Project(indexed, embedder="none") as project:
        reports = project.watch(jobs=1)
        seen = [next(reports)]
        # The next run is the one that finds nothing new since the first: only then it listens.
        threading.Timer(0.2, lambda: file.write_text(SOURCE + "\n\ndef added():\n    pass\n")).start()
        seen.append(next(reports))
        (indexed / "ignored.bin").write_bytes(b"\0")
        file.unlink()
        (indexed / "other.py").write_text("def other():\n    pass\n")
        seen.append(next(reports))
        reports.close()
    assert [(r.files.indexed, r.files.removed, r.functions) for r in seen] == [(0, 0, 2), (1, 0, 3), (1, 1, 1)]


def test_status_says_of_how_many_calls_nobody_knows_what_they_reach(root: Path) -> None:
    (root / "src" / "loose.py").write_text(
        "import app\n\n\ndef run(thing):\n    app.main()\n    len(thing)\n    thing.go()\n"
    )
    with Project(root, embedder="none") as project:
        project.index(jobs=1)
        first = project.status()
        assert (first.calls.resolved, first.calls.external, first.calls.unresolved) == (2, 1, 1)
        assert first.unresolved == {"src/loose.py": 1}
        (root / "src" / "app.py").write_text(f"# moved by a line\n{SOURCE}")
        project.index(jobs=1)
        assert project.status().calls == first.calls
