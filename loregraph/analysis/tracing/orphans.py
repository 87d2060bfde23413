"""Gaps in a trace: requirements without code or tests, and references to requirements that do not exist."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

import msgspec

from loregraph.analysis.tracing.execution import NOT_EXECUTED
from loregraph.analysis.tracing.traces import RequirementTrace
from loregraph.graph.columns import GraphColumns
from loregraph.graph.model import Edge

NO_CODE: Final = "requirement_without_code"
NO_TEST: Final = "requirement_without_test"
IDLE: Final = "requirement_not_executed"
UNKNOWN: Final = "unknown_requirement"
STALE: Final = "stale_accepted_link"
KINDS: Final = (NO_CODE, NO_TEST, IDLE, UNKNOWN, STALE)
BROKEN: Final = (UNKNOWN, STALE)
"""Kinds that are always mistakes rather than remaining work."""


class Orphan(msgspec.Struct, frozen=True, kw_only=True):
    """`kind` is one of KINDS, `id` the requirement, existing or not, `path` and `line` the place of a reference."""

    kind: str
    id: str
    path: str
    line: int
    message: str


def orphans(
    columns: GraphColumns, traces: Sequence[RequirementTrace], accepted: Iterable[Edge], only: str | None = None
) -> tuple[Orphan, ...]:
    """The gaps in `traces`, in the files' markers and in accepted links, in order of kind.

    `only` restricts them to one requirement; None: all.
    """
    found = [*without(traces), *unknown(columns), *stale(columns, accepted)]
    kept = found if only is None else [orphan for orphan in found if orphan.id == only]
    return tuple(sorted(kept, key=lambda o: (KINDS.index(o.kind), o.path, o.line, o.id)))


def without(traces: Iterable[RequirementTrace]) -> Iterable[Orphan]:
    """Counted requirements without code, or without tests, of their own and of all their parts, and those with code of
    which no run executed anything."""
    for one in traces:
        missing = ((NO_CODE, "no code implements", one.implemented), (NO_TEST, "no test covers", one.tested))
        for kind, what, is_there in missing:
            if one.counted and not is_there:
                message = f"{what} {one.id}: {one.title}"
                if kind == NO_CODE and one.mentions:
                    message += f" ({len(one.mentions)} mention it, and do not say that they do)"
                if kind == NO_TEST and one.execution.tests:
                    message += f" ({len(one.execution.tests)} ran its code)"
                yield Orphan(kind=kind, id=one.id, path=one.path, line=one.line, message=message)
        if one.counted and one.execution.state == NOT_EXECUTED:
            message = f"no run executed the code of {one.id}, which was measured: {one.title}"
            yield Orphan(kind=IDLE, id=one.id, path=one.path, line=one.line, message=message)


def unknown(columns: GraphColumns) -> Iterable[Orphan]:
    """Markers, and declarations in documents, that name an undefined requirement. In a workspace another repository may
    define it."""
    for node in columns.nodes("File").tolist():
        for marker in columns.own(node, "orphan_markers") or ():
            line, _, identity = marker.partition(": ")
            defined = [one for one in columns.find_name(identity) if columns.label(one) == "Requirement"]
            if len(defined) == 1:
                continue
            yield Orphan(
                kind=UNKNOWN,
                id=identity,
                path=columns.id(node),
                line=int(line) if line.isdigit() else 0,
                message=f"{identity} is named here and is in no document",
            )


def stale(columns: GraphColumns, accepted: Iterable[Edge]) -> Iterable[Orphan]:
    """Accepted links with a missing end."""
    for edge in accepted:
        code, requirement = columns.find_id(edge.source), columns.find_id(edge.target)
        if code is not None and requirement is not None:
            continue
        gone = edge.source if code is None else edge.target
        yield Orphan(
            kind=STALE,
            id=edge.target,
            path=edge.source.partition("::")[0],
            line=0,
            message=f"the link of {edge.target} to {edge.source}, {edge.evidence}, leads nowhere: {gone} is gone",
        )
