"""Diffs as git prints them, and as people and models write them."""

from __future__ import annotations

import pytest

from loregraph.unified_diff import FilePatch, Hunk, apply, changed_lines, parse, reversed_patch

TEXT = "".join(f"line {number}\n" for number in range(1, 11))

GIT = """\
diff --git a/app.py b/app.py
index 1111111..2222222 100644
--- a/app.py
+++ b/app.py
@@ -2,3 +2,3 @@ class App:
 line 2
-line 3
+line three
 line 4
@@ -9,0 +10 @@
+line 9.5
diff --git a/old name.py b/new name.py
similarity index 90%
rename from old name.py
rename to new name.py
diff --git a/gone.py b/gone.py
deleted file mode 100644
--- a/gone.py
+++ /dev/null
@@ -1 +0,0 @@
-x
diff --git a/made.py b/made.py
new file mode 100644
--- /dev/null
+++ b/made.py
@@ -0,0 +1,2 @@
+x
+y
\\ No newline at end of file
diff --git a/picture.png b/picture.png
index 1111111..2222222 100644
Binary files a/picture.png and b/picture.png differ
"""


def test_what_git_prints() -> None:
    assert parse(GIT) == [
        FilePatch(
            "app.py",
            "app.py",
            (
                Hunk(2, 3, 2, 3, (" line 2", "-line 3", "+line three", " line 4")),
                Hunk(9, 0, 10, 1, ("+line 9.5",)),
            ),
        ),
        FilePatch("old name.py", "new name.py", ()),
        FilePatch("gone.py", None, (Hunk(1, 1, 0, 0, ("-x",)),)),
        FilePatch(None, "made.py", (Hunk(0, 0, 1, 2, ("+x", "+y")),)),
        FilePatch("picture.png", "picture.png", (), is_binary=True),
    ]


def test_a_diff_in_prose_without_git_headers_and_with_wrong_counts() -> None:
    text = """\
Here is the fix:

```diff
--- app.py
+++ app.py
@@ -2,9 +2,9 @@
 line 2
-line 3
+line three
@@ ... @@
 line 8

+line 8.5
```

That should do.
"""
    (patch,) = parse(text)
    assert (patch.old_path, patch.new_path) == ("app.py", "app.py")
    assert [hunk.lines for hunk in patch.hunks] == [
        (" line 2", "-line 3", "+line three"),
        (" line 8", " ", "+line 8.5"),
    ]


def test_an_empty_line_between_two_files_belongs_to_neither() -> None:
    found = parse("--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n\n--- a/y\n+++ b/y\n@@ -1 +1 @@\n-a\n+b\n")
    assert [(patch.path, patch.hunks[0].lines) for patch in found] == [("x", ("-a", "+b")), ("y", ("-a", "+b"))]


@pytest.mark.parametrize(
    "text", ["", "nonsense", "+ added\n- removed\n", "--- only one header\n", "@@ -1 +1 @@\n-a\n+b\n"]
)
def test_what_is_no_diff(text: str) -> None:
    assert parse(text) == []


def test_lines_past_the_counts_still_count() -> None:
    (patch,) = parse("--- a/x\n+++ b/x\n@@ -1,1 +1,1 @@\n-a\n+b\n+c\n")
    assert patch.hunks[0].lines == ("-a", "+b", "+c")
    assert (patch.hunks[0].old_count, patch.hunks[0].new_count) == (1, 2)


def test_windows_line_ends_in_headers() -> None:
    (patch,) = parse("--- a/x.py\r\n+++ b/x.py\r\n@@ -1 +1 @@\r\n-a\r\n+b\r\n")
    assert (patch.old_path, patch.new_path) == ("x.py", "x.py")
    assert patch.hunks[0].lines == ("-a\r", "+b\r")


def test_apply_and_back() -> None:
    patch = parse(GIT)[0]
    made = apply(patch, TEXT)
    assert made == TEXT.replace("line 3", "line three").replace("line 9\n", "line 9\nline 9.5\n")
    assert apply(reversed_patch(patch), made) == TEXT


def test_a_hunk_is_found_by_its_lines_where_its_place_is_wrong() -> None:
    hunk = Hunk(40, 2, 40, 2, (" line 6", "-line 7", "+line seven"))
    assert apply(FilePatch("x", "x", (hunk,)), TEXT) == TEXT.replace("line 7", "line seven")
    twice = "a\nb\nc\na\nb\n"
    nearest = FilePatch("x", "x", (Hunk(4, 2, 4, 2, (" a", "-b", "+B")),))
    assert apply(nearest, twice) == "a\nb\nc\na\nB\n"


def test_spaces_at_line_ends_do_not_keep_a_hunk_from_fitting() -> None:
    patch = FilePatch("x", "x", (Hunk(1, 2, 1, 2, (" a", "-b", "+B")),))
    assert apply(patch, "a  \nb\t\nc\n") == "a\nB\nc\n"


def test_the_hunk_that_does_not_fit_is_named() -> None:
    good = Hunk(1, 1, 1, 1, ("-line 1", "+x"))
    bad = Hunk(5, 1, 5, 1, ("-nowhere", "+y"))
    assert apply(FilePatch("x", "x", (good, bad)), TEXT) == 1


def test_changed_lines_are_those_replaced_or_before_what_is_added() -> None:
    patch = FilePatch(
        "a",
        "a",
        (
            Hunk(2, 3, 2, 4, (" line 2", "+new", "-line 3", "+line three", " line 4", "+more")),
            Hunk(9, 2, 11, 1, (" line 9", "-line 10")),
        ),
    )
    assert changed_lines(patch, TEXT) == [(3, 4), (10, 10)]
    done = apply(patch, TEXT)
    assert isinstance(done, str)
    assert changed_lines(reversed_patch(patch), done) == [(3, 4), (6, 6), (11, 11)]
    assert changed_lines(FilePatch("a", "a", (Hunk(0, 0, 1, 1, ("+x",)),)), TEXT) == [(1, 1)]
    assert changed_lines(FilePatch("a", "a", (Hunk(1, 1, 1, 0, ("-none",)),)), TEXT) == 0


def test_a_block_is_found_in_linear_time() -> None:
    hunk = Hunk(1, 0, 1, 0, (*["-same"] * 20_000, "-other"))
    assert apply(FilePatch("a", "a", (hunk,)), "same\n" * 100_000) == 0


@pytest.mark.parametrize("start", [1, 3, 30])
def test_of_several_places_the_nearest_is_taken(start: int) -> None:
    lines = "\n".join(["x", "x", "y"] * 3)
    hunk = Hunk(start, 2, start, 2, ("-x", "+z", " y"))
    assert changed_lines(FilePatch("a", "a", (hunk,)), lines) == [{1: (2, 2), 3: (2, 2), 30: (8, 8)}[start]]
