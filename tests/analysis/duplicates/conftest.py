"""Code that is copied in several ways, and projects made of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

import numpy as np
import pytest

from loregraph.analysis.duplicates.clones import CloneIndex
from loregraph.analysis.duplicates.pairing import TYPES
from loregraph.analysis.duplicates.tokens import Source, tokenize
from loregraph.analysis.duplicates.units import Units
from loregraph.project import Project

LOAD = '''
def load(path, limit=10):
    """Read the rows of a file."""
    rows = []
    with open(path, encoding="utf-8") as stream:
        for number, line in enumerate(stream):
            if number >= limit or not line.strip():
                break  # enough
            name, _, value = line.partition("=")
            rows.append((name.strip(), float(value)))
    return sorted(rows, key=lambda row: row[1])
'''
RENAMED = (
    LOAD.replace("load", "fetch")
    .replace("path", "source")
    .replace("rows", "found")
    .replace("number", "count")
    .replace('"="', '":"')
)
EDITED = LOAD.replace("    return sorted", "    if not rows:\n        raise ValueError(path)\n    return sorted")
OTHER = """
def walk(tree, visit):
    stack = [tree]
    while stack:
        node = stack.pop()
        if visit(node) is False:
            continue
        stack.extend(reversed(node.children))
        for listener in node.listeners:
            listener.notify(node.kind, node.span)
"""

Kinds = dict[tuple[int, int], tuple[str, float]]


def indexed(codes: Iterable[str], language: str = "python") -> CloneIndex:
    """Each of `codes` is a unit of its own."""
    tokens = tokenize([Source(code, language) for code in codes])
    count = len(tokens.starts) - 1
    no = np.zeros(count, np.bool_)
    nowhere = np.full(count, -1, np.int64)
    return CloneIndex(Units(np.arange(count), tokens.starts[:-1], tokens.starts[1:], nowhere, no, no, no, tokens, ()))


def pairs_of(index: CloneIndex, **settings: float) -> Kinds:
    found = index.pairs(**settings)  # type: ignore[arg-type]
    columns = (column.tolist() for column in found)
    return {(a, b): (TYPES[kind], similarity) for a, b, similarity, kind in zip(*columns, strict=True)}


@pytest.fixture
def make_project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[dict[str, str]], Project]:
    monkeypatch.setenv("LOREGRAPH_HOME", str(tmp_path / "home"))

    def make(files: dict[str, str]) -> Project:
        root = tmp_path / "project"
        for name, text in files.items():
            path = root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        project = Project(root, store=tmp_path / "store")
        project.index(jobs=1, embed=False)
        return project

    return make
