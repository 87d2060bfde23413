"""Changes of a project are collected into batches, by one process of all."""

from __future__ import annotations

import itertools
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from loregraph import file_system, watching
from loregraph.config import load_settings
from loregraph.graph.generation import StoreFolder
from loregraph.graph.watch_turn import followed_by
from loregraph.project import Project
from loregraph.watching import Watching

SECONDS = 20.0
"""A test that waits so long has failed."""


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("watched")
    (root / "pkg").mkdir()
    (root / "ignored").mkdir()
    (root / ".gitignore").write_text("ignored/\n*.log\n", encoding="utf-8")
    (root / "pkg" / "a.py").write_text("def first():\n    pass\n", encoding="utf-8")
    with Project(root, embedder="none") as project:
        project.index(jobs=1)
    return root


@pytest.fixture
def root(made: Path) -> Iterator[Path]:
    """The indexed project; what a test adds is removed again."""
    before = {path: path.read_bytes() for path in made.rglob("*.py")}
    yield made
    for path in [path for path in made.rglob("*") if path.suffix in (".py", ".log") and ".loregraph" not in path.parts]:
        path.unlink()
    for path, content in before.items():
        path.write_bytes(content)


def watching_of(root: Path) -> Watching:
    return Watching(root, store_of(root), lambda: load_settings(root), "serve", needs_graph=True)


def store_of(root: Path) -> StoreFolder:
    return StoreFolder(root / ".loregraph", root)


def succeed(watched: Watching) -> None:
    watched.done(0.01)


class Follower:
    """A thread that takes the batches of a `Watching`; `run` is what it does with each."""

    def __init__(self, root: Path, run: Callable[[Watching], None]) -> None:
        self.watching = watching_of(root)
        self.batches: list[frozenset[str]] = []
        self.over = False
        self._changed = threading.Condition()
        self._run = run
        self.thread = threading.Thread(target=self._follow, daemon=True)
        self.thread.start()

    def _follow(self) -> None:
        for paths in self.watching.batches():
            with self._changed:
                self.batches.append(paths)
                self._changed.notify_all()
            self._run(self.watching)
        self.over = True

    def wait(self, number: int) -> list[frozenset[str]]:
        """The batches, once there are so many."""
        with self._changed:
            assert self._changed.wait_for(lambda: len(self.batches) >= number, SECONDS), self.batches
        return self.batches

    def wait_idle(self) -> None:
        until(lambda: self.watching.note() is not None and self.watching.is_idle)


def until(condition: Callable[[], object]) -> None:
    end = time.monotonic() + SECONDS
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.01)


@contextmanager
def following(root: Path, run: Callable[[Watching], None] = succeed) -> Iterator[Follower]:
    one = Follower(root, run)
    try:
        yield one
    finally:
        one.watching.stop()
        one.thread.join(SECONDS)


# Verifies REQ-IDX-018.
def test_a_save_is_a_batch_and_ignored_files_are_none(root: Path) -> None:
    with following(root) as one:
        assert one.wait(1) == [frozenset()]
        one.wait_idle()
        (root / "ignored" / "b.py").write_text("x = 1\n", encoding="utf-8")
        (root / "run.log").write_text("x\n", encoding="utf-8")
        (root / "pkg" / "a.py").write_text("def second():\n    pass\n", encoding="utf-8")
        assert one.wait(2)[1] == {"pkg/a.py"}
        one.wait_idle()
        (root / "pkg" / "a.py").unlink()
        assert one.wait(3)[2] == {"pkg/a.py"}
    assert one.over


def test_a_new_folder_is_watched_with_what_is_in_it(root: Path) -> None:
    with following(root) as one:
        one.wait(1)
        one.wait_idle()
        (root / "new" / "inner").mkdir(parents=True, exist_ok=True)
        one.wait(2)
        one.wait_idle()
        number = len(one.batches)
        (root / "new" / "inner" / "c.py").write_text("def third():\n    pass\n", encoding="utf-8")
        assert "new/inner/c.py" in one.wait(number + 1)[-1]


def test_a_burst_is_one_batch(root: Path) -> None:
    names = {f"pkg/b{number}.py" for number in range(60)}
    with following(root) as one:
        one.wait(1)
        one.wait_idle()
        for name in sorted(names):
            (root / name).write_text("x = 1\n", encoding="utf-8")
        until(lambda: frozenset().union(*one.batches) >= names)
        assert len(one.batches) <= 3


def test_a_burst_waits_for_git(root: Path) -> None:
    (root / ".git").mkdir(exist_ok=True)
    lock = root / ".git" / "index.lock"
    with following(root) as one:
        one.wait(1)
        one.wait_idle()
        lock.touch()
        (root / "pkg" / "a.py").write_text("def second():\n    pass\n", encoding="utf-8")
        until(lambda: not one.watching.is_idle)
        time.sleep(0.2)
        assert len(one.batches) == 1
        lock.unlink()
        one.wait(2)


def test_one_of_several_follows_and_the_next_takes_over(root: Path) -> None:
    store = store_of(root)
    with following(root) as first:
        first.wait(1)
        first.wait_idle()
        with following(root) as second:
            (root / "pkg" / "a.py").write_text("def second():\n    pass\n", encoding="utf-8")
            first.wait(2)
            assert second.batches == []
            assert second.watching.note() is None
            note = followed_by(store)
            assert note is not None
            assert (note.by, note.mode) == ("serve", "events")
            first.watching.stop()
            second.wait(1)
    until(lambda: followed_by(store) is None)


def test_nothing_begins_before_there_is_a_graph(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("def first():\n    pass\n", encoding="utf-8")
    with following(tmp_path) as one:
        time.sleep(0.1)
        assert one.batches == []
        assert not (tmp_path / ".loregraph").exists()
        with Project(tmp_path, embedder="none") as project:
            project.index(jobs=1)
        one.watching.kick()
        one.wait(1)


def test_a_failed_run_is_told_and_tried_again_with_the_next_change(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watching, "BUSY_SECONDS", 0.05)
    number = itertools.count()

    def run(watched: Watching) -> None:
        if next(number) == 1:
            watched.failed("no space left")
        else:
            watched.done(0.01)

    with following(root, run) as one:
        one.wait(1)
        one.wait_idle()
        (root / "pkg" / "a.py").write_text("def second():\n    pass\n", encoding="utf-8")
        one.wait(2)
        until(lambda: (note := one.watching.note()) is not None and note.error == "no space left")
        note = one.watching.note()
        assert note is not None
        assert note.pending == ("pkg/a.py",)
        one.watching.kick()
        assert one.wait(3)[2] == {"pkg/a.py"}
        until(lambda: (note := one.watching.note()) is not None and not note.error)


def test_a_busy_store_is_waited_for(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watching, "BUSY_SECONDS", 0.05)
    number = itertools.count()

    def run(watched: Watching) -> None:
        if next(number) == 0:
            watched.failed("another process is writing", busy=True)
        else:
            watched.done(0.01)

    with following(root, run) as one:
        one.wait(2)
        one.wait_idle()


def test_files_that_never_rest_are_indexed_ever_more_rarely(root: Path) -> None:
    watched = watching_of(root)
    watched._mode = watching.EVENTS
    rests = []
    for _ in range(20):
        watched._begin()
        watched.add({"pkg/a.py"})
        watched.done(1.0)
        rests.append(round(watched._rest_until - time.monotonic(), 1))
    assert rests[: watching.FREE_RUNS] == [0, 0, 0]
    assert rests == sorted(rests)
    assert rests[-1] == watching.MOST_REST
    watched._begin()
    watched.done(1.0)
    assert watched._rest_until <= time.monotonic()


def test_where_listening_fails_files_are_looked_at(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise OSError("OS file watch limit reached.")

    monkeypatch.setattr("watchfiles._rust_notify.RustNotify", refuse)
    monkeypatch.setattr(watching, "LOOK_SECONDS", 0.0)
    with following(root) as one:
        until(lambda: (note := one.watching.note()) is not None and note.mode == watching.LOOKS)
        one.wait_idle()
        note = one.watching.note()
        assert note is not None
        assert "limit reached" in note.error
        (root / "pkg" / "a.py").write_text("def second():\n    pass\n", encoding="utf-8")
        one.watching.look()
        until(lambda: any("pkg/a.py" in batch for batch in one.batches))


def test_where_nothing_is_reported_new_files_are_found_too(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(file_system, "without_events", lambda _: "nfs4")
    with following(root) as one, following(root) as other:
        one.wait(1)
        other.wait(1)  # without reports each looks for itself
        one.wait_idle()
        (root / "pkg" / "added.py").write_text("x = 1\n", encoding="utf-8")
        one.watching.look()
        one.wait(2)
        one.wait_idle()
        one.watching.look()  # within a second
        assert len(one.batches) == 2
        assert (note := one.watching.note()) is not None and "nfs4" in note.error


def test_a_store_that_cannot_be_written_is_told_and_tried_again(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    with monkeypatch.context() as patch:
        patch.setattr(watching, "WatchTurn", refuse)
        with following(root) as one:
            until(lambda: "Permission denied" in one.watching.remark)
            assert one.watching.note() is None
            patch.undo()
            one.watching.kick()
            one.wait(1)


def test_a_removed_store_ends_it_until_there_is_one(root: Path, tmp_path: Path) -> None:
    store = store_of(root).path
    moved = tmp_path / "away"
    with following(root) as one:
        one.wait(1)
        one.wait_idle()
        store.rename(moved)
        (root / "pkg" / "a.py").write_text("def second():\n    pass\n", encoding="utf-8")
        until(lambda: one.watching.note() is None)
        assert len(one.batches) == 1
        moved.rename(store)
        one.watching.kick()
        one.wait(2)
