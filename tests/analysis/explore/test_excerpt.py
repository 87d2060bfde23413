"""The lines that stand for a long symbol."""

from __future__ import annotations

import pytest

from loregraph.analysis.explore.excerpt import CALL, GAP, WIDEST, AskedWords, excerpt_lines, head_length, text, weights
from loregraph.analysis.token_count import size

SOURCE = '''\
@cached
def price(
    item: Item,
    rate: float,
) -> float:
    """The price of an item."""
    base = item.base
    base = base + item.fee
    base = base * 2

    base = rounded(base)
    other = base
    if base < 0:
        raise ValueError(rate)
    more = other
    return more'''.split("\n")


@pytest.mark.parametrize(
    ("lines", "length"),
    [
        (SOURCE, 5),
        (["def f(): ...", "x"], 1),
        (["func (g *Group) handle(", "\tpath string,", ") Routes {", "\treturn g"], 3),
        (["fn with<S>(self)", "where", "    S: Clone,", "{", "    self"], 2),
        (["type Group struct {", "\troot bool", "}"], 1),
        (["pub fn f(a: [u8; 2]) -> u8 {", "    1", "}"], 1),
        (["x = 1"], 1),
        ([], 0),
    ],
)
def test_the_head_is_decorators_and_signature(lines: list[str], length: int) -> None:
    assert head_length(lines) == length


def test_words_of_the_question_calls_and_exits_matter() -> None:
    weight = weights(SOURCE, AskedWords({"fee": 2.0}), {10: CALL})
    assert weight[7] > weight[10] > weight[15] > 0
    assert 0 < weight[6] < weight[10]  # beside one that matters
    assert 9 not in weight  # blank
    assert min(weight[number] for number in range(5)) > weight[7]


def test_members_of_a_class_are_its_outline() -> None:
    lines = ["class A:", "    x = 1", "    @property", "    def b(self):", "        pass", "    def c(self): ..."]
    weight = weights(lines, AskedWords({}), {}, [2, 5])
    assert weight.keys() == {0, 2, 3, 5}
    assert weights(lines, AskedWords({"pass": 1.0}), {}, [2, 5])[4] == 1.0


@pytest.mark.parametrize(
    ("docstring", "summary"),
    [
        (['    """One line."""', "", "    x"], 1),
        (['    """Two', '    lines."""', "    x"], 2),
        (['    """', "    Below.", "", "    More.", '    """'], 2),
        (["    x = 1"], 0),
    ],
)
def test_the_summary_of_a_docstring_matters(docstring: list[str], summary: int) -> None:
    assert len(weights(["class A:", *docstring], AskedWords({}), {})) == 1 + summary


def test_an_excerpt_fits_and_says_what_it_leaves_out() -> None:
    weight = weights(SOURCE, AskedWords({"fee": 2.0}), {10: CALL})
    for room in (0, 60, 120, 200, 300, 1_000):
        kept = excerpt_lines(SOURCE, weight, room)
        assert size(text(SOURCE, 40, sorted(kept))) <= room + 2 * GAP
    kept = excerpt_lines(SOURCE, weight, 200)
    assert text(SOURCE, 40, sorted(kept)).split("\n")[-2:] == ["    base = base + item.fee", "... 48-55"]


def test_a_whole_text_has_no_notes() -> None:
    assert text(SOURCE, 1, range(len(SOURCE))) == "\n".join(SOURCE)
    assert text(["a", "b", "c"], 5, [0, 2]) == "a\n... 6\nc"


def test_endless_lines_are_cut() -> None:
    assert len(text(["x" * 10_000], 1, [0])) == WIDEST
