"""What constructors keep that nobody of the project wrote: those of `property` and of records."""

from __future__ import annotations

import pytest

from .conftest import Resolve

LAZY = """
    class lazy(property):
        def __init__(self, read, name=None):
            super().__init__(read, doc=name)
            self.name = name
        def __get__(self, shelf, owner=None):
            value = shelf.kept.get(self.name)
            if value is None:
                value = self.fget(shelf)
            return value

    class Book:
        def open(self): pass

    class Box:
        def open(self): pass

    class Shelf:
        @lazy
        def book(self): return Book()
        @lazy
        def box(self): return Box()

    def read(shelf: Shelf):
        shelf.book.open()
"""


# Verifies REQ-RES-002.
def test_a_property_of_the_projects_own_calls_what_it_decorates_and_gives_what_that_gives(project: Resolve) -> None:
    calls = project({"a.py": LAZY}).calls()
    assert {("a.py::lazy.__get__", "a.py::Shelf.book"), ("a.py::lazy.__get__", "a.py::Shelf.box")} <= calls
    assert ("a.py::read", "a.py::Book.open") in calls
    assert ("a.py::read", "a.py::Box.open") not in calls


def test_a_property_without_a_constructor_of_its_own_keeps_what_its_base_is_given(project: Resolve) -> None:
    text = """
    class own(property):
        def __get__(self, shelf, owner):
            return self.fget(owner)
    class Shelf:
        @own
        def size(cls): return 1
        def _get(self): return 2
        height = own(fget=_get)
    """
    calls = project({"a.py": text}).calls()
    assert {("a.py::own.__get__", "a.py::Shelf.size"), ("a.py::own.__get__", "a.py::Shelf._get")} <= calls


@pytest.mark.parametrize("count", [12, 40])
def test_a_descriptor_calls_all_that_it_decorates_however_many(project: Resolve, count: int) -> None:
    body = "".join(f"        @lazy\n        def p{i:02}(self): return Book()\n" for i in range(count))
    found = project({"a.py": f"{LAZY}\n    class Wide:\n{body}"})
    reached = {target for source, target in found.calls() if source == "a.py::lazy.__get__"}
    assert {f"a.py::Wide.p{i:02}" for i in range(count)} <= reached
    assert found.how("a.py::lazy.__get__", "a.py::Wide.p11") == "value"


RECORDS = """
    from dataclasses import dataclass, field
    from typing import Callable, ClassVar, NamedTuple

    @dataclass
    class Job:
        name: str
        jobs: ClassVar[int] = 0
        run: Callable
        def start(self): self.run()

    @dataclass(frozen=True)
    class Delayed(Job):
        then: object = None
        def end(self): self.then()

    class Pair(NamedTuple):
        left: Callable
        right: Callable

    def first(): pass
    def second(): pass
"""


# Verifies REQ-RES-002.
@pytest.mark.parametrize(
    ("line", "caller", "callee"),
    [
        ("Job('a', first).start()", "Job.start", "first"),
        ("Job('a', run=first).start()", "Job.start", "first"),
        ("Job('a', *first).start()", "Job.start", None),
        ("Delayed('a', first, second).end()", "Delayed.end", "second"),
        ("Delayed('a', first, second).start()", "Job.start", "first"),
        ("Delayed('a', then=second).end()", "Delayed.end", "second"),
        ("Pair(first, second).right()", "", "second"),
    ],
)
def test_a_record_keeps_what_it_is_made_of(project: Resolve, line: str, caller: str, callee: str | None) -> None:
    found = project({"shop.py": RECORDS, "a.py": f"from shop import *\n{line}\n"})
    source = f"shop.py::{caller}" if caller else "a.py"
    reached = {target.partition("::")[2] for one, target in found.calls() if one == source}
    assert reached & {"first", "second"} == ({callee} if callee else set())
