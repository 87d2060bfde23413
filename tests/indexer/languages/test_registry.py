"""Names, heads and shebangs tell languages."""

from __future__ import annotations

from collections import Counter

import pytest

from loregraph.indexer.languages import registry
from loregraph.indexer.languages.registry import by_head, by_path


# Verifies REQ-IDX-006.
@pytest.mark.parametrize(
    ("path", "language"),
    [
        ("a/b.py", "python"),
        ("a.pyi", "python"),
        ("a.pyw", "python"),
        ("a.PY", "python"),
        ("x.jsx", "javascript"),
        ("x.mjs", "javascript"),
        ("x.cjs", "javascript"),
        ("x.d.ts", "typescript"),
        ("x.mts", "typescript"),
        ("x.tsx", "tsx"),
        ("A.java", "java"),
        ("a.go", "go"),
        ("a.rs", "rust"),
        ("a.c", "c"),
        ("a.h", "c"),
        ("a.hpp", "cpp"),
        ("a.cc", "cpp"),
        ("a.cs", "csharp"),
        ("a.kts", "kotlin"),
        ("Gemfile", "ruby"),
        ("a/README", "text"),
        ("a.md", "markdown"),
        ("package.json", "json"),
        (".py", None),
        ("a.png", None),
        ("Makefile", None),
        ("dir.py/file", None),
    ],
)
def test_by_path(path: str, language: str | None) -> None:
    assert by_path(path) == language


# Verifies REQ-IDX-006.
@pytest.mark.parametrize(
    ("head", "language"),
    [
        (b"#!/bin/sh\n", "bash"),
        (b"#!/usr/bin/python3.11\n", "python"),
        (b"#! /usr/bin/env python\n", "python"),
        (b"#!/usr/bin/env -S FOO=1 node --flag\n", "javascript"),
        (b"#!/usr/bin/env ruby2.7", "ruby"),
        (b"#!/usr/bin/env\n", None),
        (b"#!/usr/bin/awk -f\n", None),
        (b"#!", None),
        (b"#!\xff\xfe\n", None),
        (b"import os\n", None),
        (b"", None),
    ],
)
def test_shebang(head: bytes, language: str | None) -> None:
    assert by_head("tool", head) == language


@pytest.mark.parametrize(
    "text",
    [
        b"namespace fmt {\n",
        b"#ifndef X\ntemplate <typename T>\nT f(T);\n",
        b"class Foo;\n",
        b"class Foo : public Bar {\n",
        b"struct A {\n public:\n  int x;\n};\n",
        b"#include <vector>\n",
        b"  std::string name();\n",
        b"using byte = unsigned char;\n",
        b"constexpr int x = 1;\n",
    ],
)
def test_cpp_headers(text: bytes) -> None:
    assert by_head("a.h", text) == "cpp"
    assert by_head("a.H", text) == "cpp"
    assert by_head("a.c", text) is None


@pytest.mark.parametrize(
    "text",
    [
        b"#include <stdio.h>\nint f(void);\n",
        b"/* this class of template functions */\nint f(int);\n",
        b"// a namespace\nstruct class_info { int class; };\n",
        b'#ifdef __cplusplus\nextern "C" {\n#endif\nint f(void);\n',
        b" * class of devices: see std::string\nint operator_count;\n",
        b"",
    ],
)
def test_c_headers_tell_nothing(text: bytes) -> None:
    assert by_head("a.h", text) is None


def test_a_hostile_header_is_looked_at_in_no_time() -> None:
    assert by_head("a.h", b"namespace x\n" * 3000) is None


# Verifies REQ-IDX-019.
def test_the_table_is_consistent() -> None:
    assert registry.SUPPORTED <= registry.SOURCES
    assert not registry.SOURCES & registry.DOCUMENTS
    owned = Counter(
        extension for row in registry.LANGUAGES for extension in (*row.extensions, *row.filenames, *row.shebangs)
    )
    assert {name for name, count in owned.items() if count > 1} == set()
    for row in registry.LANGUAGES:
        # Of those that share an extension one says by its heads what is its own, and one takes the rest.
        assert all(registry.BY_EXTENSION[extension] != row.name for extension in row.shared if row.heads)
        assert set(row.shared) <= set(registry.BY_EXTENSION)
    ranks = [file.rank for file, _ in registry.PACKAGING]
    assert len(set(ranks)) == len(ranks)
