"""In a chain of calls over several lines each call is at the line of the name it calls, in every language."""

from __future__ import annotations

import re

import pytest

from loregraph.indexer.extract.file import extract
from loregraph.indexer.facts import Expr
from loregraph.indexer.languages.registry import CODE

# `N` at the end of a name is the line that it must be found at, counted from 1.
CHAINS = {
    "bash": "f() {\n  ONE=1 \\\n    name3 \\\n    2 |\n  name5 \\\n    3\n}\n",
    "c": "int f(struct b *x) {\n  return x\n    ->name3(1)\n    ->name4(\n      2)\n    .name6();\n}\n",
    "cpp": (
        "int f(B &x) {\n  x\n    .name3(1)\n    .name4<int>(\n      2)\n    ->name6();\n"
        "  new a::\n    Name8(1,\n  2);\n  a::\n    b::\n      name12(1);\n}\n"
    ),
    "csharp": (
        "class A {\n  object F(B x) {\n    return x\n      .name4(1)\n      .name5<string>(\n        2)\n"
        "      ?.name7();\n  }\n  object G() => new\n    a.Name10(\n      1);\n}\n"
    ),
    "cuda": "int f(B &x) {\n  x\n    .name3(1)\n    ->name4<int>(\n      2);\n  name6\n    <<<1,\n  2>>>(1);\n}\n",
    "dart": "C f(B x) {\n  return x\n    .name3(1)\n    .name4<String>(\n      2)\n    ?.name6()\n    ..name7(1);\n}\n",
    "elixir": (
        "defmodule A do\n  def f(x) do\n    x\n    |> name4(1)\n    |> B.name5(\n      2)\n    |> name7\n"
        "    A.\n      B.\n      name10(\n        1)\n  end\nend\n"
    ),
    "erlang": "-module(a).\nf(X) ->\n  b:\n    name4(\n      1),\n  c\n    :name7(X,\n      1).\n",
    "go": "package a\n\nfunc f(x B) C {\n  return x.\n    name5(1).\n    name6(\n      2).\n    name8()\n}\n",
    "haskell": (
        "module A where\n\nf x =\n  name4\n    2\n  $ name6\n    3\n  & B.name8\n    4\n\n"
        "g x =\n  x\n    `name13`\n    4\n"
    ),
    "java": (
        "class A {\n  Object f(B x) {\n    return x\n      .name4(1)\n      .<String>name5(\n        2)\n"
        "      .name7();\n  }\n  Object g() {\n    return new\n      a.Name11<String>(1,\n        2);\n  }\n}\n"
    ),
    "javascript": (
        "function f(x) {\n  new a\n    .Name3(1,\n      2);\n  return x\n    .name6(1)\n    .name7(\n      2)\n"
        "    ?.name9()\n    .name10[\n      0]();\n}\n"
    ),
    "julia": (
        "function f(x)\n  x |>\n    name3 |>\n    B.name4\n  name5(\n    1).\n"
        "    name7(\n    2)\n  name9.(\n    1)\nend\n"
    ),
    "kotlin": (
        "fun f(x: B): C {\n  return x\n    .name3(1)\n    .name4<String>(\n      2) {\n        it }\n    ?.name7()\n}\n"
    ),
    "lua": "local function f(x)\n  return x\n    :name3(1)\n    :name4(\n      2)\n    .name6()\nend\n",
    "objc": (
        "id f(B *x) {\n  return [[[x\n    name3:1]\n    name4:2\n    and:3]\n    name6];\n}\n"
        "id g(B *x) {\n  return x\n    .name10\n    .name11;\n}\n"
    ),
    "php": (
        "<?php\nfunction f(B $x) {\n  A\n    ::name4(1,\n      2);\n  return $x\n    ->name7(1)\n    ->name8(\n"
        "      2)\n    ?->name10();\n}\n"
    ),
    "python": (
        "def f(x):\n    return (x\n        .name3(1)\n        .name4(\n            2)\n        [0]\n        .name7()\n"
        "        .name8[0]())\n"
    ),
    "r": (
        "f <- function(x) {\n  x %>%\n    name3(1) %>%\n    b::name4(\n      2) |>\n    name6()\n  x$\n    name8(1)$\n"
        "    name9(\n      2)\n}\n"
    ),
    "ruby": "def f(x)\n  x\n    .name3(1)\n    .name4(\n      2) { |y|\n        y }\n    &.name7\nend\n",
    "rust": (
        "fn f(x: B) -> C {\n  x\n    .name3(1)\n    .name4::<String>(\n      2)?\n    .name6();\n  a::\n    b::\n"
        "      name9(1,\n      2);\n  a::\n    name12!(1,\n      2)\n}\n"
    ),
    "scala": (
        "object A {\n  def f(x: B): C = {\n    x\n      .name4(1)\n      .name5[String](\n        2)\n      .name7 {\n"
        "        y => y }\n      .name9\n  }\n}\n"
    ),
    "solidity": (
        "contract A {\n  function f(B x) public returns (C) {\n    return x\n      .name4(1)\n      .name5{value: 1}(\n"
        "        2)\n      .name7();\n  }\n}\n"
    ),
    "sql": ("CREATE FUNCTION f() RETURNS int AS $$\n  SELECT name2(\n    name3(\n      1))\n$$ LANGUAGE sql;\n"),
    "swift": (
        "func f(x: B) -> C {\n  return x\n    .name3(1)\n    .name4(\n      2) {\n        $0 }\n    .name7()\n}\n"
    ),
    "terraform": "locals {\n  a = name2(\n    name3(\n      1))\n}\n",
    **dict.fromkeys(
        ("tsx", "typescript"),
        "function f(x: any) {\n  return x\n    .name3<string>(1)\n    .name4(\n      2)!\n    ?.name6();\n}\n",
    ),
    "zig": "fn f(x: B) C {\n  return x\n    .name3(1)\n    .name4(\n      2)\n    .name6();\n}\n",
}


def name(called: Expr) -> str:
    """The last name that an expression reads, "" for none of those of the chains."""
    if called[0] == "s":
        return name(called[1])
    found = re.match(r"(?:.*\.)?(name\d+)", str(called[-1]).lower()) if called[0] in ("n", "a") else None
    return found[1] if found else ""


def test_every_language_has_a_chain() -> None:
    assert CHAINS.keys() == CODE - {"proto"}  # nothing in it is called


# Verifies REQ-RES-004.
@pytest.mark.parametrize("language", sorted(CHAINS))
def test_a_call_is_at_the_line_of_the_name_that_is_called(language: str) -> None:
    source = CHAINS[language]
    facts = extract("chain", source.encode(), language)
    assert facts.status == "indexed"
    found = {name(call.function): call.line for call in facts.calls if name(call.function)}
    assert found == {f"name{line}": line for line in found.values()}
    assert len(found) == source.lower().count("name"), "every name in the text is called"
