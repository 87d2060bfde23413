"""Projects with tests, and their tests as if they had been chosen."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from loregraph.analysis.selection.selected import SelectedTest
from loregraph.graph.columns import GraphColumns
from loregraph.project import Project

MIXED = {
    "py/test_shop.py": """
import unittest


class TestCart:
    class TestTotal:
        def test_sum(self): pass

    def test_add(self): pass


class Orders(unittest.TestCase):
    def test_order(self): pass


def test_top(): pass
""",
    "go.mod": "module example.com/shop\n\ngo 1.19\n",
    "cart/cart_test.go": """package cart

import "testing"

func TestAdd(t *testing.T)      { t.Run("sub one", func(t *testing.T) {}) }
func TestAddNever(t *testing.T) { t.Fatal("was not chosen") }
func BenchmarkAdd(b *testing.B) {}
func ExampleAdd() {
	// Output:
}
""",
    "web/package.json": '{"name": "web", "devDependencies": {"vitest": "^3"}}',
    "web/cart.test.ts": """
describe("cart (v1.0)", () => {
  it("adds + $1", () => {});
  it("doesn't add", () => {});
  [1].forEach((x) => { it.each([1])("loops %d", () => {}); });
});
describe(name, () => { it("knows", () => {}); });
describe(`of ${name}`, () => { it("is in a group", () => {}); });
describeIf(name)("some", () => { it("is in another", () => {}); });
describe("any", () => { it(title, () => {}); });
""",
    "rust/Cargo.toml": '[package]\nname = "shop"\nversion = "0.1.0"\nedition = "2021"\n',
    "rust/src/lib.rs": "pub mod cart;\n",
    "rust/src/cart.rs": """
#[cfg(test)]
mod tests {
    #[test]
    fn adds() {}
    #[test]
    fn adds_never() { panic!("was not chosen") }
}
""",
    "rust/tests/all.rs": "#[test]\nfn from_outside() {}\n",
    "jvm/pom.xml": "<project><groupId>g</groupId><artifactId>jvm</artifactId><version>1</version></project>",
    "jvm/src/test/java/com/x/ShopTest.java": """package com.x;
import org.junit.jupiter.api.*;
class ShopTest {
  @Test void total() {}
  @Test void other() {}
  @Nested class Inner { @Test void deep() {} }
}
""",
    "kt/build.gradle.kts": "",
    "kt/src/test/kotlin/com/x/CartTest.kt": """package com.x
import kotlin.test.Test
class CartTest {
  @Test fun plain() {}
  @Test fun `adds two`() {}
}
""",
    "net/ShopTests.cs": """namespace Shop.Tests;
public class ShopTests {
  [Fact] public void Total() {}
  public class Inner { [Theory] public void Deep(int x) {} }
}
""",
    "rb/spec/cart_spec.rb": 'RSpec.describe Cart do\n  it "adds" do\n  end\n  it "loses" do\n  end\nend\n',
    "php/tests/CartTest.php": """<?php
namespace App\\Tests;
class CartTest extends TestCase { public function testAdd(): void {} }
""",
    "ex/test/cart_test.exs": """defmodule CartTest do
  use ExUnit.Case
  test "adds" do
    assert true
  end
end
""",
    "swift/Tests/AppTests/CartTests.swift": "import XCTest\nfinal class CartTests: XCTestCase { func testAdd() {} }\n",
    "sh/cart.bats": '@test "it works" {\n  true\n}\n',
    "lua/spec/cart_spec.lua": 'describe("d", function() it("works", function() end) end)\n',
    "dart/test/cart_test.dart": "void main() { test('works', () {}); }\n",
    "zig/cart.zig": 'test "adds" {}\n',
}


def indexed(root: Path, files: Mapping[str, str]) -> GraphColumns:
    """The graph of a project of these files."""
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text, encoding="utf-8")
    with Project(root) as project:
        project.index(jobs=1, embed=False)
        return project.reader().columns


def chosen(columns: GraphColumns, *words: str) -> list[SelectedTest]:
    """The tests whose id or head has one of the words; all without any."""
    nodes = [node for node in columns.nodes("Function").tolist() if columns.own(node, "is_test")]
    said = {node: f"{columns.id(node)} {columns.signature(node)}" for node in nodes}
    return [
        SelectedTest(
            columns.id(node), columns.path(node), columns.id(node).partition("::")[2], "It calls it.", "call", 0.9, 1.5
        )
        for node in nodes
        if not words or any(word in said[node] for word in words)
    ]
