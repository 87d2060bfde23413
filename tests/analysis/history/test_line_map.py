"""Lines of old versions and what they are today."""

from __future__ import annotations

import random

import pytest

from loregraph.analysis.history.line_map import LINES, Version, Walk, file_of
from loregraph.analysis.history.log import FileChange, Hunk


def change(path: str, *hunks: tuple[int, int, str, str], old_path: str | None = None) -> FileChange:
    """Each hunk is where it starts in the old and in the new version, and its lines there, by spaces."""
    made = [Hunk(old, new, before.encode().split(), after.encode().split()) for old, new, before, after in hunks]
    return FileChange(old_path or path, path, made)


def lines(walk: Walk, version: Version, path: str, last: int) -> list[int]:
    return [owner % LINES for owner in walk.lines(version, path).part(1, last)]


def test_what_was_not_changed_keeps_its_place() -> None:
    walk, version = Walk(["a.py"]), {}
    touched = walk.back(version, [change("a.py", (3, 4, "", "new other"))])
    assert touched.lines == [4, 5]
    assert touched.files == [0]
    assert lines(walk, version, "a.py", 6) == [1, 2, 3, 6, 7, 8]


def test_replaced_lines_are_those_that_stand_there_now() -> None:
    walk, version = Walk(["a.py"]), {}
    touched = walk.back(version, [change("a.py", (2, 2, "one two", "uno"))])
    assert touched.lines == [2]
    assert lines(walk, version, "a.py", 4) == [1, 2, 2, 3]


def test_a_few_removed_lines_belong_to_what_stands_before_them() -> None:
    walk, version = Walk(["a.py"]), {}
    assert walk.back(version, [change("a.py", (5, 4, "gone", ""))]).lines == [4]
    assert lines(walk, version, "a.py", 6) == [1, 2, 3, 4, 4, 5]


def test_many_removed_lines_were_a_thing_of_their_own() -> None:
    walk, version = Walk(["a.py"]), {}
    gone = " ".join(f"line{number}" for number in range(30))
    assert walk.back(version, [change("a.py", (5, 4, gone, ""))]).lines == []
    assert lines(walk, version, "a.py", 36)[4:34] == [0] * 30


def test_lines_that_were_only_indented_are_no_change() -> None:
    walk, version = Walk(["a.py"]), {}
    touched = walk.back(version, [change("a.py", (2, 2, "first second", "if: first second"))])
    assert touched.lines == [2]
    assert lines(walk, version, "a.py", 3) == [1, 3, 4]


def test_a_block_that_moved_to_another_file_keeps_its_past() -> None:
    block = "def_total(cart): return_sum(cart) end_of_total"
    walk, version = Walk(["a.py", "b.py"]), {}
    moved = [change("a.py", (4, 3, block, "")), change("b.py", (0, 1, "", block))]
    assert walk.back(version, moved).lines == []
    here = walk.lines(version, "a.py").part(1, 7)
    assert [owner // LINES for owner in here] == [0, 0, 0, 1, 1, 1, 0]
    assert [owner % LINES for owner in here] == [1, 2, 3, 1, 2, 3, 4]


def test_a_renamed_file_is_followed() -> None:
    walk, version = Walk(["src/a.py"]), {}
    walk.back(version, [change("src/a.py", (1, 1, "x", "y"), old_path="a.py")])
    assert lines(walk, version, "a.py", 3) == [1, 2, 3]
    assert lines(walk, version, "src/a.py", 2) == [0, 0]
    assert file_of(walk.lines(version, "a.py")) == 0


def test_a_file_that_is_gone_has_no_lines() -> None:
    walk, version = Walk(["a.py"]), {}
    walk.back(version, [FileChange("old.py", None, [Hunk(1, 0, [b"x"], [])])])
    assert lines(walk, version, "old.py", 1) == [0]


def test_two_children_know_more_than_one() -> None:
    walk = Walk(["a.py"])
    one: Version = {}
    other: Version = {}
    walk.back(one, [change("a.py", (1, 1, " ".join("abcdefghijklmnop"), ""))])
    walk.back(other, [change("a.py", (17, 17, "", "new"))])
    joined = walk.joined(one, other)
    assert lines(walk, joined, "a.py", 17)[1:16] == list(range(2, 17))


@pytest.mark.parametrize("seed", range(20))
def test_the_same_lines_are_found_again_after_random_edits(seed: int) -> None:
    """Unique lines: what is in both versions has to be found, at its place, and nothing else may be taken for it."""
    chosen = random.Random(seed)
    older = [f"line_number_{number}" for number in range(60)]
    newer = list(older)
    for number in range(8):
        at = chosen.randrange(len(newer))
        newer[at : at + chosen.randrange(4)] = [f"fresh_{seed}_{number}_{row}" for row in range(chosen.randrange(3))]
    walk, version = Walk(["a.py"]), {}
    walk.back(version, [FileChange("a.py", "a.py", _hunks(older, newer))])
    found = lines(walk, version, "a.py", len(older))
    assert len(walk.lines(version, "a.py").owners) <= len(older)
    for text, owner in zip(older, found, strict=True):
        if text in newer:
            assert newer[owner - 1] == text
        else:
            assert owner == 0 or newer[owner - 1] not in older or newer[owner - 1] != text


def _hunks(older: list[str], newer: list[str]) -> list[Hunk]:
    from difflib import SequenceMatcher

    found = []
    for kind, one, two, three, four in SequenceMatcher(None, older, newer, autojunk=False).get_opcodes():
        if kind != "equal":
            old, new = [line.encode() for line in older[one:two]], [line.encode() for line in newer[three:four]]
            found.append(Hunk(one + 1 if old else one, three + 1 if new else three, old, new))
    return found
