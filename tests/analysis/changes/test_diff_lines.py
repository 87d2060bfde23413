"""The lines of present files that a diff changes."""

from __future__ import annotations

import pytest

from loregraph.analysis.changes.diff_lines import MOST_CHARACTERS, MOST_HUNKS, lines_of_diff
from loregraph.errors import UsageError

FILES = {
    "app.py": b"one\ntwo\nthree\nfour\nfive\nsix\n",
    "new_name.py": b"a\nb\nc\n",
    "there.py": b"made\n",
    "notes.md": b"notes\n",
}
CHANGE = """\
--- a/app.py
+++ b/app.py
@@ -2,4 +2,4 @@
 two
-three
+drei
 four
-five
+fuenf
"""
DONE = CHANGE.replace("-three\n+drei", "-drei\n+three").replace("-five\n+fuenf", "-fuenf\n+five")
ADDED = "--- a/app.py\n+++ b/app.py\n@@ -4,2 +4,3 @@\n four\n+four and a half\n five\n"


def ranges(diff: str) -> dict[str, tuple[tuple[int, int], ...]]:
    changes = lines_of_diff(diff, FILES.get, lambda path: path != "notes.md")
    return {path: change.new_ranges for path, change in changes.items()}


def test_a_proposed_diff_gives_the_lines_that_it_replaces() -> None:
    assert ranges(CHANGE) == {"app.py": ((3, 3), (5, 5))}
    assert ranges(ADDED) == {"app.py": ((4, 4),)}


def test_a_diff_that_was_made_gives_the_lines_that_it_made() -> None:
    assert ranges(DONE) == {"app.py": ((3, 3), (5, 5))}


def test_hunks_are_found_where_their_lines_are() -> None:
    assert ranges(CHANGE.replace("@@ -2,4 +2,4 @@", "@@ -40,4 +40,4 @@")) == {"app.py": ((3, 3), (5, 5))}


def test_two_parts_of_one_file_are_one_change() -> None:
    assert ranges(CHANGE + ADDED) == {"app.py": ((3, 3), (4, 4), (5, 5))}


def test_renamed_removed_and_new_files() -> None:
    renamed = "diff --git a/old.py b/new_name.py\nrename from old.py\nrename to new_name.py\n"
    assert ranges(renamed + "--- a/old.py\n+++ b/new_name.py\n@@ -1,3 +1,3 @@\n a\n-x\n+b\n c\n") == {
        "new_name.py": ((2, 2),)
    }
    assert ranges("--- a/app.py\n+++ /dev/null\n@@ -1 +0,0 @@\n-one\n") == {"app.py": ((1, 7),)}
    assert ranges("--- /dev/null\n+++ b/made.py\n@@ -0,0 +1 @@\n+x\n") == {}
    assert ranges("--- /dev/null\n+++ b/there.py\n@@ -0,0 +1 @@\n+made\n") == {"there.py": ((1, 1),)}


def test_files_without_code_need_not_fit() -> None:
    assert ranges(CHANGE + CHANGE.replace("app.py", "notes.md")) == ranges(CHANGE)


@pytest.mark.parametrize(
    ("diff", "said"),
    [
        ("", "not a unified diff"),
        ("I would change app.py", "not a unified diff"),
        ("x" * (MOST_CHARACTERS + 1), "longer than"),
        ("--- a/app.py\n+++ b/app.py\n" + "@@ -1 +1 @@\n-one\n+eins\n" * (MOST_HUNKS + 1), "places in 1 files"),
        ("diff --git a/x.png b/x.png\nBinary files a/x.png and b/x.png differ\n", "binary"),
        (CHANGE.replace("two", "zwei"), "does not fit 'app.py' near line 2"),
        (CHANGE.replace("app.py", "none.py"), "'none.py', which is not there"),
        (CHANGE.replace("app.py", "a\0b.py"), "no file can have"),
    ],
)
def test_what_is_refused(diff: str, said: str) -> None:
    with pytest.raises(UsageError, match=said) as refused:
        ranges(diff)
    assert refused.value.suggestion
