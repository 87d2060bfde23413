"""Which files a project has, in every state that a folder can be in."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from loregraph.config import Settings
from loregraph.errors import ConfigError, GitTooSlowError, UsageError
from loregraph.indexer.discover.files import Discovery, discover
from loregraph.indexer.discover.walk import walk
from loregraph.indexer.languages import registry

needs_git = pytest.mark.skipif(shutil.which("git") is None, reason="asks git")


@pytest.fixture(autouse=True)
def _git_alone(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """git without the machine's configuration; repositories around the temporary folder do not count."""
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    monkeypatch.setenv("GIT_CONFIG_SYSTEM", os.devnull)
    for name in ("AUTHOR", "COMMITTER"):
        monkeypatch.setenv(f"GIT_{name}_NAME", "a")
        monkeypatch.setenv(f"GIT_{name}_EMAIL", "a@b")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    return folder


def git(folder: Path, *arguments: str) -> None:
    subprocess.run(["git", "-c", "protocol.file.allow=always", *arguments], cwd=folder, check=True, capture_output=True)


def write(root: Path, *paths: str, text: str = "x = 1\n") -> None:
    for path in paths:
        file = root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)


def names(found: Discovery) -> list[str]:
    return [file.path for file in found.files]


def messages(found: Discovery) -> dict[str, str]:
    return {problem.path: problem.message for problem in found.problems}


def in_git(root: Path) -> None:
    git(root, "init", "-q")


def in_plain(_: Path) -> None:
    return


both = pytest.mark.parametrize(
    "prepare", [pytest.param(in_git, marks=needs_git, id="git"), pytest.param(in_plain, id="walk")]
)
Prepare = Callable[[Path], None]


@both
def test_files_with_their_facts(root: Path, prepare: Prepare) -> None:
    prepare(root)
    write(root, "b/m.py", "a.py", "README.md", "logo.png", "Makefile")
    os.utime(root / "a.py", ns=(5, 1_700_000_000_123_456_789))
    found = discover(root, Settings())
    assert names(found) == ["README.md", "a.py", "b/m.py"]
    first = found.files[1]
    assert (first.size, first.stamp.mtime_ns, first.language) == (6, 1_700_000_000_123_456_789, "python")
    assert found.problems == ()
    assert found.used_git is (prepare is in_git)


# Verifies REQ-IDX-003.
@both
def test_ignored_files_and_folders_that_are_nobodys_source(root: Path, prepare: Prepare) -> None:
    prepare(root)
    write(root, "a.py", "gen/x.py", "keep/gen.py", "node_modules/p/i.js", "p/node_modules/q.js", "__pycache__/c.py")
    write(root, ".loregraph/x.py", "env/pyvenv.cfg", "env/lib/y.py", "jquery.min.js", "sub/local.py", "sub/kept.py")
    write(root, ".gitignore", text="gen/\n")
    write(root, "sub/.gitignore", text="/local.py\n")
    assert names(discover(root, Settings())) == ["a.py", "jquery.min.js", "keep/gen.py", "sub/kept.py"]


@both
def test_an_empty_project(root: Path, prepare: Prepare) -> None:
    prepare(root)
    found = discover(root, Settings())
    assert (found.files, found.paths, found.problems, found.unsupported) == ((), (), (), {})


# Verifies REQ-IDX-004.
@both
def test_links_are_not_followed(root: Path, tmp_path: Path, prepare: Prepare) -> None:
    prepare(root)
    write(root, "real/a.py")
    write(tmp_path, "outside/secret.py")
    (root / "loop").symlink_to(root)
    (root / "real" / "up").symlink_to("..")
    (root / "same.py").symlink_to("real/a.py")
    (root / "gone.py").symlink_to("nowhere.py")
    (root / "self.py").symlink_to("self.py")
    (root / "out").symlink_to(tmp_path / "outside")
    (root / "out.py").symlink_to(tmp_path / "outside" / "secret.py")
    found = discover(root, Settings())
    assert names(found) == ["real/a.py"]
    assert "link out of the project" in messages(found)["out.py"]
    assert set(messages(found)) <= {"out.py", "out"}


@both
def test_what_is_no_regular_file(root: Path, prepare: Prepare) -> None:
    prepare(root)
    write(root, "package.py/inner.py")
    os.mkfifo(root / "pipe.py")
    found = discover(root, Settings())
    assert names(found) == ["package.py/inner.py"]
    # git does not list a FIFO at all.
    assert set(messages(found)) <= {"pipe.py"}
    if prepare is in_plain:
        assert messages(found)["pipe.py"] == "not a regular file"


@both
def test_names_that_are_not_utf8(root: Path, prepare: Prepare) -> None:
    prepare(root)
    write(root, "größe.py", "a b\n.py")
    raw = os.fsencode(root)
    try:
        Path(os.fsdecode(raw + b"/caf\xe9.py")).touch()
    except OSError:
        pytest.skip("the file system takes Unicode names only")
    found = discover(root, Settings())
    assert names(found) == ["a b\n.py", "größe.py"]
    assert messages(found) == {"caf\\xe9.py": "the file's name is not UTF-8; left out"}


def test_unreadable_folder(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(root, "a.py", "locked/b.py")
    real = os.scandir

    def scandir(path: str) -> object:
        if str(path).rstrip("/").endswith("locked"):
            raise PermissionError(13, "Permission denied")
        return real(path)

    monkeypatch.setattr("loregraph.indexer.discover.walk.os.scandir", scandir)
    found = discover(root, Settings())
    assert names(found) == ["a.py"]
    assert messages(found) == {"locked": "cannot be listed: Permission denied"}


def test_a_file_that_cannot_be_looked_at(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(root, "a.py", "b.py")
    real = os.lstat

    def lstat(path: str) -> os.stat_result:
        if str(path).endswith("b.py"):
            raise PermissionError(13, "Permission denied")
        return real(path)

    monkeypatch.setattr("loregraph.indexer.discover.files.os.lstat", lstat)
    found = discover(root, Settings())
    assert names(found) == ["a.py"]
    assert messages(found) == {"b.py": "cannot be looked at: Permission denied"}


@pytest.mark.parametrize("name", ["none", "a\0b"])
def test_a_path_that_does_not_exist(root: Path, name: str) -> None:
    with pytest.raises(UsageError, match="does not exist"):
        discover(root / name, Settings())


def test_a_file_instead_of_a_folder(root: Path) -> None:
    write(root, "a.py")
    with pytest.raises(UsageError, match="is a file") as caught:
        discover(root / "a.py", Settings())
    assert str(root) in caught.value.suggestion


@needs_git
def test_a_bare_repository(root: Path) -> None:
    git(root, "init", "-q", "--bare")
    with pytest.raises(UsageError, match="bare git repository"):
        discover(root, Settings())


@needs_git
def test_a_bare_repository_inside(root: Path) -> None:
    write(root, "a.py", "mirror.git/hooks/x.py")
    git(root / "mirror.git", "init", "-q", "--bare")
    assert names(discover(root, Settings())) == ["a.py"]


@needs_git
def test_tracked_and_deleted_is_gone_and_staged_is_there(root: Path) -> None:
    in_git(root)
    write(root, "a.py", "b.py", ".gitignore", "forced.log.py")
    write(root, ".gitignore", text="forced*\n")
    git(root, "add", "-f", "a.py", "b.py", "forced.log.py")
    (root / "b.py").unlink()
    found = discover(root, Settings())
    assert names(found) == ["a.py", "forced.log.py"]
    assert found.problems == ()


@needs_git
def test_a_folder_of_a_repository(root: Path) -> None:
    in_git(root)
    write(root, "top.py", "sub/a.py", "sub/b.py", "sub/skip.py")
    write(root, ".gitignore", text="skip.py\n")
    git(root, "add", "sub/a.py")
    found = discover(root / "sub", Settings())
    assert names(found) == ["a.py", "b.py"]
    assert found.used_git


@needs_git
def test_a_folder_that_its_repository_ignores(root: Path) -> None:
    in_git(root)
    write(root, "build/a.py")
    write(root, ".gitignore", text="build\n*.py\n")
    found = discover(root / "build", Settings())
    assert names(found) == ["a.py"]


@needs_git
def test_submodules_and_nested_repositories(root: Path, tmp_path: Path) -> None:
    library = tmp_path / "library"
    write(library, "lib.py")
    write(library, ".gitignore", text="local.py\n")
    git(library, "init", "-q")
    git(library, "add", "lib.py", ".gitignore")
    git(library, "commit", "-qm", "x")
    in_git(root)
    write(root, "a.py")
    git(root, "submodule", "add", "-q", str(library), "deps/library")
    write(root, "deps/library/local.py", "deps/library/new.py")
    git(root, "clone", "-q", str(library), "clone")
    git(root, "clone", "-q", str(library), "dotted.name")
    git(root, "add", "dotted.name")
    found = discover(root, Settings())
    assert names(found) == ["a.py", "clone/lib.py", "deps/library/lib.py", "deps/library/new.py", "dotted.name/lib.py"]
    # One that is declared but not checked out has no files.
    shutil.rmtree(root / "deps" / "library")
    (root / "deps" / "library").mkdir()
    assert names(discover(root, Settings())) == ["a.py", "clone/lib.py", "dotted.name/lib.py"]


@needs_git
def test_a_worktree(root: Path, tmp_path: Path) -> None:
    in_git(root)
    write(root, "a.py")
    git(root, "add", ".")
    git(root, "commit", "-qm", "x")
    git(root, "worktree", "add", "-q", str(tmp_path / "other"))
    found = discover(tmp_path / "other", Settings())
    assert names(found) == ["a.py"]
    assert found.used_git


# Verifies REQ-IDX-028.
@needs_git
def test_a_worktree_inside_is_not_part_of_the_project(root: Path) -> None:
    in_git(root)
    write(root, "a.py")
    git(root, "add", ".")
    git(root, "commit", "-qm", "x")
    git(root, "worktree", "add", "-q", str(root / "inside"))
    write(root, "inside/b.py")
    assert names(discover(root, Settings())) == ["a.py"]
    assert names(discover(root / "inside", Settings())) == ["a.py", "b.py"]
    assert sorted(walk(root, [], rules_above=True)) == ["a.py"]


@needs_git
def test_a_merge_conflict_lists_a_file_once(root: Path) -> None:
    in_git(root)
    write(root, "a.py")
    git(root, "add", ".")
    git(root, "commit", "-qm", "one")
    git(root, "checkout", "-qb", "other")
    write(root, "a.py", text="x = 2\n")
    git(root, "commit", "-qam", "two")
    git(root, "checkout", "-q", "-")
    write(root, "a.py", text="x = 3\n")
    git(root, "commit", "-qam", "three")
    with pytest.raises(subprocess.CalledProcessError):
        git(root, "merge", "other")
    assert names(discover(root, Settings())) == ["a.py"]


@needs_git
def test_a_repository_that_git_refuses(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    in_git(root)
    write(root, "a.py", "gen/b.py")
    write(root, ".gitignore", text="gen\n")
    # What git's own tests use to make every repository someone else's.
    monkeypatch.setenv("GIT_TEST_ASSUME_DIFFERENT_OWNER", "1")
    found = discover(root, Settings())
    assert names(found) == ["a.py"]
    assert not found.used_git
    assert "dubious ownership" in messages(found)["."]


@needs_git
def test_rules_of_the_refused_repository_around_a_folder(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    in_git(root)
    write(root, "sub/a.py", "sub/gen/b.py", "sub/deep/c.py", "sub/private.py")
    write(root, ".gitignore", text="/sub/gen\n/deep\n")
    write(root, ".git/info/exclude", text="private.py\n")
    monkeypatch.setenv("GIT_TEST_ASSUME_DIFFERENT_OWNER", "1")
    assert names(discover(root / "sub", Settings())) == ["a.py", "deep/c.py"]


def test_without_git(root: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    write(root, "a.py", ".git/HEAD")
    monkeypatch.setenv("PATH", str(tmp_path))
    found = discover(root, Settings())
    assert names(found) == ["a.py"]
    assert "git is not installed" in messages(found)["."]


@needs_git
def test_git_that_hangs(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    in_git(root)
    write(root, "a.py")

    def hang(*_: object, **__: object) -> None:
        raise subprocess.TimeoutExpired("git", 60)

    monkeypatch.setattr("loregraph.orphans.run", hang)
    with pytest.raises(GitTooSlowError, match="timed out"):  # other files than git's would be another graph
        discover(root, Settings())


@needs_git
def test_the_variables_of_a_running_hook_do_not_count(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    in_git(root)
    write(root, "a.py")
    (tmp_path / "elsewhere").mkdir()
    git(tmp_path / "elsewhere", "init", "-q")
    monkeypatch.setenv("GIT_DIR", str(tmp_path / "elsewhere" / ".git"))
    monkeypatch.setenv("GIT_INDEX_FILE", "nothing")
    found = discover(root, Settings())
    assert names(found) == ["a.py"]
    assert found.used_git


@needs_git
def test_listing_runs_nothing_that_the_repository_configures(root: Path, tmp_path: Path) -> None:
    in_git(root)
    write(root, "a.py")
    git(root, "add", ".")
    git(root, "config", "core.fsmonitor", f"touch {tmp_path}/ran; false")
    discover(root, Settings())
    assert not (tmp_path / "ran").exists()


def test_what_builds_write_without_git(root: Path) -> None:
    write(root, "rust/Cargo.toml", "rust/target/x.rs", "rust/src/target/y.rs", "js/package.json", "js/dist/x.js")
    write(root, "py/build/kept.py", "cs/a.csproj", "cs/obj/x.cs", "cs/A.cs", "cache/CACHEDIR.TAG", "cache/x.py")
    found = names(discover(root, Settings()))
    assert found == ["cs/A.cs", "js/package.json", "py/build/kept.py", "rust/Cargo.toml", "rust/src/target/y.rs"]


def test_include_and_exclude(root: Path) -> None:
    write(root, "src/a.py", "src/gen/b.py", "docs/c.md", "pyproject.toml", "d.py")
    found = discover(root, Settings(include=("src/", "*.md"), exclude=("gen/",)))
    assert names(found) == ["docs/c.md", "src/a.py"]
    # The layout needs packaging files whatever is included.
    assert found.paths == ("docs/c.md", "pyproject.toml", "src/a.py")


def test_a_pattern_that_is_none(root: Path) -> None:
    with pytest.raises(ConfigError, match="include"):
        discover(root, Settings(include=("!",)))


def test_languages(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "SUPPORTED", registry.SUPPORTED - {"lua", "scala"})
    write(root, "a.py", "b.ts", "c.tsx", "d.go", "e.md", "f.lua", "g.lua", "h.scala")
    assert discover(root, Settings()).unsupported == {"lua": 2, "scala": 1}
    found = discover(root, Settings(languages=("typescript",)))
    assert names(found) == ["b.ts", "c.tsx", "e.md"]
    assert found.unsupported == {}
    with pytest.raises(ConfigError, match="unknown language 'klingon'"):
        discover(root, Settings(languages=("klingon",)))


def test_scripts_without_an_extension(root: Path) -> None:
    write(root, "tool", "data", text="#!/usr/bin/env python3\n")
    write(root, "text", "empty", text="")
    for name in ("tool", "text", "empty"):
        (root / name).chmod(0o755)
    found = discover(root, Settings())
    assert [(file.path, file.language) for file in found.files] == [("tool", "python")]


def test_a_store_elsewhere_in_the_project_is_no_source(root: Path) -> None:
    write(root, "a.py", "cache/lore/x.py")
    assert names(discover(root, Settings(store="cache/lore"))) == ["a.py"]
    assert names(discover(root, Settings(store="."))) == ["a.py", "cache/lore/x.py"]


def _languages(root: Path) -> dict[str, str]:
    return {file.path: file.language for file in discover(root, Settings()).files}


def test_headers_of_a_c_project(root: Path) -> None:
    write(root, "a.c", "a.h")
    write(root, "odd.h", text="class Foo;\n")
    assert _languages(root) == {"a.c": "c", "a.h": "c", "odd.h": "c"}


def test_headers_of_a_cpp_project(root: Path) -> None:
    write(root, "a.cpp", "include/a.h")
    assert _languages(root)["include/a.h"] == "cpp"


def test_headers_of_a_mixed_project(root: Path) -> None:
    write(root, "c/a.c", "c/b.c", "c/plain.h", "cpp/a.cc", "cpp/plain.h", "other/plain.h", "c/deep/plain.h")
    write(root, "c/wrapper.h", text="namespace x {\n}\n")
    found = _languages(root)
    assert {path: language for path, language in found.items() if path.endswith(".h")} == {
        "c/deep/plain.h": "c",
        "c/plain.h": "c",
        "c/wrapper.h": "cpp",
        "cpp/plain.h": "cpp",
        "other/plain.h": "c",
    }


def test_headers_alone(root: Path) -> None:
    write(root, "a.h", text="int f(void);\n")
    write(root, "b.h", text="template <class T> T f(T);\n")
    assert _languages(root) == {"a.h": "c", "b.h": "cpp"}
