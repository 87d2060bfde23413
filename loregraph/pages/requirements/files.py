"""The other direction of a trace: which files of the product carry out a requirement, and which none."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Final, NamedTuple

import numpy as np

from loregraph.analysis.code_roles import CodeRoles
from loregraph.analysis.tracing.formats.states import percent
from loregraph.analysis.tracing.traces import RequirementTrace
from loregraph.graph.columns import GraphColumns
from loregraph.pages.requirements import shown
from loregraph.pages.requirements.matrix import Share, refined
from loregraph.pages.requirements.shown import Listed

ROWS: Final = 200
"""Files on a page."""
LINKS: Final = 6


class FileRow(NamedTuple):
    """`functions` is the number of those in the file, `linked` of functions and classes with a requirement of their
    own; `is_whole`: the file itself has one."""

    path: str
    functions: int
    linked: int
    is_whole: bool
    requirements: Listed


class Files(NamedTuple):
    """Files without a requirement first, the largest before others; `rows` are those of one page, 1-based."""

    rows: tuple[FileRow, ...]
    found: int
    page: int
    pages: int
    share: Share


def files(
    columns: GraphColumns, known: Mapping[str, RequirementTrace], text: str = "", page: int = 1, rows: int = ROWS
) -> Files:
    """Files with functions that are neither tests nor generated. `text` is in the path of those on the page."""
    requirements: dict[str, dict[str, None]] = {}
    linked: dict[str, set[str]] = {}
    for one in known.values():
        for link in one.implementations:
            requirements.setdefault(link.file_path, {})[one.id] = None
            linked.setdefault(link.file_path, set()).add(link.id)
    sizes = functions_by_file(columns, linked)
    wanted = [path for path in sizes if text.lower() in path.lower()]
    wanted.sort(key=lambda path: (path in linked, -sizes[path], path))
    pages = max(1, -(-len(wanted) // rows))
    page = min(max(1, page), pages)
    made = tuple(
        file_row(path, sizes[path], linked.get(path, set()), tuple(requirements.get(path, ())), known)
        for path in wanted[(page - 1) * rows : page * rows]
    )
    having = sum(path in linked for path in sizes)
    total = len(sizes)
    share = Share(
        "files with a requirement", having, total, percent(having, total), round(100 * having / max(1, total), 1)
    )
    return Files(made, len(wanted), page, pages, share)


def functions_by_file(columns: GraphColumns, linked: Collection[str]) -> dict[str, int]:
    """Path → number of functions, of the product's files that have any or are linked."""
    roles = CodeRoles(columns)
    paths = columns.paths
    counts = np.bincount(paths.codes[columns.nodes("Function")], minlength=len(paths.values)).tolist()
    return {
        path: count
        for path, count in zip(paths.values, counts, strict=True)
        if (count or path in linked) and path and path not in columns.generated and not roles.is_test_file(path)
    }


def file_row(
    path: str,
    functions: int,
    linked: Collection[str],
    requirements: Sequence[str],
    known: Mapping[str, RequirementTrace],
) -> FileRow:
    listed = shown.first((refined(one, known) for one in requirements), len(requirements), LINKS)
    return FileRow(path, functions, len([one for one in linked if one != path]), path in linked, listed)
