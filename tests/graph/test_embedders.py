from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from loregraph.graph.embedders import MAX_TEXT, embedding_text


def test_lines_are_name_docstring_and_code() -> None:
    text = embedding_text(
        "src/a", "Cart.addItem#2", "def addItem(self, sku_id)", "Adds one.", "self.items[sku_id] += 1"
    )
    assert text == "cart add item\nadds one\ndef add item self sku id self items sku id 1"


def test_nothing_gives_nothing() -> None:
    assert embedding_text("src/a", "", "", "", "{ }") == ""


def test_an_empty_line_stays() -> None:
    assert embedding_text("a", "f", "", "", "g()") == "f\n\ng"


def test_moving_a_file_changes_no_text() -> None:
    assert embedding_text("a", "f", "s", "d", "b") == embedding_text("b/c", "f", "s", "d", "b")


@given(*(st.text(max_size=3000) for _ in range(4)))
def test_texts_are_short_and_have_three_lines(qualname: str, signature: str, docstring: str, body: str) -> None:
    text = embedding_text("p", qualname, signature, docstring, body)
    assert len(text) <= MAX_TEXT
    assert text == "" or text.count("\n") == 2


def test_a_long_docstring_leaves_room_for_code() -> None:
    text = embedding_text("p", "f", "def f()", "word " * 1000, "needle()")
    assert text.endswith("needle")
