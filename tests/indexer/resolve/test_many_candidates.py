"""Calls that may reach very many functions: they keep some, in canonical order, and are marked."""

from __future__ import annotations

import pytest

from .conftest import Project, Resolve


def _handed(project: Resolve, count: int) -> Project:
    functions = "".join(f"def f{i:02}(): pass\n" for i in range(count))
    calls = "".join(f"run(f{i:02})\n" for i in range(count))
    return project({"a.py": f"{functions}def run(f):\n    f()\n{calls}"})


def _reached(found: Project, source: str) -> dict[str, str]:
    return {e.target.partition("::")[2]: e.how for e in found.edges if e.rel == "CALLS" and e.source == source}


@pytest.mark.parametrize(("count", "how"), [(8, "value"), (9, "candidate"), (32, "candidate")])
def test_a_function_that_is_handed_many_callbacks_reaches_all(project: Resolve, count: int, how: str) -> None:
    found = _handed(project, count)
    assert _reached(found, "a.py::run") == {f"f{i:02}": how for i in range(count)}
    assert found.resolution.problems == ()


# Verifies REQ-SEC-010.
def test_past_the_bound_a_call_keeps_the_least_and_says_so(project: Resolve) -> None:
    found = _handed(project, 40)
    assert _reached(found, "a.py::run") == {f"f{i:02}": "candidate" for i in range(8)}
    (problem,) = found.resolution.problems
    assert (problem.path, problem.line) == ("a.py", 42)
    assert "all but 8" in problem.message


def test_past_the_bound_the_nearest_of_the_product_are_kept(project: Resolve) -> None:
    functions = "".join(f"def f{i:02}(): pass\n" for i in range(12))
    files = dict.fromkeys(("examples/a.py", "lib/near/a.py", "lib/far.py", "tests/a.py"), functions)
    modules = ("examples.a", "lib.near.a", "lib.far", "tests.a")
    handed = "".join(f"run({module}.f{i:02})\n" for module in modules for i in range(12))
    imports = "".join(f"import {module}\n" for module in modules)
    files["lib/near/run.py"] = f"{imports}def run(f):\n    f()\n{handed}"
    found = project(files)
    reached = {target for source, target in found.calls() if source == "lib/near/run.py::run"}
    assert reached == {f"lib/near/a.py::f{i:02}" for i in range(8)}


LISTED = {
    "a.py": "{} \nfor each in [{}]:\n    each()\n",
    "a.js": "{}\nfor (const each of [{}]) each();\n",
    "a.ts": "{}\nfor (const each of [{}]) each();\n",
}


@pytest.mark.parametrize("path", LISTED)
def test_a_list_of_eleven_classes_or_functions_is_called_in_a_loop(project: Resolve, path: str) -> None:
    form = "class C{}:\n    def __init__(self): pass\n" if path.endswith("py") else "function C{}() {{}}\n"
    made = "".join(form.format(i) for i in range(11))
    found = project({path: LISTED[path].format(made, ", ".join(f"C{i}" for i in range(11)))})
    assert {f"C{i}" for i in range(11)} <= _reached(found, path).keys()


# Verifies REQ-SEC-010.
def test_of_very_many_overriding_methods_the_least_are_kept(project: Resolve) -> None:
    classes = "".join(f"class C{i:02} implements B {{ public void m() {{}} }}\n" for i in range(30))
    text = f"interface B {{ void m(); }}\n{classes}class X {{ void run(B b) {{ b.m(); }} }}\n"
    found = project({"A.java": text})
    assert _reached(found, "A.java::X.run") == {"B.m": "declared-type"} | {f"C{i:02}.m": "interface" for i in range(8)}
    (problem,) = found.resolution.problems
    assert "all but 8" in problem.message


def test_what_factories_of_decorators_hand_back_decorates_nothing(project: Resolve) -> None:
    made = "".join(f"@mark({i})\ndef f{i}(): pass\n" for i in range(12))
    found = project({"a.py": f"def mark(number):\n    def decorate(f):\n        return f\n    return decorate\n{made}"})
    assert {t for t in _reached(found, "a.py") if t.startswith("f")} == set()


KEYED = "const held = {{}};\nfor (const f of [{}]) held[f.name] = f;\n"


@pytest.mark.parametrize(("count", "text", "reached"), [
    (9, "held.replace('a');\n", False),  # what strings have
    (9, "held[which]('a');\n", True),
    (8, "held.replace('a');\n", True),
])  # fmt: skip
def test_of_many_functions_under_computed_keys_none_is_called_by_a_name(
    project: Resolve, count: int, text: str, reached: bool
) -> None:
    functions = "".join(f"function f{i}() {{}}\n" for i in range(count))
    found = project({"a.js": functions + KEYED.format(", ".join(f"f{i}" for i in range(count))) + text})
    assert bool(_reached(found, "a.js")) == reached


def test_what_has_the_name_itself_is_called_among_many(project: Resolve) -> None:
    functions = "".join(f"function f{i}() {{}}\n" for i in range(9))
    keyed = KEYED.replace("{{}}", "{{ trim: f0 }}").format(", ".join(f"f{i}" for i in range(9)))
    found = project({"a.js": functions + keyed + "held.trim();\n"})
    assert "f0" in _reached(found, "a.js")
