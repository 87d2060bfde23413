"""A change as a page shows it: what changed, who is affected, what to run and to read."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from msgspec import Struct

from loregraph.analysis.changes.callers import AffectedCaller
from loregraph.analysis.changes.summary import (
    ChangeSummary,
    CopyGroup,
    Grouped,
    copy_groups,
    forgotten,
    grouped,
    summary,
    what_changed,
)
from loregraph.analysis.changes.view import ChangedCode, ChangeView
from loregraph.graph.authored import Remembered
from loregraph.graph.columns import GraphColumns
from loregraph.graph.queries import CallHit
from loregraph.pages.affected import RINGS, Picture, Start, picture
from loregraph.pages.beside import Part, Row, beside

ROWS: Final = 40
"""Rows of a list; the others are counted."""
BADGES: Final = {"added": "good", "removed": "bad", "signature": "fair", "body": "none"}
_BECAME: Final = {
    "removed": "is gone",
    "renamed": "is renamed",
    "moved": "is moved",
    "signature": "is called otherwise",
}


class CodeShown(Struct, frozen=True):
    """A changed function or class. `signature` has the old one and the new one, where they differ; `told` says in words
    what became of it, with code between backticks."""

    code: ChangedCode
    members: int
    badge: str
    told: str
    signature: tuple[Row, ...] = ()


class CodeGroup(Struct, frozen=True):
    """Changes of one kind; `more` counts those that are not listed."""

    title: str
    rows: tuple[CodeShown, ...]
    total: int
    more: int


class CallerShown(Struct, frozen=True):
    """A user of changed code, and what became of what it uses."""

    caller: AffectedCaller
    became: str


class ChangeShown(Struct, frozen=True):
    """A change. Of each list the first ROWS are shown: the view has all, and templates count the rest."""

    view: ChangeView
    summary: ChangeSummary
    picture: Picture | None
    groups: tuple[CodeGroup, ...]
    tests_changed: CodeGroup
    forgotten: tuple[CallerShown, ...]
    edited: tuple[CallerShown, ...]
    affected: tuple[CallHit, ...]
    affected_tests: int
    memories: tuple[Remembered, ...]
    copies: tuple[CopyGroup, ...]
    rows: int = ROWS


# Implements REQ-WEB-007.
def change_shown(
    columns: GraphColumns,
    view: ChangeView,
    hits: Sequence[CallHit],
    memories: Sequence[Remembered],
    is_test: Callable[[int], bool],
) -> ChangeShown:
    """`view` with the symbols `hits` that it affects at most RINGS steps away, and the memories about what changed."""
    code = [one for one in view.code if not one.is_test]
    changed = {one.id for one in view.code}
    affected = [hit for hit in hits if hit.distance <= RINGS and hit.id not in changed]
    tests = frozenset(hit.id for hit in affected if (node := columns.find_id(hit.id)) is not None and is_test(node))
    starts = [Start(one.code.id, one.code.change, one.code.breaks, one.code.old_id) for one in grouped(code)]
    users = [(caller.id, caller.symbol) for caller in forgotten(view.callers) if caller.id not in changed]
    return ChangeShown(
        view,
        summary(view),
        picture(columns, starts, affected, tests, users),
        tuple(
            group
            for title, changes in (
                ("Changed", ("signature", "body")),
                ("Added", ("added",)),
                ("Moved or renamed", ("moved", "renamed")),
                ("Removed", ("removed",)),
            )
            if (group := _group(title, [one for one in code if one.change in changes], columns)).total
        ),
        _group("Tests that changed", [one for one in view.code if one.is_test], columns),
        tuple(map(_caller, forgotten(view.callers))),
        tuple(_caller(caller) for caller in view.callers if caller.is_changed),
        tuple(hit for hit in affected if hit.id not in tests),
        len(tests),
        tuple(memories),
        tuple(copy_groups(view.duplicates)),
    )


def _group(title: str, code: Sequence[ChangedCode], columns: GraphColumns) -> CodeGroup:
    # What may break others first.
    found = sorted(grouped(code), key=lambda one: not one.code.breaks)
    rows = tuple(_code(one, columns) for one in found[:ROWS])
    return CodeGroup(title, rows, len(code), len(found) - len(rows))


def _code(one: Grouped, columns: GraphColumns) -> CodeShown:
    code = one.code
    signature: tuple[Row, ...] = ()
    if code.old_signature and code.signature:
        node = columns.find_id(code.id)
        language = "" if node is None else columns.language(node)
        old, new = (Part((text,), language, 1, 1) for text in (_line(code.old_signature), _line(code.signature)))
        signature = tuple(row for stretch in beside(old, new).stretches for row in stretch.rows)
    told = "" if signature and code.change == "signature" and not code.differences else what_changed(code)
    return CodeShown(code, one.members, BADGES.get(code.change, "none"), told, signature)


def _line(signature: str) -> str:
    return " ".join(signature.split())


def _caller(caller: AffectedCaller) -> CallerShown:
    return CallerShown(caller, _BECAME.get(caller.change, caller.change))
