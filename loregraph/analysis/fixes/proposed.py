"""Records of a proposed fix and of concerns about it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

import msgspec

from loregraph.analysis.changes.definitions import Compared
from loregraph.graph.model import Edge

FindCopies = Callable[[str, str], Iterable[tuple[str, float]]]
"""Code and its language → ids of similar functions with similarities from 0 to 1."""


class Concern(msgspec.Struct, frozen=True):
    """Something to check. `severity`: high, medium or low; `related` are ids or paths."""

    type: str
    message: str
    severity: str
    related: tuple[str, ...] = ()


class Proposed(msgspec.Struct, frozen=True, kw_only=True):
    """The analysed diff. `files` are those that it names; `misfits` the parts that do not apply, as (path, line);
    `broken` files with new syntax errors; `puzzling` those that the parser no longer understands completely, which may
    still be correct; `imports` the added IMPORTS edges; `marks_before` and `marks_after` the ids of requirements that
    definitions name."""

    files: tuple[str, ...]
    new_files: frozenset[str]
    compared: Compared
    misfits: tuple[tuple[str, int], ...]
    broken: tuple[str, ...]
    puzzling: tuple[str, ...] = ()
    imports: tuple[Edge, ...]
    marks_before: Mapping[str, frozenset[str]]
    marks_after: Mapping[str, frozenset[str]]
    is_applied: bool
    diff: str = ""
