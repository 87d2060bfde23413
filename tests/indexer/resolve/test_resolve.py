"""What holds of every result: order, determinism, confidence, surfaces."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from loregraph.graph.model import RELATIONSHIPS
from loregraph.indexer.discover.layout import read_layout
from loregraph.indexer.extract.file import extract
from loregraph.indexer.resolve import Limits, resolve
from loregraph.indexer.resolve.how import BY_LANGUAGE, CONFIDENCE, confidence
from loregraph.indexer.resolve.interface_digest import interface_digest

from .conftest import Resolve

FILES = {
    "pkg/__init__.py": "from .a import *\nfrom .b import B\n",
    "pkg/a.py": "from .b import B\nclass A(B):\n    def f(self): return self.g()\n    def g(self): return B()\n"
    "def make(): return A()\n",
    "pkg/b.py": "def deco(f):\n    def w(*a): return f(*a)\n    return w\n"
    "class B:\n    @deco\n    def h(self, x): x()\n",
    "pkg/c.py": "def keyed(key, value): return {key: value}\n",
    "pkg/d.py": "from .c import keyed\ndef f(): pass\nD = keyed('x', f)\nD['x']()\nD['y']()\n",
    "pkg/e.py": "from .c import keyed\ndef g(): pass\nE = keyed('y', g)\nE['x']()\nE['y']()\n",
    "test_it.py": "import pkg\nfrom pkg import make\ndef test_f():\n    make().f().h(lambda: print(1))\n",
}


# Verifies REQ-GRA-008.
def test_edges_are_sorted_unique_and_of_the_vocabulary(project: Resolve) -> None:
    found = project(FILES)
    for path, result in found.resolution.files.items():
        keys = [(e.rel, e.source, e.target) for e in result.edges]
        assert keys == sorted(set(keys))
        for edge in result.edges:
            assert edge.rel in RELATIONSHIPS
            assert edge.source.partition("::")[0] == path
            if edge.rel == "CALLS":
                assert edge.confidence == confidence(edge.how, "python")
                assert edge.line > 0


def test_every_end_is_a_definition_a_file_or_an_external(project: Resolve) -> None:
    found = project(FILES)
    known = set(found.facts) | {e.id for e in found.resolution.externals}
    known |= {f"{p}::{d.qualname}" for p, f in found.facts.items() for d in f.definitions}
    assert {e.source for e in found.edges} | {e.target for e in found.edges} <= known


# Verifies REQ-IDX-015.
@pytest.mark.parametrize("limits", [Limits(), Limits(1, 1, 1)], ids=["as always", "one of each"])
def test_the_order_of_files_and_of_work_does_not_matter(tmp_path: Path, limits: Limits) -> None:
    facts = {path: extract(path, text.encode(), "python") for path, text in FILES.items()}
    layout = read_layout(tmp_path, FILES)
    expected = resolve(facts, layout, limits=limits)
    for seed in range(5):
        again = resolve(facts, layout, limits=limits, order=random.Random(seed))
        assert again.externals == expected.externals
        assert again.files == expected.files
    backwards = resolve({path: facts[path] for path in reversed(facts)}, layout, limits=limits)
    assert list(backwards.files.items()) == list(expected.files.items())


def test_repeated_calls_are_counted_at_their_first_line(project: Resolve) -> None:
    found = project({"a.py": "def f(): pass\ndef run():\n    f()\n    f()\n"})
    [edge] = [e for e in found.edges if e.rel == "CALLS"]
    assert (edge.line, edge.count, edge.how, edge.confidence) == (3, 2, "scope", 1.0)
    assert edge.lines == (3, 4)


# Verifies REQ-RES-004.
def test_an_edge_has_each_line_of_its_calls_once_in_order(project: Resolve) -> None:
    text = """
        class Cart:
            def add(self) -> "Cart": return self

        def run(cart: Cart):
            cart.add(); cart.add()
            (cart
                .add()
                .add())
            cart.add(
                cart.add())
        """
    [edge] = [e for e in project({"a.py": text}).edges if e.rel == "CALLS" and e.source == "a.py::run"]
    assert (edge.line, edge.lines, edge.count) == (6, (6, 8, 9, 10, 11), 6)


def test_a_surface_ignores_where_things_stand_and_what_they_say() -> None:
    plain = extract("a.py", b"def f(x):\n    return g(x)\n", "python")
    moved = extract("a.py", b'# a comment\n\ndef f(x):\n    """Doc."""\n\n    return g(x)\n', "python")
    other = extract("a.py", b"def f(x):\n    return h(x)\n", "python")
    assert interface_digest(plain) == interface_digest(moved)
    assert interface_digest(plain) != interface_digest(other)


# Verifies REQ-RES-010.
def test_long_chains_end(project: Resolve) -> None:
    size = 3000
    assigned = "def f(): pass\nx0 = f\n" + "".join(f"x{i} = x{i - 1}\n" for i in range(1, size)) + f"x{size - 1}()\n"
    passed = "".join(f"def g{i}(h): g{i + 1}(h)\n" for i in range(size)) + f"def g{size}(h): h()\n"
    inherited = "class C0:\n    def m(self): return self\n" + "".join(
        f"class C{i}(C{i - 1}): pass\n" for i in range(1, 400)
    )
    chained = "C399()" + ".m()" * 300 + "\n"
    found = project({"a.py": assigned + passed + "g0(f)\n" + inherited + chained})
    assert {("a.py", "a.py::f"), (f"a.py::g{size}", "a.py::f"), ("a.py", "a.py::C0.m")} <= found.calls()


# Verifies REQ-RES-010.
def test_values_that_feed_themselves_end(project: Resolve) -> None:
    found = project(
        {
            "a.py": """
        class Node:
            def __init__(self, next): self.next = next
            def last(self): return self.next.last() if self.next else self
        def wrap(f, *args, **kwargs):
            return wrap(wrap, f, *args, **kwargs)
        xs = []
        xs.append(xs)
        xs = [xs, *xs]
        d = {}
        d["a"] = d
        d.update(d)
        wrap(wrap, xs, d)
        Node(Node(None)).last().last()
    """
        }
    )
    assert ("a.py::Node.last", "a.py::Node.last") in found.calls()


def test_a_module_that_exports_an_object_is_imported_all_the_same(project: Resolve) -> None:
    found = project(
        {
            "a.js": "const b = require('./b');\nb.run();\n",
            "b.js": "const app = exports = module.exports = {};\napp.run = function run() {};\n",
        }
    )
    assert found.pairs("IMPORTS") == {("a.js", "b.js")}


def test_an_external_symbol_that_no_edge_ends_at_is_none(project: Resolve) -> None:
    functions = "".join(f"def d{i}(f): return f\nuse(d{i})\n" for i in range(9))
    found = project(
        {"a.py": f"import os\ndef use(x):\n    @x\n    def g(): pass\n{functions}use(os.nice)\nos.getcwd()\n"}
    )
    ends = {edge.target for edge in found.edges if edge.target.startswith("external:")}
    assert {one.id for one in found.resolution.externals} == ends == {"external:os", "external:os.getcwd"}


def test_confidence_is_what_was_measured_in_the_language(project: Resolve) -> None:
    texts = {
        "a.py": "def run(): return list(map(one, []))\ndef one(x): return x\n",
        "a.js": "function run() { return [1].map(one) }\nfunction one(x) { return x }\n",
        "A.java": "class A { void run() { one(); } void one() { } }\n",
    }
    edges = [edge for edge in project(texts).edges if edge.rel == "CALLS" and edge.target.endswith("one")]
    found = {edge.source: (edge.how, edge.confidence) for edge in edges}
    assert found == {
        "a.py::run": ("callback", BY_LANGUAGE["python"]["callback"]),
        "a.js::run": ("callback", CONFIDENCE["callback"]),
        "A.java::A.run": ("self", BY_LANGUAGE["java"]["self"]),
    }


def test_only_ways_of_the_table_differ_by_language() -> None:
    for hows in BY_LANGUAGE.values():
        assert hows.keys() <= CONFIDENCE.keys()
        assert all(abs(sure - CONFIDENCE[how]) >= 0.05 for how, sure in hows.items())
