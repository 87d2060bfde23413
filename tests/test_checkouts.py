"""A checkout is asked about itself, whatever is indexed around it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import loregraph
from loregraph.errors import NotIndexedError
from loregraph.indexer.build import reuse

from .conftest import Repository

OUTER = "def load():\n    return 1\n\n\ndef outer():\n    return load()\n"
INNER = "def load():\n    return 2\n\n\ndef inner():\n    return load()\n"


def callers(folder: Path, **options: object) -> list[str]:
    with loregraph.open(folder, **options) as project:  # type: ignore[arg-type]
        return [hit.id for hit in project.callers("app.py::load")]


def index(folder: Path, **options: object) -> int:
    with loregraph.open(folder, **options) as project:  # type: ignore[arg-type]
        return project.index(embed=False, jobs=1).files.indexed


@pytest.fixture
def outer(repository: Repository) -> Repository:
    repository.write("app.py", OUTER)
    repository.commit()
    index(repository.root)
    assert callers(repository.root) == ["app.py::outer"]
    return repository


def is_its_own(folder: Path) -> None:
    """Not indexed yet it answers nothing; then it answers for itself, and from any folder in it."""
    (folder / "app.py").write_text(INNER)
    (folder / "pkg").mkdir()
    with pytest.raises(NotIndexedError):
        callers(folder / "pkg")
    index(folder / "pkg")
    assert (folder / ".loregraph").is_dir()
    assert callers(folder / "pkg") == callers(folder) == ["app.py::inner"]


# Verifies REQ-IDX-002.
def test_a_worktree_inside_an_indexed_checkout(outer: Repository) -> None:
    worktree = outer.root / ".claude" / "worktrees" / "w"
    outer.git("worktree", "add", "-q", str(worktree))
    is_its_own(worktree)
    assert callers(outer.root) == ["app.py::outer"]


def test_a_worktree_takes_the_graph_of_its_repository(
    repository: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LOREGRAPH_CACHE", "true")
    monkeypatch.setenv("LOREGRAPH_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setattr(reuse, "LEAST_FILES", 1)
    repository.write("app.py", OUTER)
    repository.commit()
    resolved = []
    for folder in (repository.root, repository.root / "tree"):
        if not folder.exists():
            repository.git("worktree", "add", "-q", str(folder))
        with loregraph.open(folder) as project:
            resolved.append(project.index(embed=False, jobs=1).resolved)
        assert callers(folder) == ["app.py::outer"]
    assert resolved == [1, 0]


def test_a_submodule_of_an_indexed_checkout(outer: Repository, tmp_path: Path) -> None:
    library = tmp_path / "library"
    library.mkdir()
    made = Repository(library)
    made.git("init", "-q")
    made.write("app.py", OUTER)
    made.commit()
    outer.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", str(library), "vendored")
    is_its_own(outer.root / "vendored")
    assert callers(outer.root) == ["app.py::outer"]


def test_worktrees_of_a_bare_repository(outer: Repository, tmp_path: Path) -> None:
    bare = tmp_path / "work" / ".bare"
    outer.git("clone", "-q", "--bare", str(outer.root), str(bare))
    for name in ("main", "other"):
        Repository(bare).git("worktree", "add", "-q", "-b", f"b-{name}", str(bare.parent / name))
    index(bare.parent / "main")
    assert callers(bare.parent / "main") == ["app.py::outer"]
    is_its_own(bare.parent / "other")
    inside = bare / "kept-here"
    Repository(bare).git("worktree", "add", "-q", "-b", "b-inside", str(inside))
    is_its_own(inside)


def test_a_hook_s_repository_is_not_the_one_that_is_asked_about(
    outer: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = tmp_path / "other"
    other.mkdir()
    Repository(other).git("init", "-q")
    (other / "app.py").write_text(INNER)
    monkeypatch.setenv("GIT_DIR", str(outer.root / ".git"))
    monkeypatch.setenv("GIT_WORK_TREE", str(outer.root))
    monkeypatch.setenv("GIT_INDEX_FILE", str(outer.root / ".git" / "index"))
    assert index(other) == 1
    assert callers(other) == ["app.py::inner"]
    assert callers(outer.root) == ["app.py::outer"]


def test_a_store_elsewhere(outer: Repository, tmp_path: Path) -> None:
    worktree = outer.root / "trees" / "w"
    outer.git("worktree", "add", "-q", str(worktree))
    (worktree / "app.py").write_text(INNER)
    store = tmp_path / "stores" / "w"
    index(worktree, store=store)
    assert callers(worktree, store=store) == ["app.py::inner"]
    assert not (worktree / ".loregraph").exists()
    with pytest.raises(NotIndexedError):
        callers(worktree)


def test_the_command_line_in_a_worktree(outer: Repository) -> None:
    worktree = outer.root / ".claude" / "worktrees" / "w"
    outer.git("worktree", "add", "-q", str(worktree))
    command = [sys.executable, "-m", "loregraph", "callers", "app.py::load", "--json"]
    done = subprocess.run(command, cwd=worktree, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert str(worktree) in done.stderr
