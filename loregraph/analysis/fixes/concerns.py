"""Possible errors of a proposed fix, each with its reason."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from loregraph.analysis.changes.callers import USES, imported_from
from loregraph.analysis.changes.definitions import DefinitionChange
from loregraph.analysis.component_lookup import ends
from loregraph.analysis.context import ids
from loregraph.analysis.fixes.proposed import Concern, FindCopies, Proposed
from loregraph.analysis.rules.code import Code
from loregraph.analysis.rules.imports import part
from loregraph.analysis.rules.layers import bans
from loregraph.config import CheckSettings
from loregraph.graph.columns import GraphColumns
from loregraph.graph.queries import within

MANY: Final = 10
"""Number of callers from which on a change is far-reaching."""
SHOWN: Final = 20
COPY: Final = 0.85
"""Similarity from which on an added function duplicates an existing one."""
LEAST_COPY_LINES: Final = 5
_NAMES: Final = 12
"""Maximum names looked up from a description."""

_NAME: Final = re.compile(
    r"`([\w.:/#-]+)(?:\(\))?`|\b([a-z]\w*(?:_\w+)+|[A-Z][a-z0-9]+(?:[A-Z]\w*)+|[a-z]+[A-Z]\w*)\b|\b(\w+)\(\)"
)
"""Likely names of code in prose: between backticks, in snake_case or CamelCase, or before parentheses."""


def changed_nodes(columns: GraphColumns, proposed: Proposed) -> list[int]:
    """The nodes changed by the diff, if they are in the graph."""
    found: dict[int, None] = {}
    for change in proposed.compared.changes:
        for side in (change.old, change.new):
            number = columns.find_id(side.node.id) if side is not None else None
            if number is not None:
                found[number] = None
    return list(found)


def concerns_of(
    columns: GraphColumns,
    node: int,
    description: str,
    affected_files: Sequence[str],
    proposed: Proposed | None,
    copies: FindCopies,
    settings: CheckSettings,
) -> list[Concern]:
    """Concerns about the diff itself, or about its description."""
    found = [*_files(columns, node, affected_files, proposed)]
    if proposed is None:
        return found
    if not proposed.files:
        message = "the diff could not be read: pass a unified diff, as `git diff` prints it"
        return [*found, Concern("unreadable_diff", message, "medium")]
    found += _fit(columns, proposed)
    for change in proposed.compared.changes:
        found += _broken_users(columns, change, proposed)
    found += _removed_tests(proposed)
    found += _lost_requirements(columns, proposed)
    found += _contracts(columns, proposed, settings)
    found += _copies(proposed, copies)
    found += _unmentioned(columns, description, node, proposed)
    return found


def _files(columns: GraphColumns, node: int, affected: Sequence[str], proposed: Proposed | None) -> Iterator[Concern]:
    home = columns.path(node)
    changed = proposed.files if proposed is not None else ()
    new = proposed.new_files if proposed is not None else frozenset()
    files = [*affected, *changed]
    if files and home and home != "." and not any(path == home or path.startswith(f"{home}/") for path in files):
        yield Concern("scope", f"the component is in {home}, which the fix does not touch", "medium", (home,))
    elif proposed is not None and proposed.compared.changes and columns.label(node) in ("Function", "Class"):
        inside = set(ids(columns, within(columns, node)))
        touched = {side.node.id for c in proposed.compared.changes for side in (c.old, c.new) if side is not None}
        if not inside & touched:
            message = f"the diff changes {_some(sorted(touched))} and not {columns.id(node)}"
            yield Concern("scope", message, "low", tuple(sorted(touched))[:SHOWN])
    unsaid = tuple(path for path in changed if affected and path not in affected)
    if unsaid:
        yield Concern("scope", "the diff changes files that affected_files does not name", "low", unsaid)
    unknown = tuple(path for path in dict.fromkeys(files) if columns.find_id(path) is None and path not in new)
    if unknown:
        yield Concern("unknown_file", "the graph does not have these files", "low", unknown)


def _fit(columns: GraphColumns, proposed: Proposed) -> Iterator[Concern]:
    for path, line in proposed.misfits:
        what = f"its lines near {path}:{line} are not there" if line else f"there is no file {path}"
        message = f"the diff does not fit the files as they are: {what}; what it does there is not judged"
        yield Concern("does_not_apply", message, "medium", (path,))
    if proposed.broken:
        message = "these files do not parse after the diff"
        yield Concern("syntax_error", message, "high", proposed.broken)
    if proposed.puzzling:
        message = (
            "the parser understood all of these files before the diff and does not after it: see that they compile"
        )
        yield Concern("not_understood", message, "low", proposed.puzzling)
    if proposed.is_applied:
        message = "the files are already as the diff makes them: what used to call what is gone may not be known"
        yield Concern("already_applied", message, "low")


def _broken_users(columns: GraphColumns, change: DefinitionChange, proposed: Proposed) -> Iterator[Concern]:
    """Definitions that are removed, moved, or take other arguments, while code outside the diff uses them."""
    if change.old is None or not change.breaks:
        return
    id = change.old.node.id
    number = columns.find_id(id)
    if number is None:
        return
    targets = [number]
    if columns.kind(number) == "constructor":
        targets += columns.source[columns.into(number, "CONTAINS")].tolist()
    edited = {side.node.id for c in proposed.compared.changes for side in (c.old, c.new) if side is not None}
    inside = set(ids(columns, within(columns, number)))
    rels = ("CALLS",) if change.kind == "signature" else USES
    users = [
        user
        for rel in rels
        for user in ends(columns, targets, rel, outward=False)
        if columns.id(user) not in edited and columns.id(user) not in inside
    ]
    users = list(dict.fromkeys(users))
    if change.kind != "signature":
        users += _importers(columns, number, {columns.path(user) for user in users} | set(proposed.files))
    if change.kind == "signature":
        yield from _overrides(columns, number, change, edited)
    if not users:
        return
    production = [user for user in users if not columns.own(user, "is_test")]
    severity = "high" if production else "medium"
    related = ids(columns, [*production, *(user for user in users if user not in production)][:SHOWN])
    number_of = f"{len(users)} other place{'s' if len(users) != 1 else ''}"
    if change.kind == "removed":
        yield Concern("removed_symbol", f"{id} goes, and is used in {number_of}", severity, related)
    elif change.kind == "signature":
        broken = "; ".join(d.text for d in change.differences if d.breaks)
        message = f"{id} takes other arguments ({broken}), and is called in {number_of} that the diff does not change"
        yield Concern("signature", message, severity, related)
    elif change.new is not None:
        message = f"{id} becomes {change.new.node.id}, and is used in {number_of} that the diff does not change"
        yield Concern(f"{change.kind}_symbol", message, severity, related)


def _importers(columns: GraphColumns, number: int, known: set[str]) -> Iterator[int]:
    """Files outside `known` that import the name: they may use it through a decorator or a table, without a call."""
    home, _, name = columns.id(number).partition("::")
    file = columns.find_id(home)
    for source in ends(columns, [file], "IMPORTS", outward=False) if file is not None and "." not in name else ():
        if columns.path(source) not in known and home in imported_from(columns, source, columns.name(number)):
            yield source


def _overrides(columns: GraphColumns, number: int, change: DefinitionChange, edited: set[str]) -> Iterator[Concern]:
    same = [
        one
        for one in (
            *ends(columns, [number], "OVERRIDES", outward=False),
            *ends(columns, [number], "OVERRIDES", outward=True),
        )
        if columns.id(one) not in edited and columns.label(one) == "Function"
    ]
    if same and any(difference.breaks for difference in change.differences):
        message = (
            f"{columns.id(number)} takes other arguments, and what overrides it or is overridden keeps the old ones"
        )
        yield Concern("override", message, "high", ids(columns, same[:SHOWN]))


def _removed_tests(proposed: Proposed) -> Iterator[Concern]:
    gone = tuple(
        change.old.node.id for change in proposed.compared.changes if change.loses_test and change.old is not None
    )
    if gone:
        yield Concern("removed_tests", "the diff takes tests away: say what covers their cases now", "medium", gone)


def _lost_requirements(columns: GraphColumns, proposed: Proposed) -> Iterator[Concern]:
    for id, marks in sorted(proposed.marks_before.items()):
        now = proposed.compared.places.get(id)
        kept = proposed.marks_after.get(now or id, frozenset())
        lost = sorted(mark for mark in marks - kept if columns.find_id(mark) is not None)
        for mark in lost:
            requirement = columns.find_id(mark)
            others = [
                columns.id(one)
                for one in (ends(columns, [requirement], "IMPLEMENTS_REQ", outward=False) if requirement else ())
                if columns.id(one) not in (id, now)
            ]
            moved = any(
                mark in names and other not in proposed.marks_before for other, names in proposed.marks_after.items()
            )
            if moved:
                continue
            left = f"{len(others)} others still do" if others else "nothing else does"
            message = f"{id} names {mark} no more, and {left}"
            yield Concern("requirement_lost", message, "low" if others else "high", (mark, id))


def _contracts(columns: GraphColumns, proposed: Proposed, settings: CheckSettings) -> Iterator[Concern]:
    """Imports added by the diff that a contract forbids; indirect ones are left to `check` once the diff is applied."""
    if not (proposed.imports and settings.contracts):
        return
    code = Code(columns, Path(), settings)
    forbidden = [
        (contract.name, ban.says, part(code, ban.source), part(code, ban.target))
        for contract in settings.contracts
        for ban in bans(code, contract)
    ]
    for edge in proposed.imports:
        source, target = _file_or_neighbour(columns, edge.source), columns.find_id(edge.target)
        for name, says, sources, targets in forbidden:
            if source in sources and target in targets:
                message = (
                    f"{edge.source}:{edge.line} imports {edge.target}, which the contract {name!r} forbids: {says}"
                )
                yield Concern("contract", message, "high", (edge.source, edge.target))
                break


def _file_or_neighbour(columns: GraphColumns, path: str) -> int | None:
    """The file, or for a new one any other in its folder: contracts are about folders and packages."""
    number = columns.find_id(path)
    if number is None:
        folder = path.rpartition("/")[0]
        near = [
            one for one in columns.nodes("File", path=folder).tolist() if columns.path(one).rpartition("/")[0] == folder
        ]
        number = near[0] if near else None
    return number


def _copies(proposed: Proposed, copies: FindCopies) -> Iterator[Concern]:
    gone = {change.old.node.id for change in proposed.compared.changes if change.old is not None}
    for change in proposed.compared.changes:
        if change.kind != "added" or change.new is None or change.new.text.count("\n") + 1 < LEAST_COPY_LINES:
            continue
        node = change.new.node
        if node.kind not in ("function", "method", "constructor"):
            continue
        like = [
            (id, likeness)
            for id, likeness in copies(change.new.text, node.language)
            if likeness >= COPY and id != node.id and id not in gone
        ]
        if like:
            id, likeness = like[0]
            message = f"{node.id} is {likeness:.0%} like {id}: call that, or give both what they share"
            yield Concern("duplicate", message, "medium", tuple(id for id, _ in like))


def _unmentioned(columns: GraphColumns, description: str, node: int, proposed: Proposed) -> Iterator[Concern]:
    """Code named by the description but not changed by the diff, neither itself nor its contents or container."""
    touched = {side.node.id for c in proposed.compared.changes for side in (c.old, c.new) if side is not None}
    text = {name for id in touched for name in re.split(r"[.:/#]+", id)}
    missing = []
    for match in _NAME.finditer(description):
        name = next(group for group in match.groups() if group)
        last = re.split(r"[.:/#]+", name.removesuffix("()"))[-1]
        known = [one for one in columns.find_symbol(name, ("Function", "Class")) if one != node]
        if known and last not in text and last != columns.name(node) and name not in missing:
            missing.append(name)
    if missing and touched:
        message = f"the description names {_some(missing)}, which the diff does not change"
        yield Concern("description", message, "low", tuple(missing[:_NAMES]))


def around(
    columns: GraphColumns, callers: Sequence[int], tests: Sequence[int], files: Sequence[str], proposed: Proposed | None
) -> list[Concern]:
    """Concerns about callers and tests of changed code."""
    found = []
    outside = [one for one in callers if columns.path(one) not in files]
    if outside:
        severity = "medium" if len(outside) >= MANY else "low"
        message = f"{len(outside)} callers outside the changed files rely on what this does"
        found.append(Concern("callers", message, severity, ids(columns, outside[:SHOWN])))
    changes_tests = proposed is not None and any(
        getattr(change.definition.node, "is_test", False) and change.kind != "removed"
        for change in proposed.compared.changes
    )
    if not tests and not changes_tests:
        message = "no test is known to exercise this: add one that fails without the fix"
        found.append(Concern("untested", message, "medium"))
    elif files and not changes_tests and not any(columns.path(one) in files for one in tests):
        message = "the fix changes no test: add a case that fails without it, and run these"
        found.append(Concern("tests", message, "low", ids(columns, tests[:SHOWN])))
    return found


def _some(names: Sequence[str]) -> str:
    return ", ".join(names[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else "")
