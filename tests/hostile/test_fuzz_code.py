"""Source files that nobody would write, in every language: facts, edges and tokens come of them, or a problem."""

from __future__ import annotations

from pathlib import Path

import pytest

from .fuzz_readers import LANGUAGES, of, read_code, read_project, source_seeds
from .fuzz_suite import fuzzed


# Verifies REQ-SEC-010.
@pytest.mark.parametrize("name", of("code"))
def test_an_extractor_survives_edits_of_its_seeds(name: str) -> None:
    fuzzed(name, 12)


@pytest.mark.parametrize("name", of("edges"))
def test_resolution_survives_edits_of_its_seeds(name: str) -> None:
    fuzzed(name, 5)


@pytest.mark.parametrize("name", of("tokens"))
def test_a_tokeniser_survives_edits_of_its_seeds(name: str) -> None:
    fuzzed(name, 10)


DEEP = {
    "python": ["x = a{less}b", "@a{less}b\ndef f(): pass", "x = a{dots}", "x = a{calls}", "x = {opens}1{closes}"],
    "javascript": ["x = a{dots};", "/** @type {{a{dots}}} */\nlet x;", "/** @type {{a{array}}} */\nlet x;"],
    "typescript": ["let x: a{dots};", "let x: a{array};"],
    "java": ["class A {{ a{array} x; a{dots} y = new a{array}; }}"],
    "kotlin": ["val x: a{dots} = a{dots}", "class A : a{dots}()"],
    "swift": ["let x: a{dots} = a{dots}", "class A: a{dots} {{}}"],
    "scala": ["val x: a{dots} = a{dots}", "class A extends a{dots}"],
    "php": ["<?php new a{slashes}; use a{slashes};", "<?php namespace a{slashes}; class B extends a{slashes} {{}}"],
    "dart": ["@a{dots}\nvar x = a{dots};", "a{dots} x;"],
    "lua": ["---@class a : b{dots}\nx = a{dots}"],
    "zig": ["const x: {array}u8 = 1;", "const x = a{dots};"],
    "julia": ["x = a{dots}", "using a{dots}"],
    "objc": ["@interface A : B <C>\n@end\nvoid f() {{ a{dots} = 1; }}"],
    "rust": ["fn f() {{ a{colons}(); }}"],
    "cpp": ["class A : a{colons} {{}};"],
    "solidity": ["contract A is a{dots} {{ a{dots} x = a{dots}; a{array} y; using a{dots} for a{dots}; }}"],
    "terraform": ["locals {{\n  a = a{dots}\n}}"],
    "erlang": ["-module(a).\nf() -> {opens}1{closes}.\n-type t() :: {opens}a{closes}."],
    "sql": ["CREATE VIEW a AS SELECT * FROM a{dots};"],
}


# Verifies REQ-SEC-010.
@pytest.mark.parametrize("links", [330, 900, 3_000])
@pytest.mark.parametrize(("language", "form"), [(name, form) for name, forms in DEEP.items() for form in forms])
def test_names_of_thousands_of_parts_are_cut(language: str, form: str, links: int, tmp_path: Path) -> None:
    parts = {"dots": ".a", "array": "[]", "less": "<b", "calls": "()", "slashes": "\\a", "colons": "::a"}
    written = {name: part * links for name, part in parts.items()}
    source = form.format(**written, opens="[" * links, closes="]" * links).encode()
    read_code(language, source, tmp_path)
    read_project(language, source, tmp_path)


@pytest.mark.parametrize(
    ("language", "form"), [("dart", "var x = a{};"), ("rust", "fn f() {{ let x = a{}; }}"), ("dart", "f() => a{}();")]
)
@pytest.mark.parametrize("step", [".first", ".values", ".0"])
def test_facts_do_not_double_with_each_step(language: str, form: str, step: str) -> None:
    from loregraph.indexer.extract.file import extract
    from loregraph.indexer.facts import encode

    sizes = [len(encode(extract("a", form.format(step * steps).encode(), language))) for steps in (5, 10, 20, 50)]
    assert sizes[-1] < 20 * sizes[0], sizes


def test_every_language_has_seeds() -> None:
    assert [language for language in LANGUAGES if not source_seeds(language)] == []
