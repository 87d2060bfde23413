"""From a requirement to the code, the tests and the designs that the graph joins to it."""

from __future__ import annotations

import msgspec

from loregraph.analysis.context import DesignDocument, design_document, requirement
from loregraph.analysis.places import ends
from loregraph.errors import NotFoundError, NothingToTraceError
from loregraph.graph import queries
from loregraph.graph.columns import GraphColumns


class Implementation(msgspec.Struct, frozen=True):
    id: str
    name: str
    file_path: str
    link: str
    confidence: float
    evidence: str


class Test(msgspec.Struct, frozen=True):
    """`status` is "found": tests are not run here."""

    id: str
    name: str
    file_path: str
    status: str = "found"


class Coverage(msgspec.Struct, frozen=True):
    """Shares, 0…1: of requirements that are implemented and that are tested, or of one requirement the same as 0 or 1
    and the part of its implementations that have a test."""

    implementation: float
    testing: float
    total: int = 1


class Trace(msgspec.Struct, frozen=True):
    """One requirement. `requirement` is as in `context.requirement`."""

    requirement: dict[str, str]
    implementations: tuple[Implementation, ...]
    design_documents: tuple[DesignDocument, ...]
    tests: tuple[Test, ...]
    coverage: Coverage


def trace(columns: GraphColumns, requirement_id: str | None = None) -> list[Trace]:
    """The trace of one requirement, or of every one in order of id.

    Raises NothingToTraceError where the graph holds no requirement at all, NotFoundError for one it does not have.
    """
    nodes = columns.nodes("Requirement").tolist()
    if not nodes:
        raise NothingToTraceError(
            "the graph holds no requirement",
            "name the documents that hold them as sources under [requirements] in loregraph.toml, then index",
        )
    if requirement_id is None:
        return [trace_one(columns, node) for node in nodes]
    node = columns.find_id(requirement_id)
    if node is None or columns.label(node) != "Requirement":
        near = queries.nearest(columns, requirement_id, ("Requirement",))
        hint = f"did you mean {', '.join(near)}?" if near else "leave it out to see every requirement"
        raise NotFoundError(f"requirement_id: there is no requirement {requirement_id!r}", hint)
    return [trace_one(columns, node)]


def trace_one(columns: GraphColumns, node: int) -> Trace:
    edges = [columns.edge(edge) for edge in columns.into(node, "IMPLEMENTS_REQ").tolist()]
    code = [columns.find_id(edge.source) for edge in edges]
    implementations = []
    tests: dict[int, None] = {}
    tested = 0
    for edge, source in zip(edges, code, strict=True):
        if source is None:
            continue
        if columns.own(source, "is_test"):
            tests[source] = None
            continue
        implementations.append(
            Implementation(
                edge.source, columns.name(source), columns.path(source), edge.how, edge.confidence, edge.evidence
            )
        )
        own = ends(columns, [source], "TESTS", outward=False)
        tests.update(dict.fromkeys(own))
        tested += bool(own)
    testing = tested / len(implementations) if implementations else 0.0
    return Trace(
        requirement(columns, node),
        tuple(implementations),
        tuple(design_document(columns, one) for one in ends(columns, [node], "SATISFIES", outward=False)),
        tuple(Test(columns.id(one), columns.name(one), columns.path(one)) for one in tests),
        Coverage(float(bool(implementations)), round(max(testing, float(bool(tests) and not implementations)), 3)),
    )


def coverage(traces: list[Trace]) -> Coverage:
    """Of all: what part is implemented, and what part has a test."""
    total = len(traces)
    implemented = sum(bool(one.implementations) for one in traces)
    tested = sum(bool(one.tests) for one in traces)
    return Coverage(round(implemented / total, 3), round(tested / total, 3), total) if total else Coverage(0.0, 0.0, 0)
