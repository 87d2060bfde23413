"""Source snippets in, edges out: through the real extractor and the real layout."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from textwrap import dedent

import pytest

from loregraph.graph.model import Edge
from loregraph.indexer.discover.layout import read_layout
from loregraph.indexer.extract.file import extract
from loregraph.indexer.facts import FileFacts, decode, encode
from loregraph.indexer.resolve import Resolution, resolve

SUFFIXES = {
    "py": "python", "js": "javascript", "ts": "typescript", "tsx": "tsx", "go": "go", "rs": "rust", "java": "java",
    "kt": "kotlin", "cs": "csharp", "php": "php", "rb": "ruby", "swift": "swift",
    "c": "c", "h": "cpp", "hpp": "cpp", "cpp": "cpp",
}  # fmt: skip


class Project:
    """A resolved project of snippets."""

    def __init__(self, facts: dict[str, FileFacts], resolution: Resolution) -> None:
        self.facts = facts
        self.resolution = resolution

    @property
    def edges(self) -> list[Edge]:
        return [edge for found in self.resolution.files.values() for edge in found.edges]

    def pairs(self, rel: str) -> set[tuple[str, str]]:
        return {(e.source, e.target) for e in self.edges if e.rel == rel}

    def calls(self) -> set[tuple[str, str]]:
        """CALLS edges within the project."""
        return {(s, t) for s, t in self.pairs("CALLS") if not t.startswith("external:")}

    def how(self, source: str, target: str, rel: str = "CALLS") -> str:
        return next(e.how for e in self.edges if (e.rel, e.source, e.target) == (rel, source, target))


Resolve = Callable[[Mapping[str, str]], Project]


@pytest.fixture
def project(tmp_path: Path) -> Resolve:
    """Extracts, lays out and resolves files given as path → text."""

    def make(files: Mapping[str, str]) -> Project:
        facts: dict[str, FileFacts] = {}
        for path, text in files.items():
            source = dedent(text)
            target = tmp_path / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(source)
            language = SUFFIXES.get(path.rpartition(".")[2])
            if language is not None:
                facts[path] = decode(encode(extract(path, source.encode(), language)))
        layout = read_layout(tmp_path, files).with_packages({p: f.package for p, f in facts.items() if f.package})
        return Project(facts, resolve(facts, layout))

    return make
