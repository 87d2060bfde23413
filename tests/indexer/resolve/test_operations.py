"""Calls that no call says: properties, operators, what library functions ask of their argument."""

from __future__ import annotations

import pytest

from tests.indexer.resolve.conftest import Resolve

SHELF = """\
    class Book:
        def open(self):
            pass

    class Shelf:
        def __init__(self):
            self._first = None

        @property
        def first(self):
            return self._first

        @first.setter
        def first(self, book):
            self._first = book

        def __len__(self):
            return 0

        def __eq__(self, other):
            return True

        def __contains__(self, book):
            return False

        def __getitem__(self, key):
            return Book()

        def __setitem__(self, key, book):
            pass

        def __delitem__(self, key):
            pass

        def __add__(self, other):
            return self

        def __iadd__(self, other):
            return self

        def __repr__(self):
            return "shelf"
    """


# Verifies REQ-RES-012.
def test_reading_a_property_calls_the_getter_wherever_it_is_read(project: Resolve) -> None:
    found = project(
        {
            "shelf.py": SHELF,
            "use.py": """\
            from shelf import Shelf

            def condition(shelf: Shelf):
                if not shelf.first:
                    return 1

            def argument(shelf: Shelf):
                print(shelf.first)

            def formatted(shelf: Shelf):
                return f"{shelf.first}"

            def choice(shelf: Shelf):
                return 1 if shelf.first is None else 2

            def claim(shelf: Shelf):
                assert shelf.first == 3
            """,
        }
    )
    for caller in ("condition", "argument", "formatted", "choice", "claim"):
        assert (f"use.py::{caller}", "shelf.py::Shelf.first") in found.calls(), caller
    assert found.how("use.py::condition", "shelf.py::Shelf.first") == "declared-type"


def test_writing_a_property_calls_the_setter_and_what_is_written_can_be_read(project: Resolve) -> None:
    found = project(
        {
            "shelf.py": SHELF,
            "use.py": """\
            from shelf import Book, Shelf

            def fill():
                shelf = Shelf()
                shelf.first = Book()

            def read(shelf: Shelf):
                shelf.first.open()
            """,
        }
    )
    assert ("use.py::fill", "shelf.py::Shelf.first#2") in found.calls()
    assert ("use.py::fill", "shelf.py::Shelf.first") not in found.calls()
    assert ("use.py::read", "shelf.py::Book.open") in found.calls()


def test_operators_and_subscripts_call_their_methods(project: Resolve) -> None:
    cases = {
        "compare": ("if shelf == 1: pass", "__eq__"),
        "differ": ("if shelf != 1: pass", "__eq__"),
        "hold": ("if 1 not in shelf: pass", "__contains__"),
        "get": ("return shelf[1].name", "__getitem__"),
        "set": ("shelf[1] = 2", "__setitem__"),
        "delete": ("del shelf[1]", "__delitem__"),
        "add": ("return shelf + 1", "__add__"),
        "extend": ("shelf += other", "__iadd__"),
        "count": ("return len(shelf)", "__len__"),
        "show": ("return str(shelf)", "__repr__"),
        "truth": ("return bool(shelf)", "__len__"),
    }
    body = "".join(f"\n\ndef {name}(shelf: Shelf, other):\n    {code}\n" for name, (code, _) in cases.items())
    found = project({"shelf.py": SHELF, "use.py": f"from shelf import Shelf\n{body}"})
    called = {(s, t) for s, t in found.calls() if t.startswith("shelf.py::Shelf.")}
    assert called == {(f"use.py::{name}", f"shelf.py::Shelf.{method}") for name, (_, method) in cases.items()}


def test_what_a_base_outside_the_project_may_do_itself_is_not_said_of_another_method(project: Resolve) -> None:
    found = project(
        {
            "a.py": """\
            from collections.abc import Mapping

            class Headers(Mapping):
                def __iter__(self):
                    return iter(())

            class Names:
                def __iter__(self):
                    return iter(())

            def look(headers: Headers, names: Names):
                if "a" in headers or "b" in names:
                    return 1
            """
        }
    )
    assert {t for s, t in found.calls() if s == "a.py::look"} == {"a.py::Names.__iter__"}


def test_iterating_through_a_library_function_calls_the_iterator(project: Resolve) -> None:
    found = project(
        {
            "a.py": """\
            class Names:
                def __iter__(self):
                    return self

                def __next__(self):
                    return 1

            def run(names: Names):
                return sorted(names)

            def begin(names: Names):
                return iter(names)
            """
        }
    )
    assert {t for s, t in found.calls() if s == "a.py::begin"} == {"a.py::Names.__iter__"}
    assert {t for s, t in found.calls() if s == "a.py::run"} == {"a.py::Names.__iter__", "a.py::Names.__next__"}


def test_descriptors_answer_for_the_attributes_that_hold_them(project: Resolve) -> None:
    found = project(
        {
            "a.py": """\
            class Setting:
                def __get__(self, instance, owner):
                    return 1

                def __set__(self, instance, value):
                    pass

            class App:
                debug = Setting()

            def read(app: App):
                if app.debug:
                    return 1

            def write(app: App):
                app.debug = True
            """
        }
    )
    assert ("a.py::read", "a.py::Setting.__get__") in found.calls()
    assert ("a.py::write", "a.py::Setting.__set__") in found.calls()
    assert found.how("a.py::read", "a.py::Setting.__get__") == "attribute"


def test_an_attribute_made_by_decorating_with_a_descriptor_is_what_its_own_function_gives(project: Resolve) -> None:
    found = project(
        {
            "properties.py": """\
            class computed:
                def __init__(self, function):
                    self.given = function

                def __set_name__(self, owner, name):
                    self.function = self.given

                def __get__(self, instance, owner=None):
                    if instance is None:
                        return self
                    found = instance.__dict__["x"] = self.function(instance)
                    return found
            """,
            "plain.py": """\
            class first:
                def __init__(self, function):
                    self.function = function

                def __get__(self, instance, owner):
                    return self.function(instance).real
            """,
            "a.py": """\
            from plain import first
            from properties import computed

            class Red:
                real = None
                def go(self): ...

            class Blue:
                def go(self): ...

            class Car:
                @computed
                def red(self):
                    return Red()

                @computed
                def blue(self):
                    return Blue()

                @first
                def other(self):
                    return Red()

            class Van(Car):
                @property
                def both(self):
                    return super().blue

            def drive(car: Car, van: Van):
                car.red.go()

            def park(car: Car):
                car.blue.go()

            def load(van: Van):
                van.both.go()

            def see(car: Car):
                car.other.go()
            """,
        }
    )
    calls = found.calls()
    assert {t for s, t in calls if s == "a.py::drive"} == {"a.py::Red.go", "properties.py::computed.__get__"}
    assert {t for s, t in calls if s == "a.py::park"} == {"a.py::Blue.go", "properties.py::computed.__get__"}
    assert ("a.py::load", "a.py::Blue.go") in calls
    assert ("a.py::load", "a.py::Red.go") not in calls
    assert {t for s, t in calls if s == "a.py::see"} == {"plain.py::first.__get__"}


def test_defining_a_subclass_runs_the_nearest_hook(project: Resolve) -> None:
    found = project(
        {
            "a.py": """\
            class Base:
                def __init_subclass__(cls):
                    pass

            class Middle(Base):
                pass

            def make():
                class Inner(Middle):
                    pass
            """
        }
    )
    hook = "a.py::Base.__init_subclass__"
    assert {s for s, t in found.calls() if t == hook} == {"a.py", "a.py::make"}
    assert found.how("a.py::make", hook) == "inheritance"


def test_a_property_of_a_subclass_may_be_what_a_declared_type_has(project: Resolve) -> None:
    found = project(
        {
            "a.py": """\
            class Shape:
                @property
                def area(self):
                    raise NotImplementedError

            class Square(Shape):
                @property
                def area(self):
                    return 1

            def total(shape: Shape):
                return shape.area
            """
        }
    )
    assert {t for s, t in found.calls() if s == "a.py::total"} == {"a.py::Shape.area", "a.py::Square.area"}


def test_an_attribute_declared_a_string_is_nothing_of_the_project(project: Resolve) -> None:
    found = project(
        {
            "a.py": """\
            class Text:
                def __eq__(self, other):
                    return True

                def strip(self):
                    return self

            class Page:
                title: str | None
                body: "Text"

                def __init__(self, title, body):
                    self.title = title
                    self.body = body

            page = Page(Text(), Text())

            def run(page: Page):
                page.title.strip()
                return page.title == "x"

            def other(page: Page):
                page.body.strip()
            """
        }
    )
    assert {t for s, t in found.calls() if s == "a.py::run"} == set()
    assert {t for s, t in found.calls() if s == "a.py::other"} == {"a.py::Text.strip"}


def test_what_a_function_makes_of_a_class_it_is_given_is_told_apart_by_call(project: Resolve) -> None:
    found = project(
        {
            "a.py": """\
            class Plain:
                def read(self):
                    pass

            class Fancy:
                def read(self):
                    pass

            def merge(kind=Plain):
                merged = kind()
                return merged

            def plain():
                merge().read()

            def fancy():
                merge(Fancy).read()
            """
        }
    )
    assert ("a.py::plain", "a.py::Plain.read") in found.calls()
    assert ("a.py::fancy", "a.py::Fancy.read") in found.calls()
    assert ("a.py::plain", "a.py::Fancy.read") not in found.calls()


def test_a_context_variable_holds_what_its_annotation_says(project: Resolve) -> None:
    found = project(
        {
            "a.py": """\
            from contextvars import ContextVar

            class Request:
                def copy(self):
                    pass

            current: ContextVar[Request] = ContextVar("current")

            def run():
                request = current.get(None)
                request.copy()
            """
        }
    )
    assert ("a.py::run", "a.py::Request.copy") in found.calls()


def test_click_makes_an_instance_of_the_class_that_a_context_is_asked_for(project: Resolve) -> None:
    found = project(
        {
            "a.py": """\
            import click

            class Info:
                def load(self):
                    pass

            def run(ctx: click.Context):
                ctx.ensure_object(Info).load()
            """
        }
    )
    assert ("a.py::run", "a.py::Info.load") in found.calls()


def test_a_fixture_is_known_by_the_name_it_is_given(project: Resolve) -> None:
    found = project(
        {
            "test_a.py": """\
            import pytest

            class Client:
                def get(self):
                    pass

            @pytest.fixture(name="client")
            def _client():
                return Client()

            def test_get(client):
                client.get()
            """
        }
    )
    assert ("test_a.py::test_get", "test_a.py::Client.get") in found.calls()


# Verifies REQ-RES-012.
def test_kotlin_operators_run_the_functions_that_are_named_after_them(project: Resolve) -> None:
    found = project(
        {
            "Path.kt": """
        package paths

        class Path {
            operator fun div(child: String): Path = this
            operator fun plus(other: Path): Path = this
            operator fun get(index: Int): Path = this
            operator fun set(index: Int, value: Path) {}
        }
        fun joins(path: Path): Path = path / "a"
        fun adds(path: Path) { val both = path + path }
        fun reads(path: Path) { val first = path[0] }
        fun writes(path: Path) { path[1] = path }
        fun numbers(a: Int) { val sum = a + 1 }
    """
        }
    )
    calls = {(s, t) for s, t in found.calls() if t.startswith("Path.kt::Path.")}
    assert calls == {
        ("Path.kt::joins", "Path.kt::Path.div"),
        ("Path.kt::adds", "Path.kt::Path.plus"),
        ("Path.kt::reads", "Path.kt::Path.get"),
        ("Path.kt::writes", "Path.kt::Path.set"),
    }


def test_deleting_a_property_calls_its_deleter_and_writing_it_its_setter(project: Resolve) -> None:
    text = """
    class Cart:
        @property
        def owner(self): pass
        @owner.setter
        def owner(self, who): pass
        @owner.deleter
        def owner(self): pass
        def clear(self): del self.owner
        def give(self, who): self.owner = who
    """
    calls = project({"a.py": text}).calls()
    assert {target for source, target in calls if source == "a.py::Cart.clear"} == {"a.py::Cart.owner#3"}
    assert {target for source, target in calls if source == "a.py::Cart.give"} == {"a.py::Cart.owner#2"}


# Verifies REQ-SEC-010.
@pytest.mark.parametrize(("count", "base", "said"), [(4, "", True), (5, "", False), (5, "Base", True)])
def test_what_may_be_of_five_unrelated_types_runs_no_method_of_an_operator(
    project: Resolve, count: int, base: str, said: bool
) -> None:
    classes = "".join(f"class C{i}({base}):\n    def __str__(self): pass\n" for i in range(count))
    calls = "".join(f"show(C{i}())\n" for i in range(count))
    found = project({"a.py": f"class Base: pass\n{classes}def show(x):\n    return str(x)\n{calls}"})
    reached = {target for source, target in found.calls() if source == "a.py::show"}
    assert reached == ({f"a.py::C{i}.__str__" for i in range(count)} if said else set())
    assert bool(found.resolution.problems) is not said
