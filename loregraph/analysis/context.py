"""The context of a piece of code in the graph: requirements, designs, dependencies and dependents."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any, Final

import msgspec
from msgspec import UNSET, UnsetType

from loregraph.analysis.component_lookup import around, ends
from loregraph.analysis.rules.rule import Habit
from loregraph.graph.authored import Remembered
from loregraph.graph.columns import GraphColumns
from loregraph.graph.queries import within
from loregraph.indexer.languages import registry

EXCERPT: Final = 400
"""Maximum characters shown of a document's text."""
MOST_NEIGHBOURS: Final = 50
"""Maximum dependencies, and dependents, shown with a component."""
MOST_LINES: Final = 120
"""Maximum lines shown of a component's code."""
_NEEDS: Final = ("CALLS", "IMPORTS", "EXTENDS", "IMPLEMENTS", "REFERENCES", "DEPENDS_ON")
_ANSWERS_TO: Final = ("IMPLEMENTS_REQ", "FOLLOWS_DESIGN")
"""Relationships from code to requirements and designs: shown for these as dependents, for code by name."""
_BUILT_IN: Final = frozenset({"", *(language.builtin_package for language in registry.LANGUAGES)})
"""Packages that come with a language."""


class RequirementExcerpt(msgspec.Struct, frozen=True):
    """A requirement in short. `source` is the place that states it, `path:line`."""

    requirement_id: str
    title: str
    status: str
    text: str
    source: str


class DesignDocument(msgspec.Struct, frozen=True):
    title: str
    type: str
    excerpt: str
    path: str


class Neighbour(msgspec.Struct, frozen=True):
    """A dependency or dependent; `count` is the number of edges."""

    id: str
    relationships: tuple[str, ...]
    count: int


class Context(msgspec.Struct, frozen=True, kw_only=True):
    """`component` is a record of the code in question, None where nothing answers a question; `patterns` are its
    habits. `truncated` says what was left out, if anything was."""

    component: dict[str, Any] | None = None
    requirements: tuple[RequirementExcerpt, ...] = ()
    design_documents: tuple[DesignDocument, ...] = ()
    patterns: tuple[Habit, ...] = ()
    memories: tuple[Remembered, ...] = ()
    dependencies: tuple[Neighbour, ...] = ()
    dependents: tuple[Neighbour, ...] = ()
    truncated: str | UnsetType = UNSET


def context(columns: GraphColumns, node: int) -> Context:
    """The context of one node of code, including its containers' requirements and designs; for a requirement or a
    design, the code that depends on it."""
    inside = within(columns, node)
    scope = [*inside, *around(columns, node)]
    label = columns.label(node)
    requirements = [node] if label == "Requirement" else ends(columns, scope, "IMPLEMENTS_REQ", outward=True)
    designs = [node] if label == "Design" else ends(columns, scope, "FOLLOWS_DESIGN", outward=True)
    if label == "Design":
        requirements = ends(columns, [node], "SATISFIES", outward=True)
    designs += ends(columns, requirements, "SATISFIES", outward=False)
    designs += naming(columns, node)
    designs = list(dict.fromkeys(designs))
    return Context(
        component=described(columns, node),
        requirements=tuple(requirement(columns, one) for one in requirements),
        design_documents=tuple(design_document(columns, one) for one in designs),
        dependencies=neighbours(columns, inside, outward=True),
        dependents=neighbours(columns, inside, outward=False),
    )


def shortened(found: Context) -> Context:
    """`found` with the first `MOST_NEIGHBOURS` dependencies and dependents and `MOST_LINES` lines of code, and what was
    left out."""
    said = []
    kept: dict[str, Any] = {}
    for name in ("dependencies", "dependents"):
        neighbours = getattr(found, name)
        if len(neighbours) > MOST_NEIGHBOURS:
            kept[name] = neighbours[:MOST_NEIGHBOURS]
            said.append(f"{name}: {MOST_NEIGHBOURS:,} of {len(neighbours):,} shown")
    if found.component is not None and "code" in found.component:
        lines = found.component["code"].split("\n")
        if len(lines) > MOST_LINES:
            kept["component"] = {**found.component, "code": "\n".join(lines[:MOST_LINES])}
            said.append(f"code: {MOST_LINES:,} of {len(lines):,} lines shown")
    return msgspec.structs.replace(found, **kept, truncated="; ".join(said)) if said else found


def naming(columns: GraphColumns, node: int) -> list[int]:
    """Designs whose text names the code: the path of its file, or its name between backticks."""
    if columns.label(node) not in ("File", "Class", "Function", "Component"):
        return []
    path = columns.path(node)
    names = [rf"(?<![\w/.-]){re.escape(path)}(?![\w/-])"] if path and path != "." else []
    if columns.label(node) in ("Class", "Function"):
        inner = columns.id(node).partition("::")[2]
        names.append(rf"`(?:[\w./]+(?:::|\.))?{re.escape(inner)}(?:\(\))?`")
    expression = re.compile("|".join(names)) if names else None
    designs = columns.nodes("Design").tolist() if expression is not None else []
    return [one for one in designs if expression is not None and expression.search(columns.own(one, "text") or "")]


def described(columns: GraphColumns, node: int) -> dict[str, Any]:
    """A short record of the code."""
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


def requirement(columns: GraphColumns, node: int) -> RequirementExcerpt:
    return RequirementExcerpt(
        requirement_id=columns.id(node),
        title=columns.own(node, "title") or columns.name(node),
        status=columns.own(node, "status") or "",
        text=(columns.own(node, "text") or "")[:EXCERPT],
        source=f"{columns.path(node)}:{int(columns.start_line[node])}",
    )


def design_document(columns: GraphColumns, node: int) -> DesignDocument:
    text = columns.own(node, "text") or ""
    return DesignDocument(
        columns.own(node, "title") or columns.name(node), columns.kind(node), text[:EXCERPT], columns.path(node)
    )


def neighbours(columns: GraphColumns, inside: Sequence[int], *, outward: bool) -> tuple[Neighbour, ...]:
    """Nodes outside `inside` connected to it by dependencies, most edges first, the project's own before external
    ones."""
    own = set(inside)
    found: dict[int, list[str]] = {}
    for node in inside:
        for rel in _NEEDS if outward else (*_NEEDS, *_ANSWERS_TO):
            for other in ends(columns, [node], rel, outward=outward):
                if other not in own:
                    found.setdefault(other, []).append(rel)
    found = {node: rels for node, rels in found.items() if not is_built_in(columns, node)}
    ordered = sorted(found, key=lambda n: (columns.label(n) == "External", -len(found[n]), columns.id(n)))
    return tuple(Neighbour(columns.id(n), tuple(sorted(set(found[n]))), len(found[n])) for n in ordered)


def is_built_in(columns: GraphColumns, node: int) -> bool:
    """Whether a node comes with the language, and is no design decision."""
    return columns.label(node) == "External" and columns.own(node, "package") in _BUILT_IN


def ids(columns: GraphColumns, nodes: Iterable[int]) -> tuple[str, ...]:
    return tuple(columns.id(node) for node in nodes)
