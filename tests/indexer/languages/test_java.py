"""Java: fixtures that assert themselves, and what only Java does."""

from __future__ import annotations

from pathlib import Path

import pytest

from loregraph.indexer.extract.file import extract
from loregraph.indexer.facts import FileFacts
from tests.indexer.languages.carets import FIXTURES, failures
from tests.indexer.languages.edges import calls_between

FILES = sorted((FIXTURES / "java").glob("*.java"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_fixtures_say_what_is_found(path: Path) -> None:
    assert failures(path, "java") == []


def facts_of(text: str, path: str = "src/main/java/shop/Cart.java") -> FileFacts:
    return extract(path, text.encode(), "java")


def names(facts: FileFacts) -> list[str]:
    return [d.qualname for d in facts.definitions]


def test_the_package_and_its_javadoc_free_head_are_read() -> None:
    facts = facts_of("// licence\n@Deprecated package com . acme.shop;\nclass A {}\n")
    assert facts.package == "com.acme.shop"
    assert facts.status == "indexed"


def test_initialisers_and_field_values_run_in_the_class() -> None:
    facts = facts_of("class A { int x = f(); static { g(); } { h(); } void m() { i(); } }")
    assert [(c.function[1], c.scope) for c in facts.calls] == [("f", 0), ("g", 0), ("h", 0), ("i", 1)]


def test_a_lambda_is_a_scope_and_its_expression_what_it_returns() -> None:
    facts = facts_of("class A { Object m() { return xs.map(x -> y -> f(x, y)); } }")
    assert names(facts) == ["A", "A.m", "A.m.<lambda1>", "A.m.<lambda1>.<lambda1>"]
    assert [(r.scope, r.value) for r in facts.returns] == [(1, ("c", 0)), (2, ("f", 3)), (3, ("c", 1))]


def test_constants_with_a_body_are_objects_of_their_own() -> None:
    facts = facts_of("enum E { A(1) { void f() {} }, B; E(int... n) {} }")
    assert [(d.kind, d.qualname) for d in facts.definitions] == [
        ("enum", "E"),
        ("object", "E.A"),
        ("method", "E.A.f"),
        ("constructor", "E.E"),
    ]
    assert [(c.function, c.kind, c.scope) for c in facts.calls] == [(("f", 1), "new", 0)]


def test_bounds_of_type_parameters_are_names_of_the_definition() -> None:
    facts = facts_of("class A<T extends Item> { <R extends Run & Stop> void m(R r) {} }")
    bound = [(a.scope, a.target[1], a.value) for a in facts.assignments]
    assert bound == [(0, "T", ("n", "Item")), (1, "R", ("u", (("n", "Run"), ("n", "Stop"))))]


def test_nested_enums_records_and_interfaces_are_static_and_top_level_types_are_not() -> None:
    facts = facts_of("class A { enum B {} record C() {} interface D {} class E {} static class F {} } enum G {}")
    assert [d.name for d in facts.definitions if "static" in d.flags] == ["B", "C", "D", "F"]


def test_old_tests_go_by_name_only_in_test_files() -> None:
    text = "public class CartTest extends TestCase { public void testAdd() {} public void add() {} }"
    for path, tests in (("src/test/java/CartTest.java", ["testAdd"]), ("src/main/java/Cart.java", [])):
        assert [d.name for d in facts_of(text, path).definitions if "test" in d.flags] == tests


def test_annotations_are_decorators_and_not_part_of_the_signature() -> None:
    [_, method] = facts_of(
        'class A { @Bean @Named("x") public final int f(int a)\n  throws E { return 1; } }'
    ).definitions
    assert method.signature == "public final int f(int a) throws E"
    assert method.decorator_names == ("Bean", 'Named("x")')


def test_a_module_is_kept_as_written() -> None:
    facts = facts_of("module a.b { requires transitive java.sql; exports a.b.c; uses S; provides S with T; }")
    assert facts.extras["module"] == {
        "name": "a.b", "requires": ["java.sql"], "exports": ["a.b.c"], "opens": [], "uses": ["S"],
    }  # fmt: skip
    assert {r.value[1] for r in facts.references} == {"S", "T"}


def test_broken_code_is_partial_and_still_gives_what_is_whole() -> None:
    facts = facts_of("class A { void f() { g(; } void h() { i(); } }")
    assert facts.status == "partial"
    assert {"A", "A.f", "A.h"} <= set(names(facts))


@pytest.mark.parametrize(
    ("text", "status", "definitions", "calls"),
    [
        ("class A { int x = " + "(" * 5000 + "1" + ")" * 5000 + "; }", "indexed", 1, 0),
        ("class A { Object x = " + "() -> " * 3000 + "1; }", "indexed", 997, 0),
        ("class A { void f() " + "{" * 5000 + "}" * 5000 + " }", "indexed", 2, 0),
        ("class A { Object x = a" + ".b()" * 5000 + "; }", "indexed", 1, 996),
        ("class A {" * 3000 + "}" * 3000, "indexed", 500, 0),
        ("@A(" * 3000, "partial", 0, 0),
    ],
    ids=["parentheses", "lambdas", "blocks", "chain", "classes", "annotations"],
)
def test_deep_code_is_read_without_recursion(text: str, status: str, definitions: int, calls: int) -> None:
    facts = facts_of(text)
    assert (facts.status, len(facts.definitions), len(facts.calls)) == (status, definitions, calls)


@pytest.mark.parametrize("modifiers", ["abstract static final", "static final abstract", "final abstract static"])
def test_flags_come_in_the_order_they_are_written(modifiers: str) -> None:
    (definition,) = facts_of(f"private {modifiers} class Till {{}}").definitions
    written = [word for word in modifiers.split() if word in definition.flags]
    assert list(definition.flags) == [*written, "private"]
    assert {"abstract", "static"} <= set(written)


_OWNERS = (
    "class Owner { String name; Owner(String n) { name = n; } String name() { return name; }"
    " Owner parent() { return this; } boolean isPresent() { return true; } public String toString() { return name; }"
    " static Owner of(String s) {"
    " return null; } Optional<Owner> boss() { return null; } }"
    " class Repo { Optional<Owner> find() { return null; } List<Owner> all() { return null; }"
    " Map<String, List<Owner>> groups() { return null; } }"
)


def _calls_of(body: str) -> set[str]:
    """What the method `m` of a class with this body calls, and what functions inside it do."""
    text = f"package a; import java.util.*; import java.util.function.*; {_OWNERS} class M {{ {body} }}"
    edges = calls_between({"src/a/M.java": text})
    return {target for source, target in edges if source.partition(".<")[0] == "M.m"}


# Verifies REQ-RES-003.
def test_an_optional_is_not_what_it_holds() -> None:
    found = "Repo.find"
    assert _calls_of("void m(Repo r) { r.find().isPresent(); r.find().toString(); }") == {found}
    assert _calls_of("void m(Repo r) { Optional<Owner> o = r.find(); o.get().name(); }") == {found, "Owner.name"}
    assert _calls_of("void m(Repo r) { r.find().map(Owner::parent).orElseThrow().name(); }") == {
        found, "Owner.parent", "Owner.name",
    }  # fmt: skip
    assert _calls_of("void m(Repo r) { r.find().flatMap(Owner::boss).ifPresent(o -> o.name()); }") == {
        found, "Owner.boss", "Owner.name", "M.m.<lambda1>",
    }  # fmt: skip
    flat = "r.groups().values().stream().flatMap(List::stream).forEach(o -> o.name());"
    assert _calls_of("void m(Repo r) { " + flat + " }") == {
        "Repo.groups", "Owner.name", "M.m.<lambda1>",
    }  # fmt: skip


def test_functions_are_called_by_the_interface_they_stand_for() -> None:
    text = (
        "package a; import java.util.function.*; interface Visitor<T> { T visit(String s); }"
        " class Owner { Owner(String n) { } static Owner of(String s) { return null; } void go() { } }"
        " class M { void run() { } static void exec(Runnable r) { r.run(); }"
        " static <T> T with(Visitor<T> v) { return v.visit(null); }"
        " void a() { exec(this::run); exec(() -> run()); } void b() { with(Owner::new).go(); with(Owner::of); }"
        " void c() { new Thread(this::run); } void d() { Supplier<Owner> s = Owner::new; s.get().go(); } }"
    )
    edges = calls_between({"src/a/M.java": text})
    assert {target for source, target in edges if source == "M.exec"} == {"M.run", "M.a.<lambda1>"}
    assert {target for source, target in edges if source == "M.with"} == {
        "Visitor.visit", "Owner", "Owner.Owner", "Owner.of",
    }  # fmt: skip
    assert {("M.b", "Owner.go"), ("M.c", "M.run"), ("M.d", "Owner.Owner"), ("M.d", "Owner.go")} <= edges
    assert ("M.a", "M.run") not in edges


def test_classes_are_made_by_their_class_objects() -> None:
    edges = calls_between(
        {
            "src/a/Plugin.java": "package a; public class Plugin { Plugin() { } void start() { } String getName() {"
            " return null; } }",
            "src/b/M.java": "package b; class M {"
            ' void f() { ((a.Plugin) Class.forName("a.Plugin").newInstance()).start(); }'
            ' void g() { Class<?> c = Class.forName("a.Plugin"); c.getDeclaredConstructor().newInstance(); c.getName();'
            " }"
            ' void h() { a.Plugin.class.getMethod("start").invoke(null); a.Plugin.class.getName(); } }',
        }
    )
    assert edges == {
        ("M.f", "Plugin"), ("M.f", "Plugin.Plugin"), ("M.f", "Plugin.start"), ("M.g", "Plugin"),
        ("M.g", "Plugin.Plugin"), ("M.h", "Plugin.start"),
    }  # fmt: skip


def test_enum_constants_components_and_resources() -> None:
    text = (
        "package a; record Pair(Item left) { } class Item implements AutoCloseable { void go() { } public void"
        " close() { } } enum Op { ADD { int apply() { return 1; } }, MUL { int apply() { return 2; } };"
        " abstract int apply(); }"
        " class M { void a() { Op.ADD.apply(); } void b(Pair p) { p.left().go(); }"
        " void c() { try (Item i = new Item()) { } } }"
    )
    assert {edge for edge in calls_between({"src/a/M.java": text}) if edge[0].startswith("M.")} == {
        ("M.a", "Op.ADD.apply"), ("M.b", "Item.go"), ("M.c", "Item"), ("M.c", "Item.close"),
    }  # fmt: skip


def test_bare_calls_reach_what_overrides() -> None:
    text = (
        "package a; interface Shape { double area(); default double twice() { return area(); } }"
        " class Square implements Shape { public double area() { return 1; } }"
    )
    assert calls_between({"src/a/M.java": text}) == {("Shape.twice", "Shape.area"), ("Shape.twice", "Square.area")}


def test_a_method_of_a_subclass_that_takes_others_overrides_nothing() -> None:
    edges = calls_between(
        {
            "Element.java": "class Element { Item asItem() { return null; } void put(Object a) {} }",
            "Item.java": "class Item extends Element { Item asItem(String of) { return null; } void put(Object a) {} }",
            "Use.java": "class Use { void run(Element it) { it.asItem(); it.put(1); } }",
        }
    )
    assert {pair for pair in edges if pair[0] == "Use.run"} == {
        ("Use.run", "Element.asItem"),
        ("Use.run", "Element.put"),
        ("Use.run", "Item.put"),
    }
