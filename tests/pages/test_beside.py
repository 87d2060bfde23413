"""Two pieces of code side by side."""

from __future__ import annotations

import pytest

from loregraph.pages.beside import (
    ASIDE,
    DIFFERS,
    LONGEST,
    RENAMED,
    WIDEST,
    Beside,
    Cell,
    Part,
    Row,
    beside,
    part_of,
    shortened,
)

LOAD = """def load(path):
    \"\"\"Rows of a file.\"\"\"
    stream = open(path)
    rows = []
    for line in stream:
        if line.startswith("#"):
            continue
        rows.append(line.split(","))
    return rows"""
FETCH = """def fetch(source):
    stream = open(source)  # a table
    rows = []
    for line in stream:
        if line.startswith(";"):
            continue
        rows.append(line.split(","))
    log.info(source)
    return rows"""


def compared(left: str, right: str, language: str = "python", **options: int) -> Beside:
    parts = [
        Part([*[""] * (first - 1), *text.split("\n")], language, first, first + text.count("\n"))
        for text, first in ((left, 1), (right, 11))
    ]
    return beside(parts[0], parts[1], **options)


def rows(found: Beside) -> list[Row]:
    return [row for stretch in found.stretches for row in stretch.rows]


def text(cell: Cell | None) -> str:
    return "" if cell is None else "".join(piece.text for piece in cell.pieces)


def marked(found: Beside, mark: str) -> tuple[list[str], list[str]]:
    left = [piece.text for row in rows(found) if row.left for piece in row.left.pieces if piece.mark == mark]
    right = [piece.text for row in rows(found) if row.right for piece in row.right.pieces if piece.mark == mark]
    return left, right


def test_lines_that_belong_together_stand_in_one_row() -> None:
    found = compared(LOAD, FETCH)
    beside_each_other = [(row.left.number, row.right.number) for row in rows(found) if row.left and row.right]
    assert beside_each_other == [(1, 11), (3, 12), (4, 13), (5, 14), (6, 15), (7, 16), (8, 17), (9, 19)]
    assert [text(row.left).strip() for row in rows(found) if row.right is None] == ['"""Rows of a file."""']
    assert [text(row.right).strip() for row in rows(found) if row.left is None] == ["log.info(source)"]


def test_every_line_is_there_once_and_as_it_is() -> None:
    found = compared(LOAD, FETCH)
    assert [text(row.left) for row in rows(found) if row.left] == LOAD.split("\n")
    assert [text(row.right) for row in rows(found) if row.right] == FETCH.split("\n")


def test_renamed_names_edits_and_comments_are_told_apart() -> None:
    found = compared(LOAD, FETCH)
    assert marked(found, RENAMED) == (["load", "path", "path"], ["fetch", "source", "source"])
    assert marked(found, DIFFERS) == (["#"], [";"])
    assert marked(found, ASIDE) == ([], ["# a table"])
    assert [row.kind for row in rows(found) if row.left and row.left.number in (1, 4, 6)] == [
        "renamed",
        "same",
        "changed",
    ]
    assert found.changed == 3  # the text of the one, the line of the other, and the sign


def test_a_name_that_was_renamed_in_some_places_only_is_told_first() -> None:
    found = compared(LOAD, LOAD.replace("line", "row").replace("if row.", "if line."))
    (first, *_) = found.renamings
    assert (first.old, first.new, first.times, first.of) == ("line", "row", 2, 3)
    assert not first.is_everywhere
    assert marked(found, RENAMED) == ([], [])  # it is no renaming to rely on
    assert marked(found, DIFFERS)[1] == ["row", "row"]


def test_names_swapped_are_no_renaming_of_each_other() -> None:
    found = compared("a = first(b)\nb = first(a)", "b = first(a)\na = first(b)")
    assert {(one.old, one.new) for one in found.renamings} <= {("a", "b"), ("b", "a")}
    assert all(row.kind in ("renamed", "same", "left", "right") for row in rows(found))


def test_what_is_the_same_is_folded_away_from_what_differs() -> None:
    lines = [f"call_{number}(value)" for number in range(40)]
    other = [*lines]
    other[20] = "something.else_(entirely)"
    found = compared("\n".join(lines), "\n".join(other))
    folded = [(stretch.is_folded, len(stretch.rows)) for stretch in found.stretches]
    assert [one for one in folded if one[0]] == [(True, 17), (True, 16)]
    assert sum(number for is_folded, number in folded if not is_folded) == 8
    assert all(row.kind == "same" for stretch in found.stretches if stretch.is_folded for row in stretch.rows)
    short = shortened(found, 5)
    assert [stretch.left_out for stretch in short.stretches if stretch.is_folded] == [17, 16]


def test_copies_that_are_the_same_are_shortened_to_their_beginning() -> None:
    found = compared(LOAD, LOAD.replace("    ", "\t"))
    assert found.is_same
    short = shortened(found, 4)
    assert [(len(stretch.rows), stretch.left_out) for stretch in short.stretches] == [(4, 0), (0, 5)]


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("x" * 1_000_000, "y " * 500_000),
        ("\n".join(["(" * 300] * 60), "\n".join([")" * 300] * 60)),
        ("\n".join(f"a{n} = b{n}({n})" for n in range(900)), "\n".join(f"c{n}.d{n}[{n}]" for n in range(900))),
        ('"' * 5_000 + "\n" + "'" * 5_000, "/*" * 5_000),
        ("", "one\n\n\ntwo"),
        ("\u202etfel\x1b[31m = 1", "right = \x00 2"),
    ],
    ids=["long lines", "brackets", "nothing alike", "open texts", "empty", "controls"],
)
@pytest.mark.parametrize("language", ["python", "javascript", "no such language"])
def test_whatever_the_texts_are_the_result_is_bounded(left: str, right: str, language: str) -> None:
    found = compared(left, right, language)
    assert len(rows(found)) <= 2 * LONGEST
    for side, whole, cut in (("left", left, found.left_cut), ("right", right, found.right_cut)):
        shown = [cell for row in rows(found) if (cell := getattr(row, side)) is not None]
        assert len(shown) + cut == whole.count("\n") + 1
        assert all(len(text(cell)) <= WIDEST + 40 for cell in shown)


def test_too_many_words_are_marked_as_a_whole_and_it_is_said() -> None:
    line = " ".join(f"w{number}" for number in range(90))
    many = "\n".join(line + f" {number}" for number in range(60))
    found = compared(many, many.replace("w4 ", "v4 ").replace("w80", "v80"))
    assert found.is_rough


def test_a_part_ends_where_its_file_does() -> None:
    part = part_of(lambda _: ["a", "b", "c"], "a.py", "python", 2, 99)
    assert (part.first, part.last) == (2, 3)
    assert part_of(lambda _: ["a", "b", "c"], "a.py", "python", 0, 0).last == 3
    assert rows(beside(part_of(lambda _: [], "gone.py", "", 1, 4), part)) != []
