"""Why a piece of code is as it is, as far as the graph says: requirements, designs, what it needs and what needs it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

import msgspec

from loregraph.analysis.places import around, ends, within
from loregraph.graph.columns import GraphColumns

EXCERPT: Final = 400
"""Characters of a document's text that are shown."""
_NEEDS: Final = ("CALLS", "IMPORTS", "EXTENDS", "IMPLEMENTS", "REFERENCES", "DEPENDS_ON")


class DesignDocument(msgspec.Struct, frozen=True):
    title: str
    type: str
    excerpt: str
    path: str


class Neighbour(msgspec.Struct, frozen=True):
    """Something the code needs, or that needs it; `count` is in how many ways."""

    id: str
    relationships: tuple[str, ...]
    count: int


class Context(msgspec.Struct, frozen=True):
    """`component` is a record of the code in question; `requirements` are records of the model."""

    component: dict[str, Any]
    requirements: tuple[dict[str, Any], ...]
    design_documents: tuple[DesignDocument, ...]
    dependencies: tuple[Neighbour, ...]
    dependents: tuple[Neighbour, ...]


def context(columns: GraphColumns, node: int) -> Context:
    """The context of one node of code, with what it inherits from what it is in."""
    inside = within(columns, node)
    scope = [*inside, *around(columns, node)]
    designs = ends(columns, scope, "FOLLOWS_DESIGN", outward=True)
    requirements = ends(columns, scope, "IMPLEMENTS_REQ", outward=True)
    designs += [design for design in ends(columns, requirements, "SATISFIES", outward=False) if design not in designs]
    return Context(
        described(columns, node),
        tuple(requirement(columns, one) for one in requirements),
        tuple(design_document(columns, one) for one in designs),
        neighbours(columns, inside, outward=True),
        neighbours(columns, inside, outward=False),
    )


def described(columns: GraphColumns, node: int) -> dict[str, Any]:
    """The code in question, short."""
    record = {
        "id": columns.id(node),
        "name": columns.name(node),
        "kind": columns.kind(node),
        "file_path": columns.path(node),
        "start_line": int(columns.start_line[node]),
        "end_line": int(columns.end_line[node]),
        "signature": columns.signature(node),
        "docstring": columns.docstring(node)[:EXCERPT],
    }
    return {name: value for name, value in record.items() if value}


def requirement(columns: GraphColumns, node: int) -> dict[str, Any]:
    return {
        "requirement_id": columns.id(node),
        "title": columns.own(node, "title") or columns.name(node),
        "status": columns.own(node, "status") or "",
        "text": (columns.own(node, "text") or "")[:EXCERPT],
        "source": f"{columns.path(node)}:{int(columns.start_line[node])}",
    }


def design_document(columns: GraphColumns, node: int) -> DesignDocument:
    text = columns.own(node, "text") or ""
    return DesignDocument(
        columns.own(node, "title") or columns.name(node), columns.kind(node), text[:EXCERPT], columns.path(node)
    )


def neighbours(columns: GraphColumns, inside: Sequence[int], *, outward: bool) -> tuple[Neighbour, ...]:
    """What is outside `inside` and joined to it by a need, most joined first, the project's own before others'."""
    own = set(inside)
    found: dict[int, list[str]] = {}
    for node in inside:
        for rel in _NEEDS:
            for other in ends(columns, [node], rel, outward=outward):
                if other not in own:
                    found.setdefault(other, []).append(rel)
    ordered = sorted(found, key=lambda n: (columns.label(n) == "External", -len(found[n]), columns.id(n)))
    return tuple(Neighbour(columns.id(n), tuple(sorted(set(found[n]))), len(found[n])) for n in ordered)


def ids(columns: GraphColumns, nodes: Iterable[int]) -> tuple[str, ...]:
    return tuple(columns.id(node) for node in nodes)
