"""Ruby: fixtures that assert themselves, and what only Ruby does."""

from __future__ import annotations

from pathlib import Path

import pytest

from loregraph.indexer.extract.file import extract
from loregraph.indexer.facts import FileFacts
from tests.indexer.languages.carets import FIXTURES, failures
from tests.indexer.languages.edges import calls_between

FILES = sorted((FIXTURES / "ruby").glob("*.rb"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_fixtures_say_what_is_found(path: Path) -> None:
    assert failures(path, "ruby", "#") == []


def facts_of(text: str, path: str = "lib/cart.rb") -> FileFacts:
    return extract(path, text.encode(), "ruby")


def test_a_name_is_a_variable_after_it_was_assigned_and_a_call_before() -> None:
    facts = facts_of("def f\n a = a1\n b\n [1].each { |c| c; d }\n a\nend")
    assert [c.function[1] for c in facts.calls if c.function[0] == "n"] == ["a1", "b", "d"]


def test_blocks_belong_to_the_method_around_them_and_lambdas_do_not() -> None:
    facts = facts_of("def f\n xs.each { |x| g(x) }\n l = ->(y) { h(y) }\nend")
    assert [d.qualname for d in facts.definitions] == ["f", "f.<lambda1>"]
    assert {c.function[1]: c.scope for c in facts.calls if c.function[0] == "n"} == {"xs": 0, "g": 0, "h": 1}


def test_types_that_calls_make() -> None:
    facts = facts_of("A = Struct.new(:x) do\n def f; end\nend\nB = Class.new(A)\nC = Module.new\nD = Other.new")
    assert [(d.kind, d.qualname) for d in facts.definitions] == [
        ("class", "A"), ("method", "A.f"), ("class", "B"), ("module", "C"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "private"),
    [
        ("class A\n def f; end\n private\n def g; end\n public\n def h; end\nend", ["g"]),
        ("class A\n private def f; end\n def g; end\n private :g\nend", ["f", "g"]),
    ],
    ids=["word", "call"],
)
def test_what_is_private(text: str, private: list[str]) -> None:
    assert [d.name for d in facts_of(text).definitions if "private" in d.flags] == private


def test_modules_are_scopes_whose_methods_are_mixed_in() -> None:
    files = {
        "lib/audit.rb": "module Audit\n def audit; note; end\n def self.on; end\nend",
        "lib/order.rb": "class Order < Base\n include Audit\n"
        " def run; audit; base; Audit.on; super; end\n def note; end\nend",
        "lib/base.rb": "class Base\n def base; end\n def run; end\nend",
    }
    assert calls_between(files) == {
        ("Order.run", "Audit.audit"), ("Order.run", "Base.base"), ("Order.run", "Audit.on"), ("Order.run", "Base.run"),
        ("Audit.audit", "Order.note"),
    }  # fmt: skip
    assert calls_between(files, "EXTENDS") == {("Order", "Base")}


def test_instances_class_methods_and_attributes() -> None:
    edges = calls_between(
        {
            "a.rb": "class Repo\n attr_reader :log\n def initialize(log); @log = log; end\n"
            " def find; self.class.make; end\n"
            " def self.make; new(Log.new); end\nend\nclass Log\n def write; end\nend",
            "b.rb": "class User\n def initialize; @repo = Repo.make; end\n"
            " def go\n  @repo.find\n  @repo.log.write\n end\nend",
        }
    )
    assert edges == {
        ("Repo.find", "Repo.make"), ("Repo.make", "Repo"), ("Repo.make", "Repo.initialize"), ("Repo.make", "Log"),
        ("User.initialize", "Repo.make"), ("User.go", "Repo.find"), ("User.go", "Log.write"),
    }  # fmt: skip


def test_types_and_modules_are_opened_again() -> None:
    edges = calls_between(
        {
            "one.rb": "module Shop\n class Order\n  def one; two; Helper.new.help; end\n end\nend",
            "two.rb": "module Shop\n class Order\n  def two; end\n end\n class Helper\n  def help; end\n end\nend",
            "three.rb": "Shop::Order.new.two\nclass Shop::Order\n def three; one; end\nend",
        }
    )
    assert edges >= {
        ("Shop.Order.one", "Shop.Order.two"), ("Shop.Order.one", "Shop.Helper.help"), ("three.rb", "Shop.Order.two"),
        ("Shop.Order.three", "Shop.Order.one"),
    }  # fmt: skip


def test_of_functions_of_one_name_the_required_one_is_called() -> None:
    edges = calls_between(
        {
            "x/tool.rb": "def run; end",
            "y/tool.rb": "def run; one; end\ndef one; end",
            "main.rb": "require_relative 'y/tool'\nrun",
        }
    )
    assert ("main.rb", "run") in edges
    assert calls_between({"lib/a.rb": "", "main.rb": "require_relative 'lib/a'"}, "IMPORTS") == {
        ("main.rb", "lib/a.rb")
    }


def test_elements_reach_the_parameter_of_a_block() -> None:
    edges = calls_between(
        {"a.rb": "class A\n def go; end\nend\ndef f\n [A.new].each { |a| a.go }\n A.new.tap { |b| b.go }\nend"}
    )
    assert ("f", "A.go") in edges


def test_variables_of_one_script_are_not_those_of_another() -> None:
    assert calls_between({"a.rb": "x = A.new\nclass A\n def go; end\nend", "b.rb": "x.go"}) == {("a.rb", "A")}


@pytest.mark.parametrize(
    ("text", "status", "definitions", "calls"),
    [
        ("x = " + "(" * 3000 + "1" + ")" * 3000, "indexed", 0, 0),
        ("x = a" + ".b" * 5000, "indexed", 0, 999),
        ("if a\n" * 3000 + "end\n" * 3000, "indexed", 0, 500),
        ("module A\n" * 2000 + "end\n" * 2000, "indexed", 500, 0),
        ("x = " + "[" * 5000, "partial", 0, 1),
    ],
    ids=["parentheses", "chain", "blocks", "modules", "brackets"],
)
def test_deep_code_is_read_without_recursion(text: str, status: str, definitions: int, calls: int) -> None:
    facts = facts_of(text)
    assert (facts.status, len(facts.definitions), len(facts.calls)) == (status, definitions, calls)
