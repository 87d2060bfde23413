"""Swift: fixtures that assert themselves, and what only Swift does."""

from __future__ import annotations

from pathlib import Path

import pytest

from loregraph.indexer.extract.file import extract
from tests.indexer.languages.carets import FIXTURES, failures
from tests.indexer.languages.edges import calls_between

FILES = sorted((FIXTURES / "swift").glob("*.swift"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_fixtures_say_what_is_found(path: Path) -> None:
    assert failures(path, "swift") == []


def test_the_files_of_a_module_see_each_other() -> None:
    edges = calls_between(
        {
            "Repo.swift": "class Repo {\n init(n: Int) {}\n"
            " func find() -> Item? { Item() }\n}\nstruct Item { func go() {} }",
            "Service.swift": "class Service {\n let repo: Repo\n"
            " func run() {\n  if let i = repo.find() { i.go() }\n"
            "  guard let j = repo.find() else { return }\n  j.go()\n  help()\n }\n}\nfunc help() { Repo(n: 1) }",
        }
    )
    assert edges == {
        ("Repo.find", "Item"), ("Service.run", "Repo.find"), ("Service.run", "Item.go"), ("Service.run", "help"),
        ("help", "Repo"), ("help", "Repo.init"),
    }  # fmt: skip


def test_extensions_add_methods_and_protocols() -> None:
    files = {
        "A.swift": "protocol Priced { func price() -> Int }\nstruct Item {}\n"
        "extension Item: Priced { func price() -> Int { twice() } }\n"
        "extension Item { func twice() -> Int { 2 } }\nextension String { func shout() {} }\n"
        'func f(p: Priced, i: Item) { p.price(); i.twice(); "x".shout() }',
    }
    assert calls_between(files) >= {
        ("Item.price", "Item.twice"), ("f", "Priced.price"), ("f", "Item.price"), ("f", "Item.twice"),
        ("f", "String.shout"),
    }  # fmt: skip
    assert calls_between(files, "IMPLEMENTS") == {("Item", "Priced")}


@pytest.mark.parametrize(
    ("text", "status", "definitions", "calls"),
    [
        ("let x = " + "(" * 2000 + "1" + ")" * 2000, "indexed", 0, 0),
        ("let x = a" + ".b()" * 3000, "indexed", 0, 500),
        ("class A { " * 2000 + "}" * 2000, "indexed", 500, 0),
    ],
    ids=["parentheses", "chain", "classes"],
)
def test_deep_code_is_read_without_recursion(text: str, status: str, definitions: int, calls: int) -> None:
    facts = extract("a.swift", text.encode(), "swift")
    assert (facts.status, len(facts.definitions), len(facts.calls)) == (status, definitions, calls)
