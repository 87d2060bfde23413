"""Functions and instances followed through variables, parameters, returns, containers and closures."""

from __future__ import annotations

import pytest

from .conftest import Resolve


# Verifies REQ-RES-001.
def test_parameters_receive_arguments_across_files(project: Resolve) -> None:
    found = project(
        {
            "lib.py": "def apply(function, *, other=None):\n    function()\n    other()\n",
            "a.py": "from lib import apply\ndef f(): pass\ndef g(): pass\napply(f, other=g)\n",
        }
    )
    assert {("lib.py::apply", "a.py::f"), ("lib.py::apply", "a.py::g")} <= found.calls()
    assert found.how("lib.py::apply", "a.py::f") == "value"


def test_a_parameter_handed_back_is_not_mixed_over_callers(project: Resolve) -> None:
    found = project(
        {
            "a.py": """
        def same(x): return x
        def f(): pass
        def g(): pass
        def one(): same(f)()
        def two(): same(g)()
    """
        }
    )
    assert found.calls() == {
        ("a.py::one", "a.py::same"), ("a.py::one", "a.py::f"), ("a.py::two", "a.py::same"), ("a.py::two", "a.py::g"),
    }  # fmt: skip


# Verifies REQ-RES-001.
def test_returns_and_closures(project: Resolve) -> None:
    found = project(
        {
            "a.py": """
        def outer():
            def inner(): pass
            return inner
        def run():
            made = outer()
            def later(): made()
            later()
    """
        }
    )
    assert ("a.py::run.later", "a.py::outer.inner") in found.calls()


@pytest.mark.parametrize(
    ("statement", "wanted"),
    [
        ('d = {"a": f, "b": g}\nd["a"]()', {"f"}),
        ('d = {}\nd["a"] = f\nd["b"] = g\nd["b"]()', {"g"}),
        ("d = {'a': f, 'b': g}\ndef run(key):\n    d[key]()", {"f", "g"}),
        ("d = {'a': f, 'b': g}\ndef run(key):\n    d[key]()\nrun('a')", {"f"}),
        ("d = [f, g]\nd[1]()", {"g"}),
        ("d = []\nd.append(f)\nd[0]()", {"f"}),
        ("for x in (f, g):\n    x()", {"f", "g"}),
        ("x, (y, *z) = f, (g, h)\ny()\nz[0]()", {"g", "h"}),
        ("d = {'a': f}\nd.update({'b': g})\nd['b']()", {"g"}),
        ("d = {'a': f}\nfor k, v in d.items():\n    v()", {"f"}),
        ("d = {'a': f}\n(d.get('a') or g)()", {"f", "g"}),
        ("x = f if d else g\nx()", {"f", "g"}),
        ("def y():\n    yield f\nfor x in y():\n    x()", {"f"}),
        ("def k(**kw):\n    kw['a']()\nk(a=f)", {"f"}),
        ("def k(*xs):\n    xs[1]()\nk(f, g)", {"g"}),
        ("def k(a, b):\n    b()\nargs = [f, g]\nk(*args)", {"g"}),
        ("(lambda x: x())(f)", {"f"}),
        ("import functools\nfunctools.partial(f, 1)()", {"f"}),
        ("sorted([], key=f)", {"f"}),
        ("list(map(f, []))", {"f"}),
    ],
)
def test_what_containers_and_the_library_hold(project: Resolve, statement: str, wanted: set[str]) -> None:
    functions = "def f(*a): pass\ndef g(*a): pass\ndef h(*a): pass\n"
    found = project({"a.py": functions + statement + "\n"})
    reached = {t.removeprefix("a.py::") for _, t in found.calls()} & {"f", "g", "h"}
    assert reached == wanted


def test_a_call_within_a_lambda_belongs_to_the_lambda(project: Resolve) -> None:
    found = project({"a.py": "def f(): pass\nx = lambda: f()\nx()\n"})
    assert found.calls() == {("a.py", "a.py::<lambda1>"), ("a.py::<lambda1>", "a.py::f")}


def test_decorators_are_called_where_they_stand_and_replace_what_they_wrap(project: Resolve) -> None:
    found = project(
        {
            "a.py": """
        import functools
        def logged(function):
            @functools.wraps(function)
            def wrapper(*args, **kwargs):
                return function(*args, **kwargs)
            return wrapper
        class Made:
            def use(self): pass
        @logged
        def make(): return Made()
        @logged
        def other(): return None
        def run():
            make().use()
    """
        }
    )
    assert {
        ("a.py", "a.py::logged"),
        ("a.py::run", "a.py::logged.wrapper"),
        ("a.py::logged.wrapper", "a.py::make"),
        ("a.py::logged.wrapper", "a.py::other"),
        ("a.py::run", "a.py::Made.use"),
    } <= found.calls()
    assert ("a.py::run", "a.py::other") not in found.calls()
    assert found.how("a.py", "a.py::logged") == "decorator"
    assert found.how("a.py::run", "a.py::make") == "decorated"


def test_arguments_reach_the_wrapped_function_of_their_own_call_only(project: Resolve) -> None:
    found = project(
        {
            "a.py": """
        def logged(function):
            def wrapper(*args):
                return function(*args)
            return wrapper
        def f(): pass
        def g(): pass
        @logged
        def one(callback): callback()
        @logged
        def two(callback): callback()
        one(f)
        two(g)
    """
        }
    )
    assert {("a.py::one", "a.py::f"), ("a.py::two", "a.py::g")} <= found.calls()
    assert not {("a.py::one", "a.py::g"), ("a.py::two", "a.py::f")} & found.calls()


def test_class_decorators_give_the_class_back(project: Resolve) -> None:
    found = project(
        {
            "a.py": """
        def register(cls):
            return cls
        @register
        class A:
            def f(self): pass
        @register
        class B:
            def f(self): pass
        A().f()
    """
        }
    )
    assert ("a.py", "a.py::A.f") in found.calls()
    assert ("a.py", "a.py::B.f") not in found.calls()


def test_iteration_and_context_managers_call_their_methods(project: Resolve) -> None:
    found = project(
        {
            "a.py": """
        class Each:
            def __iter__(self): return self
            def __next__(self): return work
        class Scope:
            def __enter__(self): return work
            def __exit__(self, *a): pass
        def work(): pass
        def run():
            for x in Each():
                x()
            with Scope() as y:
                y()
    """
        }
    )
    called = {t for s, t in found.calls() if s == "a.py::run"}
    assert {
        "a.py::Each.__iter__", "a.py::Each.__next__", "a.py::Scope.__enter__", "a.py::Scope.__exit__", "a.py::work"
    } <= called  # fmt: skip


def test_declared_types_are_receivers(project: Resolve) -> None:
    found = project(
        {
            "m.py": "class Node:\n    def visit(self): pass\n    def next(self) -> 'Node': ...\n",
            "a.py": """
            from __future__ import annotations
            from typing import Optional
            from m import Node
            class Holder:
                node: Node
                def f(self): self.node.visit()
            def one(n: Optional[Node]): n.next().visit()
            def many(ns: list[Node], d: dict[str, Node]):
                for n in ns: n.visit()
                d["k"].visit()
        """,
        }
    )
    for source in ("Holder.f", "one", "many"):
        assert found.how(f"a.py::{source}", "m.py::Node.visit") == "declared-type"
    assert ("a.py::one", "m.py::Node") in found.pairs("REFERENCES")


# Verifies REQ-RES-007.
def test_functions_passed_along_are_references(project: Resolve) -> None:
    found = project(
        {
            "a.py": """
        import signals
        def handler(): pass
        class A:
            def method(self): pass
            def connect(self): signals.connect(self.method)
        signals.connect(handler)
    """
        }
    )
    assert found.pairs("REFERENCES") == {("a.py", "a.py::handler"), ("a.py::A.connect", "a.py::A.method")}
    assert found.calls() == set()


# Verifies REQ-RES-008.
def test_tests_point_at_what_they_call(project: Resolve) -> None:
    found = project(
        {
            "app.py": "def f(): pass\nclass A: pass\n",
            "tests/helpers.py": "def help(): pass\n",
            "tests/test_app.py": "from app import f, A\nfrom .helpers import help\n"
            "def test_it():\n    f()\n    help()\n    def inner(): A()\n    inner()\n",
        }
    )
    assert found.pairs("TESTS") == {
        ("tests/test_app.py::test_it", "app.py::f"), ("tests/test_app.py::test_it", "app.py::A"),
    }  # fmt: skip


def test_fixtures_are_passed_by_name(project: Resolve) -> None:
    found = project(
        {
            "app.py": "class App:\n    def run(self): pass\n",
            "tests/conftest.py": "import pytest\nfrom app import App\n@pytest.fixture\ndef app():\n    yield App()\n",
            "tests/test_app.py": "def test_run(app):\n    app.run()\ndef helper(app):\n    app.run()\n",
        }
    )
    assert ("tests/test_app.py::test_run", "app.py::App.run") in found.calls()
    assert ("tests/test_app.py::helper", "app.py::App.run") not in found.calls()


def test_a_wrapper_of_several_functions_does_not_hide_who_calls_which(project: Resolve) -> None:
    found = project(
        {
            "lib.py": """
        from functools import wraps
        def traced(function):
            @wraps(function)
            def wrapper(*args):
                return function(*args)
            return wrapper
        def quietly(function):
            return traced(function)
    """,
            "a.py": """
        from lib import quietly, traced
        @traced
        def f(): pass
        @quietly
        def g(): pass
    """,
            "b.py": "from a import f, g\ndef run(): f()\ndef again(): g()\n",
        }
    )
    wrapper = "lib.py::traced.wrapper"
    assert {t for s, t in found.calls() if s == "b.py::run"} == {wrapper, "a.py::f"}
    assert {t for s, t in found.calls() if s == "b.py::again"} == {wrapper, "a.py::g"}
    assert found.how("b.py::run", "a.py::f") == "decorated"
    assert found.how("b.py::run", wrapper) == "decorator"


def test_a_wrapper_calls_all_that_it_wraps_however_many(project: Resolve) -> None:
    functions = "".join(f"@traced\ndef f{i}(): pass\n" for i in range(12))
    found = project(
        {
            "a.py": "def traced(function):\n    def wrapper(): function()\n    return wrapper\n"
            + functions
            + "def run(): f3()\n"
        }
    )
    assert {t for s, t in found.calls() if s == "a.py::traced.wrapper"} == {f"a.py::f{i}" for i in range(12)}
    assert {t for s, t in found.calls() if s == "a.py::run"} == {"a.py::traced.wrapper", "a.py::f3"}


def test_many_callbacks_put_together_are_as_unsure_as_many_values(project: Resolve) -> None:
    functions = "".join(f"def f{i}(): pass\n" for i in range(12))
    listed = ", ".join(f"f{i}" for i in range(12))
    found = project({"a.py": f"{functions}def run(all=[{listed}]):\n    for f in all:\n        list(map(f, [1]))\n"})
    assert found.calls() == {("a.py::run", f"a.py::f{i}") for i in range(12)}
    assert found.how("a.py::run", "a.py::f3") == "candidate"


def test_a_decorator_that_may_be_any_of_many_is_what_a_factory_makes(project: Resolve) -> None:
    functions = "".join(f"def f{i}(g): return g\n" for i in range(12))
    listed = ", ".join(f"f{i}" for i in range(12))
    pick = (
        f"def pick(all=[{listed}]):\n    def made(g): return g\n    for f in all:\n        return f\n    return made\n"
    )
    found = project({"a.py": f"{functions}{pick}def run():\n    @pick()\n    def inner(): pass\n    return inner\n"})
    assert found.calls() == {("a.py::run", "a.py::pick"), ("a.py::run", "a.py::pick.made")}


# Verifies REQ-SEC-010.
@pytest.mark.parametrize("digits", ["²", "٣", "9" * 6000])
def test_digits_that_are_no_position_end_nothing(project: Resolve, digits: str) -> None:
    found = project(
        {
            "a.js": f"function f() {{}}\nfunction g() {{}}\nconst xs = [f];\nxs['{digits[:60]}'] = g;\n"
            "const ys = [...xs];\nys[0]();\nfor (const x of xs.slice(1)) x();\n",
            "b.py": "def f(): pass\nxs = [f]\n"
            + (f"xs[{digits}] = f\nys = [*xs]\nzs = xs[{digits}:]\n" if digits.isascii() else "ys = [*xs]\n")
            + "ys[0]()\n",
        }
    )
    assert {("a.js", "a.js::f"), ("b.py", "b.py::f")} <= found.calls()
