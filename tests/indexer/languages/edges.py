"""Calls of a small project given as texts: extraction and resolution together, without a store."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from pathlib import Path

from loregraph.indexer.discover.layout import read_layout
from loregraph.indexer.extract.file import extract
from loregraph.indexer.languages.registry import DOCUMENTS, by_head, by_path
from loregraph.indexer.resolve.resolver import resolve


def calls_between(files: Mapping[str, str], rel: str = "CALLS") -> set[tuple[str, str]]:
    """(qualified name, qualified name) of the edges between definitions of the project; a file stands by its path.
    What is no source is a packaging file."""
    languages = {path: by_head(path, text.encode()) or by_path(path) or "" for path, text in files.items()}
    sources = {path: text for path, text in files.items() if languages[path] and languages[path] not in DOCUMENTS}
    facts = {path: extract(path, text.encode(), languages[path]) for path, text in sources.items()}
    with tempfile.TemporaryDirectory() as folder:
        for path in files.keys() - sources.keys():
            Path(folder, path).parent.mkdir(parents=True, exist_ok=True)
            Path(folder, path).write_text(files[path], encoding="utf-8")
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
