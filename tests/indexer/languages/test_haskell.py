"""Haskell: fixtures that assert themselves, and what only Haskell does."""

from __future__ import annotations

from pathlib import Path

import pytest

from loregraph.indexer.extract.file import extract
from loregraph.indexer.facts import FileFacts
from tests.indexer.languages.carets import FIXTURES, failures
from tests.indexer.languages.edges import calls_between

FILES = sorted((FIXTURES / "haskell").glob("*.hs"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_fixtures_say_what_is_found(path: Path) -> None:
    assert failures(path, "haskell", "--") == []


def facts_of(text: str, path: str = "src/Cart.hs") -> FileFacts:
    return extract(path, text.encode(), "haskell")


def names(facts: FileFacts) -> list[str]:
    return [d.qualname for d in facts.definitions]


def test_equations_of_one_name_are_one_function() -> None:
    facts = facts_of("f 0 = a\n-- more\nf n = b n\ng = c\nf = 1\n")
    assert [(d.qualname, d.start_line, d.end_line) for d in facts.definitions] == [
        ("f", 1, 3), ("g", 4, 4), ("f#2", 5, 5),
    ]  # fmt: skip
    assert [facts.definitions[c.scope].qualname for c in facts.calls if c.function == ("n", "b")] == ["f"]


def test_operators_are_functions() -> None:
    facts = facts_of("(<|>) a b = f a\na <+> b = g b\nx `plus` y = h x y\n")
    assert names(facts) == ["<|>", "<+>", "plus"]


def test_what_an_instance_defines_is_named_under_the_type() -> None:
    text = "instance C [a] where\n m = f\ninstance C (Maybe a) where m = g\ninstance C a where m = h\n"
    facts = facts_of(text)
    assert [d.qualname for d in facts.definitions if d.is_function] == ["[].m", "Maybe.m", "C.m"]


def test_all_branches_of_conditional_compilation_are_read() -> None:
    assert names(facts_of("a = 1\n#if FOO\nb = 2\n#else\nc = 3\n#endif\nd = 4\n")) == ["a", "b", "c", "d"]


def test_character_literals_do_not_end_a_function() -> None:
    facts = facts_of("f = do\n  g\n  no (char '\\n')\n\nf' :: Int\nf' = h 1\n")
    assert names(facts) == ["f", "f'"]


def test_imports_exports_and_qualified_names() -> None:
    edges = calls_between(
        {
            "src/Base.hs": "module Base (base, T (..), hide) where\nbase x = x\nhide = 1\n"
            "data T = A Int | B { size :: Int }\nsecret = 2\n",
            "src/All.hs": "module All (module Base, own, M.far) where\nimport Base\nimport qualified Far as M\n"
            "own = 1\nother = 2\n",
            "src/Far.hs": "module Far where\nfar x = x\nnear x = far x\n",
            "app/A.hs": "module A where\nimport All\na = base own\nb = far 1\nc = other\nd = A 3\n",
            "app/B.hs": "module B where\nimport qualified Base\nimport Far as F hiding (near)\nimport Base (T (A))\n"
            "a = Base.base 1\nb = F.far 2\nc = near 3\nd = base 4\ne = A 5\nf = B 6\ng = Base.secret\n",
            "app/C.hs": "module C where\nimport Base (T (..), hide)\nimport qualified Far as F (far)\n"
            "a = B { size = hide }\nb = F.far 1\nc = F.near 2\nd = base 3\n",
        }
    )
    assert edges == {
        ("near", "far"), ("a", "base"), ("a", "own"), ("b", "far"), ("d", "T"), ("e", "T"), ("a", "T"), ("a", "hide"),
    }  # fmt: skip


def test_class_methods_reach_the_instances() -> None:
    files = {
        "Shape.hs": "module Shape where\nclass Shape a where\n  area :: a -> Int\n  twice :: a -> Int\n"
        "  twice x = area x\ndata Sq = Sq Int\ninstance Shape Sq where\n  area (Sq n) = side n\nside n = n\n",
        "Use.hs": "module Use where\nimport Shape\ninstance Shape Int where\n  area n = n\n  twice n = side n\n"
        "total xs = sum (map area xs)\ndouble x = twice x\n",
    }
    assert calls_between(files) == {
        ("Shape.twice", "Shape.area"), ("Shape.twice", "Sq.area"), ("Shape.twice", "Int.area"), ("Sq.area", "side"),
        ("Int.twice", "side"), ("total", "Shape.area"), ("total", "Sq.area"), ("total", "Int.area"),
        ("double", "Shape.twice"), ("double", "Int.twice"),
    }  # fmt: skip
    assert calls_between(files, "IMPLEMENTS") == {("Sq", "Shape")}
    assert calls_between(files, "OVERRIDES") == {
        ("Sq.area", "Shape.area"), ("Int.area", "Shape.area"), ("Int.twice", "Shape.twice"),
    }  # fmt: skip


def test_local_names_hide_functions_and_names_alone_are_calls() -> None:
    edges = calls_between(
        {
            "A.hs": "module A where\nrun x = x\nplain = run 1\nf run = run 2\ng = let plain = 3 in use plain\n"
            "use x = plain\nh = run . use $ plain\ni xs = map use xs\nj x = case x of\n  Just run -> run 1\n"
            "k = apply use\napply fn = fn 1\nl = plain\nm = do\n  plain <- l\n  use plain\n",
        }
    )
    assert edges == {
        ("plain", "run"), ("g", "use"), ("use", "plain"), ("h", "run"), ("h", "use"), ("h", "plain"), ("i", "use"),
        ("k", "apply"), ("apply", "use"), ("l", "plain"), ("m", "l"), ("m", "use"),
    }  # fmt: skip


def test_operators_of_the_project_are_called() -> None:
    edges = calls_between(
        {
            "A.hs": "module A ((<+>), (.:)) where\ninfixl 6 <+>\na <+> b = a\nf .: g = f\n",
            "B.hs": "module B where\nimport A\nimport qualified A as Q\nf = 1 <+> 2\ng = map (<+> 1) xs\n"
            "h = 1 Q.<+> 2\ni = (.:) 1 2\nj = 1 + 2\n",
        }
    )
    assert edges == {("f", "<+>"), ("g", "<+>"), ("h", "<+>"), ("i", ".:")}


@pytest.mark.parametrize(
    ("text", "status", "definitions", "calls"),
    [
        ("x = " + "(" * 3000 + "1" + ")" * 3000, "partial", 0, 0),
        ("x = a" + " $ b" * 5000, "indexed", 1, 1396),
        ("x = f" + " a" * 5000, "indexed", 1, 1994),
        ("x = [" + "a," * 20000 + "a]", "indexed", 1, 20001),
        ("f 0 = 1\n" * 3000, "indexed", 1, 0),
    ],
    ids=["parentheses", "operators", "arguments", "list", "equations"],
)
def test_deep_code_is_read_without_recursion(text: str, status: str, definitions: int, calls: int) -> None:
    facts = facts_of(text)
    assert (facts.status, len(facts.definitions), len(facts.calls)) == (status, definitions, calls)
