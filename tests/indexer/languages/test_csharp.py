"""C#: fixtures that assert themselves, and what only C# does."""

from __future__ import annotations

from pathlib import Path

import pytest

from loregraph.indexer.extract.file import extract
from loregraph.indexer.facts import FileFacts
from tests.indexer.languages.carets import FIXTURES, failures
from tests.indexer.languages.edges import calls_between

FILES = sorted((FIXTURES / "csharp").glob("*.cs"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_fixtures_say_what_is_found(path: Path) -> None:
    assert failures(path, "csharp") == []


def facts_of(text: str, path: str = "src/Cart.cs") -> FileFacts:
    return extract(path, text.encode(), "csharp")


def test_namespaces_are_packages_and_no_part_of_names() -> None:
    facts = facts_of("namespace A.B { namespace C { class D {} } class E {} } namespace F { class G {} }")
    assert [d.qualname for d in facts.definitions] == ["D", "E", "G"]
    assert {facts.package, *facts.extras["packages"]} == {"A.B", "A.B.C", "F"}


def test_operators_are_called_what_they_are() -> None:
    facts = facts_of(
        "struct M { public static M operator +(M a, M b) => a; public static implicit operator int(M m) => 1; }"
    )
    assert [d.name for d in facts.definitions] == ["M", "operator +", "operator int"]


def test_a_static_constructor_makes_no_instance() -> None:
    edges = calls_between({"A.cs": "class A { static A() {} A(int n) {} static A Make() => new A(1); }"})
    assert ("A.Make", "A.A#2") in edges
    assert ("A.Make", "A.A") not in edges


def test_directives_in_the_middle_of_code_leave_the_first_branch() -> None:
    facts = facts_of("class A { void F(\n#if X\n int a,\n#else\n string a,\n#endif\n int b) { G(); } }")
    assert facts.status == "indexed"
    assert [p.name for p in facts.definitions[1].parameters] == ["a", "b"]


def test_a_name_as_text_is_no_call() -> None:
    assert [c for c in facts_of("class A { string F() => nameof(F); }").calls if c.line] == []


def test_namespaces_usings_and_the_namespaces_around_are_looked_into() -> None:
    edges = calls_between(
        {
            "Log.cs": "namespace Acme.Core; public static class Log { public static void Write() {} }",
            "Root.cs": "namespace Acme; public static class Root { public static void Go() {} }",
            "Usings.cs": "global using Acme.Core;",
            "A.cs": "namespace Acme.Shop.Deep; class A { void F() { Log.Write(); Root.Go(); Acme.Core.Log.Write(); } }",
            "B.cs": "using L = Acme.Core.Log; namespace Other { class B { void F() { L.Write(); Root.Go(); } } }",
        }
    )
    assert edges == {("A.F", "Log.Write"), ("A.F", "Root.Go"), ("B.F", "Log.Write")}


def test_parts_of_a_class_see_each_other() -> None:
    edges = calls_between(
        {
            "One.cs": "namespace N; partial class A : B { void F() { G(); H(); } }",
            "Two.cs": "namespace N; partial class A { void G() {} static A Make() => new A(); }",
            "B.cs": "namespace N; class B { public void H() {} void I(A a) { a.G(); } }",
        }
    )
    assert edges == {("A.F", "A.G"), ("A.F", "B.H"), ("A.Make", "A"), ("B.I", "A.G")}


def test_extension_methods_are_called_on_what_they_extend() -> None:
    edges = calls_between(
        {
            "Ext.cs": "static class Ext { public static int Shout(this Cat c, int n) => n;"
            " public static int Loud(this string s) => 1; }",
            "Cat.cs": 'class Cat { void F(Dog d) { this.Shout(1); d.Shout(1); "x".Loud(); Ext.Shout(this, 2); } }',
            "Dog.cs": "class Dog { }",
        }
    )
    assert edges == {("Cat.F", "Ext.Shout"), ("Cat.F", "Ext.Loud")}


def test_overloads_are_told_apart_by_their_number_of_parameters() -> None:
    edges = calls_between(
        {
            "A.cs": "class A { A() : this(1) {} A(int n) {} void F() {}"
            " void F(int n) { F(); } void F(int a, int b = 1) {} void G() { F(1, 2); } }"
        }
    )
    assert edges == {("A.A", "A.A#2"), ("A.F#2", "A.F"), ("A.G", "A.F#3")}


def test_types_follow_properties_tasks_lists_and_queries() -> None:
    edges = calls_between(
        {
            "A.cs": "class Item { public void Run() {} } class Box { public List<Item> Items { get; set; } = new();"
            " public Item First => Items[0]; public async Task<Item> Get() => First; }"
            " class User { async Task F(Box box) { box.First.Run(); (await box.Get()).Run(); } "
            " void G(Box b) { foreach (var i in b.Items) i.Run(); }"
            " void H(Box b) { b.Items.Where(i => true).First().Run(); } }",
        }
    )
    assert edges == {
        ("User.F", "Item.Run"), ("User.F", "Box.Get"), ("User.G", "Item.Run"), ("User.H", "Item.Run"),
        ("User.H", "User.H.<lambda1>"),
    }  # fmt: skip


@pytest.mark.parametrize(
    ("text", "status", "definitions", "calls"),
    [
        ("class A { int x = " + "(" * 5000 + "1" + ")" * 5000 + "; }", "indexed", 1, 0),
        ("class A { object x = " + "y => " * 3000 + "1; }", "indexed", 996, 0),
        ("class A { void F() " + "{" * 5000 + "}" * 5000 + " }", "indexed", 2, 0),
        ("class A { object x = a" + ".B()" * 5000 + "; }", "indexed", 1, 498),
        ("namespace A {" * 3000 + "}" * 3000, "indexed", 0, 0),
        ("#if X\n" * 3000, "indexed", 0, 0),
    ],
    ids=["parentheses", "lambdas", "blocks", "chain", "namespaces", "directives"],
)
def test_deep_code_is_read_without_recursion(text: str, status: str, definitions: int, calls: int) -> None:
    facts = facts_of(text)
    assert (facts.status, len(facts.definitions), len(facts.calls)) == (status, definitions, calls)


def test_a_type_of_a_library_is_not_extended() -> None:
    edges = calls_between(
        {
            "Rules.cs": "public static class Rules { public static void Equal<T>(this IRule<T> rule, T value) {} }",
            "Use.cs": "using Xunit; class Use { void A() { Assert.Equal(1, 2); } "
            "void B(object rule) { rule.Equal(1); } void C(object rule) { Rules.Equal(rule, 1); } }",
        }
    )
    assert ("Use.A", "Rules.Equal") not in edges
    assert {("Use.B", "Rules.Equal"), ("Use.C", "Rules.Equal")} <= edges
