"""Functions that one object keeps, told apart from those of others."""

from __future__ import annotations

import pytest

from .conftest import Resolve

SHOP = """
from dataclasses import dataclass
def first(): pass
def second(): pass
def third(): pass
class Job:
    def __init__(self, run, then=third):
        self.run = run
        self.then = then
    def start(self): self.run()
class Other:
    def __init__(self, run):
        self.run = run
        self.run = second
@dataclass
class Record:
    name: str
    run: object
"""
BOTH = {"first", "second"}


# Verifies REQ-RES-002.
@pytest.mark.parametrize(
    ("body", "wanted"),
    [
        ("a = Job(first); b = Job(second); a.run()", {"first"}),
        ("a = Job(first); b = Job(second); b.run()", {"second"}),
        ("a = Job(run=first); b = Job(second); a.run()", {"first"}),
        ("a = Job(first, second); b = Job(second); b.then()", {"third"}),
        ("a = Job(first); a.run = second; a.run()", {"second"}),
        ("a = Job(first); a.run(); a.run = second", {"first"}),
        ("a = Job(first)\n    if a: a.run = second\n    a.run()", BOTH),
        ("a = Job(first)\n    for x in a:\n        a.run()\n        a.run = second", BOTH),
        ("a = Job(first)\n    if a: a = Job(second)\n    a.run()", BOTH),
        ("a = Job(*[first]); b = Job(second); a.run()", BOTH),
        ("a = Other(first); a.run()", BOTH),
        ("a = Record('a', first); b = Record('b', second); a.run()", {"first"}),
        ("a = Job(first); b = Job(second); Job(third).start()", set()),
    ],
)
def test_what_an_object_keeps_is_what_its_own_constructor_call_gave_it(
    project: Resolve, body: str, wanted: set[str]
) -> None:
    for files in (
        {"a.py": f"{SHOP}def main():\n    {body}\n"},
        {"shop.py": SHOP, "a.py": f"from shop import *\ndef main():\n    {body}\n"},
    ):
        called = {target.partition("::")[2] for source, target in project(files).calls() if source == "a.py::main"}
        assert called & {"first", "second", "third"} == wanted


def test_a_method_calls_what_any_object_of_its_class_keeps(project: Resolve) -> None:
    calls = project({"a.py": f"{SHOP}a = Job(first)\nb = Job(second)\na.start()\n"}).calls()
    assert {target for source, target in calls if source == "a.py::Job.start"} == {"a.py::first", "a.py::second"}


def test_a_function_sees_what_an_object_outside_of_it_keeps(project: Resolve) -> None:
    calls = project({"a.py": f"{SHOP}a = Job(first)\nb = Job(second)\ndef main(): a.run()\n"}).calls()
    assert {target for source, target in calls if source == "a.py::main"} == {"a.py::first"}


COUNTED = """
class Counted:
    def __init__(self, function):
        self.function = function
        self.calls = 0
    def __call__(self, *given):
        self.calls += 1
        return self.function(*given)
class Book:
    def open(self): pass
class Box:
    def open(self): pass
@Counted
def book(held=None):
    held.open()
    return Book()
@Counted
def box(): return Box()
def main(): book(Box()).open()
def other(): box().open()
"""


# Verifies REQ-RES-002.
def test_an_object_that_decorates_gives_what_its_own_function_gives(project: Resolve) -> None:
    calls = project({"a.py": COUNTED}).calls()
    assert {("a.py::Counted.__call__", "a.py::book"), ("a.py::Counted.__call__", "a.py::box")} <= calls
    assert {target for source, target in calls if source == "a.py::other"} == {
        "a.py::Counted.__call__",
        "a.py::Box.open",
    }
    main = {target for source, target in calls if source == "a.py::main"}
    assert main == {"a.py::Counted.__call__", "a.py::Book.open", "a.py::Box"}
    assert ("a.py::book", "a.py::Box.open") in calls


def test_a_constructor_that_writes_to_another_object_keeps_nothing_by_that(project: Resolve) -> None:
    text = f"{SHOP}class Made:\n    def __init__(self, job):\n        job.run = first\n        self.job = job\n"
    calls = project({"a.py": f"{text}a = Made(Job(second))\na.job.start()\n"}).calls()
    assert ("a.py::Job.start", "a.py::first") in calls
