"""C++: fixtures that assert themselves, and what only C++ does."""

from __future__ import annotations

from pathlib import Path

import pytest

from loregraph.indexer.extract.file import extract
from loregraph.indexer.facts import FileFacts, is_node
from tests.indexer.languages.carets import FIXTURES, failures, show

FILES = sorted(p for p in (FIXTURES / "cpp").iterdir() if p.suffix in (".cpp", ".hpp"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_fixtures_say_what_is_found(path: Path) -> None:
    assert failures(path, "cpp") == []


def facts_of(text: str, path: str = "src/main.cpp") -> FileFacts:
    return extract(path, text.encode(), "cpp")


def nodes(facts: FileFacts) -> list[str]:
    return [d.qualname for d in facts.definitions if is_node(d.kind, d.flags)]


@pytest.mark.parametrize(
    ("text", "qualname", "kind"),
    [
        ("Foo::Foo() {}", "Foo.Foo", "constructor"),
        ("Foo::~ Foo() {}", "Foo.~Foo", "method"),
        ("a::b::Foo<T>::bar() {}", "a.b.Foo.bar", "method"),
        ("::a::Foo &a::Foo::operator = (const Foo &o) { return *this; }", "a.Foo.operator=", "method"),
        ("Foo::operator bool() const { return true; }", "Foo.operator bool", "method"),
        ("constexpr Foo::operator bool() const { return true; }", "Foo.operator bool", "method"),
        ("Foo::operator const char *() const { return 0; }", "Foo.operator char*", "method"),
        ("void *operator new[](size_t n) { return 0; }", "operator new[]", "function"),
        ("template <> void Foo<const A B::*&>::bar() {}", "Foo.bar", "method"),
        ("namespace a {}\nvoid a::f() {}", "a.f", "function"),
        ("int f() try { return 1; } catch (...) { return 2; }", "f", "function"),
        ('extern "C" { int f() { return 1; } }', "f", "function"),
        ("export module m; export int f() { return 1; }", "f", "function"),
        ("auto f() -> decltype(g()) { return 1; }", "f", "function"),
    ],
)
def test_names_of_functions(text: str, qualname: str, kind: str) -> None:
    facts = facts_of(text)
    assert [(d.qualname, d.kind) for d in facts.definitions if d.kind != "namespace"] == [(qualname, kind)]


def test_a_declared_method_does_not_double_its_definition() -> None:
    facts = facts_of(
        "struct A { A(); int f() const; int f(); virtual int g() = 0; };\nA::A() {}\nint A::f() { return 1; }"
    )
    assert nodes(facts) == ["A", "A.g", "A.A", "A.f"]


def test_overloads_and_specialisations_are_numbered() -> None:
    facts = facts_of(
        "template <class T> struct S {};\ntemplate <> struct S<int> {};\n"
        "int f(int a) { return a; }\nint f() { return 1; }"
    )
    assert nodes(facts) == ["S", "S#2", "f", "f#2"]


@pytest.mark.parametrize(
    ("written", "lowered"),
    [
        ("const Foo &", "Foo"),
        ("Foo *const *", "Foo"),
        ("std::unique_ptr<Foo>", "Foo"),
        ("std::shared_ptr<const ns::Foo>", "ns.Foo"),
        ("std::optional<std::unique_ptr<Foo>>", "Foo"),
        ("std::vector<std::shared_ptr<Foo>>", "std.vector[Foo]"),
        ("std::map<Key, Foo *>", "std.map[[Key, Foo]]"),
        ("typename T::value_type", "T.value_type"),
        ("struct Foo", "Foo"),
        ("unsigned long", "int"),
    ],
)
def test_types_are_what_their_values_hold(written: str, lowered: str) -> None:
    facts = facts_of(f"void f({written} x) {{}}")
    assert show(facts.definitions[0].parameters[0].type, facts) == lowered


@pytest.mark.parametrize(
    ("code", "made"),
    [
        ("Foo x;", ["new Foo"]),
        ("Foo x(1);", ["new Foo"]),
        ("Foo x{1};", ["new Foo"]),
        ("Foo x = {1};", ["new Foo"]),
        ("Foo x(y);", ["new Foo"]),
        ("Foo x = y;", []),
        ("Foo &x = y;", []),
        ("Foo *x;", []),
        ("extern Foo x;", []),
        ("std::string x;", []),
        ("int x(1);", []),
        ("auto x = Foo(1);", ["Foo"]),
        ("auto x = std::make_shared<ns::Foo>(1);", ["new ns.Foo"]),
        ("throw Foo{};", ["new Foo"]),
    ],
)
def test_declarations_that_run_constructors(code: str, made: list[str]) -> None:
    facts = facts_of(f"void f() {{ {code} }}")
    assert [("new " if c.kind == "new" else "") + show(c.function, facts) for c in facts.calls] == made


def test_members_are_as_visible_as_the_class_says() -> None:
    facts = facts_of("class A { void a() {} public: void b() {} protected: void c() {} signals: void d() {} };")
    flags = {d.name: d.flags for d in facts.definitions}
    assert flags["a"] == flags["c"] == ("private",)
    assert flags["b"] == ("exported",)


def test_what_is_in_an_unnamed_namespace_is_not_exported() -> None:
    facts = facts_of("namespace { struct A { void f() {} }; }\nnamespace b { void g() {} }")
    assert {d.qualname: "exported" in d.flags for d in facts.definitions} == {
        "A": False, "A.f": False, "b": False, "b.g": True,
    }  # fmt: skip


def test_friends_are_declared_elsewhere_and_defined_where_they_stand() -> None:
    facts = facts_of("struct A { friend void swap(A &, A &); friend bool same(A a, A b) { return true; } };")
    assert [(d.qualname, d.kind) for d in facts.definitions] == [("A", "struct"), ("A.same", "function")]


def test_named_lambdas_are_numbered_in_their_scope() -> None:
    facts = facts_of("void f() { run([] { a(); }); auto g = [](int x) { return [x] { b(); }; }; }\nauto h = [] {};")
    assert [d.qualname for d in facts.definitions if d.kind == "lambda"] == [
        "f.<lambda1>", "f.<lambda2>", "f.<lambda2>.<lambda1>", "<lambda1>",
    ]  # fmt: skip


def test_tests_of_catch_are_named_by_their_text() -> None:
    facts = facts_of('TEST_CASE("adds numbers", "[sum]") {\n  add();\n}\n')
    found = facts.definitions[0]
    assert (found.name, found.flags, facts.calls[-1].scope) == ("adds numbers", ("exported", "test"), 0)


def test_operands_that_are_not_evaluated_call_nothing() -> None:
    facts = facts_of("void f() noexcept(noexcept(g())) { static_assert(h()); decltype(i()) x = 1; }")
    assert facts.calls == ()


def test_a_macro_in_a_class_head_does_not_make_it_a_function() -> None:
    facts = facts_of("struct FOO_EXPORT Range {\n  Range() = default;\n  int size() const { return 1; }\n};")
    assert (facts.status, nodes(facts)) == ("indexed", ["Range", "Range.size"])
    assert facts.definitions[0].signature == "struct FOO_EXPORT Range"
