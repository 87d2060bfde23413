"""The layers, and what may be imported where and when."""

from __future__ import annotations

import ast
import fnmatch
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "loregraph"
HEAVY = {
    "kuzu",
    "ladybug",
    "fastembed",
    "onnxruntime",
    "tokenizers",
    "tree_sitter",
    "tree_sitter_language_pack",
    "networkx",
    "watchfiles",
}
"""Packages that cost a command's start tens or hundreds of milliseconds."""

PARSERS = {"tree_sitter", "tree_sitter_language_pack"}
"""Of these, what the indexer may import as it likes: nothing else imports the modules that parse."""

MODULES = sorted(PACKAGE.rglob("*.py"))


def imported_when_loaded(body: list[ast.stmt]) -> Iterator[str]:
    """Top-level packages that a module imports as soon as it is imported itself."""
    for statement in body:
        match statement:
            case ast.Import(names=names):
                yield from (alias.name.split(".")[0] for alias in names)
            case ast.ImportFrom(module=str(module), level=0):
                yield module.split(".")[0]
            case ast.If(test=ast.Name(id="TYPE_CHECKING"), orelse=orelse):
                yield from imported_when_loaded(orelse)
            case ast.If(body=inner, orelse=orelse):
                yield from imported_when_loaded(inner + orelse)
            case ast.Try(body=inner, handlers=handlers, orelse=orelse, finalbody=final):
                yield from imported_when_loaded(inner + orelse + final)
                for handler in handlers:
                    yield from imported_when_loaded(handler.body)
            case ast.ClassDef(body=inner) | ast.With(body=inner):
                yield from imported_when_loaded(inner)


def test_imported_when_loaded_sees_through_conditions_and_not_into_functions() -> None:
    source = """
import kuzu.database
from typing import TYPE_CHECKING
if TYPE_CHECKING:
    import numpy
try:
    import networkx
except ImportError:
    import ladybug
def f():
    import fastembed
"""
    assert set(imported_when_loaded(ast.parse(source).body)) == {"kuzu", "typing", "networkx", "ladybug"}


@pytest.mark.parametrize("module", MODULES, ids=lambda p: p.relative_to(ROOT).as_posix())
def test_heavy_packages_are_imported_where_they_are_used(module: Path) -> None:
    eager = HEAVY & set(imported_when_loaded(ast.parse(module.read_text(encoding="utf-8")).body))
    if module.is_relative_to(PACKAGE / "indexer"):
        eager -= PARSERS
    assert not eager, f"import {sorted(eager)} inside the functions that need it"


# Verifies REQ-CLI-014, REQ-PKG-002.
def test_layers_hold() -> None:
    # In a process of its own: import-linter configures logging, which turns off the loggers that are there.
    script = "from importlinter.cli import lint_imports; raise SystemExit(lint_imports(no_cache=True))"
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


def test_import_of_the_package_is_light() -> None:
    script = "import sys, loregraph; print(*sorted({m.split('.')[0] for m in sys.modules}))"
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True, cwd=ROOT, env=os.environ
    )
    assert (HEAVY | {"click", "rich", "numpy"}) & set(done.stdout.split()) == set()


def test_no_folder_of_tests_is_left_out(pytestconfig: pytest.Config) -> None:
    """As one called build is, unless pytest is told otherwise."""
    left_out = pytestconfig.getini("norecursedirs")
    tests = ROOT / "tests"
    folders = {part for path in tests.rglob("test_*.py") for part in path.relative_to(tests).parts[:-1]}
    assert "build" in folders
    assert not [name for name in folders if any(fnmatch.fnmatch(name, pattern) for pattern in left_out)]
