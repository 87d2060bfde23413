"""The changes since a revision and their effects: callers, requirements, tests, and lost coverage.

The definitions of both sides are compared (`changes.definitions`); the graph gives the surroundings of present
definitions, the edges of the former project those of removed ones.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct

from loregraph.analysis.changes.callers import GONE, AffectedCaller, Lines, affected_callers
from loregraph.analysis.changes.definitions import Compared, DefinitionChange
from loregraph.analysis.changes.reaching_tests import TestReach
from loregraph.analysis.changes.unseen_calls import unseen_calls
from loregraph.analysis.code_roles import CodeRoles
from loregraph.analysis.component_lookup import ends
from loregraph.analysis.selection.paths import Paths
from loregraph.git import ChangedFile
from loregraph.graph.columns import GraphColumns
from loregraph.graph.model import MENTION, Edge, Requirement


class FileChange(Struct, frozen=True):
    """`status`: A, M, D or R; `old_path` for R only."""

    path: str
    status: str
    old_path: str = ""


class ChangedCode(Struct, frozen=True, kw_only=True):
    """A function or class. `change`: added, signature, body, moved, renamed, removed; see `DefinitionChange`.

    `old_id` and `old_signature` are "" where they are unchanged. `differences` are those of the parameters; `breaks`:
    users may have to change. `tests` are ids, nearest first.
    """

    id: str
    kind: str
    file_path: str
    start_line: int
    end_line: int
    change: str
    is_test: bool = False
    signature: str = ""
    old_id: str = ""
    old_signature: str = ""
    likeness: float = 0.0
    differences: tuple[str, ...] = ()
    breaks: bool = False
    tests: tuple[str, ...] = ()
    requirements: tuple[str, ...] = ()


class TouchedRequirement(Struct, frozen=True):
    """`code` are the changed functions and classes that implement it; `is_reworded`: its own text changed."""

    id: str
    title: str
    status: str
    path: str
    line: int
    code: tuple[str, ...]
    is_reworded: bool


class AffectedTest(Struct, frozen=True):
    """A test that reaches changed code, within `distance` calls. `change` is the test's own change, "" for none."""

    id: str
    file_path: str
    line: int
    change: str
    distance: int
    exercises: tuple[str, ...]


class Lost(Struct, frozen=True):
    """Lost coverage; `message` has code between backticks.

    `kind`: "test" (a test was removed), "tested" (code lost its last test), "requirement_link" (code no longer names a
    requirement, or was the last to do so and is gone), "requirement" (no document has it any more).
    """

    kind: str
    id: str
    file_path: str
    line: int
    message: str


class ChangeView(Struct, frozen=True, kw_only=True):
    """`untested` are ids of changed code without a known test; `unresolved_calls` are the numbers of calls with unknown
    targets on the way to it (see `unseen_calls`), where there are any; `duplicates` are pairs as in `duplicates
    --json`."""

    revision: str
    commit: str
    files: tuple[FileChange, ...]
    code: tuple[ChangedCode, ...]
    callers: tuple[AffectedCaller, ...]
    requirements: tuple[TouchedRequirement, ...]
    tests: tuple[AffectedTest, ...]
    untested: tuple[str, ...]
    lost: tuple[Lost, ...]
    duplicates: tuple[dict[str, Any], ...] = ()
    unresolved_calls: dict[str, int] = {}


def needs_edges_before(changes: Iterable[DefinitionChange]) -> bool:
    """Whether the edges of the former project are needed: code was removed, or tests changed."""
    return any(
        change.kind in GONE or (change.old is not None and getattr(change.old.node, "is_test", False))
        for change in changes
    )


# Implements REQ-CLI-016.
def change_view(
    columns: GraphColumns,
    changes: Mapping[str, ChangedFile],
    compared: Compared,
    edges_before: Iterable[Edge],
    requirements_before: Iterable[Requirement],
    lines: Lines,
    *,
    revision: str,
    commit: str,
    duplicates: Iterable[dict[str, Any]] = (),
) -> ChangeView:
    """`edges_before` may lack calls and tests unless `needs_edges_before`."""
    roles, reach = CodeRoles(columns), TestReach(columns)
    code = [_changed_code(columns, change, roles, reach) for change in compared.changes]
    paths = Paths(columns, roles)
    untested = tuple(
        one.id for one in code if _should_be_tested(one) and not one.tests and not _is_tested(columns, paths, one.id)
    )
    unseen = unseen_calls(columns, reach, filter(None, map(columns.find_id, untested)), lines)
    before, requirements_then = list(edges_before), list(requirements_before)
    return ChangeView(
        revision=revision,
        commit=commit,
        files=tuple(_file_change(path, change) for path, change in changes.items()),
        code=tuple(code),
        callers=tuple(affected_callers(columns, compared, before, lines)),
        requirements=tuple(_requirements(columns, code, requirements_then)),
        tests=tuple(_tests(columns, code, reach)),
        untested=untested,
        unresolved_calls={columns.id(node): number for node, number in unseen.items()},
        lost=(*_lost(columns, compared, before), *_lost_requirements(columns, compared, before, requirements_then)),
        duplicates=tuple(duplicates),
    )


def _file_change(path: str, change: ChangedFile) -> FileChange:
    return FileChange(path, change.status, change.old_path if change.status == "R" else "")


def _changed_code(columns: GraphColumns, change: DefinitionChange, roles: CodeRoles, reach: TestReach) -> ChangedCode:
    node = change.definition.node
    number = None if change.new is None else columns.find_id(node.id)
    is_test = bool(getattr(node, "is_test", False)) or roles.is_test_file(node.file_path)
    old = node if change.old is None or change.new is None else change.old.node
    return ChangedCode(
        id=node.id,
        kind=node.kind,
        file_path=node.file_path,
        start_line=node.start_line,
        end_line=node.end_line,
        change=change.kind,
        is_test=is_test,
        signature=node.signature,
        old_id="" if old.id == node.id else old.id,
        old_signature="" if old.signature == node.signature else old.signature,
        likeness=change.likeness,
        differences=tuple(difference.text for difference in change.differences),
        breaks=change.kind != "added" and change.breaks,
        tests=() if is_test or number is None else tuple(columns.id(test) for test in reach.of(number)),
        requirements=() if number is None else tuple(columns.id(one) for one in requirements_of(columns, number)),
    )


def _should_be_tested(one: ChangedCode) -> bool:
    is_code = one.kind in ("function", "method", "constructor", "getter", "setter")
    return is_code and not one.is_test and one.change not in ("removed", "moved")


def _is_tested(columns: GraphColumns, paths: Paths, id: str) -> bool:
    """Whether a run of the tests executed it as it is (one without contexts names no test), or a longer path leads from
    a test to it; of what such a run measured, paths say nothing more."""
    node = columns.find_id(id)
    if node is None:
        return False
    executed = columns.own(node, "executed")
    return bool(paths.of([node])) if executed is None else bool(executed)


def requirements_of(columns: GraphColumns, node: int) -> list[int]:
    """Requirements implemented by a function or class, or by its class or file."""
    found: dict[int, None] = {}
    at: int | None = node
    while at is not None and columns.label(at) in ("Function", "Class", "File"):
        found.update(dict.fromkeys(ends(columns, [at], "IMPLEMENTS_REQ", outward=True)))
        around = columns.source[columns.into(at, "CONTAINS")].tolist()
        at = around[0] if around else None
    return list(found)


def _requirements(
    columns: GraphColumns, code: Sequence[ChangedCode], before: Iterable[Requirement]
) -> Iterator[TouchedRequirement]:
    by_requirement: dict[str, list[str]] = defaultdict(list)
    for one in code:
        for requirement in one.requirements:
            by_requirement[requirement].append(one.id)
    reworded = {
        one.id
        for one in before
        if (node := columns.find_id(one.id)) is not None and _words(columns, node) != (one.title, one.text)
    }
    for id in sorted(by_requirement.keys() | reworded):
        node = columns.find_id(id)
        if node is not None:
            yield TouchedRequirement(
                id,
                columns.own(node, "title") or columns.name(node),
                columns.own(node, "status") or "",
                columns.path(node),
                int(columns.start_line[node]),
                tuple(by_requirement.get(id, ())),
                id in reworded,
            )


def _words(columns: GraphColumns, requirement: int) -> tuple[str, str]:
    return columns.own(requirement, "title") or "", columns.own(requirement, "text") or ""


def _tests(columns: GraphColumns, code: Sequence[ChangedCode], reach: TestReach) -> list[AffectedTest]:
    """Changed tests first, then the nearest."""
    became = {one.id: one.change for one in code if one.change != "removed"}
    exercised: dict[int, dict[str, int]] = defaultdict(dict)
    for one in code:
        number = columns.find_id(one.id) if one.tests else None
        for test, distance in reach.of(number).items() if number is not None else ():
            exercised[test][one.id] = distance
    found = [
        AffectedTest(
            columns.id(test),
            columns.path(test),
            int(columns.start_line[test]),
            became.get(columns.id(test), ""),
            min(distances.values()),
            tuple(sorted(distances, key=lambda id: (distances[id], id))),
        )
        for test, distances in exercised.items()
    ]
    return sorted(found, key=lambda t: (not t.change, t.distance, t.file_path, t.line, t.id))


def _lost(columns: GraphColumns, compared: Compared, before: Sequence[Edge]) -> Iterator[Lost]:
    for change in compared.changes:
        if change.loses_test and change.old is not None:
            node, now = change.old.node, change.definition.node
            became = "is gone" if change.new is None else f"is no test any more: `{now.id}`"
            yield Lost("test", node.id, now.file_path, now.start_line, f"the test `{node.id}` {became}")
    tested = {compared.places.get(edge.target, edge.target) for edge in before if edge.rel == "TESTS"}
    for id in sorted(tested):
        number = columns.find_id(id)
        if number is not None and not len(columns.into(number, "TESTS")):
            message = f"`{id}` was called by a test and is called by none"
            yield Lost("tested", id, columns.path(number), int(columns.start_line[number]), message)


def _lost_requirements(
    columns: GraphColumns, compared: Compared, before: Sequence[Edge], requirements: Iterable[Requirement]
) -> Iterator[Lost]:
    removed = {change.old.node.id for change in compared.changes if change.kind == "removed" and change.old}
    for edge in before:
        is_link = edge.rel == "IMPLEMENTS_REQ" and edge.how != MENTION
        requirement = columns.find_id(edge.target) if is_link else None
        if requirement is None:
            continue
        source = compared.places.get(edge.source, edge.source)
        number = columns.find_id(source)
        left = ends(columns, [requirement], "IMPLEMENTS_REQ", outward=False)
        if number in left or (number is None and (edge.source not in removed or left)):
            continue
        now = "is gone" if number is None else "names it no more"
        path = columns.path(number) if number is not None else source.partition("::")[0]
        line = int(columns.start_line[number]) if number is not None else 0
        others = "" if left else ", nor does anything else"
        message = f"`{source}`, which was linked to {edge.target}, {now}{others}"
        yield Lost("requirement_link", source, path, line, message)
    for one in requirements:
        if columns.find_id(one.id) is None:
            yield Lost("requirement", one.id, one.path, one.line, f"{one.id} is in no document any more")
