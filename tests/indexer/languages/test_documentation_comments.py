"""Which comments are documentation where a blank line stands between them and what they are about."""

from __future__ import annotations

import pytest

from loregraph.indexer.extract.file import extract

DEFINED = {
    "java": "class A {}",
    "kotlin": "class A {}",
    "scala": "class A {}",
    "javascript": "class A {}",
    "typescript": "export class A {}",
    "tsx": "export const A = () => 1;",
    "php": "class A {}",
    "csharp": "class A {}",
    "c": "int a(void) { return 1; }",
    "cpp": "class A {};",
    "swift": "class A {}",
    "dart": "class A {}",
    "rust": "struct A;",
    "go": "type A struct{}",
    "ruby": "class A\nend",
    "lua": "function a() end",
}


def docstring(language: str, comment: str) -> str:
    head = {"php": "<?php\n", "go": "package a\n\n"}.get(language, "")
    text = f"{head}{comment}\n\n{DEFINED[language]}\n"
    [definition] = extract("a", text.encode(), language).definitions
    return definition.docstring


@pytest.mark.parametrize("language", sorted(DEFINED.keys() - {"go", "ruby", "lua"}))
def test_the_languages_own_tool_attaches_over_blank_lines(language: str) -> None:
    assert docstring(language, "/**\n * About it.\n */") == "About it."


@pytest.mark.parametrize("language", ["c", "cpp", "csharp", "dart", "java", "rust", "swift"])
def test_lines_of_documentation_too(language: str) -> None:
    assert docstring(language, "/// About it.\n/// More.") == "About it.\nMore."


@pytest.mark.parametrize(
    ("language", "comment"),
    [
        *((language, "/* About something. */") for language in sorted(DEFINED.keys() - {"ruby", "lua"})),
        *((language, "/** Copyright of somebody. */") for language in ("java", "javascript", "php", "c", "csharp")),
        *((language, "/**\n * @file of it\n */") for language in ("javascript", "cpp", "typescript")),
        ("c", "/** @{ */"),
        ("java", "/***** Section *****/"),
        ("csharp", "//// not this"),
        ("go", "// About something."),
        ("ruby", "# About something."),
        ("lua", "--- About something."),
    ],
)
def test_others_have_to_stand_directly_above(language: str, comment: str) -> None:
    assert docstring(language, comment) == ""
