"""Elixir: fixtures that assert themselves, and what only Elixir does."""

from __future__ import annotations

from pathlib import Path

import pytest

from loregraph.indexer.extract.file import extract
from loregraph.indexer.facts import FileFacts
from tests.indexer.languages.carets import FIXTURES, failures
from tests.indexer.languages.edges import calls_between

FILES = sorted((FIXTURES / "elixir").glob("*.ex*"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_fixtures_say_what_is_found(path: Path) -> None:
    assert failures(path, "elixir", "#") == []


def facts_of(text: str, path: str = "lib/cart.ex") -> FileFacts:
    return extract(path, text.encode(), "elixir")


def test_clauses_are_one_function_and_other_numbers_of_parameters_another() -> None:
    facts = facts_of(
        "defmodule A do\n  def f(a, b \\\\ 1)\n  def f(1, b), do: b\n  def f(a, b), do: g(a)\n"
        "  def f(a, b, c), do: h(a)\n  def f(0, _), do: late()\nend\n"
    )
    functions = [d for d in facts.definitions if d.kind == "function"]
    assert [(d.qualname, d.start_line, d.end_line, len(d.parameters)) for d in functions] == [
        ("A.f", 2, 4, 2), ("A.f#2", 5, 5, 3),
    ]  # fmt: skip
    scopes = {c.function[1]: facts.definitions[c.scope].qualname for c in facts.calls if c.function[0] == "n"}
    assert scopes == {"g": "A.f", "h": "A.f#2", "late": "A.f"}


@pytest.mark.parametrize(
    ("text", "kind", "name"),
    [
        ("defmodule A.B do\n def f, do: 1\nend", "object", "A.B"),
        ("defmodule A do\n defstruct [:x]\nend", "struct", "A"),
        ("defmodule A do\n defexception [:x]\nend", "struct", "A"),
        ("defmodule A do\n @callback f() :: term\nend", "interface", "A"),
        ("defprotocol A do\nend", "protocol", "A"),
        ("defmodule A do\n alias X.Y\n defimpl Y, for: Z do\n end\nend", "object", "X.Y.Z"),
        ("defmodule A do\n defimpl P do\n end\nend", "object", "P.A"),
    ],
)
def test_kinds_and_names_of_modules(text: str, kind: str, name: str) -> None:
    assert (kind, name) in [(d.kind, d.qualname) for d in facts_of(text).definitions]


def test_calls_reach_the_function_with_their_number_of_arguments() -> None:
    edges = calls_between(
        {
            "a.ex": "defmodule A do\n def f(x), do: x\n def f(x, y \\\\ 1, z), do: {x, y, z}\n def none, do: g(1)\n"
            " def g(a, b), do: {a, b}\nend",
            "b.ex": "defmodule B do\n def a, do: A.f(1)\n def b, do: 1 |> A.f(2)\n def c, do: 1 |> A.f(2, 3)\n"
            " def d, do: A.f(1, 2, 3, 4)\n def e, do: 1 |> A.f()\n def h, do: A.f 1, k: 2\nend",
        }
    )
    assert edges == {("B.a", "A.f"), ("B.b", "A.f#2"), ("B.c", "A.f#2"), ("B.e", "A.f"), ("B.h", "A.f#2")}


def test_modules_by_aliases_nesting_and_imports() -> None:
    files = {
        "lib/shop/repo.ex": "defmodule Shop.Repo do\n def get(x), do: x\nend\n"
        "defmodule Shop.Mail do\n def send(x), do: x\nend",
        "lib/web.ex": "defmodule Web do\n alias Shop.{Repo, Mail}\n alias Shop.Mail, as: Post\n"
        " defmodule Inner do\n  def c, do: Web.b()\n end\n"
        " def a do\n  Repo.get(1)\n  Mail.send(1)\n  Post.send(1)\n  __MODULE__.b()\n  Inner.c()\n end\n"
        " def b, do: 1\nend",
        "lib/other.ex": "defmodule Other do\n import Shop.Repo, only: [get: 1]\n import Shop.Mail\n"
        " def a, do: get(1)\n def b, do: send(2) |> Repo.get()\n def c do\n  alias Shop.Repo\n  Repo.get(1)\n end\n"
        " defdelegate mail(x), to: Shop.Mail, as: :send\nend",
    }
    assert calls_between(files) == {
        ("Web.a", "Shop.Repo.get"), ("Web.a", "Shop.Mail.send"), ("Web.a", "Web.b"), ("Web.a", "Web.Inner.c"),
        ("Web.Inner.c", "Web.b"), ("Other.a", "Shop.Repo.get"), ("Other.b", "Shop.Mail.send"),
        ("Other.c", "Shop.Repo.get"), ("Other.mail", "Shop.Mail.send"),
    }  # fmt: skip
    assert calls_between(files, "IMPORTS") == {
        ("lib/web.ex", "lib/shop/repo.ex"), ("lib/other.ex", "lib/shop/repo.ex"),
    }  # fmt: skip


def test_use_brings_in_what_the_macro_quotes() -> None:
    edges = calls_between(
        {
            "web.ex": "defmodule Web do\n def controller do\n  quote do\n   import Web.Help\n   use Web.Base\n"
            "  end\n end\n"
            " defmacro __using__(which), do: apply(__MODULE__, which, [])\nend\n"
            "defmodule Web.Help do\n def help, do: 1\nend\n"
            "defmodule Web.Base do\n defmacro __using__(_) do\n  quote do\n   def base, do: 1\n  end\n end\nend",
            "page.ex": "defmodule Page do\n use Web, :controller\n def show do\n  help()\n  base()\n  no()\n end\nend",
        }
    )
    assert {edge for edge in edges if edge[0].startswith("Page")} == {
        ("Page", "Web.__using__"), ("Page.show", "Web.Help.help"), ("Page.show", "Web.Base.__using__.base"),
    }  # fmt: skip


def test_a_module_that_uses_itself_ends() -> None:
    assert calls_between({"a.ex": "defmodule A do\n defmacro __using__(_) do\n  use A\n  f()\n end\nend"}) == {
        ("A.__using__", "A.__using__")
    }


def test_protocols_reach_their_implementations_and_behaviours_lend_nothing() -> None:
    files = {
        "p.ex": "defprotocol P do\n def size(x)\nend\ndefimpl P, for: Map do\n def size(x), do: x\nend\n"
        "defimpl P, for: [List, Tuple] do\n def size(x), do: x\nend\n"
        "defmodule B do\n @callback run(x :: term) :: term\n def new(x), do: x\nend\n"
        "defmodule M do\n @behaviour B\n @impl true\n def run(x), do: P.size(x)\nend\ndefmodule U do\n"
        " def f, do: {M.run(1), M.new(2)}\nend",
    }
    assert calls_between(files) == {
        ("M.run", "P.size"), ("M.run", "P.Map.size"), ("M.run", "P.List.size"), ("U.f", "M.run"),
    }  # fmt: skip
    assert calls_between(files, "IMPLEMENTS") == {("P.Map", "P"), ("P.List", "P"), ("M", "B")}


def test_captured_and_anonymous_functions_are_followed() -> None:
    files = {
        "a.ex": "defmodule A do\n def a(xs), do: Enum.map(xs, &one/1)\n"
        " def b(xs), do: xs |> Enum.each(fn x -> one(x) end)\n"
        " def c do\n  fun = &one/2\n  fun.(1, 2)\n end\n def d(xs), do: run(xs, &A.one/1)\n"
        " def run(xs, fun), do: fun.(xs)\n def one(x), do: x\n def one(x, y), do: {x, y}\nend",
    }
    assert calls_between(files) == {
        ("A.a", "A.one"), ("A.b", "A.b.<lambda1>"), ("A.b.<lambda1>", "A.one"), ("A.c", "A.one#2"), ("A.d", "A.run"),
        ("A.run", "A.one"),
    }  # fmt: skip
    assert ("A.a", "A.one") in calls_between(files, "REFERENCES")


def test_of_modules_of_one_name_the_nearest_is_meant() -> None:
    module = "defmodule User do\n def {}, do: 1\nend"
    edges = calls_between(
        {
            "test/a_test.exs": module.format("make") + "\ndefmodule ATest do\n def a, do: User.make()\nend",
            "lib/user.ex": module.format("make"),
            "lib/page.ex": "defmodule Page do\n def a, do: User.make()\nend",
        }
    )
    assert edges == {("ATest.a", "User.make"), ("Page.a", "User.make")}


def test_tests_are_functions_named_as_the_framework_names_them() -> None:
    facts = facts_of(
        'defmodule T do\n describe "a" do\n  test "b", %{c: c} do\n   f(c)\n  end\n end\nend', "test/t.exs"
    )
    assert [(d.qualname, "test" in d.flags) for d in facts.definitions] == [("T", False), ("T.test a b", True)]


@pytest.mark.parametrize(
    ("text", "status", "definitions", "calls"),
    [
        ("x = " + "(" * 3000 + "1" + ")" * 3000, "indexed", 0, 0),
        ("x" + " |> f()" * 3000, "indexed", 0, 999),
        ("defmodule A do\n" * 1000 + "end\n" * 1000, "indexed", 500, 0),
        ("f(" * 3000, "partial", 0, 0),
        ("def f do\n" * 2000, "partial", 0, 0),
        ("alias A." * 3000, "partial", 0, 499),
        ("{" * 3000 + "a" + "}" * 3000 + " = x", "indexed", 0, 0),
    ],
    ids=["parentheses", "pipes", "modules", "calls", "functions", "aliases", "patterns"],
)
def test_deep_code_is_read_without_recursion(text: str, status: str, definitions: int, calls: int) -> None:
    facts = facts_of(text)
    assert (facts.status, len(facts.definitions), len(facts.calls)) == (status, definitions, calls)
