"""The roles of a document's items: requirements, designs or test cases.

Determined by the configuration, which selects documents by patterns and items by the prefix of their ids; else by the
format (see each reader); for doorstop by its tree of documents.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Final

from msgspec import structs

from loregraph import patterns
from loregraph.config import RequirementSettings
from loregraph.errors import ConfigError
from loregraph.indexer.requirements.model import Document, DocumentTree, Item

BY_ID: Final = "id:"
"""The beginning of a key that is a prefix of ids rather than a pattern of paths."""
KINDS: Final = {"requirement": "requirement", "design": "design", "test": "test_case"}
"""Role in the configuration → `Item.kind`."""
_TESTS: Final = re.compile(
    r"(?:^|[^A-Za-z])(?:tests?|testing|verifications?|validations?)(?:$|[^A-Za-z])", re.IGNORECASE
)
_PREFIX: Final = re.compile(r"(?:[A-Z]{1,3}[-_]?)??(?:TST|TESTS?|TC|TCS|LT)[-_]?", re.IGNORECASE)
"""Prefixes of test documents: TST in doorstop's manual, HLT and LLT in doorstop's own."""


# Implements REQ-TRC-009.
def with_roles(document: Document, path: str, settings: RequirementSettings) -> Document:
    """`document` with the configured roles of its items."""
    if not settings.roles or not document.items:
        return document
    given = tuple(settings.roles.items())
    items = tuple(_as(item, configured(path, item.id, given)) for item in document.items)
    return structs.replace(document, items=items)


def _as(item: Item, role: str) -> Item:
    if not role or item.kind in ("adr", "section"):
        return item
    return structs.replace(item, kind=KINDS[role], settled=True)


def configured(path: str, identity: str, given: tuple[tuple[str, str], ...]) -> str:
    """The role of an item by the last matching key, "" where none matches."""
    found = ""
    for key, role in given:
        fits = identity.startswith(key.removeprefix(BY_ID)) if key.startswith(BY_ID) else _matching(key)(path)
        found = role if fits else found
    return found


@lru_cache(maxsize=64)
def _matching(pattern: str) -> Callable[[str], bool]:
    try:
        return patterns.paths((pattern if pattern.startswith("/") else f"/{pattern}",))
    except patterns.PatternError as error:
        raise ConfigError(f"requirements.roles: {error}", f"use patterns as in .gitignore, or {BY_ID}PREFIX") from error


def in_tree(documents: Mapping[str, Document]) -> dict[str, Document]:
    """`documents` with doorstop's test cases: items of a document that has a parent and whose prefix, folder or name
    marks it as a test document. A root document is never one."""
    trees = {path.rpartition("/")[0]: found.tree for path, found in documents.items() if found.tree is not None}
    tests = {folder for folder, tree in trees.items() if tree is not None and _holds_tests(folder, tree)}
    if not tests:
        return dict(documents)
    return {
        path: structs.replace(found, items=tuple(_test(item) for item in found.items))
        if found.is_doorstop and _nearest(path, trees) in tests
        else found
        for path, found in documents.items()
    }


def _test(item: Item) -> Item:
    return item if item.settled or item.kind != "requirement" else structs.replace(item, kind=KINDS["test"])


def _holds_tests(folder: str, tree: DocumentTree) -> bool:
    if not tree.parent:
        return False
    return any((_PREFIX.fullmatch(tree.prefix), _TESTS.search(folder), _TESTS.search(tree.title)))


def _nearest(path: str, trees: Mapping[str, DocumentTree | None]) -> str | None:
    """The folder of the document that an item at `path` belongs to."""
    folder = path.rpartition("/")[0]
    while folder not in trees:
        if not folder:
            return None
        folder = folder.rpartition("/")[0]
    return folder
