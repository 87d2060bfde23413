"""Where the bodies of functions begin, in several languages."""

from __future__ import annotations

import pytest

from loregraph.indexer.bodies import bodies


def found(path: str, language: str, source: str) -> dict[str, tuple[int, int, int]]:
    own = bodies(path, source.encode(), language)
    return {one.qualname: (one.start_line, one.body_line, one.end_line) for one in own}


# Verifies REQ-RUN-002.
@pytest.mark.parametrize(
    ("path", "language", "source", "wanted"),
    [
        ("a.py", "python", "@d\ndef f(\n    a=1,\n):\n    '''Says\n    it.'''\n\n    return a\n", {"f": (1, 8, 8)}),
        ("a.py", "python", "def f(): return 1\n", {"f": (1, 2, 1)}),
        ("a.py", "python", "def f(a,\n      b): return 1\n", {"f": (1, 3, 2)}),
        ("a.js", "javascript", "const f = (a) => {\n  return a;\n};\n", {"f": (1, 2, 3)}),
        ("a.js", "javascript", "function f(\n  a,\n)\n{\n  return a;\n}\n", {"f": (1, 5, 6)}),
        ("a.go", "go", "package a\n\nfunc F() int { return 1 }\n", {"F": (3, 4, 3)}),
        ("a.rb", "ruby", "def f(a)\n  a\nend\n", {"f": (1, 2, 3)}),
        ("A.java", "java", "class A {\n  int f(\n    int a) {\n    return a;\n  }\n}\n", {"A.f": (2, 4, 5)}),
        ("a.txt", "text", "hello", {}),
    ],
)
def test_a_body_begins_after_its_header(
    path: str, language: str, source: str, wanted: dict[str, tuple[int, int, int]]
) -> None:
    assert found(path, language, source) == wanted


def test_the_ids_and_hashes_are_those_of_the_nodes() -> None:
    one, two = bodies("a.py", b"def f():\n    pass\n\ndef f():\n    pass\n", "python")
    assert (one.id, two.id) == ("a.py::f", "a.py::f#2")
    assert one.qualname == two.qualname == "f"
    assert one.content_hash == two.content_hash
