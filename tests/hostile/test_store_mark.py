"""A store that came with the files: not believed, built again, and said so."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import loregraph
from loregraph.errors import NotIndexedError, StoreError
from loregraph.graph import ownership
from loregraph.graph.generation import CURRENT, STATE, StoreFolder, sealed
from loregraph.project import Project

from ..conftest import Repository

CODE = "def hidden():\n    return helper()\n\n\ndef helper():\n    return 1\n"


@pytest.fixture(autouse=True)
def home(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("home")
    monkeypatch.setenv("LOREGRAPH_HOME", str(folder / "data"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(folder / "config"))
    return folder / "data"


@pytest.fixture
def root(repository: Repository) -> Path:
    repository.write("shop.py", CODE)
    repository.commit()
    return repository.root


def store_of(root: Path) -> Path:
    return root / ".loregraph"


def index(root: Path, **options: str) -> list[str]:
    """Indexes; what was said of the store."""
    with Project(root, **options) as project:
        report = project.index(embed=False, jobs=1)
    return [problem.message for problem in report.problems if "built again" in problem.message]


def callers(root: Path) -> list[str]:
    with Project(root) as project:
        return [hit.id for hit in project.callers("helper")]


def somebody_elses(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, root: Path) -> None:
    """Indexes `root` as another user does, with a data folder of their own."""
    with monkeypatch.context() as patch:
        patch.setenv("LOREGRAPH_HOME", str(tmp_path / "another"))
        index(root)


def forged(root: Path) -> None:
    """Makes the graph say what the source does not: the caller is gone."""
    source = (root / "shop.py").read_text()
    status = (root / "shop.py").stat()
    (root / "shop.py").write_text(source.replace("helper()\n\n", "111111()\n\n"))
    index(root)
    (root / "shop.py").write_text(source)
    os.utime(root / "shop.py", ns=(status.st_atime_ns, status.st_mtime_ns))


# Verifies REQ-SEC-007.
def test_a_committed_store_is_built_again_and_that_is_said(
    root: Path, repository: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setenv("LOREGRAPH_HOME", str(tmp_path / "attacker"))
        forged(root)
        assert callers(root) == []
    repository.git("add", "-f", ".loregraph")
    repository.commit()
    clone = tmp_path / "clone"
    repository.git("clone", "-q", str(root), str(clone))
    with pytest.raises(NotIndexedError, match=r"not believed.*came with the files"):
        callers(clone)
    with Project(clone) as project:
        assert not project.status().indexed
        assert any("not believed" in remark for remark in project.status().remarks)
        assert [check.status for check in project.doctor() if check.name == "store"] == ["warning"]
        assert project.index(dry_run=True).files.indexed == 1
    assert len(index(clone)) == 1
    assert callers(clone) == ["shop.py::hidden"]
    assert index(clone) == []
    assert callers(clone) == ["shop.py::hidden"], "ours is believed, although git tracks what was there before"


def test_a_checkout_over_a_store_of_ours_is_seen(root: Path, repository: Repository) -> None:
    index(root)
    before = {file: file.read_bytes() for file in store_of(root).rglob("*.bin")}
    repository.git("add", "-f", *map(str, before), str(store_of(root) / CURRENT))
    repository.git("commit", "-q", "-m", "x")
    assert not callers_or_none(root)
    assert len(index(root)) == 1
    assert callers(root) == ["shop.py::hidden"]
    [columns] = store_of(root).glob("generation-*/columns.bin")
    content = columns.read_bytes()
    columns.unlink()
    columns.write_bytes(content)
    assert not callers_or_none(root), "even the same content is not what we wrote"


def callers_or_none(root: Path) -> list[str] | None:
    try:
        return callers(root)
    except NotIndexedError:
        return None


def test_an_index_of_git_that_changed_otherwise_is_no_reason(root: Path, repository: Repository) -> None:
    index(root)
    repository.write("fixtures/old/.loregraph/current", "{}")
    repository.git("add", "-f", "fixtures")
    repository.commit()
    assert callers(root) == ["shop.py::hidden"]
    assert index(root) == []


@pytest.mark.parametrize("version", ["2", "4"])
def test_every_version_of_gits_index_is_understood(root: Path, repository: Repository, version: str) -> None:
    repository.git("update-index", "--index-version", version)
    assert not ownership.is_tracked(store_of(root))
    repository.write(".loregraph/current", "{}")
    repository.git("add", "-f", ".loregraph/current")
    assert ownership.is_tracked(store_of(root))


def test_a_split_index_and_another_case_are_understood(
    root: Path, repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    repository.git("update-index", "--split-index")
    assert not ownership.is_tracked(store_of(root))
    repository.write(".LoreGraph/current", "{}")
    repository.git("add", "-f", ".LoreGraph/current")
    assert not ownership.is_tracked(store_of(root)), "another folder, where case counts"
    monkeypatch.setattr("os.path.lexists", lambda path: True)
    assert ownership.is_tracked(store_of(root))


def test_a_store_in_a_worktree_is_looked_up_in_the_worktrees_index(
    root: Path, repository: Repository, tmp_path: Path
) -> None:
    repository.git("worktree", "add", "-q", str(tmp_path / "tree"))
    tree = tmp_path / "tree"
    index(tree)
    assert callers(tree) == ["shop.py::hidden"]
    subprocess.run(["git", "add", "-f", ".loregraph/current"], cwd=tree, check=True)
    assert ownership.is_tracked(store_of(tree))
    assert not ownership.is_tracked(store_of(root))


# Verifies REQ-SEC-007.
def test_an_unpacked_store_of_another_is_not_believed(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    somebody_elses(monkeypatch, tmp_path, root)
    with pytest.raises(NotIndexedError, match="not believed"):
        callers(root)
    assert len(index(root)) == 1
    assert callers(root) == ["shop.py::hidden"]


def test_a_copy_is_built_again_and_a_moved_project_keeps_its_store(root: Path, tmp_path: Path) -> None:
    index(root)
    shutil.copytree(root, tmp_path / "copy")
    assert callers_or_none(tmp_path / "copy") is None
    assert len(index(tmp_path / "copy")) == 1
    root.rename(tmp_path / "moved")
    assert callers(tmp_path / "moved") == ["shop.py::hidden"]
    assert index(tmp_path / "moved") == []


def test_a_store_of_before_is_built_again_once(root: Path) -> None:
    index(root)
    (store_of(root) / "owner").unlink()
    current = json.loads((store_of(root) / CURRENT).read_bytes())
    del current["store_id"]
    (store_of(root) / CURRENT).write_bytes(sealed(json.dumps(current).encode()))
    assert callers_or_none(root) is None
    assert len(index(root)) == 1
    assert index(root) == []
    assert callers(root) == ["shop.py::hidden"]


def test_a_single_file_of_another_store_is_seen(root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    other = tmp_path / "other"
    shutil.copytree(root, other)
    somebody_elses(monkeypatch, tmp_path, other)
    index(root)
    ours = (store_of(root) / CURRENT).read_bytes()
    (store_of(root) / CURRENT).write_bytes((store_of(other) / CURRENT).read_bytes())
    assert callers_or_none(root) is None
    (store_of(root) / CURRENT).write_bytes(ours)
    assert callers(root) == ["shop.py::hidden"]
    shutil.copy(store_of(other) / STATE, store_of(root) / STATE)
    with Project(root) as project:
        assert project.stale().added == ("shop.py",), "nothing of the other's state is believed"
        report = project.index(embed=False, jobs=1)
    assert report.files.indexed == 1
    assert any("not this store's" in problem.message for problem in report.problems)


@pytest.mark.parametrize("change", ["seal", "folder", "store_id"])
def test_a_mark_that_was_changed_is_none(root: Path, change: str) -> None:
    index(root)
    owner = json.loads((store_of(root) / "owner").read_bytes())
    owner[change] = owner[change] + 1 if isinstance(owner[change], int) else owner[change][::-1]
    (store_of(root) / "owner").write_text(json.dumps(owner))
    assert callers_or_none(root) is None


def test_what_is_removed_is_loregraphs_and_no_link_is_followed(root: Path, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "precious").write_text("x")
    store = store_of(root)
    store.mkdir()
    (store / "write.lock").touch()
    (store / CURRENT).symlink_to(outside / "precious")
    (store / STATE).symlink_to(outside / "precious")
    (store / "generation-1").symlink_to(outside)
    (store / "owner").symlink_to(outside / "precious")
    (store / "notes.txt").write_text("mine")
    assert len(index(root)) == 1
    assert callers(root) == ["shop.py::hidden"]
    assert (outside / "precious").read_text() == "x"
    assert [entry.name for entry in outside.iterdir()] == ["precious"]
    assert (store / "notes.txt").read_text() == "mine"


def test_a_linked_store_is_not_read(root: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    shutil.copytree(root, other)
    index(other)
    store_of(root).symlink_to(store_of(other))
    for ask in (callers, index):
        with pytest.raises(StoreError, match="is a link"):
            ask(root)
    assert callers(other) == ["shop.py::hidden"]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes with names here")
def test_a_pipe_in_the_place_of_a_file_hangs_nobody(root: Path) -> None:
    store_of(root).mkdir()
    os.mkfifo(store_of(root) / CURRENT)
    os.mkfifo(store_of(root) / "owner")
    (store_of(root) / "write.lock").touch()
    assert callers_or_none(root) is None
    assert len(index(root)) == 1


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root gives files away")
@pytest.mark.parametrize("name", ["", CURRENT])
def test_what_another_user_owns_is_not_believed(root: Path, name: str) -> None:
    index(root)
    os.chown(store_of(root) / name, 65534, 65534)
    with pytest.raises(NotIndexedError, match="another user"):
        callers(root)


# Verifies REQ-SEC-003, REQ-SEC-007.
def test_a_cache_is_believed_where_the_environment_says_so_and_is_ours_after_the_next_index(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    somebody_elses(monkeypatch, tmp_path, root)
    monkeypatch.setenv("LOREGRAPH_TRUST", "1")
    assert callers(root) == ["shop.py::hidden"]
    with Project(root) as project:
        report = project.index(embed=False, jobs=1)
    assert (report.files.indexed, report.problems) == (0, ())
    monkeypatch.delenv("LOREGRAPH_TRUST")
    assert callers(root) == ["shop.py::hidden"]
    assert index(root) == []


# Verifies REQ-SEC-003.
def test_a_store_is_believed_once_its_user_has_said_yes_to_this_one(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    somebody_elses(monkeypatch, tmp_path, root)
    command = [sys.executable, "-m", "loregraph", "--root", str(root), "trust", "--json"]
    asked = json.loads(subprocess.run(command, capture_output=True, check=True).stdout)["asks"]
    assert [(row["kind"], row["name"]) for row in asked] == [("store", str(store_of(root)))]
    assert callers_or_none(root) is None, "showing it is no yes"
    subprocess.run([*command, "--yes"], capture_output=True, check=True)
    assert callers(root) == ["shop.py::hidden"]
    current = store_of(root) / CURRENT
    other = {**json.loads(current.read_bytes()), "loregraph_version": "0"}
    current.write_bytes(sealed(json.dumps(other).encode()))
    assert callers_or_none(root) is None, "another content is asked about again"
    subprocess.run([*command, "--yes"], capture_output=True, check=True)
    assert index(root) == []
    subprocess.run([*command, "--revoke"], capture_output=True, check=True)
    assert callers(root) == ["shop.py::hidden"], "the next index has made it this user's own"


def test_a_store_elsewhere_is_known_by_its_mark_too(root: Path, tmp_path: Path) -> None:
    with Project(root, store=tmp_path / "store") as project:
        project.index(embed=False, jobs=1)
        assert project.callers("helper")
    link = tmp_path / "link"
    link.symlink_to(tmp_path / "store")
    with Project(root, store=link) as project:
        assert project.callers("helper"), "a link that the user names is the user's"
    (tmp_path / "store" / "owner").unlink()
    with Project(root, store=tmp_path / "store") as project, pytest.raises(NotIndexedError):
        project.callers("helper")


@pytest.fixture
def no_home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("LOREGRAPH_HOME", str(tmp_path / "file" / "data"))


@pytest.mark.usefixtures("no_home")
def test_without_a_folder_for_the_key_a_store_is_known_by_its_own_files(root: Path, tmp_path: Path) -> None:
    with Project(root) as project:
        report = project.index(embed=False, jobs=1)
    assert [p.message for p in report.problems if "no key can be kept" in p.message]
    assert callers(root) == ["shop.py::hidden"]
    with Project(root) as project:
        assert project.index(embed=False, jobs=1).files.unchanged == 1
    shutil.copytree(root, tmp_path / "copy")
    assert callers_or_none(tmp_path / "copy") is None
    anchor = store_of(root) / "owner.anchor"
    anchor.unlink()
    anchor.touch()
    assert callers_or_none(root) is None


def test_the_command_line_says_it(root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, home: Path) -> None:
    somebody_elses(monkeypatch, tmp_path, root)

    def run(*words: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "loregraph", "--root", str(root), *words]
        return subprocess.run(command, capture_output=True, text=True, check=False)

    asked = run("callers", "helper")
    assert (asked.returncode, asked.stdout) == (2, "")
    assert "not believed" in asked.stderr and "loregraph index" in asked.stderr
    made = run("index", "--no-embed")
    assert made.returncode == 0
    assert made.stdout.count("it is built again") == 1
    assert "shop.py" in run("callers", "helper").stdout
    assert oct((home / ownership.KEY_FILE).stat().st_mode & 0o777) == "0o600"


def test_a_reader_writes_nothing(root: Path) -> None:
    index(root)
    before = {path: path.stat().st_mtime_ns for path in [store_of(root), *store_of(root).rglob("*")]}
    callers(root)
    assert {path: path.stat().st_mtime_ns for path in [store_of(root), *store_of(root).rglob("*")]} == before


def test_a_killed_writer_loses_no_state(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real: Callable[..., object] = StoreFolder.publish

    def killed(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(StoreFolder, "publish", killed)
    with pytest.raises(KeyboardInterrupt):
        index(root)
    monkeypatch.setattr(StoreFolder, "publish", real)
    with loregraph.open(root) as project:
        assert project.index(embed=False, jobs=1).files.unchanged == 1
