from __future__ import annotations

import pytest

from loregraph.indexer.extract.constants import constants_of
from loregraph.indexer.extract.file import extract


# Verifies REQ-SRC-013.
@pytest.mark.parametrize(
    ("path", "language", "source", "names"),
    [
        (
            "a.py",
            "python",
            "MAX_RETRIES = 3\nlogger = log()\nclass A:\n    LIMIT: int = 2\n    x = 1\n",
            ["MAX_RETRIES", "LIMIT"],
        ),
        ("a.py", "python", "def f():\n    LOCAL_LIMIT = 3\nKEY = lambda: 1\n", []),
        (
            "a.js",
            "javascript",
            "export const maxRetries = 3;\nconst hidden = 4;\nexport const f = () => 1;\n",
            ["maxRetries"],
        ),
        ("a.ts", "typescript", "export const table = { a: 1 };\nexport type Alias = string;\n", ["table"]),
        ("a.go", "go", "package p\nconst MaxRetries = 3\nconst hidden = 4\ntype U = int\n", ["MaxRetries"]),
        (
            "a.rs",
            "rust",
            "pub const MAX_RETRIES: u32 = 3;\npub static TABLE: [u8; 1] = [1];\n",
            ["MAX_RETRIES", "TABLE"],
        ),
        ("A.java", "java", "class A { static final int MAX_RETRIES = 3; int count = 0; }\n", ["MAX_RETRIES"]),
        ("A.cs", "csharp", "class A { public const int MaxRetries = 3; int count = 0; }\n", ["MaxRetries"]),
        ("A.scala", "scala", "object A { val MaxRetries = 3 }\n", ["MaxRetries"]),
        ("a.kt", "kotlin", "const val MAX_RETRIES = 3\n", ["MAX_RETRIES"]),
        ("a.swift", "swift", "let maxRetries = 3\n", ["maxRetries"]),
        ("a.dart", "dart", "const maxRetries = 3;\n", ["maxRetries"]),
        (
            "a.php",
            "php",
            "<?php\nconst MAX_RETRIES = 3;\ndefine('OTHER_LIMIT', 4);\n$x = 1;\n",
            ["MAX_RETRIES", "OTHER_LIMIT"],
        ),
        ("a.rb", "ruby", "MAX_RETRIES = 3\nother = 4\n", ["MAX_RETRIES"]),
        (
            "a.c",
            "c",
            "#define MAX_RETRIES 3\n#define GUARD_H\nstatic const int kLimit = 2;\n",
            ["MAX_RETRIES", "kLimit"],
        ),
        ("a.cpp", "cpp", "constexpr int kMaxRetries = 3;\nusing Alias = int;\n", ["kMaxRetries"]),
        ("a.lua", "lua", "local M = {}\nM.MAX_RETRIES = 3\nreturn M\n", ["MAX_RETRIES"]),
        ("a.zig", "zig", "pub const max_retries = 3;\n", ["max_retries"]),
        ("a.sh", "bash", "readonly MAX_RETRIES=3\nexport LIMIT=4\nother=5\n", ["MAX_RETRIES", "LIMIT"]),
    ],
)
def test_what_a_file_has_for_others_to_name(path: str, language: str, source: str, names: list[str]) -> None:
    found = constants_of(extract(path, source.encode(), language), source.encode())
    assert [one.name for one in found] == names
    lines = source.split("\n")
    assert all(one.name in lines[one.line - 1] and one.text == lines[one.line - 1].strip() for one in found)
