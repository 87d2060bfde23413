"""Why code is as it is, from the graph."""

from __future__ import annotations

from pathlib import Path

import pytest

from loregraph.analysis.component_lookup import locate
from loregraph.analysis.context import Context, Neighbour, context, shortened
from loregraph.graph.columns import GraphColumns, write_columns
from loregraph.graph.model import Component, Design, Edge, External, File, Function, Graph, Node, Requirement

TEXT = "Orders are rows: see `shop/store.py`. Prices are kept by `Price.round()`; shop/store.pyx is another file."


@pytest.fixture
def shop(tmp_path: Path) -> GraphColumns:
    def function(id: str) -> Function:
        path, _, name = id.partition("::")
        return Function(id, name.rpartition(".")[2], name, "function", path, 3, 9, "python")

    nodes: list[Node] = [
        Component("component:shop", "shop", "shop", "package", "shop", "python"),
        *(File(p, p, p, p, "python", "", 9, "indexed") for p in ("shop/store.py", "shop/price.py", "shop/x.py")),
        *map(function, ("shop/store.py::save", "shop/price.py::Price.round", "shop/price.py::other", "shop/x.py::use")),
        External("external:builtins.len", "len", "builtins.len", "builtins"),
        External("external:sqlite3", "sqlite3", "sqlite3", "sqlite3"),
        Requirement("REQ-1", "REQ-1", "REQ-1", "Orders stay", "x" * 900, "accepted", "", "r.md", 3),
        Design("ADR-1", "ADR-1", "ADR-1", "Rows", "adr", "accepted", TEXT, "adr/1.md", 1),
        Design("ADR-2", "ADR-2", "ADR-2", "Other", "adr", "accepted", "Nothing.", "adr/2.md", 1),
    ]
    edges = [
        Edge("CONTAINS", "component:shop", "shop/store.py"),
        Edge("CONTAINS", "shop/store.py", "shop/store.py::save"),
        Edge("CALLS", "shop/x.py::use", "shop/store.py::save", line=4, how="import"),
        Edge("CALLS", "shop/store.py::save", "external:builtins.len", line=4, how="builtin"),
        Edge("IMPORTS", "shop/store.py", "external:sqlite3", line=1),
        Edge("IMPLEMENTS_REQ", "shop/store.py", "REQ-1", how="marker", evidence="shop/store.py:1"),
        Edge("SATISFIES", "ADR-2", "REQ-1", how="declared"),
    ]
    nodes.sort(key=lambda node: node.id.encode())
    edges.sort(key=lambda edge: (edge.source, edge.rel, edge.target))
    write_columns(tmp_path, Graph(tuple(nodes), tuple(edges)))
    return GraphColumns.open(tmp_path)


def asked(columns: GraphColumns, symbol: str) -> Context:
    return context(columns, locate(columns, symbol))


def titles(found: Context) -> list[str]:
    return [design.title for design in found.design_documents]


def test_what_is_around_counts_too(shop: GraphColumns) -> None:
    found = asked(shop, "save")
    assert [one.requirement_id for one in found.requirements] == ["REQ-1"]
    assert len(found.requirements[0].text) == 400
    assert titles(found) == ["Other", "Rows"]  # one satisfies the requirement, one names the file
    assert [one.id for one in found.dependents] == ["shop/x.py::use"]


def test_designs_that_name_the_code(shop: GraphColumns) -> None:
    assert titles(asked(shop, "Price.round")) == ["Rows"]
    assert titles(asked(shop, "shop/price.py::other")) == []
    assert titles(asked(shop, "shop/x.py")) == []


def test_what_comes_with_the_language_is_no_dependency(shop: GraphColumns) -> None:
    assert [one.id for one in asked(shop, "shop/store.py").dependencies] == ["external:sqlite3"]


def test_requirements_and_designs_have_a_context(shop: GraphColumns) -> None:
    requirement = asked(shop, "REQ-1")
    assert [one.requirement_id for one in requirement.requirements] == ["REQ-1"]
    assert titles(requirement) == ["Other"]
    assert [(one.id, one.relationships) for one in requirement.dependents] == [("shop/store.py", ("IMPLEMENTS_REQ",))]
    design = asked(shop, "ADR-2")
    assert titles(design) == ["Other"]
    assert [one.requirement_id for one in design.requirements] == ["REQ-1"]


def test_what_is_too_much_is_cut_and_said() -> None:
    many = tuple(Neighbour(f"a.py::f{number}", ("CALLS",), 1) for number in range(60))
    code = "\n".join(map(str, range(130)))
    found = shortened(Context(component={"id": "a.py::f", "code": code}, dependencies=many, dependents=many[:50]))
    assert (len(found.dependencies), len(found.dependents)) == (50, 50)
    assert found.component is not None
    assert found.component["code"].endswith("\n119")
    assert found.truncated == "dependencies: 50 of 60 shown; code: 120 of 130 lines shown"
    whole = Context(dependencies=many[:50])
    assert shortened(whole) == whole
