"""What tests of types leave of a name's values."""

from __future__ import annotations

import pytest

from .conftest import Resolve

SHOP = """
    class Item:
        def price(self): pass
    class Book(Item):
        def price(self): pass
        def title(self): pass
    class Bundle:
        def price(self): pass
        def __call__(self): pass
    def price(): pass
"""


def reached(project: Resolve, body: str) -> set[str]:
    """What `show` calls in the shop when a book, a bundle and a function are handed to it."""
    text = SHOP + body + "    show(Book())\n    show(Bundle())\n    show(price)\n"
    return {target.partition("::")[2] for source, target in project({"a.py": text}).calls() if source == "a.py::show"}


# Verifies REQ-RES-002.
@pytest.mark.parametrize(
    ("body", "wanted"),
    [
        ("if isinstance(x, Book): x.price()", {"Book.price"}),
        ("if isinstance(x, (Book, str)): x.price()", {"Book.price"}),
        ("if isinstance(x, Book) and 1: x.price()", {"Book.price"}),
        ("if isinstance(x, Item): x.price()", {"Book.price"}),
        ("if not isinstance(x, Book): x.price()", {"Bundle.price"}),
        ("if isinstance(x, Book): pass\n        else: x.price()", {"Bundle.price"}),
        ("if isinstance(x, Book): pass\n        elif x: x.price()", {"Bundle.price"}),
        ("if isinstance(x, Book) and x.price: pass\n        else: x.price()", {"Book.price", "Bundle.price"}),
        ("if isinstance(x, Book) or isinstance(x, str): x.price()", {"Book.price"}),
        ("if not isinstance(x, Book) or not x: return\n        x.price()", {"Book.price"}),
        ("if not isinstance(x, Book): raise TypeError\n        x.price()", {"Book.price"}),
        ("if not isinstance(x, Book): print(x)\n        x.price()", {"Book.price", "Bundle.price"}),
        ("assert isinstance(x, Bundle)\n        x.price()", {"Bundle.price"}),
        ("return x.price() if isinstance(x, Book) else x", {"Book.price"}),
        ("return x if isinstance(x, Book) else x.price()", {"Bundle.price"}),
        ("return isinstance(x, Book) and x.price()", {"Book.price"}),
        ("return not isinstance(x, Book) or x.price()", {"Book.price"}),
        ("return [y.price() for y in [x] if isinstance(y, Book)]", {"Book.price"}),
        ("while isinstance(x, Book): x.price()", {"Book.price"}),
        ("if callable(x): x()", {"Bundle.__call__", "price"}),
        ("if callable(x): return\n        x.price()", {"Book.price"}),
        ("if isinstance(x, Missing): x.price()", {"Book.price", "Bundle.price"}),
        ("if isinstance(x, str): x.price()", set()),
    ],
)
def test_a_test_of_a_type_leaves_what_passes_it(project: Resolve, body: str, wanted: set[str]) -> None:
    assert reached(project, f"    def show(x):\n        {body}\n") == wanted


@pytest.mark.parametrize(
    "body",
    [
        "if isinstance(x, Book):\n            x = Bundle()\n            x.price()",
        "if isinstance(x, Book):\n            for y in x:\n                x.price()\n                x = Bundle()",
        "if not isinstance(x, Book): x = Bundle()\n        x.price()",
    ],
)
def test_what_is_assigned_behind_a_test_has_not_passed_it(project: Resolve, body: str) -> None:
    assert "Bundle.price" in reached(project, f"    def show(x):\n        {body}\n")


def test_an_assigned_name_is_still_what_was_tested_while_its_value_is_made(project: Resolve) -> None:
    assert reached(project, "    def show(x):\n        if isinstance(x, Book):\n            x = x.price()\n") == {
        "Book.price"
    }


@pytest.mark.parametrize(("again", "wanted"), [("", {"Book.price"}), ("x = Bundle()", {"Book.price", "Bundle.price"})])
def test_a_function_sees_what_was_tested_where_it_is_made(project: Resolve, again: str, wanted: set[str]) -> None:
    body = f"if isinstance(x, Book):\n            def inner(): x.price()\n            inner()\n        {again}"
    text = f"{SHOP}    def show(x):\n        {body}\n    show(Book())\n    show(Bundle())\n"
    calls = project({"a.py": text}).calls()
    assert {target.partition("::")[2] for source, target in calls if source == "a.py::show.inner"} == wanted


# Verifies REQ-RES-002.
def test_where_nobody_knows_a_value_the_test_says_its_type(project: Resolve) -> None:
    found = project({"a.py": SHOP + "    def show(x):\n        if isinstance(x, Book): x.title()\n"})
    assert ("a.py::show", "a.py::Book.title") in found.calls()
    assert found.how("a.py::show", "a.py::Book.title") == "declared-type"


def test_a_declared_type_is_narrowed_to_one_below_it(project: Resolve) -> None:
    found = project({"a.py": SHOP + "    def show(x: Item):\n        if isinstance(x, Book): x.price()\n"})
    assert found.calls() == {("a.py::show", "a.py::Book.price")}


def test_what_a_protocol_asks_for_may_be_of_any_type(project: Resolve) -> None:
    text = "    from typing import Protocol\n    class Priced(Protocol):\n        def price(self): ...\n" + SHOP
    found = project(
        {"a.py": text + "    def show(x):\n        if isinstance(x, Priced): x.price()\n    show(Bundle())\n"}
    )
    assert ("a.py::show", "a.py::Bundle.price") in found.calls()


def test_a_class_is_narrowed_to_those_below_what_is_asked_for(project: Resolve) -> None:
    body = "    def show(x):\n        if issubclass(x, Item): x()\n    show(Book)\n    show(Bundle)\n"
    found = project({"a.py": SHOP + body})
    assert {target for source, target in found.calls() if source == "a.py::show"} == {"a.py::Book"}
