"""No language's name stands in code that is for all of them: what differs is a field of its record or its policy."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

import loregraph
from loregraph.indexer import languages
from loregraph.indexer.languages import registry

PACKAGE = Path(loregraph.__file__).parent
FOLDERS = {Path(languages.__file__).parent / folder for folder in registry.FOLDERS.values()}
EXCEPTIONS = {
    "doctor.py": "the interpreter that loregraph runs in, and the one file that the store is tried with",
    "indexer/languages/components.py": "what Vue and Svelte share: the languages that `lang` of a script names",
    "indexer/outside/modules.py": "what libraries declare is read from stubs, which are written in Python",
}
SHORT = {"c", "r"}
"""Names that are also the names of operators and kinds of values."""


@pytest.fixture(scope="module")
def trees() -> dict[str, ast.Module]:
    """Path below the package → tree, of the modules outside the folders of languages in which a name may stand."""
    quoted = re.compile(rf"""["'](?:{"|".join(map(re.escape, sorted(registry.SUPPORTED)))})["']""")
    texts = {path: path.read_text(encoding="utf-8") for path in PACKAGE.rglob("*.py")}
    return {
        path.relative_to(PACKAGE).as_posix(): ast.parse(text)
        for path, text in sorted(texts.items())
        if FOLDERS.isdisjoint(path.parents) and quoted.search(text)
    }


# Verifies REQ-IDX-019.
def test_no_general_module_names_a_language(trees: dict[str, ast.Module]) -> None:
    named: dict[str, list[str]] = {}
    for path, tree in trees.items():
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and node.value in registry.SUPPORTED - SHORT:
                named.setdefault(path, []).append(f"{node.lineno}: {node.value}")
    assert {path: found for path, found in named.items() if path not in EXCEPTIONS} == {}
    assert named.keys() == EXCEPTIONS.keys(), "an exception that nothing needs any longer"


# Verifies REQ-IDX-019.
def test_no_general_module_compares_a_language_with_a_name(trees: dict[str, ast.Module]) -> None:
    """Of names that are too short for the rule above: `language == "c"`, `language in ("c", …)`."""
    found = []
    for path, tree in trees.items():
        for node in ast.walk(tree):
            if isinstance(node, ast.Compare) and "language" in ast.unparse(node.left):
                sides = [one for side in node.comparators for one in ast.walk(side)]
                if any(isinstance(one, ast.Constant) and one.value in registry.SUPPORTED for one in sides):
                    found.append(f"{path}:{node.lineno}")
    assert found == []
