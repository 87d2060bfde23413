"""Julia: fixtures that assert themselves, and what only Julia does."""

from __future__ import annotations

from pathlib import Path

import pytest

from loregraph.indexer.discover.layout import read_layout
from loregraph.indexer.extract.file import extract
from loregraph.indexer.facts import FileFacts
from tests.indexer.languages.carets import FIXTURES, failures
from tests.indexer.languages.edges import calls_between

FILES = sorted((FIXTURES / "julia").rglob("*.jl"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_fixtures_say_what_is_found(path: Path) -> None:
    assert failures(path, "julia", "#") == []


def facts_of(text: str, path: str = "src/shop.jl") -> FileFacts:
    return extract(path, text.encode(), "julia")


PROJECT = 'name = "Shop"\nuuid = "x"\n'


def test_files_of_a_package_and_its_tests_share_names() -> None:
    files = {
        "Project.toml": PROJECT,
        "src/Shop.jl": 'module Shop\ninclude("cart.jl")\ninclude("Money.jl")\nusing .Money\nstart() = total(1)\nend',
        "src/cart.jl": "total(x) = rounded(x)\nhalf(x) = Money.hidden(x)",
        "src/Money.jl": "module Money\nusing ..Shop: half\nrounded(x) = x\nhidden(x) = half(x)\nend",
        "test/runtests.jl": 'using Shop, Test\n@testset "adds" begin\n  @test total(1) == Shop.half(2)\nend',
    }
    assert calls_between(files) == {
        ("start", "total"), ("total", "rounded"), ("half", "hidden"), ("hidden", "half"), ("adds", "total"),
        ("adds", "half"),
    }  # fmt: skip
    imports = calls_between(files, "IMPORTS")
    assert {("src/Shop.jl", "src/cart.jl"), ("src/Shop.jl", "src/Money.jl")} <= imports


def test_modules_have_what_they_include() -> None:
    files = {
        "Project.toml": PROJECT,
        "src/Shop.jl": 'module Shop\ninclude("Types.jl")\ninclude("API.jl")\nend',
        "src/Types.jl": 'module Types\ninclude("hidden.jl")\nend',
        "src/hidden.jl": "hidden() = 2",
        "src/API.jl": "module API\nimport ..Types\ng() = Types.hidden()\nend",
    }
    assert calls_between(files) == {("g", "hidden")}


def test_types_of_arguments_choose_the_method() -> None:
    files = {
        "src/a.jl": "struct Cart end\nstruct Item end\nprice(c::Cart) = 1\nprice(c::Cart, rate) = 2\n"
        "use(c::Cart) = price(c)\nuse(i::Item, c) = price(i)\nboth() = price(Cart(), 2)",
        "src/b.jl": "price(i::Item) = 2\nprice(s::Symbol) = 3\nnamed() = price(:a)\nprice(xs...) = 4",
    }
    assert calls_between(files) == {
        ("use", "price"), ("use#2", "price"), ("both", "price#2"), ("both", "Cart"), ("named", "price#2"),
    }  # fmt: skip


def test_which_method_is_not_known_says_candidates_and_no_more_than_a_few() -> None:
    few = "f(x::A) = 1\nf(x::B) = 2\ng(y) = f(y)"
    assert calls_between({"src/a.jl": few}) == {("g", "f"), ("g", "f#2")}
    many = "\n".join(f"f(x::T{number}) = {number}" for number in range(12)) + "\ng(y) = f(y)"
    assert calls_between({"src/a.jl": many}) == set()


def test_functions_of_the_language_are_not_those_that_add_methods_to_them() -> None:
    text = "import Base: length\nstruct C end\nBase.show(io, c::C) = 1\nlength(c::C) = 2\nf(x) = (show(x); length(x))"
    assert calls_between({"src/a.jl": text}) == set()


def test_functions_that_are_handed_over_are_called() -> None:
    text = "one(x) = two(x)\ntwo(x) = x\nall_of(xs) = map(one, xs)\n"
    text += "function run(f)\n f()\nend\ngo() = run() do\n two(1)\nend"
    edges = calls_between({"src/a.jl": text})
    assert {("all_of", "one"), ("one", "two"), ("go", "run"), ("run", "go.<lambda1>"), ("go.<lambda1>", "two")} <= edges


def test_types_have_supertypes_and_constructors() -> None:
    files = {"src/a.jl": "abstract type A end\nstruct B <: A\n x::Int\n B(x) = new(x)\nend\nmake() = B(1)"}
    assert calls_between(files, "EXTENDS") == {("B", "A")}
    assert ("make", "B.B") in calls_between(files)


def test_modules_are_named(tmp_path: Path) -> None:
    (tmp_path / "Project.toml").write_text(PROJECT)
    layout = read_layout(tmp_path, ["Project.toml", "src/Money.jl", "src/Shop.jl"])
    [component] = layout.components
    assert (component.name, component.kind, component.language) == ("Shop", "julia-package", "julia")
    assert layout.module_name("src/Money.jl", "src/.Money") == "Shop.Money"
    assert layout.module_name("src/cart.jl", "src/") == "Shop"


@pytest.mark.parametrize(
    ("path", "text", "package"),
    [
        ("src/cart.jl", "f() = 1", "src/"),
        ("src/Money.jl", "module Money\nusing ..Shop\nend", "src/.Money"),
        ("lib/Shop.jl/src/Resolve/graph.jl", "f() = 1", "lib/Shop_jl/src/.Resolve"),
        ("test/runtests.jl", "f() = 1", "src/.test/"),
        ("run.jl", "f() = 1", "run/"),
    ],
)
def test_modules_that_files_belong_to(path: str, text: str, package: str) -> None:
    assert facts_of(text, path).package == package


@pytest.mark.parametrize(
    ("text", "status", "definitions"),
    [
        ("x = " + "(" * 2000 + "1" + ")" * 2000, "indexed", 0),
        ("x = " + "f(" * 2000, "partial", 0),
        ("x = a" + ".b" * 5000, "indexed", 0),
        ("function f()\n" * 900 + "end\n" * 900, "indexed", 500),
        ("if a\n" * 1500 + "end\n" * 1500, "indexed", 0),
        ("module A\n" * 800 + "end\n" * 800, "indexed", 499),
        ("f(x) do y\n" * 800 + "end\n" * 800, "indexed", 333),
        ("x = " + "y -> " * 2000 + "1", "indexed", 999),
    ],
    ids=["parentheses", "open calls", "members", "functions", "branches", "modules", "blocks", "arrows"],
)
def test_deep_nesting_ends(text: str, status: str, definitions: int) -> None:
    facts = facts_of(text)
    assert (facts.status, len(facts.definitions)) == (status, definitions)
