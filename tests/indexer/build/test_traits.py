"""What a node says of its function: parameters, modifiers, what it throws and catches."""

from __future__ import annotations

import pytest

from loregraph.graph.model import Class, Function
from loregraph.indexer.build.assemble import file_nodes
from loregraph.indexer.extract.file import extract


def nodes(language: str, path: str, source: str) -> dict[str, Function | Class]:
    found, _ = file_nodes(extract(path, source.encode(), language), "")
    return {node.name: node for node in found if isinstance(node, Function | Class)}


def test_python() -> None:
    source = (
        "@register\nclass A:\n    @classmethod\n    async def f(cls, a, /, b=1, *rest, c, **more):\n        try:\n"
        "            pass\n        except (ValueError, lib.Odd):\n            raise KeyError(a) from None\n"
        "        except TypeError as error:\n            raise error\n        except:\n            raise\n"
        "def g():\n    def h():\n        raise Inner\n    raise errors.Outer\n"
    )
    found = nodes("python", "a.py", source)
    f, g, h = found["f"], found["g"], found["h"]
    assert isinstance(f, Function)
    assert isinstance(g, Function)
    assert isinstance(h, Function)
    assert f.parameters == ("cls", "a", "b", "*rest", "c", "**more")
    assert f.modifiers == ("classmethod", "async")
    assert f.raises == ("KeyError",)
    assert f.handles == ("ValueError", "Odd", "TypeError", "*")
    assert (g.raises, h.raises, g.handles) == (("Outer",), ("Inner",), ())
    assert (found["A"].decorators, found["A"].is_exported) == (("register",), True)


@pytest.mark.parametrize(
    ("language", "path", "source", "expected"),
    [
        (
            "javascript",
            "a.js",
            "async function f({ a }, b, ...c) { try { g(); } catch (e) { throw new TypeError(b); } }",
            (("{}", "b", "*c"), ("async",), ("TypeError",), ("*",)),
        ),
        (
            "java",
            "A.java",
            "class A { static void f(int a, String... b) { try { g(); } catch (IOException | OddException e) "
            "{ throw new StateException(e); } } }",
            (("a", "*b"), ("static",), ("StateException",), ("IOException", "OddException")),
        ),
        (
            "cpp",
            "a.cpp",
            "void f(int a, char) { try { g(); } catch (const std::out_of_range& e) { throw std::runtime_error(a); } }",
            (("a", "_"), (), ("runtime_error",), ("out_of_range",)),
        ),
        ("go", "a.go", "package a\nfunc (s *S) f(a int, b ...string) {}\n", (("a", "*b"), (), (), ())),
        ("rust", "a.rs", "impl S { async fn f(&self, a: u8) {} }", (("a",), ("async",), (), ())),
    ],
)
def test_other_languages(language: str, path: str, source: str, expected: tuple[object, ...]) -> None:
    f = nodes(language, path, source)["f"]
    assert isinstance(f, Function)
    assert (f.parameters, f.modifiers, f.raises, f.handles) == expected
