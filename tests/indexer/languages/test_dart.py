"""Dart: fixtures that assert themselves, and what only Dart does."""

from __future__ import annotations

from pathlib import Path

import pytest

from loregraph.indexer.extract.file import extract
from loregraph.indexer.facts import FileFacts
from tests.indexer.languages.carets import FIXTURES, failures
from tests.indexer.languages.edges import calls_between

FILES = sorted((FIXTURES / "dart").glob("*.dart"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_fixtures_say_what_is_found(path: Path) -> None:
    assert failures(path, "dart") == []


def facts_of(text: str, path: str = "lib/cart.dart") -> FileFacts:
    return extract(path, text.encode(), "dart")


def test_a_function_ends_with_its_body_and_begins_with_its_annotations() -> None:
    facts = facts_of("class A {\n  @override\n  @Deprecated('x')\n  int f() {\n    return 1;\n  }\n}\nvoid g()\n{\n}\n")
    assert [(d.qualname, d.start_line, d.end_line) for d in facts.definitions] == [
        ("A", 1, 7), ("A.f", 2, 6), ("g", 8, 10),
    ]  # fmt: skip
    assert facts.definitions[1].decorator_names == ("override", "Deprecated('x')")


@pytest.mark.parametrize(
    ("text", "called"),
    [
        ("a.b<int>(1)", "b"),
        ("await b<Map<String, A?>>(1)", "b"),
        ("[b<A>(1)]", "b"),
        ("x ? b<A>(1) : 2", "b"),
    ],
)
def test_calls_with_type_arguments_are_no_comparisons(text: str, called: str) -> None:
    facts = facts_of(f"f() async => {text};")
    assert facts.status == "indexed"
    assert [call.function[-1] for call in facts.calls] == [called]


@pytest.mark.parametrize(
    "text",
    [
        "library;\nimport 'a.dart';",
        "abstract class A {\n  abstract final Uri url;\n}",
        "f(x) => switch (x) {\n  A() => 1,\n  B<int>() when y => 2,\n  _ => 3,\n};",
        "f(x) {\n  switch (x) {\n    case A():\n    case (B<int>(), _):\n      g();\n  }\n  if (x case C()) {}\n}",
        "f() => g(color: .red, h: [.all(1)]);",
    ],
    ids=["library", "abstract field", "switch expression", "cases", "shorthands"],
)
def test_newer_syntax_than_the_grammars_is_understood(text: str) -> None:
    assert facts_of(text).status == "indexed"


def test_functions_with_type_parameters_stay_functions() -> None:
    facts = facts_of("class A<T> {\n  A<T> cast<T>() => _cast<T>();\n  p.B<T> make<T>(T x) => x;\n}")
    assert [d.qualname for d in facts.definitions] == ["A", "A.cast", "A.make"]


def test_libraries_by_package_and_path_prefixes_shown_names_and_exports() -> None:
    files = {
        "pubspec.yaml": "name: shop\ndependencies:\n  http: ^1.0.0\n",
        "lib/shop.dart": "export 'src/order.dart' show Order;\nexport 'src/all.dart';",
        "lib/src/order.dart": "class Order { void run() {} }\nclass Hidden {}\nvoid _own() {}",
        "lib/src/all.dart": "import 'order.dart';\nvoid all() { Order().run(); }",
        "bin/main.dart": "import 'package:shop/shop.dart';\nimport '../lib/src/order.dart' as o show Hidden;\n"
        "void main() { Order().run(); all(); o.Hidden(); _own(); }",
        "bin/other.dart": "import 'main.dart';\nvoid f() { Order(); main(); }",
    }
    assert calls_between(files) == {
        ("all", "Order"), ("all", "Order.run"), ("main", "Order"), ("main", "Order.run"), ("main", "all"),
        ("main", "Hidden"), ("f", "main"),
    }  # fmt: skip
    assert calls_between(files, "IMPORTS") == {
        ("lib/shop.dart", "lib/src/order.dart"), ("lib/shop.dart", "lib/src/all.dart"),
        ("lib/src/all.dart", "lib/src/order.dart"), ("bin/main.dart", "lib/shop.dart"),
        ("bin/main.dart", "lib/src/order.dart"), ("bin/other.dart", "bin/main.dart"),
    }  # fmt: skip


@pytest.mark.parametrize("of", ["'shop.dart'", "acme.shop"], ids=["uri", "name"])
def test_parts_share_names_and_imports_with_their_library(of: str) -> None:
    edges = calls_between(
        {
            "shop.dart": "library acme.shop;\nimport 'log.dart' as log;\nimport 'clock.dart';\npart 'a.dart';\n"
            "part 'b.dart';\nvoid _one() { _two(); }",
            "a.dart": f"part of {of};\nvoid _two() {{ _three(); log.write(); now(); }}",
            "b.dart": f"part of {of};\nvoid _three() {{ _one(); }}",
            "log.dart": "void write() {}",
            "clock.dart": "void now() {}",
        }
    )
    assert edges == {
        ("_one", "_two"), ("_two", "_three"), ("_two", "write"), ("_two", "now"), ("_three", "_one"),
    }  # fmt: skip


def test_constructors_are_called_by_their_names() -> None:
    edges = calls_between(
        {
            "a.dart": "class Base { Base(int n); Base.zero() : this(0); }\n"
            "class A extends Base { A() : super(1); A.named() : super.zero(); factory A.of(x) => A(); }\n"
            "class B extends Base { B() : super.zero(); factory B.redirected() = B; }\n"
            "enum E { one(1); const E(int n); }\n"
            "f() { A(); A.named(); new A.of(1); A.new(); final make = A.named; make(); B.redirected(); }",
        }
    )
    assert edges == {
        ("Base.zero", "Base.Base"), ("A.A", "Base.Base"), ("A.named", "Base.zero"), ("A.of", "A"), ("A.of", "A.A"),
        ("B.B", "Base.zero"), ("B.redirected", "B"), ("B.redirected", "B.B"), ("E", "E"), ("E", "E.E"),
        ("f", "A"), ("f", "A.A"), ("f", "A.named"), ("f", "A.of"), ("f", "B"), ("f", "B.redirected"),
    }  # fmt: skip


def test_mixins_come_before_what_is_extended_and_interfaces_reach_what_implements_them() -> None:
    files = {
        "a.dart": "class Base { void go() {} void base() {} }\nmixin M on Base { void go() { base(); super.go(); } }\n"
        "class A extends Base with M implements Runner { void run() { go(); } }\n"
        "abstract interface class Runner { void run(); }\nf(Runner r, A a) { r.run(); a.go(); }\n",
    }
    assert calls_between(files) == {
        ("M.go", "Base.base"), ("M.go", "Base.go"), ("A.run", "M.go"), ("f", "Runner.run"), ("f", "A.run"),
        ("f", "M.go"),
    }  # fmt: skip
    assert calls_between(files, "IMPLEMENTS") == {("A", "M"), ("A", "Runner")}
    assert calls_between(files, "EXTENDS") == {("M", "Base"), ("A", "Base")}


def test_extension_methods_are_called_on_what_they_extend() -> None:
    edges = calls_between(
        {
            "a.dart": "class Cat { void purr() {} }\nclass Dog {}\n"
            "extension on Cat { void loud() { purr(); this.purr(); } }\n"
            "extension Shout on String { String shout() => twice(); String twice() => this; static void all() {} }\n"
            "f(Cat c, Dog d) { c.loud(); d.loud(); 'x'.shout(); Shout.all(); }",
        }
    )
    assert edges == {
        ("<type1>.loud", "Cat.purr"), ("Shout.shout", "Shout.twice"), ("f", "<type1>.loud"), ("f", "Shout.shout"),
        ("f", "Shout.all"),
    }  # fmt: skip


def test_types_follow_fields_getters_cascades_patterns_and_tests() -> None:
    edges = calls_between(
        {
            "a.dart": "class Item { void go() {} bool ok() => true; Item? next; }\n"
            "class Box {\n  final List<Item> items; final Map<String, Item> byName = {};\n"
            "  Item get one => items.first;\n"
            "  Box(this.items);\n  void a() { for (final i in items) i.go(); }\n  void b() { one.go(); }\n"
            "  void c() { Item()..go()..next?.go(); }\n  void d() { items.where((i) => i.ok()).last.go(); }\n"
            "  void e(Object x) { if (x is Item && x.ok()) x.go(); }\n"
            "  void g() { for (final i in byName.values) i.go(); }\n"
            "  void h() { if (this case Box(:final one)) one.go(); }\n"
            "  Future<Item> load() async => Item();\n  void j() async { (await load()).go(); }\n}\n",
        }
    )
    assert edges >= {(f"Box.{name}", "Item.go") for name in "abcdeghj"}
    assert ("Box.d.<lambda1>", "Item.ok") in edges


def test_what_a_field_holds_is_called() -> None:
    edges = calls_between(
        {
            "a.dart": "class Button {\n  final void Function() onTap;\n  const Button({required this.onTap});\n"
            "  void tap() => onTap();\n}\nvoid pay() {}\nbuild() => Button(onTap: pay);",
        }
    )
    assert edges == {("Button.tap", "pay"), ("build", "Button"), ("build", "Button.Button")}


@pytest.mark.parametrize(
    ("text", "status", "definitions", "calls"),
    [
        ("var x = " + "(" * 3000 + "1" + ")" * 3000 + ";", "indexed", 0, 0),
        ("var x = a" + ".b()" * 5000 + ";", "indexed", 0, 5000),
        ("f() { x" + "..a()" * 3000 + "; }", "indexed", 1, 3000),
        ("class A { " * 2000 + "}" * 2000, "partial", 1, 0),
        ("var x = a<" * 3000, "partial", 0, 0),
        ("f() {" + " if (x) {" * 2000 + "}" * 2001, "indexed", 1, 0),
        ("A<" * 2000 + "B" + ">" * 2000 + " x;", "indexed", 0, 0),
        ("f() { final " + "(" * 2000 + "a" + ",)" * 2000 + " = x; }", "indexed", 1, 0),
        ("f() { var x = [" + "if (a) " * 2000 + "b]; }", "indexed", 1, 0),
    ],
    ids=[
        "parentheses",
        "chain",
        "cascades",
        "classes",
        "angles",
        "blocks",
        "types",
        "patterns",
        "elements",
    ],
)
def test_deep_code_is_read_without_recursion(text: str, status: str, definitions: int, calls: int) -> None:
    facts = facts_of(text)
    assert (facts.status, len(facts.definitions), len(facts.calls)) == (status, definitions, calls)
