"""Finds users of changed code that are affected by the change."""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from typing import Final

from msgspec import Struct

from loregraph.analysis.changes.call_sites import named
from loregraph.analysis.changes.definitions import Compared, DefinitionChange
from loregraph.graph.columns import GraphColumns
from loregraph.graph.groups import group_of, is_stub, lead
from loregraph.graph.model import Edge

USES: Final = ("CALLS", "REFERENCES", "EXTENDS", "IMPLEMENTS")
GONE: Final = ("removed", "renamed", "moved")
"""Changes after which a name is no longer at its old place."""

Lines = Callable[[str], Sequence[str]]
"""The present lines of the file with an id."""


class AffectedCaller(Struct, frozen=True):
    """`id` uses `symbol` at `line`; `change` is the kind of change, `is_changed` whether `id` was edited as well.

    `reaches` is what the name refers to now, "" for nothing, so that the use is broken.
    """

    id: str
    file_path: str
    line: int
    symbol: str
    change: str
    is_changed: bool
    reaches: str = ""


def affected_callers(
    columns: GraphColumns, compared: Compared, before: Sequence[Edge], lines: Lines
) -> list[AffectedCaller]:
    """Users that still name removed code, by the edges of the project `before`, and callers of functions whose new
    signature breaks calls. Unedited ones come first: they may have been forgotten."""
    edited = {change.new.node.id for change in compared.changes if change.new is not None}
    gone = {
        change.old.node.id: change
        for change in compared.changes
        if change.old and change.kind in GONE and not _is_provided(change, lines)
    }
    found = {(one.id, one.symbol): one for one in _of_gone(columns, compared, gone, before, lines, edited)}
    files = {(one.file_path, one.symbol) for one in found.values()}
    for one in _importers(columns, compared, gone, before, lines):
        if (one.file_path, one.symbol) not in files:
            found[one.id, one.symbol] = one
    for change in compared.changes:
        for one in _of_signature(columns, change, edited):
            found.setdefault((one.id, one.symbol), one)
    order = (*GONE, "signature")
    return sorted(
        found.values(),
        key=lambda c: (
            c.is_changed,
            c.change != "signature" and bool(c.reaches),
            order.index(c.change),
            c.symbol,
            c.file_path,
            c.line,
            c.id,
        ),
    )


def _is_provided(change: DefinitionChange, lines: Lines) -> bool:
    """Whether the file still provides the name other than by a definition: an alias, a re-export."""
    assert change.old is not None
    if "." in change.old.node.id.partition("::")[2]:
        return False  # a file's binding of a member's name is something else
    path, name = change.old.node.file_path, re.escape(change.old.node.name)
    provides = re.compile(rf"{name}\s*[:=]|(?:from|import|export|pub use)\b.*\b{name}\b|.*\bas {name}\b")
    return any(provides.match(line) for line in lines(path))


def _of_gone(
    columns: GraphColumns,
    compared: Compared,
    gone: Mapping[str, DefinitionChange],
    before: Sequence[Edge],
    lines: Lines,
    edited: Container[str],
) -> Iterator[AffectedCaller]:
    users = {edge.source for edge in before if edge.rel in USES and edge.target in gone}
    used: dict[str, set[str]] = {}
    for edge in before:
        if edge.rel in USES and edge.source in users:
            used.setdefault(edge.source, set()).add(compared.places.get(edge.target, edge.target))
    for edge in before:
        change = gone.get(edge.target)
        if change is None or edge.rel not in USES:
            continue
        source = compared.places.get(edge.source, edge.source)
        number = columns.find_id(source)
        if number is None or (edge.source in gone and gone[edge.source].kind == "removed"):
            continue
        found = _still_uses(columns, number, change, lines, source in edited, edge.rel == "CALLS")
        # A former target, one of several of the same use, does not replace the removed one.
        if found is not None and (not found.reaches or found.reaches not in used[edge.source]):
            yield found


def _importers(
    columns: GraphColumns,
    compared: Compared,
    gone: Mapping[str, DefinitionChange],
    before: Sequence[Edge],
    lines: Lines,
) -> Iterator[AffectedCaller]:
    """Files that still import a name from a place that no longer provides it."""
    named: dict[str, list[DefinitionChange]] = {}
    for change in gone.values():
        if change.old is not None and "." not in change.old.node.id.partition("::")[2]:
            named.setdefault(change.old.node.file_path, []).append(change)
    for edge in before:
        for change in named.get(edge.target, ()) if edge.rel == "IMPORTS" else ():
            name = change.old.node.name if change.old is not None else ""
            number = columns.find_id(compared.places.get(edge.source, edge.source)) if name in edge.names else None
            if number is None or any(
                columns.find_id(f"{file}::{name}") for file in imported_from(columns, number, name)
            ):
                continue
            found = _still_uses(columns, number, change, lines, False, False)
            if found is not None:
                yield found


def imported_from(columns: GraphColumns, file: int, name: str) -> list[str]:
    """Ids of the targets of a file's imports of `name`."""
    edges = columns.out(file, "IMPORTS")
    names, rows = columns.edge_column("names", edges)
    ends = zip(columns.target[edges].tolist(), rows.tolist(), strict=True)
    return [columns.id(target) for target, row in ends if name in names[row]]


def _still_uses(
    columns: GraphColumns, source: int, change: DefinitionChange, lines: Lines, is_edited: bool, is_call: bool
) -> AffectedCaller | None:
    """The use of the former `change.old` in the present lines of `source`; None where the name does not occur any more,
    or refers to the new place."""
    assert change.old is not None
    name = change.old.node.name
    path = columns.path(source)
    start, end = int(columns.start_line[source]), int(columns.end_line[source])
    # In edited code the name may mean something else by now, a variable for instance.
    after = r"\s*[(<\[!:`]" if is_edited and is_call else r"(?!\w)"
    word = re.compile(rf"(?<!\w){re.escape(name)}{after}|@[\w.]*\b{re.escape(name)}\b")
    text = lines(path)[max(0, start - 1) : end or None]
    line = next((number for number, one in enumerate(text, max(1, start)) if named(one, word)), 0)
    if not line:
        return None
    here = _reached(columns, source, name)
    moved_to = change.new.node.id if change.new is not None else ""
    if moved_to and moved_to in here:
        return None
    reaches = next((id for id in here if id != columns.id(source)), "")
    return AffectedCaller(columns.id(source), path, line, change.old.node.id, change.kind, is_edited, reaches)


def _reached(columns: GraphColumns, source: int, name: str) -> list[str]:
    """The targets of `source` under `name`, those in the project first."""
    found = {
        int(columns.target[edge]): None
        for rel in USES
        for edge in columns.out(source, rel).tolist()
        if columns.name(int(columns.target[edge])) == name
    }
    return [columns.id(node) for node in sorted(found, key=lambda n: (columns.label(n) == "External", n))]


def _of_signature(columns: GraphColumns, change: DefinitionChange, edited: Container[str]) -> Iterator[AffectedCaller]:
    if change.new is None or change.kind != "signature" or not change.breaks:
        return
    symbol = change.new.node.id
    number = columns.find_id(symbol)
    if number is None:
        return
    # A stub is never called: its users call the implementation.
    targets = [lead(columns, group_of(columns, number)) if is_stub(columns, number) else number]
    if columns.kind(number) == "constructor":  # called through its class
        targets += columns.source[columns.into(number, "CONTAINS")].tolist()
    for target in targets:
        for edge in columns.into(target, "CALLS").tolist():
            source = int(columns.source[edge])
            id = columns.id(source)
            yield AffectedCaller(
                id, columns.path(source), int(columns.line[edge]), symbol, "signature", id in edited, symbol
            )
