"""What languages say of their grammars is true of them: node types and fields that rows, tables and functions name are
there. A name that is not is code that never runs."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from tree_sitter_language_pack import get_language

from loregraph.indexer import languages
from loregraph.indexer.languages import spec_of
from loregraph.indexer.languages.registry import FOLDERS
from loregraph.indexer.languages.selectors import mentioned
from loregraph.indexer.languages.spec import LanguageSpec

FAMILIES = {"c": ("c", "cpp"), "cpp": ("c", "cpp")} | dict.fromkeys(
    ("javascript", "typescript"), ("javascript", "typescript", "tsx")
)
"""Languages that read one another's code: what only one of their grammars has is right in all of them."""
DEFAULTS = {field: LanguageSpec.__dataclass_fields__[field].default for field in ("comments", "annotations")}


def of_folder(folder: str) -> tuple[str, ...]:
    return FAMILIES.get(folder) or tuple(name for name, own in FOLDERS.items() if own == folder)


@cache
def kinds(folder: str) -> frozenset[str]:
    """The node types that the grammars of a folder's languages can make, with names and without."""
    found = set()
    for name in of_folder(folder):
        grammar = get_language(spec_of(name).grammar)
        ids = range(grammar.node_kind_count)
        found |= {grammar.node_kind_for_id(number) for number in ids if grammar.node_kind_is_visible(number)}
    return frozenset(kind for kind in found if kind) | {"ERROR"}


@cache
def fields(folder: str) -> frozenset[str]:
    found = set()
    for name in of_folder(folder):
        grammar = get_language(spec_of(name).grammar)
        found |= {grammar.field_name_for_id(number) for number in range(1, grammar.field_count + 1)}
    return frozenset(field for field in found if field)


def said(spec: LanguageSpec) -> Iterator[str]:
    """Fields, and node types with a colon before them, that the tables of a language name."""
    for kind, lowering in spec.expressions.items():
        yield f":{kind}"
        yield from mentioned(lowering)
    for hook in spec.hooks.values():
        yield from mentioned(hook)
    for read in (spec.parameters, spec.header, spec.docstring, spec.arguments):
        yield from mentioned(read)
    for table in ("comments", "annotations", "docstrings_in", "transparent", "assigned"):
        if getattr(spec, table) is not DEFAULTS.get(table):
            yield from (f":{kind}" for kind in getattr(spec, table))
    for pair in spec.assigned.values():
        yield from filter(None, pair)


@pytest.mark.parametrize("language", sorted(FOLDERS))
def test_tables_name_what_the_grammar_has(language: str) -> None:  # Verifies REQ-IDX-019
    folder = FOLDERS[language]
    known = fields(folder) | {f":{kind}" for kind in kinds(folder)}
    assert sorted(set(said(spec_of(language))) - known) == []


def literals(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """(line, field or ":type") of what functions compare with node types and ask for by field."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            if node.func.attr in ("child_by_field_name", "children_by_field_name"):
                yield from ((node.lineno, word) for word in strings(node.args[:1]))
        elif isinstance(node, ast.Compare) and isinstance(node.left, ast.Attribute) and node.left.attr == "type":
            yield from ((node.lineno, f":{word}") for word in strings(node.comparators))


def strings(nodes: list[ast.expr]) -> Iterator[str]:
    for node in nodes:
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value
        elif isinstance(node, (ast.Tuple, ast.Set, ast.List)):
            yield from strings(node.elts)


@pytest.mark.parametrize("folder", sorted(set(FOLDERS.values())))
def test_functions_name_what_the_grammar_has(folder: str) -> None:  # Verifies REQ-IDX-019
    [place] = languages.__path__
    known = fields(folder) | {f":{kind}" for kind in kinds(folder)}
    wrong = [
        f"{path.name}:{line} {word}"
        for path in sorted((Path(place) / folder).glob("*.py"))
        for line, word in literals(ast.parse(path.read_text()))
        if word not in known
    ]
    assert wrong == []
