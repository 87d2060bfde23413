"""Where a symbol stands in its file as it is now, which may have changed since it was indexed."""

from __future__ import annotations

from collections.abc import Sequence

from loregraph.analysis.explore.excerpt import DECORATOR
from loregraph.analysis.explore.ranking import Ranked
from loregraph.graph.columns import GraphColumns


def span(columns: GraphColumns, one: Ranked, lines: Sequence[str], *, is_stale: bool) -> tuple[int, int] | None:
    """The first and last line of a symbol among the `lines` of its file; None where it is not there any more.

    In a stale file its signature is looked for, nearest to where it was: its length is that of before.
    """
    node = one.node
    if one.line:
        return (one.line, one.line) if one.line <= len(lines) else None
    if columns.label(node) == "File":
        return 1, len(lines)
    first, last = int(columns.start_line[node]), int(columns.end_line[node])
    if not is_stale:
        return (max(1, first), max(first, min(last, len(lines)))) if first <= len(lines) else None
    moved = _moved(columns, node, lines, first)
    return None if moved is None else (first + moved, min(last + moved, len(lines)))


def _moved(columns: GraphColumns, node: int, lines: Sequence[str], first: int) -> int | None:
    """By how many lines the symbol moved; None where no line has its name in the way its signature has."""
    name = columns.name(node).partition("#")[0]
    signature = columns.signature(node)
    before = signature.partition(name)[0].split()
    wanted = f"{before[-1]} {name}" if before else name
    found = [number for number, line in enumerate(lines, 1) if wanted in line] or [
        number for number, line in enumerate(lines, 1) if name in line
    ]
    return min((_head(lines, number) - first for number in found), key=lambda moved: (abs(moved), moved), default=None)


def _head(lines: Sequence[str], number: int) -> int:
    """The first line of the definition whose name is in line `number`: that of its first decorator."""
    while number > 1 and DECORATOR.match(lines[number - 2]):
        number -= 1
    return number
