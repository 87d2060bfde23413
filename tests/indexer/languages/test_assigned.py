"""Functions without a name of their own take that of what they are assigned to."""

from __future__ import annotations

import pytest

from loregraph.indexer.build.assemble import file_nodes
from loregraph.indexer.extract.file import extract

CASES = (
    ("a.py", "key = lambda row: row[0]\n", "key"),
    ("a.py", "key: Callable[[Row], int] = (lambda row: row[0])\n", "key"),
    ("a.py", "class Shop:\n    key = lambda self: 1\n", "Shop.key"),
    ("a.py", "class Shop:\n    def __init__(self):\n        self.key = lambda row: row\n", "Shop.__init__.key"),
    ("a.py", "first, second = 1, lambda: 2\n", "second"),
    ("a.php", "<?php\n$price = function ($item) { return $item; };\n", "price"),
    ("a.php", "<?php\n$price = fn($item) => $item;\n", "price"),
    ("a.php", "<?php\nclass Shop { function open() { $this->price = static fn($i) => $i; } }\n", "Shop.open.price"),
    ("a.php", "<?php\nclass Shop { function open() { self::$price = fn($i) => $i; } }\n", "Shop.open.price"),
    ("A.cs", "class Shop { Func<int, int> price = x => x; }\n", "Shop.price"),
    ("A.cs", "class Shop { Func<int> Price { get; } = () => 1; }\n", "Shop.Price"),
    ("A.cs", "class Shop { Func<int> price = delegate { return 1; }; }\n", "Shop.price"),
    ("A.java", "class Shop { static final Supplier<Integer> PRICE = () -> 1; }\n", "Shop.PRICE"),
    ("A.java", "interface Shop { Supplier<Integer> PRICE = () -> 1; }\n", "Shop.PRICE"),
    ("A.scala", "object Shop { val price = (x: Int) => x }\n", "Shop.price"),
    ("A.scala", "object Shop { lazy val price: Int => Int = { case 1 => 2 } }\n", "Shop.price"),
    ("a.cpp", "namespace shop { auto price = [](int x) { return x; }; }\n", "shop.price"),
    ("a.cpp", "struct Shop { std::function<int()> price = [] { return 1; }; };\n", "Shop.price"),
    ("a.dart", "final price = (int x) => x;\n", "price"),
    ("a.dart", "class Shop { var price = (int x) { return x; }; }\n", "Shop.price"),
    ("a.kt", "val price = { x: Int -> x }\n", "price"),
    ("a.kt", "object Shop { val price = fun(x: Int): Int { return x } }\n", "Shop.price"),
    ("a.swift", "let price: (Int) -> Int = { $0 }\n", "price"),
    ("a.rb", "PRICE = ->(item) { item }\n", "PRICE"),
    ("a.rb", "class Shop\n  PRICE = lambda { |item| item }\nend\n", "Shop.PRICE"),
    ("a.rb", "class Shop\n  def open; @price = proc { 1 }; end\nend\n", "Shop.open.price"),
    ("a.rs", "const PRICE: fn(i32) -> i32 = |x| x;\n", "PRICE"),
    ("a.ex", "price = fn x -> x end\n", "price"),
    ("a.go", "package shop\nvar Price = func(x int) int { return x }\n", "Price"),
    ("a.go", "package shop\nvar one, two = func() {}, func() {}\n", "two"),
)  # fmt: skip
LANGUAGES = {
    "py": "python", "php": "php", "cs": "csharp", "java": "java", "scala": "scala", "cpp": "cpp", "dart": "dart",
    "kt": "kotlin", "swift": "swift", "rb": "ruby", "rs": "rust", "ex": "elixir", "go": "go",
}  # fmt: skip


# Verifies REQ-IDX-022.
@pytest.mark.parametrize(("path", "source", "name"), CASES)
def test_an_assigned_function_has_the_name_of_its_place(path: str, source: str, name: str) -> None:
    facts = extract(path, source.encode(), LANGUAGES[path.rpartition(".")[2]])
    named = {d.dotted_name: d for d in facts.definitions}
    assert name in named
    found = named[name]
    assert found.name == name.rpartition(".")[2]
    assert found.kind == "lambda"
    assert "<lambda" in found.qualname, "its id keeps the number"
    assert "expression" in found.flags, "the assignment binds the name, not the function"


@pytest.mark.parametrize(
    ("path", "source"),
    [
        ("a.py", "rows.sort(key=lambda row: row)\n"),
        ("a.py", "table['x'] = lambda: 1\n"),
        ("a.py", "cached = memoize(lambda: 1)\n"),
        ("a.py", "_ = lambda: 1\n"),
        ("a.py", "def open():\n    local = lambda: 1\n"),
        ("a.cpp", "void open() { auto local = [] { return 1; }; }\n"),
        ("a.py", "either = (lambda: 1) or (lambda: 2)\n"),
        ("a.go", "package shop\nvar _ = func() {}\n"),
        ("a.ex", "x |> fn y -> y end\n"),
        ("a.rb", "scope :open, -> { 1 }\n"),
        ("a.kt", "val price by lazy { 3 }\n"),
    ],
)
def test_a_function_that_only_goes_through_an_expression_has_none(path: str, source: str) -> None:
    facts = extract(path, source.encode(), LANGUAGES[path.rpartition(".")[2]])
    names = [d.name for d in facts.definitions if d.kind == "lambda"]
    assert names
    assert all(name.startswith("<lambda") for name in names)


def test_its_node_is_found_by_that_name() -> None:
    facts = extract("shop/till.py", b"class Till:\n    key = lambda self: 1\n", "python")
    nodes, _ = file_nodes(facts, "shop.till")
    assert [(n.id, n.name, n.qualified_name) for n in nodes][1] == (
        "shop/till.py::Till.<lambda1>", "key", "shop.till.Till.key",
    )  # fmt: skip
