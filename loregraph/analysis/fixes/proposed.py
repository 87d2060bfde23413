"""A proposed fix and what may be wrong with it, as records."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

import msgspec

from loregraph.analysis.changes.definitions import Compared
from loregraph.graph.model import Edge

FindCopies = Callable[[str, str], Iterable[tuple[str, float]]]
"""Code and its language → ids of functions like it and how like they are, 0 to 1."""


class Concern(msgspec.Struct, frozen=True):
    """Something to look at. `severity`: high, medium or low; `related` are ids or paths."""

    type: str
    message: str
    severity: str
    related: tuple[str, ...] = ()


class Proposed(msgspec.Struct, frozen=True, kw_only=True):
    """What a diff is, by the extractor. `files` are those that it names; `misfits` what does not fit, as (path, line);
    `broken` files that do not parse any more; `puzzling` those that the parser no longer understands as a whole, which
    need not be wrong; `imports` the IMPORTS edges that it adds; `marks_before` and `marks_after` the ids of
    requirements that definitions name."""

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
