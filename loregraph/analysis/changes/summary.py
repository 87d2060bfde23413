"""A change view in numbers, and in groups for display."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from msgspec import Struct

from loregraph.analysis.changes.callers import AffectedCaller
from loregraph.analysis.changes.view import ChangedCode, ChangeView


class ChangeSummary(Struct, frozen=True, kw_only=True):
    """Numbers of each kind. `changed` counts signatures and bodies; `breaking` changes that may require changes of
    users; `forgotten_callers` those users that were not edited."""

    files: int
    added: int
    changed: int
    moved: int
    renamed: int
    removed: int
    breaking: int
    callers: int
    forgotten_callers: int
    requirements: int
    tests: int
    changed_tests: int
    untested: int
    lost: int
    duplicates: int
    duplicate_groups: int


def summary(view: ChangeView) -> ChangeSummary:
    """Counts of code exclude tests, except `changed_tests`."""
    code = [one for one in view.code if not one.is_test]

    def of(*changes: str) -> int:
        return sum(one.change in changes for one in code)

    return ChangeSummary(
        files=len(view.files),
        added=of("added"),
        changed=of("signature", "body"),
        moved=of("moved"),
        renamed=of("renamed"),
        removed=of("removed"),
        breaking=sum(one.breaks for one in code),
        callers=len(view.callers),
        forgotten_callers=len(forgotten(view.callers)),
        requirements=len(view.requirements),
        tests=len(view.tests),
        changed_tests=sum(one.is_test for one in view.code),
        untested=len(view.untested),
        lost=len(view.lost),
        duplicates=len(view.duplicates),
        duplicate_groups=len(copy_groups(view.duplicates)),
    )


class CopyGroup(Struct, frozen=True):
    """Similar code: `first` is similar to each of `others`, directly or through others. `similarity` is the highest in
    the group; each side has "id", "file_path", "start_line" and "end_line"."""

    first: dict[str, Any]
    others: tuple[dict[str, Any], ...]
    similarity: float


def copy_groups(pairs: Sequence[dict[str, Any]]) -> list[CopyGroup]:
    """Pairs with a common side merged into groups, in the order of their first pairs."""
    groups: list[dict[str, dict[str, Any]]] = []
    highest: list[float] = []
    where: dict[str, int] = {}
    for pair in pairs:
        sides = {_side(pair[end]): pair[end] for end in ("a", "b")}
        known = sorted({where[key] for key in sides if key in where})
        if not known:
            known = [len(groups)]
            groups.append({})
            highest.append(pair["similarity"])
        into, *merged = known
        for other in merged:
            groups[into].update(groups[other])
            groups[other] = {}
            highest[into] = max(highest[into], highest[other])
        groups[into].update(sides)
        highest[into] = max(highest[into], pair["similarity"])
        where.update(dict.fromkeys(groups[into], into))
    found = [(list(group.values()), highest[number]) for number, group in enumerate(groups) if group]
    return [CopyGroup(members[0], tuple(members[1:]), similarity) for members, similarity in found]


def _side(side: dict[str, Any]) -> str:
    return f"{side['file_path']}:{side['start_line']}-{side['end_line']}"


def forgotten(callers: Iterable[AffectedCaller]) -> list[AffectedCaller]:
    """Unedited users whose name now refers to nothing, or to something else."""
    return [caller for caller in callers if not caller.is_changed]


class Grouped(Struct, frozen=True):
    """A class with the number of its members that share its change, or a function by itself (0)."""

    code: ChangedCode
    members: int


def grouped(code: Sequence[ChangedCode]) -> list[Grouped]:
    """Added or removed classes, with their members counted rather than listed; everything else by itself."""
    whole = {one.id for one in code if one.change in ("added", "removed")}
    members: dict[str, int] = {}
    kept = []
    for one in code:
        outer = _outermost(one, whole)
        if outer:
            members[outer] = members.get(outer, 0) + 1
        else:
            kept.append(one)
    return [Grouped(one, members.get(one.id, 0)) for one in kept]


def _outermost(one: ChangedCode, whole: set[str]) -> str:
    """The outermost container of `one` with the same change, "" for none."""
    if one.id not in whole:
        return ""
    path, _, name = one.id.partition("::")
    parts = name.split(".")
    for length in range(1, len(parts)):
        outer = f"{path}::{'.'.join(parts[:length])}"
        if outer in whole:
            return outer
    return ""


def what_changed(one: ChangedCode) -> str:
    """A short description of the change, code between backticks; "" where the group's heading says it all."""
    told = list(one.differences)
    if one.change == "signature" and not told:
        told = [f"was `{one.old_signature}`"] if one.old_signature else ["its signature changed"]
    if one.change in ("moved", "renamed"):
        told.insert(0, f"was `{one.old_id}`" + ("" if one.likeness == 1 else f", {one.likeness:.0%} alike"))
    return "; ".join(told)
