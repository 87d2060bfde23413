"""What a proposed fix touches and what it forgets."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

import msgspec

from loregraph.analysis.context import Context, context, ids
from loregraph.analysis.places import ends, within
from loregraph.graph.columns import GraphColumns

MANY: Final = 10
"""Callers from which a change is far-reaching."""
SHOWN: Final = 20
LOSS: Final = {"high": 0.3, "medium": 0.15, "low": 0.05}
"""What a concern takes from the score of 1."""

_FILE: Final = re.compile(r"^(?:---|\+\+\+) (?:[ab]/)?(?P<path>[^\t\n]+)", re.MULTILINE)
_DEFINES: Final = re.compile(
    r"^(?P<sign>[-+])\s*(?:[\w@]+\s+)*?(?:def|class|function|func|fn|interface|struct|trait|enum)\s+(?:\([^)]*\)\s*)?(?P<name>\w+)",
    re.MULTILINE,
)


class Concern(msgspec.Struct, frozen=True):
    """Something to look at. `severity`: high, medium or low; `related` are ids or paths."""

    type: str
    message: str
    severity: str
    related: tuple[str, ...] = ()


class Review(msgspec.Struct, frozen=True):
    """`alignment` is 1 where there is no concern."""

    alignment: float
    context: Context
    concerns: tuple[Concern, ...]
    callers: tuple[str, ...]
    tests: tuple[str, ...]
    requirements: tuple[str, ...]


def review(columns: GraphColumns, node: int, affected_files: Sequence[str], diff: str) -> Review:
    """The fix to `node` that changes `affected_files`, and `diff` if that is there ("" if not)."""
    inside = within(columns, node)
    own = set(inside)
    callers = [one for one in ends(columns, inside, "CALLS", outward=False) if one not in own]
    tests = [one for one in ends(columns, inside, "TESTS", outward=False) if one not in own]
    production = [one for one in callers if not columns.own(one, "is_test")]
    found = context(columns, node)
    requirements = tuple(str(one["requirement_id"]) for one in found.requirements)
    files = list(dict.fromkeys([*affected_files, *files_of(diff)]))
    concerns = [
        *about_files(columns, node, affected_files, files_of(diff)),
        *about_removals(columns, files, diff, own),
        *about_callers(columns, production, files),
        *about_tests(columns, tests, files),
    ]
    if requirements:
        message = f"{len(requirements)} requirements are implemented here: see that they still hold"
        concerns.append(Concern("requirements", message, "low", requirements))
    lost = sum(LOSS[concern.severity] for concern in concerns)
    return Review(
        round(max(0.0, 1 - lost), 2),
        found,
        tuple(concerns),
        ids(columns, production),
        ids(columns, tests),
        requirements,
    )


def files_of(diff: str) -> list[str]:
    """The files that a unified diff changes."""
    paths = (match["path"].strip() for match in _FILE.finditer(diff))
    return list(dict.fromkeys(path for path in paths if path != "/dev/null"))


def about_files(columns: GraphColumns, node: int, affected: Sequence[str], changed: Sequence[str]) -> list[Concern]:
    concerns = []
    home = columns.path(node)
    files = [*affected, *changed]
    if files and home and not any(path == home or path.startswith(f"{home}/") for path in files) and home != ".":
        message = f"the component is in {home}, which the fix does not touch"
        concerns.append(Concern("scope", message, "medium", (home,)))
    unsaid = tuple(path for path in changed if affected and path not in affected)
    if unsaid:
        concerns.append(Concern("scope", "the diff changes files that affected_files does not name", "low", unsaid))
    unknown = tuple(path for path in files if columns.find_id(path) is None)
    if unknown:
        concerns.append(Concern("unknown_file", "the graph does not have these files", "low", unknown))
    return concerns


def about_removals(columns: GraphColumns, files: Sequence[str], diff: str, own: set[int]) -> list[Concern]:
    """Definitions that the diff takes away while something else still uses them."""
    signs: dict[str, set[str]] = {}
    for match in _DEFINES.finditer(diff):
        signs.setdefault(match["name"], set()).add(match["sign"])
    concerns = []
    for name in sorted(name for name, found in signs.items() if found == {"-"}):
        for node in columns.find_name(name):
            if columns.path(node) not in files:
                continue
            users = [
                one
                for rel in ("CALLS", "REFERENCES", "EXTENDS", "IMPLEMENTS")
                for one in ends(columns, [node], rel, outward=False)
                if columns.path(one) not in files
            ]
            if users:
                message = f"{columns.id(node)} goes, and is used in {len(users)} other places"
                concerns.append(Concern("removed_symbol", message, "high", ids(columns, users[:SHOWN])))
    return concerns


def about_callers(columns: GraphColumns, callers: Sequence[int], files: Sequence[str]) -> list[Concern]:
    outside = [one for one in callers if columns.path(one) not in files]
    if not outside:
        return []
    severity = "medium" if len(outside) >= MANY else "low"
    message = f"{len(outside)} callers outside the changed files rely on what this does"
    return [Concern("callers", message, severity, ids(columns, outside[:SHOWN]))]


def about_tests(columns: GraphColumns, tests: Sequence[int], files: Sequence[str]) -> list[Concern]:
    if not tests:
        return [Concern("untested", "no test is known to exercise this: add one that fails without the fix", "medium")]
    if files and not any(columns.path(one) in files for one in tests):
        message = "the fix changes no test: add a case that fails without it, and run these"
        return [Concern("tests", message, "low", ids(columns, tests[:SHOWN]))]
    return []
