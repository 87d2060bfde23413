"""Where in its line a call stands."""

from __future__ import annotations

from loregraph.pages.highlight import highlighted
from loregraph.pages.placing import Placed, Reference, placed


def call(
    line: int, *names: str, id: str = "", how: str = "scope", kind: str = "function", sure: float = 1.0
) -> Reference:
    return Reference(line, names, id or f"a.py::{names[0] if names else '<lambda1>'}", kind, "CALLS", how, sure)


def places(source: str, *wanted: Reference, language: str = "python") -> tuple[list[tuple[str, list[str]]], list[str]]:
    """(text, ids) of each span of the first line, and the ids of what is beside it."""
    lines = source.split("\n")
    found: Placed = placed(dict(enumerate(highlighted(lines, language), 1)), wanted)
    spans = found.spans.get(1, ())
    return (
        [(lines[0][one.start : one.end], [target.id for target in one.targets]) for one in spans],
        [one.id for one in found.beside.get(1, ())],
    )


def test_a_call_stands_at_its_name() -> None:
    assert places("x = total(cart)", call(1, "total")) == ([("total", ["a.py::total"])], [])


def test_a_name_that_is_called_goes_before_one_that_is_not() -> None:
    found = placed(dict(enumerate(highlighted(["filter = self.filter(filter)"], "python"), 1)), [call(1, "filter")])
    assert [(one.start, one.end) for one in found.spans[1]] == [(14, 20)]


def test_names_in_comments_and_strings_are_none() -> None:
    assert places('"run()"  # run()', call(1, "run")) == ([("run", ["a.py::run"])], [])
    assert places("x = 1  # run()", call(1, "run")) == ([], ["a.py::run"])
    assert places('run() if "run()" else 0  # run()', call(1, "run")) == ([("run", ["a.py::run"])], [])


def test_a_property_has_no_brackets() -> None:
    assert places("return self.size + size_of", call(1, "size"))[0] == [("size", ["a.py::size"])]


def test_part_of_a_word_is_not_the_word() -> None:
    assert places("subtotal(1)", call(1, "total", how="callback")) == ([], ["a.py::total"])


def test_two_names_on_a_line_are_apart() -> None:
    found, _ = places("a(b(1))", call(1, "a"), call(1, "b"))
    assert [text for text, _ in found] == ["a", "b"]


def test_candidates_share_a_place_the_surest_first() -> None:
    one, other = call(1, "go", id="x.py::A.go", sure=0.6), call(1, "go", id="x.py::B.go", sure=0.8)
    assert places("it.go()", one, other) == ([("go", ["x.py::B.go", "x.py::A.go"])], [])


def test_a_class_and_its_constructor_are_one() -> None:
    made = call(1, "Cart", id="a.py::Cart", kind="class")
    inside = call(1, "Cart", "__init__", id="a.py::Cart.__init__", kind="constructor")
    assert places("Cart([])", made, inside) == ([("Cart", ["a.py::Cart"])], [])


def test_the_constructor_of_a_base_stands_with_the_derived_class() -> None:
    made = call(1, "Basket", id="a.py::Basket", kind="class")
    base = call(1, "Cart", "__init__", id="a.py::Cart.__init__", kind="constructor")
    assert places("Basket([])", made, base) == ([("Basket", ["a.py::Basket"])], [])


def test_a_constructor_may_be_called_by_its_own_name() -> None:
    base = call(1, "Cart", "__init__", id="a.py::Cart.__init__", kind="constructor")
    assert places("super().__init__(1)", base)[0] == [("__init__", ["a.py::Cart.__init__"])]


def test_what_goes_by_another_name_is_the_only_call_left() -> None:
    assert places("pay = settle(1)", call(1, "checkout")) == ([("settle", ["a.py::checkout"])], [])
    assert places("settle(refund(1))", call(1, "checkout")) == ([], ["a.py::checkout"])


def test_what_the_language_calls_by_itself_stands_beside_the_line() -> None:
    entered = call(1, "__enter__", id="a.py::Lock.__enter__")
    assert places("with lock(1):", entered) == ([], ["a.py::Lock.__enter__"])
    assert places("each(list)", call(1, "visit", how="callback")) == ([], ["a.py::visit"])


def test_a_function_without_a_name_is_never_named_beside() -> None:
    assert places("x = [1]", call(1)) == ([], [])
    assert places("handler(1)", call(1)) == ([("handler", ["a.py::<lambda1>"])], [])


def test_keywords_are_no_calls() -> None:
    assert places("defer func() {", call(1), language="go") == ([], [])


def test_imported_names_are_found_below_the_first_line() -> None:
    wanted = Reference(1, ("Cart",), "shop.py::Cart", "import", "IMPORTS", "", 1.0, 60)
    lines = dict(enumerate(highlighted(["from shop import (", "    Money,", "    Cart,", ")"], "python"), 1))
    found = placed(lines, [wanted])
    assert [(line, one.start) for line, spans in found.spans.items() for one in spans] == [(3, 4)]


def test_lines_that_are_not_shown_are_left_out() -> None:
    assert placed({5: highlighted(["a()"], "python")[0]}, [call(4, "a"), call(9, "a")]) == Placed({}, {})
