"""Kotlin: fixtures that assert themselves, and what only Kotlin does."""

from __future__ import annotations

from pathlib import Path

import pytest

from loregraph.indexer.extract.file import extract
from loregraph.indexer.facts import FileFacts
from tests.indexer.languages.carets import FIXTURES, failures
from tests.indexer.languages.edges import calls_between

FILES = sorted((FIXTURES / "kotlin").glob("*.kt"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_fixtures_say_what_is_found(path: Path) -> None:
    assert failures(path, "kotlin") == []


def facts_of(text: str, path: str = "src/main/kotlin/Cart.kt") -> FileFacts:
    return extract(path, text.encode(), "kotlin")


def names(facts: FileFacts) -> list[str]:
    return [d.qualname for d in facts.definitions]


def test_what_stands_in_a_companion_belongs_to_the_class() -> None:
    facts = facts_of("class A {\n companion object {\n fun make() = A()\n }\n}\n")
    assert [(d.qualname, "static" in d.flags) for d in facts.definitions] == [("A", False), ("A.make", True)]


def test_names_in_backticks_are_names() -> None:
    assert names(facts_of("class T {\n @Test fun `it works`() {}\n}\n")) == ["T", "T.it works"]


@pytest.mark.parametrize("head", ["class A(b: B) : C by b", "actual class A(val b: Int = 1) : C by x.y"])
def test_the_body_behind_a_delegation_or_platform_words_is_the_class(head: str) -> None:
    assert names(facts_of(head + " {\n fun f() {}\n}\n")) == ["A", "A.f"]


def test_a_delegated_property_behind_a_class_without_body_is_a_property() -> None:
    facts = facts_of("class A\nval x by store {\n f()\n}\n")
    assert names(facts) == ["A", "<lambda1>"]


def test_packages_imports_and_top_level_functions() -> None:
    edges = calls_between(
        {
            "core/Log.kt": "package acme.core\nobject Log { fun write() {} }\nfun help() {}\n"
            "val one = Item()\nclass Item { fun go() {} }",
            "core/More.kt": "package acme.core\nfun more() { help(); one.go() }",
            "shop/A.kt": "package acme.shop\nimport acme.core.Log\nimport acme.core.help as h\n"
            "fun f() { Log.write(); h(); acme.core.help() }",
            "shop/B.kt": "package acme.shop\nimport acme.core.*\nfun g() { help(); Log.write(); one.go(); f() }",
        }
    )
    assert edges == {
        ("more", "help"), ("more", "Item.go"), ("f", "Log.write"), ("f", "help"), ("g", "help"), ("g", "Log.write"),
        ("g", "Item.go"), ("g", "f"), ("core/Log.kt", "Item"),
    }  # fmt: skip


def test_kotlin_and_java_of_one_package_see_each_other() -> None:
    edges = calls_between(
        {
            "a/Old.java": "package a; public class Old { public void run() { new New().go(); } }",
            "a/New.kt": "package a\nclass New {\n fun go() { Old().run() }\n}",
        }
    )
    assert edges == {("Old.run", "New"), ("Old.run", "New.go"), ("New.go", "Old"), ("New.go", "Old.run")}


def test_extension_functions_are_called_on_what_they_extend() -> None:
    edges = calls_between(
        {
            "Cat.kt": "class Cat {\n fun purr() {}\n}\nclass Dog\nfun Cat.loud() { purr() }\nfun String.shout() = 1\n"
            'fun f(c: Cat, d: Dog) { c.loud(); d.loud(); "x".shout() }',
        }
    )
    assert edges == {("loud", "Cat.purr"), ("f", "loud"), ("f", "shout")}


def test_types_follow_properties_lambdas_and_lazy_values() -> None:
    edges = calls_between(
        {
            "A.kt": "class Item {\n fun go() {}\n}\nclass Box(val items: List<Item>, private val one: Item?) {\n"
            " val made by lazy { Item() }\n val first get() = items.first()\n"
            " fun a() { for (i in items) i.go() }\n fun b() { one?.let { it.go() } }\n fun c() { made.go() }\n"
            " fun d() { first.go() }\n fun e() { Item().also { x -> x.go() }.go() }\n}\n",
        }
    )
    assert edges >= {
        ("Box.a", "Item.go"), ("Box.b.<lambda1>", "Item.go"), ("Box.c", "Item.go"), ("Box.d", "Item.go"),
        ("Box.e", "Item.go"), ("Box.e.<lambda1>", "Item.go"), ("Box.e", "Item"),
    }  # fmt: skip


def test_constructors_overloads_and_interfaces() -> None:
    files = {
        "A.kt": "interface Shape {\n fun area(): Int\n}\nopen class Base(n: Int)\nclass Sq : Base, Shape {\n"
        " constructor(n: Int) : super(n) {}\n constructor() : this(1) {}\n override fun area() = side() * side(2)\n"
        " fun side() = 1\n fun side(n: Int) = n\n}\nfun f(s: Shape) { s.area(); Sq() }\n",
    }
    assert calls_between(files) == {
        ("Sq.<init>#2", "Sq.<init>"), ("Sq.area", "Sq.side"), ("Sq.area", "Sq.side#2"), ("f", "Shape.area"),
        ("f", "Sq.area"), ("f", "Sq"), ("f", "Sq.<init>#2"),
    }  # fmt: skip
    assert calls_between(files, "IMPLEMENTS") == {("Sq", "Shape")}


@pytest.mark.parametrize(
    ("text", "status", "definitions", "calls"),
    [
        ("val x = " + "(" * 3000 + "1" + ")" * 3000, "indexed", 0, 0),
        ("val x = " + "{ " * 2000 + "1" + " }" * 2000, "indexed", 500, 0),
        ("val x = a" + ".b()" * 5000, "indexed", 0, 500),
        ("class A { " * 2000 + "}" * 2000, "partial", 1, 0),
        ("class A " * 3000 + "by x {", "partial", 1491, 0),
    ],
    ids=["parentheses", "lambdas", "chain", "classes", "delegations"],
)
def test_deep_code_is_read_without_recursion(text: str, status: str, definitions: int, calls: int) -> None:
    facts = facts_of(text)
    assert (facts.status, len(facts.definitions), len(facts.calls)) == (status, definitions, calls)


def test_references_to_functions_are_called_where_they_are_passed() -> None:
    text = (
        "package a\nclass Owner { fun shout() {} }\nfun f(x: Int): Int = x\nfun exec(r: () -> Unit) { r() }\n"
        "fun app(g: (Owner) -> Unit, o: Owner) { g(o) }\nfun twice(k: (Int) -> Int): Int = k(2)\n"
        "class M { fun run() {}\n fun a(o: Owner) { twice(::f); exec(this::run); app(Owner::shout, o) } }"
    )
    edges = calls_between({"M.kt": text})
    assert {edge for edge in edges if edge[0] != "M.a"} == {("twice", "f"), ("exec", "M.run"), ("app", "Owner.shout")}


def test_defaults_hold_for_what_overrides_too() -> None:
    text = (
        "open class Query { open fun lock(mode: Int = 1) {} }\n"
        "class Lazy : Query() { override fun lock(mode: Int) {} }\n"
        "class Odd : Query() { fun lock(mode: Int, wait: Int) {} }\n"
        "fun run(query: Query) { query.lock() }\n"
    )
    assert {callee for caller, callee in calls_between({"a.kt": text}) if caller == "run"} == {
        "Query.lock",
        "Lazy.lock",
    }
