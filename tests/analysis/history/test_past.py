"""What commits changed, as git tells it: renames, merges, mass edits, shallow and partial clones, and what is new."""

from __future__ import annotations

from pathlib import Path

import pytest

from loregraph.analysis.history import log, past
from loregraph.analysis.history.line_map import LINES
from loregraph.analysis.history.past import Past, PastCommit
from loregraph.git import GitRefusal, ask_git
from tests.conftest import Repository

BODY = "def total(cart):\n    rows = list(cart)\n    return sum(rows)\n"


def lines_of(commit: PastCommit) -> list[tuple[int, int]]:
    return [(first % LINES, last % LINES) for first, last in zip(commit.lines[::2], commit.lines[1::2], strict=True)]


def by_name(found: Past) -> dict[str, PastCommit]:
    return {commit.name: commit for commit in found.commits}


def test_lines_are_those_of_today(repository: Repository) -> None:
    repository.write("a.py", BODY)
    first = repository.commit()
    repository.write("a.py", BODY.replace("sum(rows)", "sum(rows) * 2"))
    second = repository.commit()
    repository.write("a.py", "import os\n\n\n" + BODY.replace("sum(rows)", "sum(rows) * 2"))
    third = repository.commit()
    found = past.past(repository.root)
    commits = by_name(found)
    assert (found.head, found.files, found.limited, found.shallow) == (third, ["a.py"], False, False)
    assert lines_of(commits[second]) == [(6, 6)]
    assert lines_of(commits[third]) == [(1, 1)]
    assert (commits[first].kind, commits[first].lines) == ("first", [])


def test_a_renamed_file_keeps_its_commits(repository: Repository) -> None:
    repository.commit()
    repository.write("old name.py", BODY)
    added = repository.commit()
    (repository.root / "src").mkdir()
    repository.git("mv", "old name.py", "src/ä\t.py")
    repository.commit()
    found = past.past(repository.root)
    assert found.files == ["src/ä\t.py"]
    assert (by_name(found)[added].files, lines_of(by_name(found)[added])) == ([0], [(1, 3)])


def test_merges_and_mass_edits_are_left_out_but_followed(
    repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(past, "MOST_FILES", 3)
    repository.write("a.py", BODY)
    repository.commit()
    repository.git("checkout", "-q", "-b", "side")
    repository.write("a.py", BODY.replace("list(cart)", "sorted(cart)"))
    side = repository.commit()
    repository.git("checkout", "-q", "-")
    repository.write("b.py", "x = 1\n")
    repository.commit()
    repository.git("merge", "-q", "--no-ff", "-m", "merge", "side")
    merge = repository.git("rev-parse", "HEAD")
    for name in "acde":
        text = (repository.root / f"{name}.py").read_text() if name == "a" else ""
        repository.write(f"{name}.py", "# A licence.\n" + text)
    mass = repository.commit()
    commits = by_name(past.past(repository.root))
    assert (commits[merge].kind, commits[mass].kind) == ("merge", "mass")
    assert not commits[mass].lines
    assert lines_of(commits[side]) == [(3, 3)]


def test_below_a_folder_there_is_what_is_below_it(repository: Repository) -> None:
    repository.commit()
    repository.write("inner/a.py", BODY)
    repository.write("outer.py", BODY)
    repository.commit()
    found = past.past(repository.root / "inner")
    assert found.files == ["a.py"]
    assert [commit.files for commit in found.commits if not commit.kind] == [[0]]


def test_no_more_than_so_many_commits_and_bytes(repository: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(5):
        repository.write("a.py", f"x = {number}\n")
        repository.commit()
    monkeypatch.setattr(past, "MOST_COMMITS", 3)
    found = past.past(repository.root)
    assert (len(found.commits), found.limited) == (3, True)
    monkeypatch.setattr(past, "MOST_BYTES", 200)
    found = past.past(repository.root)
    assert (len(found.commits), found.limited) == (1, True)


def test_too_large_a_difference_is_told_without_its_lines(
    repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    repository.write("a.py", BODY)
    repository.write("b.py", BODY)
    repository.commit()
    repository.replace("a.py", "sum", "max")
    small = repository.commit()
    repository.write("b.py", "".join(f"x = {number}\n" for number in range(500)))
    large = repository.commit()
    monkeypatch.setattr(log, "MOST_BYTES", 1_000)
    commits = by_name(past.past(repository.root))
    assert (commits[large].kind, commits[small].kind, lines_of(commits[small])) == ("unread", "", [(3, 3)])


def test_a_large_file_counts_as_binary(repository: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(log, "LARGEST_FILE", 100)
    repository.write("a.py", "x\n" * 200)
    repository.commit()
    repository.write("a.py", "y\n" * 200)
    commit = repository.commit()
    assert by_name(past.past(repository.root))[commit].lines == []


def test_a_shallow_clone_says_so(repository: Repository, tmp_path: Path) -> None:
    for number in range(4):
        repository.write("a.py", f"x = {number}\n")
        repository.commit()
    clone = tmp_path / "clone"
    repository.git("clone", "-q", "--depth", "2", f"file://{repository.root}", str(clone))
    found = past.past(clone)
    assert found.shallow
    assert [commit.kind for commit in found.commits] == ["", "first"]


def test_a_content_that_a_partial_clone_lacks_costs_that_commit(repository: Repository) -> None:
    repository.write("a.py", BODY)
    repository.write("b.py", BODY)
    repository.commit()
    repository.replace("b.py", "sum", "max")
    before = repository.commit()
    repository.write("a.py", "missing\n")
    lost = repository.commit()
    blob = repository.git("rev-parse", "HEAD:a.py")
    repository.write("a.py", BODY)
    repository.commit()
    (repository.root / ".git" / "objects" / blob[:2] / blob[2:]).unlink()
    commits = by_name(past.past(repository.root))
    assert commits[lost].kind == "unread"
    assert lines_of(commits[before]) == [(3, 3)]


@pytest.mark.parametrize("commits", [0, None])
def test_without_commits_or_a_repository_there_is_a_reason(
    repository: Repository, tmp_path: Path, commits: int | None
) -> None:
    found = past.past(repository.root if commits == 0 else tmp_path)
    assert found.refusal
    assert not found.commits


def test_new_commits_on_top_give_what_reading_everything_gives(repository: Repository) -> None:
    repository.write("a.py", BODY)
    repository.write("b.py", BODY)
    repository.commit()
    repository.replace("b.py", "sum", "max")
    repository.commit()
    repository.replace("a.py", "list", "sorted")
    repository.commit()
    known = past.past(repository.root)
    repository.git("mv", "b.py", "c.py")
    repository.write("a.py", "import os\n" + BODY.replace("list", "sorted"))
    repository.commit()
    repository.write("a.py", "import os\n" + BODY.replace("list", "sorted").replace("    return sum(rows)\n", ""))
    repository.commit()
    assert past.continued(repository.root, known) == past.past(repository.root)


def test_after_a_merge_or_a_rewritten_commit_everything_is_read(repository: Repository) -> None:
    repository.write("a.py", BODY)
    repository.commit()
    known = past.past(repository.root)
    repository.git("commit", "-q", "--amend", "-m", "other")
    assert past.continued(repository.root, known) is None


def test_a_long_answer_of_git_is_refused_and_a_long_question_read(repository: Repository) -> None:
    repository.write("a.py", "x = 1\n" * 50_000)
    commit = repository.commit()
    long = ask_git(repository.root, ["cat-file", "blob", f"{commit}:a.py"], most=1_000)
    assert isinstance(long, GitRefusal) and long.long
    names = b"HEAD:a.py\n" * 50_000
    answer = ask_git(repository.root, ["cat-file", "--batch-check=%(objectsize)"], given=names, most=10_000_000)
    assert answer == b"300000\n" * 50_000
    wrong = ask_git(repository.root, ["cat-file", "blob", "nothing"], most=1_000)
    assert isinstance(wrong, GitRefusal) and not wrong.long and "nothing" in wrong.reason
