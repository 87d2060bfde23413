"""Short reads of one generation for display: a file's summary, docstrings of results."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

import msgspec

from loregraph.graph.columns import GraphColumns
from loregraph.graph.model import CONSTANT

if TYPE_CHECKING:
    from loregraph.graph.search import SearchHit

MOST_DOCSTRING: Final = 300
"""Maximum characters of a docstring with a result of a search."""


class FileProblem(msgspec.Struct, frozen=True):
    """A problem in a file; `line` is 0 where it has none."""

    line: int
    message: str


class FileSummary(msgspec.Struct, frozen=True):
    """A file's summary. `relationships` counts edges out of the file and its contents; `problems` are those that a run
    has reported, if the summary is about one."""

    path: str
    status: str
    content_hash: str = ""
    functions: int = 0
    classes: int = 0
    relationships: int = 0
    problems: tuple[FileProblem, ...] = ()


def file_summary(columns: GraphColumns, path: str) -> FileSummary | None:
    """The summary of the file with that id, None where the graph does not have it."""
    node = columns.find_id(path)
    if node is None or columns.label(node) != "File":
        return None
    within = [node]
    for member in within:
        within.extend(columns.target[columns.out(member, "CONTAINS")].tolist())
    labels = [columns.label(member) for member in within]
    return FileSummary(
        path,
        columns.own(node, "status"),
        columns.own(node, "content_hash"),
        labels.count("Function"),
        labels.count("Class"),
        sum(len(columns.out(member)) for member in within),
    )


def outcome(before: FileSummary | None, after: FileSummary | None, *, forced: bool) -> str:
    """What a run did with a file: indexed, skipped (it has not changed), unsupported or error. The summaries are those
    in the graphs before and after the run, None where the graph does not have the file."""
    if after is None or after.status == "unsupported":
        return "unsupported"
    if after.status == "failed":
        return "error"
    same = before is not None and before.content_hash == after.content_hash
    return "skipped" if same and not forced else "indexed"


def with_docstrings(columns: GraphColumns, hits: Iterable[SearchHit]) -> list[SearchHit]:
    """`hits` with the docstring of each, "" where there is none, which is cut after `MOST_DOCSTRING` characters."""
    found = []
    for hit in hits:
        # The id of a constant is that of its file, whose docstring says nothing of it.
        node = columns.find_id(hit.id) if hit.kind != CONSTANT else None
        text = columns.docstring(node) if node is not None else ""
        text = text if len(text) <= MOST_DOCSTRING else f"{text[: MOST_DOCSTRING - 1]}…"
        found.append(msgspec.structs.replace(hit, docstring=text))
    return found


def content_hashes(columns: GraphColumns, paths: Iterable[str]) -> dict[str, str]:
    """The hash of the content of each of `paths` that is a file of the graph."""
    found = {}
    for path in paths:
        node = columns.find_id(path)
        if node is not None and columns.label(node) == "File":
            found[path] = columns.own(node, "content_hash")
    return found
