"""What changed since a revision, as git says it."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from loregraph.errors import UsageError
from loregraph.git import WHOLE_FILE, ChangedFile, changed_lines, commit_of, file_at, files_at, head, run_git

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")


@pytest.fixture(autouse=True)
def _own_identity(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(tmp_path / "gitconfig"))
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    for role in ("AUTHOR", "COMMITTER"):
        monkeypatch.setenv(f"GIT_{role}_NAME", "A")
        monkeypatch.setenv(f"GIT_{role}_EMAIL", "a@example.com")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "repository"
    folder.mkdir()
    git(folder, "init", "-q")
    return folder


def git(folder: Path, *arguments: str) -> str:
    done = subprocess.run(["git", *arguments], cwd=folder, check=True, capture_output=True, text=True)
    return done.stdout.strip()


def write(root: Path, path: str, text: str) -> None:
    (root / path).parent.mkdir(parents=True, exist_ok=True)
    (root / path).write_text(text, encoding="utf-8")


def commit(root: Path, message: str = "x") -> str:
    git(root, "add", "-A")
    git(root, "commit", "-q", "--allow-empty", "-m", message)
    return git(root, "rev-parse", "HEAD")


def lines(*numbers: int) -> str:
    return "".join(f"line {number}\n" for number in numbers)


def test_lines_that_changed_on_both_sides(root: Path) -> None:
    write(root, "a.py", lines(*range(1, 11)))
    commit(root)
    write(root, "a.py", lines(1) + "new\nnew\n" + lines(3, 4, 5, 6, 8, 9) + "last\n" + lines(10))
    assert changed_lines(root, "HEAD") == {
        "a.py": ChangedFile("M", "a.py", ((2, 2), (7, 7), (9, 9)), ((2, 3), (7, 7), (10, 10)))
    }


def test_a_removal_stands_at_the_line_before_it(root: Path) -> None:
    write(root, "a.py", lines(1, 2, 3, 4))
    commit(root)
    write(root, "a.py", lines(2, 4))
    assert changed_lines(root, "HEAD")["a.py"] == ChangedFile("M", "a.py", ((1, 1), (3, 3)), ((0, 0), (1, 1)))


def test_added_removed_and_renamed_files_committed_or_not(root: Path) -> None:
    write(root, "old.py", lines(*range(1, 30)))
    write(root, "gone.py", "gone\n")
    base = commit(root)
    write(root, "committed.py", "x\n")
    git(root, "mv", "old.py", "new.py")
    git(root, "rm", "-q", "gone.py")
    commit(root)
    write(root, "new.py", lines(*range(1, 29)) + "changed\n")
    write(root, "staged.py", "x\n")
    git(root, "add", "staged.py")
    write(root, "untracked/file.py", "x\n")
    write(root, ".gitignore", "ignored.py\n")
    write(root, "ignored.py", "x\n")
    assert changed_lines(root, base) == {
        ".gitignore": ChangedFile("A", "", (), WHOLE_FILE),
        "committed.py": ChangedFile("A", "", (), WHOLE_FILE),
        "gone.py": ChangedFile("D", "gone.py", WHOLE_FILE, ()),
        "new.py": ChangedFile("R", "old.py", ((29, 29),), ((29, 29),)),
        "staged.py": ChangedFile("A", "", (), WHOLE_FILE),
        "untracked/file.py": ChangedFile("A", "", (), WHOLE_FILE),
    }


def test_a_file_that_git_stopped_tracking_and_one_that_became_a_link(root: Path) -> None:
    write(root, "kept.py", "x\n")
    write(root, "link.py", "y\n")
    commit(root)
    git(root, "rm", "-q", "--cached", "kept.py")
    (root / "link.py").unlink()
    (root / "link.py").symlink_to("kept.py")
    found = changed_lines(root, "HEAD")
    assert found["kept.py"] == ChangedFile("M", "kept.py", WHOLE_FILE, WHOLE_FILE)
    assert found["link.py"] == ChangedFile("M", "link.py", WHOLE_FILE, WHOLE_FILE)


def test_paths_are_relative_to_a_root_beneath_the_repository(root: Path) -> None:
    write(root, "outside.py", "x\n")
    write(root, "part/a.py", "x\n")
    write(root, "part/moved_in.py", "")
    commit(root)
    for path in ("outside.py", "part/a.py", "part/b.py"):
        write(root, path, "y\n")
    assert list(changed_lines(root / "part", "HEAD")) == ["a.py", "b.py"]
    assert file_at(root / "part", "HEAD", "a.py") == b"x\n"
    assert file_at(root / "part", "HEAD", "outside.py") is None


@pytest.mark.parametrize(
    "name",
    [
        "with space.py",
        "tab\there.py",
        'quo"te.py',
        "back\\slash.py",
        "nöch.py",
        "new\nline.py",
        " b/lead.py",
        "a b/a b.py",
        "-rf.py",
    ],
)
def test_odd_file_names(root: Path, name: str) -> None:
    write(root, name, "x\n")
    write(root, "empty " + name, "")
    commit(root)
    write(root, name, "y\n")
    (root / ("empty " + name)).chmod(0o755)
    found = changed_lines(root, "HEAD")
    assert found[name] == ChangedFile("M", name, ((1, 1),), ((1, 1),))
    assert found["empty " + name].new_ranges == ()
    assert file_at(root, "HEAD", name) == b"x\n"
    (root / name).unlink()
    assert changed_lines(root, "HEAD")[name].status == "D"


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such names")
def test_names_that_are_not_utf8_are_left_out(root: Path) -> None:
    write(root, "a.py", "x\n")
    try:
        (root / os.fsdecode(b"caf\xe9.py")).write_text("x\n")
    except OSError:
        pytest.skip("the file system has UTF-8 names only")
    commit(root)
    write(root, "a.py", "y\n")
    (root / os.fsdecode(b"caf\xe9.py")).write_text("y\n")
    (root / os.fsdecode(b"t\xe9.py")).write_text("y\n")
    assert list(changed_lines(root, "HEAD")) == ["a.py"]


def test_content_that_looks_like_a_header(root: Path) -> None:
    write(root, "a.sql", "-- a/x\n@@ -1 +1 @@\nkept\n")
    commit(root)
    write(root, "a.sql", "++ b/x\ndiff --git a/x b/x\nkept\n-- tail\n")
    assert changed_lines(root, "HEAD") == {"a.sql": ChangedFile("M", "a.sql", ((1, 2), (3, 3)), ((1, 2), (4, 4)))}


def test_no_newline_at_the_end_and_binary_files(root: Path) -> None:
    write(root, "a.py", "x\ny")
    (root / "b.bin").write_bytes(b"\0\1")
    commit(root)
    write(root, "a.py", "x\nz")
    (root / "b.bin").write_bytes(b"\0\2")
    found = changed_lines(root, "HEAD")
    assert found["a.py"] == ChangedFile("M", "a.py", ((2, 2),), ((2, 2),))
    assert found["b.bin"] == ChangedFile("M", "b.bin", WHOLE_FILE, WHOLE_FILE)


def test_what_a_configuration_says_does_not_count(root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(root, ".gitattributes", "*.py diff=noisy\n")
    write(root, "a.py", lines(*range(1, 9)))
    commit(root)
    trap = tmp_path / "trap"
    for key, value in {
        "core.pager": f"touch {trap}",
        "core.fsmonitor": f"touch {trap}",
        "diff.external": f"touch {trap}",
        "diff.noisy.command": f"touch {trap}",
        "diff.noisy.textconv": f"touch {trap}; cat",
        "diff.noprefix": "true",
        "diff.mnemonicPrefix": "true",
        "diff.context": "5",
        "diff.interHunkContext": "9",
        "diff.relative": "false",
        "color.ui": "always",
    }.items():
        git(root, "config", key, value)
    monkeypatch.setenv("GIT_EXTERNAL_DIFF", f"touch {trap}")
    monkeypatch.setenv("GIT_DIFF_OPTS", "-u7")
    write(root, "a.py", "new\n" + lines(2, 3, 4, 5, 6, 7) + "new\n")
    found = changed_lines(root, "HEAD")
    assert found == {"a.py": ChangedFile("M", "a.py", ((1, 1), (8, 8)), ((1, 1), (8, 8)))}
    assert not trap.exists()


@pytest.mark.parametrize(
    "rev", ["--output=stolen", "-O", "", "nowhere", "HEAD~1..HEAD", "HEAD:a.py", "HEAD\nHEAD", "HEAD\0"]
)
def test_what_is_no_revision_is_refused(root: Path, rev: str) -> None:
    write(root, "a.py", "x\n")
    commit(root)
    for call in (lambda: changed_lines(root, rev), lambda: file_at(root, rev, "a.py")):
        with pytest.raises(UsageError, match="knows no revision") as caught:
            call()
        assert caught.value.suggestion
    assert sorted(path.name for path in root.iterdir()) == [".git", "a.py"]


def test_hints_say_what_to_do(root: Path, tmp_path: Path) -> None:
    with pytest.raises(UsageError) as caught:
        commit_of(root, "HEAD")
    assert "no commit yet" in caught.value.suggestion
    assert head(root) is None
    first = commit(root)
    assert head(root) == first
    commit(root)
    git(tmp_path, "clone", "-q", "--depth", "1", root.as_uri(), "shallow")
    with pytest.raises(UsageError) as caught:
        commit_of(tmp_path / "shallow", first)
    assert "fetch-depth: 0" in caught.value.suggestion
    (tmp_path / "plain").mkdir()
    with pytest.raises(UsageError, match="in no git repository") as caught:
        changed_lines(tmp_path / "plain", "HEAD")
    assert "git checkout" in caught.value.suggestion
    with pytest.raises(UsageError) as caught:
        commit_of(root, "HEAD~1..HEAD")
    assert "rather than a range" in caught.value.suggestion


def test_three_dots_mean_where_the_work_began(root: Path) -> None:
    write(root, "a.py", "x\n")
    base = commit(root)
    git(root, "checkout", "-q", "-b", "work")
    write(root, "mine.py", "x\n")
    mine = commit(root)
    git(root, "checkout", "-q", "-b", "theirs", base)
    write(root, "theirs.py", "not mine\n")
    commit(root)
    git(root, "checkout", "-q", "work")
    assert commit_of(root, "theirs...") == base
    assert commit_of(root, "theirs...work") == base
    assert list(changed_lines(root, "theirs...")) == ["mine.py"]
    assert list(changed_lines(root, "theirs")) == ["mine.py", "theirs.py"]
    assert commit_of(root, "work") == mine


def test_files_as_they_were(root: Path) -> None:
    write(root, "a.py", "old\n")
    write(root, "folder/b c.py", "")
    write(root, "12 34", "numbers\n")
    base = commit(root)
    write(root, "a.py", "new\n")
    asked = ["a.py", "absent 3 4.py", "folder", "folder/b c.py", "12 34", "absent 12"]
    assert files_at(root, base, asked) == {"a.py": b"old\n", "folder/b c.py": b"", "12 34": b"numbers\n"}
    assert files_at(root, base, []) == {}


def test_git_that_is_not_there(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    commit(root)
    monkeypatch.setenv("PATH", str(root))
    assert run_git(root, "log") is None
    with pytest.raises(UsageError, match="git is not installed"):
        changed_lines(root, "HEAD")
