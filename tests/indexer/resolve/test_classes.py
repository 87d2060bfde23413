"""Receivers, inheritance, constructors, properties."""

from __future__ import annotations

from .conftest import Resolve

DIAMOND = """
    class Base:
        def __init__(self): pass
        def step(self): pass
    class Left(Base):
        def step(self): super().step()
    class Right(Base):
        def step(self): super().step()
    class Both(Left, Right):
        def step(self): super().step()
"""


def test_a_method_is_found_along_the_resolution_order(project: Resolve) -> None:
    found = project(
        {
            "a.py": """
        class A:
            def f(self): pass
        class B(A): pass
        class C(A):
            def f(self): pass
        class D(B, C): pass
        D().f()
    """
        }
    )
    assert ("a.py", "a.py::C.f") in found.calls()
    assert ("a.py", "a.py::A.f") not in found.calls()


def test_super_goes_to_the_next_class_of_each_receiver(project: Resolve) -> None:
    found = project({"a.py": DIAMOND + "    Both().step()\n"})
    assert ("a.py::Both.step", "a.py::Left.step") in found.calls()
    assert ("a.py::Left.step", "a.py::Right.step") in found.calls()
    assert ("a.py::Right.step", "a.py::Base.step") in found.calls()
    assert found.how("a.py::Both.step", "a.py::Left.step") == "super"


def test_without_a_receiver_from_below_super_stays_in_the_class(project: Resolve) -> None:
    found = project({"a.py": DIAMOND.partition("    class Both")[0]})
    assert found.calls() == {("a.py::Left.step", "a.py::Base.step"), ("a.py::Right.step", "a.py::Base.step")}


# Verifies REQ-RES-002.
def test_instantiation_calls_the_class_and_the_inherited_constructor(project: Resolve) -> None:
    found = project({"a.py": DIAMOND + "    Both()\n"})
    assert {("a.py", "a.py::Both"), ("a.py", "a.py::Base.__init__")} <= found.calls()
    assert found.how("a.py", "a.py::Base.__init__") == "constructor"


def test_self_reaches_own_and_inherited_methods_and_what_a_receiver_overrides(project: Resolve) -> None:
    found = project(
        {
            "a.py": """
        class A:
            def run(self):
                self.own()
                self.hook()
            def own(self): pass
            def hook(self): pass
        class B(A):
            def hook(self): pass
            def more(self): self.own()
        class C(A):
            def hook(self): pass
        B().run()
    """
        }
    )
    assert ("a.py::A.run", "a.py::B.hook") in found.calls()
    assert ("a.py::A.run", "a.py::C.hook") not in found.calls()
    assert found.how("a.py::A.run", "a.py::A.own") == "self"
    assert found.how("a.py::B.more", "a.py::A.own") == "inheritance"


# Verifies REQ-RES-004.
def test_an_abstract_method_reaches_its_implementations(project: Resolve) -> None:
    found = project(
        {
            "a.py": """
        class A:
            def run(self): self.hook()
            def hook(self): raise NotImplementedError
        class B(A):
            def hook(self): pass
    """
        }
    )
    assert ("a.py::A.run", "a.py::B.hook") in found.calls()
    assert found.how("a.py::A.run", "a.py::B.hook") == "interface"


def test_attributes_hold_what_is_stored_on_self(project: Resolve) -> None:
    found = project(
        {
            "a.py": """
        class Engine:
            def start(self): pass
        class Car:
            def __init__(self, engine):
                self.engine = engine
            def go(self):
                self.engine.start()
        Car(Engine()).go()
    """
        }
    )
    assert ("a.py::Car.go", "a.py::Engine.start") in found.calls()
    assert found.how("a.py::Car.go", "a.py::Engine.start") == "inferred-type"


def test_class_and_static_methods(project: Resolve) -> None:
    found = project(
        {
            "a.py": """
        class A:
            @classmethod
            def make(cls): return cls()
            @staticmethod
            def util(): pass
            def run(self): pass
        class B(A): pass
        B.make().run()
        A.util()
    """
        }
    )
    assert {("a.py", "a.py::A.make"), ("a.py", "a.py::A.run"), ("a.py", "a.py::A.util")} <= found.calls()
    assert ("a.py::A.make", "a.py::B") in found.calls()


def test_a_property_gives_what_it_returns(project: Resolve) -> None:
    found = project(
        {
            "a.py": """
        class Engine:
            def start(self): pass
        class Car:
            @property
            def engine(self) -> Engine: ...
            def go(self): self.engine.start()
    """
        }
    )
    assert ("a.py::Car.go", "a.py::Engine.start") in found.calls()


# Verifies REQ-RES-006.
def test_inheritance_and_overriding_are_edges(project: Resolve) -> None:
    found = project(
        {
            "base.py": "class A:\n    def f(self): pass\n    def __init__(self): pass\n",
            "a.py": "from base import A\nimport abc\nclass B(A):\n    def f(self): pass\n    def __init__(self): pass\n"
            "class C(abc.ABC): pass\n",
        }
    )
    assert found.pairs("EXTENDS") == {("a.py::B", "base.py::A"), ("a.py::C", "external:abc.ABC")}
    assert found.pairs("OVERRIDES") == {("a.py::B.f", "base.py::A.f")}


def test_raising_a_class_instantiates_it(project: Resolve) -> None:
    found = project(
        {
            "a.py": """
        class Stop(Exception):
            def __init__(self): pass
        def f():
            raise Stop
    """
        }
    )
    assert ("a.py::f", "a.py::Stop.__init__") in found.calls()


def test_an_inconsistent_hierarchy_still_has_an_order(project: Resolve) -> None:
    found = project(
        {
            "a.py": """
        class A:
            def f(self): pass
        class B(A): pass
        class C(A, B): pass
        class Loop(Loop): pass
        C().f()
    """
        }
    )
    assert ("a.py", "a.py::A.f") in found.calls()


BELOW = """
    class Shape:
        def show(self): self.draw()
        def draw(self): pass
    class Round(Shape):
        def draw(self): pass
    class Flat(Shape):
        def show(self): pass
        def draw(self): pass
    def main(shape: Shape): shape.show()
"""


# Verifies REQ-RES-002.
def test_a_method_called_on_a_declared_type_runs_on_the_classes_below_that_do_not_override_it(project: Resolve) -> None:
    found = project({"a.py": BELOW})
    reached = {target for source, target in found.calls() if source == "a.py::Shape.show"}
    assert reached == {"a.py::Shape.draw", "a.py::Round.draw"}
    assert found.how("a.py::Shape.show", "a.py::Round.draw") == "interface"


def test_what_tests_derive_is_no_receiver_of_the_product(project: Resolve) -> None:
    derived = "from a import Shape\nclass Fake(Shape):\n    def draw(self): pass\n"
    found = project({"a.py": BELOW, "tests/test_a.py": derived})
    assert ("a.py::Shape.show", "tests/test_a.py::Fake.draw") not in found.calls()
