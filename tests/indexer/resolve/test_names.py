"""What names stand for: scopes, order, imports."""

from __future__ import annotations

from .conftest import Resolve


def test_a_name_means_its_definition_in_the_nearest_scope(project: Resolve) -> None:
    found = project(
        {
            "a.py": """
        def f(): pass
        def outer():
            def f(): pass
            f()
        f()
    """
        }
    )
    assert found.calls() == {("a.py::outer", "a.py::outer.f"), ("a.py", "a.py::f")}
    assert found.how("a.py", "a.py::f") == "scope"


def test_methods_do_not_see_the_names_of_their_class_body(project: Resolve) -> None:
    found = project(
        {
            "a.py": """
        class C:
            def helper(self): pass
            def run(self):
                helper()
    """
        }
    )
    assert found.calls() == set()
    assert found.resolution.files["a.py"].unresolved == {"unknown-name": 1}


# Verifies REQ-RES-003.
def test_an_unknown_receiver_gives_no_edge_to_a_method_of_that_name(project: Resolve) -> None:
    found = project(
        {
            "a.py": """
        class Store:
            def load(self): pass
        def use(thing):
            thing.load()
    """
        }
    )
    assert found.calls() == set()
    assert found.resolution.files["a.py"].unresolved == {"untyped-parameter": 1}


def test_a_later_assignment_hides_an_earlier_one(project: Resolve) -> None:
    found = project(
        {
            "a.py": """
        def f(): pass
        def g(): pass
        x = f
        x = g
        x()
    """
        }
    )
    assert found.calls() == {("a.py", "a.py::g")}
    assert found.how("a.py", "a.py::g") == "value"


def test_an_assignment_in_a_branch_leaves_the_earlier_one_possible(project: Resolve) -> None:
    found = project(
        {
            "a.py": """
        def f(): pass
        def g(): pass
        x = f
        if x:
            x = g
        x()
    """
        }
    )
    assert found.calls() == {("a.py", "a.py::f"), ("a.py", "a.py::g")}


def test_a_loop_hands_what_it_assigns_to_its_next_round(project: Resolve) -> None:
    found = project(
        {
            "a.py": """
        def f(): pass
        def g(): pass
        def run(xs):
            x = f
            for _ in xs:
                x()
                x = g
    """
        }
    )
    assert found.calls() == {("a.py::run", "a.py::f"), ("a.py::run", "a.py::g")}


def test_a_name_on_the_right_of_its_own_assignment_is_the_earlier_one(project: Resolve) -> None:
    found = project(
        {
            "a.py": """
        def first(): return second
        def second(): return third
        def third(): pass
        x = first
        x = x()
        x = x()
        x()
    """
        }
    )
    assert found.calls() == {("a.py", "a.py::first"), ("a.py", "a.py::second"), ("a.py", "a.py::third")}


def test_global_names_are_written_from_functions(project: Resolve) -> None:
    found = project(
        {
            "a.py": """
        handler = None
        def f(): pass
        def install():
            global handler
            handler = f
        def run():
            handler()
    """
        }
    )
    assert ("a.py::run", "a.py::f") in found.calls()


def test_the_last_definition_of_a_name_is_what_other_functions_call(project: Resolve) -> None:
    found = project(
        {
            "a.py": """
        def f(): pass
        def f(): pass
        def run(): f()
    """
        }
    )
    assert found.calls() == {("a.py::run", "a.py::f#2")}


# Verifies REQ-RES-005.
def test_imports_lead_to_definitions_through_aliases_packages_and_relative_paths(project: Resolve) -> None:
    found = project(
        {
            "pkg/__init__.py": "from .core import run as start\n",
            "pkg/core.py": "def run(): pass\n",
            "pkg/sub/__init__.py": "",
            "pkg/sub/leaf.py": "from ..core import run\nfrom .. import core\ndef f():\n    run()\n    core.run()\n",
            "app.py": "import pkg.core as c\nimport pkg.sub.leaf\nfrom pkg import start\n"
            "c.run()\npkg.sub.leaf.f()\nstart()\n",
        }
    )
    assert found.calls() == {
        ("pkg/sub/leaf.py::f", "pkg/core.py::run"),
        ("app.py", "pkg/core.py::run"),
        ("app.py", "pkg/sub/leaf.py::f"),
    }
    assert found.pairs("IMPORTS") == {
        ("pkg/__init__.py", "pkg/core.py"),
        ("pkg/sub/leaf.py", "pkg/core.py"),
        ("app.py", "pkg/core.py"),
        ("app.py", "pkg/sub/leaf.py"),
        ("app.py", "pkg/__init__.py"),
    }


def test_how_tells_an_import_from_a_reexport(project: Resolve) -> None:
    found = project(
        {
            "pkg/__init__.py": "from .core import f\n",
            "pkg/core.py": "def f(): pass\n",
            "a.py": "from pkg.core import f\nf()\n",
            "b.py": "from pkg import f\nf()\n",
        }
    )
    assert found.how("a.py", "pkg/core.py::f") == "import"
    assert found.how("b.py", "pkg/core.py::f") == "reexport"


def test_star_imports_respect_all_and_leave_private_names(project: Resolve) -> None:
    found = project(
        {
            "listed.py": "__all__ = ['f']\ndef f(): pass\ndef g(): pass\n",
            "open.py": "def h(): pass\ndef _i(): pass\n",
            "a.py": "from listed import *\nfrom open import *\nf()\ng()\nh()\n_i()\n",
        }
    )
    assert found.calls() == {("a.py", "listed.py::f"), ("a.py", "open.py::h")}


def test_imports_in_a_circle_end(project: Resolve) -> None:
    found = project(
        {
            "a.py": "from b import g, f\ndef f(): g()\n",
            "b.py": "from a import f\ndef g(): f()\n",
        }
    )
    assert ("b.py::g", "a.py::f") in found.calls()
    assert ("a.py::f", "b.py::g") in found.calls()


def test_function_local_imports_bind_in_the_function(project: Resolve) -> None:
    found = project(
        {
            "m.py": "def f(): pass\n",
            "a.py": "def run():\n    from m import f\n    f()\ndef other():\n    f()\n",
        }
    )
    assert found.calls() == {("a.py::run", "m.py::f")}


# Verifies REQ-GRA-009.
def test_externals_and_builtins_are_named(project: Resolve) -> None:
    found = project(
        {
            "a.py": """
        import os.path
        from requests import Session
        print(len([]))
        os.path.join("a")
        s = Session()
        s.get("x")
    """
        }
    )
    assert found.pairs("CALLS") == {
        ("a.py", "external:builtins.print"),
        ("a.py", "external:builtins.len"),
        ("a.py", "external:os.path.join"),
        ("a.py", "external:requests.Session"),
        ("a.py", "external:requests.Session.get"),
    }
    packages = {e.id: e.package for e in found.resolution.externals}
    assert packages["external:requests.Session.get"] == "requests"
