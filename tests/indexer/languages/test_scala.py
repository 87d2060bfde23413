"""Scala: fixtures that assert themselves, and what only Scala does."""

from __future__ import annotations

from pathlib import Path

import pytest

from loregraph.indexer.extract.file import extract
from loregraph.indexer.facts import FileFacts
from tests.indexer.languages.carets import FIXTURES, failures
from tests.indexer.languages.edges import calls_between

FILES = sorted((FIXTURES / "scala").glob("*.scala"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_fixtures_say_what_is_found(path: Path) -> None:
    assert failures(path, "scala") == []


def facts_of(text: str, path: str = "src/main/scala/Cart.scala") -> FileFacts:
    return extract(path, text.encode(), "scala")


def names(facts: FileFacts) -> list[str]:
    return [d.qualname for d in facts.definitions]


def test_companions_are_two_nodes_whose_members_have_one_name() -> None:
    assert names(facts_of("class A { def f = 1 }\nobject A { def g = 1; def f = 2 }\n")) == [
        "A", "A.f", "A#2", "A.g", "A.f#2",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "package", "packages"),
    [
        ("package a.b\nclass C", "a.b", None),
        ("package a\npackage b\nclass C", "a.b", None),
        ("package a\npackage object b { def f = 1 }", "a.b", None),
        ("package a\nclass C\npackage object b { def f = 1 }", "a", ["a.b"]),
        ("package a {\n class C\n}", "a", None),
        ("package a {\n class C\n}\npackage b {\n class D\n}", "", ["a", "b"]),
    ],
)
def test_packages(text: str, package: str, packages: list[str] | None) -> None:
    facts = facts_of(text)
    assert (facts.package, facts.extras.get("packages")) == (package, packages)


def test_a_block_whose_parameter_has_a_path_as_its_type_is_a_function() -> None:
    facts = facts_of("object A {\n f { r: m.Result =>\n r.go() }\n def g = 1\n}\n")
    assert names(facts) == ["A", "A.<lambda1>", "A.g"]
    assert facts.status == "indexed"


def test_a_function_behind_a_colon() -> None:
    facts = facts_of("def f(xs: List[A]) =\n  xs.map: x =>\n    x.go()\n  xs.size\n")
    assert [(d.qualname, [p.name for p in d.parameters]) for d in facts.definitions] == [
        ("f", ["xs"]), ("f.<lambda1>", ["x"]),
    ]  # fmt: skip


def test_imports_packages_and_objects() -> None:
    edges = calls_between(
        {
            "core/Log.scala": "package acme.core\nobject Log { def write() = 1; class Line }\n"
            "class Item { def go() = 1 }",
            "core/package.scala": "package acme\npackage object core { def help() = 1; val one = new Item() }",
            "shop/A.scala": "package acme.shop\nimport acme.core.{Log => L, _}\nimport L._\n"
            "class A { def f() = { L.write(); help(); one.go(); write() } }",
            "shop/B.scala": "package acme\npackage shop\nimport core.Log\n"
            "class B { def g(a: A) = { Log.write(); a.f(); acme.core.help() } }",
            "other/C.scala": "package acme.other\nclass C { def h() = { help(); write() } }",
        }
    )
    assert edges == {
        ("core/package.scala", "Item"), ("A.f", "Log.write"), ("A.f", "help"), ("A.f", "Item.go"),
        ("B.g", "Log.write"), ("B.g", "A.f"), ("B.g", "help"),
    }  # fmt: skip


def test_companions_are_told_apart_by_their_use() -> None:
    edges = calls_between(
        {
            "A.scala": "class Box(n: Int) { def size = n; def open() = 1 }\n"
            "object Box { def open() = 2; def apply(n: Int) = new Box(n); def apply(s: String, n: Int) = apply(n) }\n"
            "case class Line(n: Int) { def total() = n }\nobject Line { def apply(a: Int, b: Int) = new Line(a + b) }\n"
            "class Use { def f(b: Box) = b.open(); def g = Box.open(); def h = Box(1).open(); def i = new Box(2)\n"
            " def j = Line(1).total(); def k = Line(1, 2); def l(b: Box) = b.size }\n",
        }
    )
    assert {edge for edge in edges if edge[0].startswith("Use.")} == {
        ("Use.f", "Box.open"), ("Use.g", "Box.open#2"), ("Use.h", "Box.apply"), ("Use.h", "Box.open"), ("Use.i", "Box"),
        ("Use.j", "Line"), ("Use.j", "Line.total"), ("Use.k", "Line.apply"), ("Use.l", "Box.size"),
    }  # fmt: skip


def test_members_that_are_read_are_called_where_they_are_methods() -> None:
    edges = calls_between(
        {
            "A.scala": "class Conf { def host = 1; val port = 2; def log(): Log = new Log }\n"
            "class Log { def put() = 1 }\ntrait Has { def conf: Conf }\n"
            "class Use extends Has { def conf = new Conf; def f = conf.host + conf.port; def g = conf.log.put() }\n",
        }
    )
    assert edges == {
        ("Conf.log", "Log"), ("Use.conf", "Conf"), ("Use.f", "Use.conf"), ("Use.f", "Conf.host"),
        ("Use.g", "Use.conf"), ("Use.g", "Conf.log"), ("Use.g", "Log.put"),
    }  # fmt: skip


def test_implicit_classes_and_extensions_are_called_on_what_they_extend() -> None:
    edges = calls_between(
        {
            "A.scala": "package a\nclass Cat { def purr() = 1 }\nclass Dog\n"
            "object Ops { implicit class Rich(cat: Cat) { def loud() = cat.purr() } }\n",
            "B.scala": "package a\nextension (cat: Cat) def quiet() = cat.purr()\n"
            "import Ops._\nclass Use { def f(c: Cat, d: Dog) = { c.loud(); d.loud(); c.quiet() } }\n",
            "C.scala": "package a\nclass Other { def f(c: Cat) = { c.loud(); c.quiet() } }\n",
        }
    )
    assert edges == {
        ("Ops.Rich.loud", "Cat.purr"), ("quiet", "Cat.purr"), ("Use.f", "Ops.Rich.loud"), ("Use.f", "quiet"),
        ("Other.f", "quiet"),
    }  # fmt: skip


def test_overloads_interfaces_enums_and_inheritance() -> None:
    files = {
        "A.scala": "trait Shape { def area(n: Int): Int; def both = area(1) }\n"
        "class Sq extends Shape { def area(n: Int) = side() * side(2); def side() = 1; def side(n: Int) = n }\n"
        "object Round extends Shape { def area(n: Int) = 3 }\n"
        "enum Color { case Red; def show() = 1 }\n"
        "class Use { def f(s: Shape) = s.area(1); def g = Color.Red.show(); def h = Round.both }\n",
    }
    assert calls_between(files) == {
        ("Shape.both", "Shape.area"), ("Sq.area", "Sq.side"), ("Sq.area", "Sq.side#2"),
        ("Use.f", "Shape.area"), ("Use.f", "Sq.area"), ("Use.f", "Round.area"), ("Use.g", "Color.show"),
        ("Use.h", "Shape.both"),
    }  # fmt: skip
    assert calls_between(files, "IMPLEMENTS") == {("Sq", "Shape"), ("Round", "Shape")}
    assert calls_between(files, "OVERRIDES") == {("Sq.area", "Shape.area"), ("Round.area", "Shape.area")}


def test_overloads_are_told_apart_by_the_types_of_arguments() -> None:
    edges = calls_between(
        {
            "A.scala": "class A { def a() = 1 }\nclass B extends A { def b() = 1 }\nclass C { def c() = 1 }\n"
            "class Use { def f(x: A): A = x; def f(x: C): C = x; def f(x: String): String = x\n"
            ' def g = f(new B).a(); def h = f(new C).c(); def i = f("x"); def j(u: Other) = f(u.x).c() }\n',
        }
    )
    assert {edge for edge in edges if edge[0].startswith("Use.")} == {
        ("Use.g", "B"), ("Use.g", "Use.f"), ("Use.g", "A.a"), ("Use.h", "C"), ("Use.h", "Use.f#2"), ("Use.h", "C.c"),
        ("Use.i", "Use.f#3"), ("Use.j", "Use.f"), ("Use.j", "Use.f#2"), ("Use.j", "Use.f#3"),
    }  # fmt: skip


def test_types_follow_loops_lambdas_and_containers() -> None:
    edges = calls_between(
        {
            "A.scala": "class Item { def go() = 1 }\nclass Box(items: List[Item], one: Option[Item]) {\n"
            " def a = for (i <- items) i.go()\n def b = one.foreach(_.go())\n def c = items.head.go()\n"
            " def d = items.map(i => i.go())\n def e = one match { case Some(x) => x.go() }\n"
            " def f = items.collect { case i => i.go() }\n}\n",
        }
    )
    assert edges >= {
        ("Box.a", "Item.go"), ("Box.b.<lambda1>", "Item.go"), ("Box.c", "Item.go"), ("Box.d.<lambda1>", "Item.go"),
        ("Box.e", "Item.go"), ("Box.f.<lambda1>", "Item.go"),
    }  # fmt: skip


def test_scala_and_java_of_one_package_see_each_other() -> None:
    edges = calls_between(
        {
            "a/Old.java": "package a; public class Old { public int run() { return 1; } }",
            "a/New.scala": "package a\nclass New { def go() = new Old().run() }",
        }
    )
    assert edges == {("New.go", "Old"), ("New.go", "Old.run")}


@pytest.mark.parametrize(
    ("text", "status", "definitions", "calls"),
    [
        ("val x = " + "(" * 3000 + "1" + ")" * 3000, "indexed", 0, 0),
        ("val x = " + "{ " * 2000 + "1" + " }" * 2000, "indexed", 0, 0),
        ("val x = a" + ".b()" * 5000, "failed", 0, 0),
        ("val x = a" + "(1)" * 3000, "indexed", 0, 999),
        ("class A { " * 2000 + "}" * 2000, "indexed", 500, 0),
        ("val x = a" + " + a" * 5000, "failed", 0, 0),
    ],
    ids=["parentheses", "blocks", "chain", "lists", "classes", "operators"],
)
def test_deep_code_is_read_without_recursion(text: str, status: str, definitions: int, calls: int) -> None:
    facts = facts_of(text)
    assert (facts.status, len(facts.definitions), len(facts.calls)) == (status, definitions, calls)


def test_a_definition_ends_with_the_interpolated_string_that_it_ends_with() -> None:
    source = 'object K {\n  def label(n: Int) = s"cart $n, unpaid"\n\n  def plain = 1 // one\n}\n'
    found = {d.name: source[d.start_byte : d.end_byte] for d in facts_of(source).definitions}
    assert found["label"] == 'def label(n: Int) = s"cart $n, unpaid"'
    assert found["plain"] == "def plain = 1"
