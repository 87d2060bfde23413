"""Calls of a small project given as texts: extraction and resolution together, without a store."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from pathlib import Path

from loregraph.indexer.extract import extract
from loregraph.indexer.languages.registry import by_path
from loregraph.indexer.layout import read_layout
from loregraph.indexer.resolution.resolver import resolve


def calls_between(files: Mapping[str, str], rel: str = "CALLS") -> set[tuple[str, str]]:
    """(qualified name, qualified name) of the edges between definitions of the project; a file stands by its path."""
    facts = {path: extract(path, text.encode(), by_path(path) or "") for path, text in files.items()}
    with tempfile.TemporaryDirectory() as folder:
        layout = read_layout(Path(folder), files)
    layout = layout.with_packages({path: fact.package for path, fact in facts.items()})
    found = resolve(facts, layout)
    return {
        (_name(edge.source), _name(edge.target))
        for resolution in found.files.values()
        for edge in resolution.edges
        if edge.rel == rel and not edge.target.startswith("external:")
    }


def _name(identity: str) -> str:
    return identity.partition("::")[2] or identity
