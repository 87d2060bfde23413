"""What static resolution does not see: calls that runs saw and that the code gave no edge for, by class."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from typing import Final

import msgspec

from loregraph.graph.columns import GraphColumns
from loregraph.graph.imported import OBSERVED, all_claims, reasons
from loregraph.graph.state import State

ANONYMOUS: Final = "an anonymous function, called where it was handed over"
PROPERTY: Final = "a property"
CONSTRUCTOR: Final = "a constructor whose class is not named in the line"
SPECIAL: Final = "a special method: an operator, a context, a loop, an attribute"
OVERRIDE: Final = "an override of the method that is called"
NAMED: Final = "a call by its name"
REGISTERED: Final = "a decorated function, called by what the decorator registered it with"
CLOSURE: Final = "a function made inside another: a wrapper, or handed over"
OTHER_NAME: Final = "a function or method whose name is not in the line: handed over or looked up"

LineOf = Callable[[str, int], str]


class MissedCall(msgspec.Struct, frozen=True, order=True):
    """A call without an edge of ours; `test` is the first in which it was seen."""

    kind: str
    file_path: str
    line: int
    caller: str
    callee: str
    test: str


class RunComparison(msgspec.Struct, frozen=True, kw_only=True):
    """`observed` are pairs of caller and callee that were seen and whose caller is as it was then; `found` are those
    with an edge of ours."""

    observed: int
    found: int
    missed: int
    classes: dict[str, int]
    calls: tuple[MissedCall, ...]


# Implements REQ-RUN-007.
def compared(columns: GraphColumns, state: State, line_of: LineOf) -> RunComparison:
    """The calls in `state` that hold for the graph in `columns`. `line_of` gives the text of a line of a file."""
    seen: dict[tuple[int, int], tuple[int, str]] = {}
    for key, own in all_claims(state):
        if key.partition(":")[0] != OBSERVED:
            continue
        for claim in own.claims:
            source, target = columns.find_id(claim.source), columns.find_id(claim.target)
            if claim.rel != "CALLS" or source is None or target is None:
                continue
            digest = columns.own(source, "content_hash")
            if digest != (claim.content_hash or (own.content_hash if columns.label(source) == "File" else digest)):
                continue
            first = int(columns.start_line[source]) if claim.content_hash else 0
            place = (claim.line + first, claim.evidence)
            seen[source, target] = min(place, seen.get((source, target), place))
    missed = []
    for (source, target), (line, test) in seen.items():
        if not _is_found(columns, source, target):
            path = columns.path(source)
            kind = _kind(columns, source, target, line_of(path, line))
            missed.append(MissedCall(kind, path, line, columns.id(source), columns.id(target), test))
    classes = Counter(one.kind for one in missed)
    return RunComparison(
        observed=len(seen),
        found=len(seen) - len(missed),
        missed=len(missed),
        classes=dict(sorted(classes.items(), key=lambda one: (-one[1], one[0]))),
        calls=tuple(sorted(missed)),
    )


def _is_found(columns: GraphColumns, source: int, target: int) -> bool:
    """Whether there is a CALLS edge with a reason besides runs, from the caller or from a function within it."""
    for edge in columns.out(source, "CALLS").tolist():
        if int(columns.target[edge]) == target:
            return any(reason != OBSERVED for reason in reasons(columns.how(edge)))
    return False


def _kind(columns: GraphColumns, source: int, target: int, line: str) -> str:
    """The class of a missed call: the first of them that it is one of."""
    name = columns.name(target)
    if name.startswith("<"):
        return ANONYMOUS
    if columns.kind(target) in ("getter", "setter") or "property" in (columns.own(target, "modifiers") or ()):
        return PROPERTY
    if columns.kind(target) == "constructor":
        return CONSTRUCTOR
    if name.startswith("__") and name.endswith("__"):
        return SPECIAL
    if not _overridden(columns, target).isdisjoint(columns.target[columns.out(source, "CALLS")].tolist()):
        return OVERRIDE
    if re.search(rf"\b{re.escape(name)}\b", line):
        return NAMED
    if columns.own(target, "decorators"):
        return REGISTERED
    return CLOSURE if _is_inner(columns, target) else OTHER_NAME


def _overridden(columns: GraphColumns, target: int) -> set[int]:
    """What a method overrides, at any distance."""
    found: set[int] = set()
    new = {target}
    while new:
        new = {one for each in new for one in columns.target[columns.out(each, "OVERRIDES")].tolist()} - found
        found |= new
    return found


def _is_inner(columns: GraphColumns, target: int) -> bool:
    inside = columns.source[columns.into(target, "CONTAINS")].tolist()
    return any(columns.label(one) == "Function" for one in inside)
