"""Another content under the same size and time stamp is seen; another stamp over the same content costs a look."""

from __future__ import annotations

import os
import shutil
import time
from pathlib import Path

import pytest

from loregraph.indexer import pipeline
from loregraph.indexer.build import plan, state_update
from loregraph.project import Project
from loregraph.stamps import RACY_NS, Stamp

from ..stores import adopted

BEFORE = "def before():\n    pass\n"
AFTER = "def behind():\n    pass\n"
LONG_AGO = 1_600_000_000_123_456_789


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project that was indexed when its files had long been as they are."""
    root = tmp_path / "project"
    root.mkdir()
    for name in ("a.py", "b.py", "go.mod"):
        (root / name).write_text("module a\n" if name == "go.mod" else BEFORE)
        os.utime(root / name, ns=(LONG_AGO, LONG_AGO))
    late = 1 << 61
    monkeypatch.setattr(time, "time_ns", lambda: late)
    with Project(root) as project:
        project.index(embed=False)
    monkeypatch.undo()
    assert names(root) == {"before"}
    return root


def names(root: Path) -> set[str]:
    with Project(root) as project:
        project.index()
        columns = project.reader().columns
        return {columns.name(node) for node in columns.nodes("Function").tolist()}


def stale(root: Path) -> tuple[str, ...]:
    with Project(root) as project:
        return project.stale().changed


def overwritten(file: Path) -> None:
    status = file.stat()
    file.write_text(AFTER)
    os.utime(file, ns=(status.st_atime_ns, status.st_mtime_ns))


def swapped(file: Path) -> None:
    other = file.with_name("other")
    other.write_text(AFTER)
    shutil.copystat(file, other)
    other.replace(file)


def copied_over(file: Path) -> None:
    """`cp -p` of a file of the same size and time."""
    other = file.parent.parent / "other"
    other.write_text(AFTER)
    os.utime(other, ns=(LONG_AGO, LONG_AGO))
    shutil.copy2(other, file)


# Verifies REQ-SEC-016.
@pytest.mark.parametrize("change", [overwritten, swapped, copied_over])
def test_another_content_under_the_same_size_and_time_is_indexed(root: Path, change: object) -> None:
    file = root / "a.py"
    size, time = file.stat().st_size, file.stat().st_mtime_ns
    change(file)  # type: ignore[operator]
    assert (file.stat().st_size, file.stat().st_mtime_ns) == (size, time)
    assert stale(root) == ("a.py",)
    with Project(root) as project:
        assert project.index(dry_run=True).files.indexed == 1
    assert names(root) == {"before", "behind"}
    assert stale(root) == ()


def test_two_files_that_change_places_are_indexed(root: Path) -> None:
    overwritten(root / "b.py")
    assert names(root) == {"before", "behind"}
    (root / "a.py").rename(root / "c")
    (root / "b.py").rename(root / "a.py")
    (root / "c").rename(root / "b.py")
    assert stale(root) == ("a.py", "b.py")
    with Project(root) as project:
        project.index(embed=False)


# Verifies REQ-SEC-016.
@pytest.mark.parametrize("how", ["mode", "moved", "copied", "touched"])
def test_another_stamp_over_the_same_content_extracts_nothing(
    root: Path, how: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Project(root) as project:
        generation = project.index().generation
    if how == "mode":
        for file in root.iterdir():
            file.chmod(0o700)
    elif how == "touched":
        for file in root.glob("*.*"):
            os.utime(file)
    else:
        there = root.with_name("elsewhere")
        if how == "moved":
            root.rename(there)
        else:
            shutil.copytree(root, there)
            adopted(there)
        root = there
    asked: list[str] = []
    extract_all = state_update.extract_all

    def spy(base: Path, tasks: object, *rest: object, **more: object) -> None:
        asked.extend(task.path for task, _ in tasks)  # type: ignore[attr-defined]
        extract_all(base, tasks, *rest, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(state_update, "extract_all", spy)
    assert stale(root) == ()
    with Project(root) as project:
        report = project.index()
        assert (report.files.indexed, report.files.unchanged) == (0, 2)
        assert report.generation == generation + (how in ("moved", "copied"))  # whose journal is another
    assert set(asked) <= {"a.py", "b.py"}


def test_a_file_that_is_as_young_as_the_run_is_not_believed(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both saves in one tick of the clock: nothing of the stamp differs, which only a fake can do in time."""
    same = Stamp(1, 10**18 + 5, 10**18 + 5, 3)
    assert not same.is_settled(same.mtime_ns)
    assert not same.is_settled(same.mtime_ns + RACY_NS)
    assert same.is_settled(same.mtime_ns + RACY_NS + 1)
    assert not Stamp(1, 5, 10**18 + 5, 3).is_settled(10**18 + 6), "a restored time"
    assert not Stamp(1, 10**18, 10**18, 3).is_settled(10**18 + 10**9), "a file system of whole seconds"
    assert Stamp(1, 10**18, 10**18, 3).is_settled(10**18 + 3 * 10**9)
    young = (root / "a.py").stat().st_ctime_ns
    (root / "a.py").write_text(BEFORE)
    monkeypatch.setattr(time, "time_ns", lambda: (root / "a.py").stat().st_ctime_ns + 1)
    with Project(root) as project:
        project.index()
        state = pipeline.State.open_read_only(project.store.state_path)
        assert state is not None
        assert list(state.racy()) == ["a.py"]
        files = state.files()
        file = next(f for f in pipeline.discover(root, project.settings).files if f.path == "a.py")
        assert file.stamp == files["a.py"].stamp
        assert file.stamp.ctime_ns > young
        assert not plan.is_known(file, files["a.py"], plan.read_times(state, files))
        state.close()


def test_a_packaging_file_counts_by_its_content(root: Path) -> None:
    with Project(root) as project:
        generation = project.index().generation
        os.utime(root / "go.mod")
        assert project.index().generation == generation
        status = (root / "go.mod").stat()
        (root / "go.mod").write_text("module b\n")
        os.utime(root / "go.mod", ns=(status.st_atime_ns, status.st_mtime_ns))
        assert project.index().generation > generation
