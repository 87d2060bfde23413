"""Endpoints of a folder of files, without a store: extracted, collected and joined."""

from __future__ import annotations

from pathlib import Path

from loregraph.indexer.discover.layout import read_layout
from loregraph.indexer.endpoints.collect import collect
from loregraph.indexer.endpoints.join import Joined, join
from loregraph.indexer.endpoints.mentions import may_have
from loregraph.indexer.endpoints.model import FileEndpoints
from loregraph.indexer.endpoints.openapi import read
from loregraph.indexer.endpoints.references import Context
from loregraph.indexer.extract.file import extract_with_spans
from loregraph.indexer.facts import FileFacts, decode, encode
from loregraph.indexer.languages import registry

FIXTURES = Path(__file__).parents[3] / "fixtures" / "endpoints"


def joined(root: Path) -> Joined:
    """What the files below `root` answer and request."""
    facts: dict[str, FileFacts] = {}
    records: dict[str, FileEndpoints] = {}
    paths = sorted(path.relative_to(root).as_posix() for path in root.rglob("*") if path.is_file())
    for path in paths:
        language = registry.by_path(path)
        source = (root / path).read_bytes()
        if language not in registry.SUPPORTED:
            record, _ = read(path, source)
            if not record.is_empty:
                records[path] = record
            continue
        found, _ = extract_with_spans(path, source, language, "", r"REQ-[A-Z]+-\d+")
        record = collect(found, source) if may_have(found) else FileEndpoints()
        facts[path] = decode(encode(found))
        if not record.is_empty:
            records[path] = record
    layout = read_layout(root, paths).with_packages({path: own.package for path, own in facts.items() if own.package})
    return join(records, Context(facts.get, layout))


def rows(found: Joined, rel: str) -> list[tuple[str, str, str]]:
    """(endpoint, where the edge starts, how) of each edge, sorted."""
    names = {node.id: f"{node.method} {node.path}" for node in found.nodes}
    return sorted((names[edge.target], edge.source, edge.how) for edge in found.edges if edge.rel == rel)
