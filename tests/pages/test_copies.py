"""Families of copies as pages show them, and the report of them."""

from __future__ import annotations

import re
from typing import Any

import pytest
from msgspec.structs import replace

from loregraph.analysis.duplicates.results import ALIKE, CODE, FRAGMENT, TESTS, Duplicates, Family, Pair, Side
from loregraph.pages import copies
from loregraph.pages.copies import ALL, Wanted, copies_shown
from loregraph.pages.reports import duplicates_report

SOURCE = "def {name}(path):\n    stream = open(path)\n    rows = list(stream)\n    return rows\n"


class Columns:
    """Of a graph: languages of files."""

    def find_id(self, path: str) -> int:
        return 0

    def language(self, node: int) -> str:
        return "python"


def side(name: str) -> Side:
    return Side(f"{name}.py::{name}", f"{name}.py", 1, 4)


def family(
    *names: str, role: str = CODE, clone_type: str = "type-2", similarity: float = 0.9, lines: int = 4
) -> Family:
    members = tuple(map(side, names))
    return Family(members, members[0].id, similarity, clone_type, "function", lines, role, "Keep one.")


def found(*families: Family, notices: tuple[str, ...] = ()) -> Duplicates:
    pairs = tuple(
        Pair(one.members[0], other, one.similarity, one.clone_type, one.scope, 30)
        for one in families
        for other in one.members[1:]
    )
    return Duplicates(pairs, families, 3, notices)


def report(given: Duplicates, texts: dict[str, str] | None = None, project: str = "a <b>") -> str:
    def lines(path: str) -> list[str]:
        return (texts or {}).get(path, SOURCE.format(name=path.removesuffix(".py"))).split("\n")

    columns: Any = Columns()
    return duplicates_report(given, project, columns, lines)


def test_what_fails_a_build_is_shown_unless_more_is_wanted() -> None:
    given = found(family("a", "b"), family("c", "d", role=TESTS), family("e", "f", role=ALIKE))
    shown = copies_shown(given, Wanted())
    assert [one.kept.id for one in shown.families] == ["a.py::a", "c.py::c"]
    assert [(one.role, one.families, one.is_finding) for one in shown.roles] == [
        (CODE, 1, True),
        (TESTS, 1, True),
        (ALIKE, 1, False),
    ]
    assert copies_shown(given, Wanted(role=ALL)).total == 3
    assert copies_shown(given, Wanted(role=ALIKE)).families[0].kept.id == "e.py::e"


@pytest.mark.parametrize(
    ("wanted", "expected"),
    [
        (Wanted(path="D.PY"), ["c"]),
        (Wanted(least=90), ["a"]),
        (Wanted(clone_type="type-3"), ["c"]),
        (Wanted(path="nowhere"), []),
    ],
)
def test_filters(wanted: Wanted, expected: list[str]) -> None:
    given = found(family("a", "b"), family("c", "d", clone_type="type-3", similarity=0.89))
    assert [one.kept.id.rpartition("::")[2] for one in copies_shown(given, wanted).families] == expected


def test_pages_of_the_list_count_what_follows() -> None:
    given = found(*(family(f"a{n}", f"b{n}") for n in range(5)))
    first = copies_shown(given, Wanted(), 0, 2)
    assert (len(first.families), first.next_start, first.total) == (2, 2, 5)
    assert copies_shown(given, Wanted(), 4, 2).next_start == 0
    assert copies_shown(given, Wanted(), 99, 2).families == ()


def test_a_large_family_is_cut_and_counted() -> None:
    (shown,) = copies_shown(found(family(*(f"f{n:02}" for n in range(30)))), Wanted()).families
    assert (len(shown.others), shown.more) == (copies.MEMBERS, 29 - copies.MEMBERS)
    assert "and 21 more copies" in report(found(shown.family))


def test_the_report_shows_two_beside_each_other_and_marks_what_differs() -> None:
    text = report(found(family("load", "fetch"), notices=("2 files cannot be read",)))
    assert "<title>Duplicates in a &lt;b&gt;</title>" in text
    assert text.count('<table class="beside">') == 1
    assert set(re.findall('<mark class="renamed">(.*?)</mark>', text)) == {"load", "fetch"}
    assert "2 files cannot be read" in text
    assert "Keep one." in text


def test_the_report_needs_nothing_from_elsewhere_and_escapes_everything() -> None:
    evil = Side("a.py::</script><img src=x onerror=alert(1)>", 'a".py', 1, 3)
    one = family("x", "y")
    given = found(Family((evil, *one.members), evil.id, 0.9, "type-3", "function", 4, CODE, "Keep <i>one</i>."))
    code = "</pre><script>alert(1)</script>\n'<b>&amp;'\nx = '''<i>\u202e\x1b]0;x\x07\n"
    text = report(given, {'a".py': code})
    assert "<img" not in text
    assert "<script>alert" not in text
    assert "<i>" not in text
    assert "\u202e" not in text
    assert "\x1b" not in text
    assert text.count("<script>") == 1
    assert not re.search(r"<(?:link|img|iframe|object|embed|base)|<script [^>]|https?:|@import|url\(", text)


def test_the_report_stays_small_and_says_what_it_left_out() -> None:
    many = [family(f"a{n}", f"b{n}", role=TESTS if n % 2 else ALIKE) for n in range(copies.MOST_LISTED + 30)]
    body = "def f(x):\n" + "".join(f"    value_{n} = call(x, '{n}', first={n})\n" for n in range(40))
    texts = {f"{letter}{n}.py": body.replace("call", letter) for letter in "ab" for n in range(len(many))}
    long = [
        replace(given, members=tuple(Side(one.id, one.file_path, 1, 41) for one in given.members)) for given in many
    ]
    text = report(found(*long), texts)
    assert len(text.encode()) < 1_500_000
    assert "The first 500 families are here; 30 more" in text
    left = re.search(r"The source of ([\d,]+) families is left out", text)
    assert left is not None
    assert text.count('<table class="beside">') == copies.MOST_LISTED - int(left[1].replace(",", ""))
    # Findings come first.
    assert text.index("a1.py") < text.index("a0.py")


def test_fragments_of_two_functions_are_shown_as_such() -> None:
    a, b = side("a"), side("b")
    parts = [
        Pair(Side(a.id, a.file_path, n, n + 1), Side(b.id, b.file_path, n, n + 1), 1, "type-1", FRAGMENT, 9)
        for n in (1, 3)
    ]

    class Nodes(Columns):
        start_line, end_line = (1, 1), (4, 4)

        def label(self, node: int) -> str:
            return "Function"

        def id(self, node: int) -> str:
            return (a.id, b.id)[node]

        def path(self, node: int) -> str:
            return (a.file_path, b.file_path)[node]

    columns: Any = Nodes()

    def lines(path: str) -> list[str]:
        return SOURCE.split("\n")

    shown = copies.pair_shown(columns, lines, 1, 0, parts)
    assert [(part.left.id, part.left.start_line) for part in shown.parts] == [(b.id, 1), (b.id, 3)]
    whole = copies.pair_shown(columns, lines, 0, 1, [])
    assert [(part.left.start_line, part.left.end_line) for part in whole.parts] == [(1, 4)]
    assert whole.pair is None
