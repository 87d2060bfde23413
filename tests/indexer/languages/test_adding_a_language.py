"""The language that docs/adding-a-language.md adds as its example comes out as the page says."""

from __future__ import annotations

import dataclasses
import re
import sys
from pathlib import Path
from types import ModuleType

import pytest

from loregraph.indexer import extract, languages
from loregraph.indexer.languages import registry
from loregraph.indexer.resolution import policies
from tests.indexer.languages import carets
from tests.indexer.languages.edges import calls_between

PAGE = Path(__file__).parents[3] / "docs" / "adding-a-language.md"


def blocks(kind: str) -> list[str]:
    """The fenced blocks of one kind, in the order of the page."""
    return re.findall(rf"```{kind}\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)


@pytest.fixture
def gleam(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Gleam, registered as the page has it."""
    query = tmp_path / "query.scm"
    query.write_text(blocks("scheme")[0], encoding="utf-8")
    for name, text in zip(("spec", "policy"), blocks("python"), strict=True):
        module = ModuleType(f"loregraph.indexer.languages.gleam.{name}")
        exec(compile(text, f"gleam/{name}.py", "exec"), module.__dict__)
        monkeypatch.setitem(sys.modules, module.__name__, module)
        if name == "spec":
            module.SPECS["gleam"] = dataclasses.replace(module.SPECS["gleam"], queries=(str(query),))
    monkeypatch.setitem(sys.modules, "loregraph.indexer.languages.gleam", ModuleType("gleam"))
    monkeypatch.setitem(languages.FOLDERS, "gleam", "gleam")
    monkeypatch.setitem(registry.BY_EXTENSION, ".gleam", "gleam")
    for known in (languages.spec_of, languages.query_of, policies.policy_of, extract._query):
        known.cache_clear()


@pytest.mark.usefixtures("gleam")
def test_the_fixture_of_the_page_says_what_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fixture = tmp_path / "orders.gleam"
    fixture.write_text(blocks("gleam")[0], encoding="utf-8")
    monkeypatch.setattr(carets, "FIXTURES", tmp_path)
    assert carets.failures(fixture, "gleam") == []


@pytest.mark.usefixtures("gleam")
def test_the_policy_of_the_page_finds_calls_across_files() -> None:
    edges = calls_between(
        {
            "src/shop/money.gleam": "pub fn add(a, b) { round(a) }\nfn round(a) { a }",
            "src/shop/orders.gleam": blocks("gleam")[0],
        }
    )
    assert edges == {("add", "round"), ("total.<lambda1>", "add")}


def test_what_the_page_names_is_there() -> None:
    root = Path(languages.__file__).parents[3]
    names = set(re.findall(r"`((?:\w+/)*\w+(?:\.py|/))`", PAGE.read_text(encoding="utf-8")))
    named = {name for name in names if "/" in name}
    assert len(named) > 10
    places = ("", "loregraph", "loregraph/indexer", "loregraph/indexer/languages", "tests/indexer/languages")
    within = [root / place for place in places] + [*(root / "loregraph" / "analysis").iterdir()]
    missing = [name for name in sorted(named) if not any((place / name).exists() for place in within)]
    assert missing == []
