"""A small graph with every label and every relationship in it."""

from __future__ import annotations

from pathlib import Path

import pytest

from loregraph.graph.columns import GraphColumns, write_columns
from loregraph.graph.model import (
    Class,
    Component,
    Design,
    Edge,
    Endpoint,
    External,
    File,
    Function,
    Graph,
    Memory,
    Requirement,
)


def function(path: str, name: str, qualified: str, start: int, **more: object) -> Function:
    return Function(
        id=f"{path}::{name}",
        name=name.rpartition(".")[2].partition("#")[0],
        qualified_name=qualified,
        kind="method" if "." in name else "function",
        file_path=path,
        start_line=start,
        end_line=start + 2,
        language="python",
        **more,  # type: ignore[arg-type]
    )


@pytest.fixture(scope="session")
def sample() -> Graph:
    app, views, tests = "src/shop/app.py", "src/shop/views.py", "tests/test_app.py"
    nodes = [
        Component("component:.", "shop", "shop", "project", ".", "python"),
        Component("component:src/shop", "shop", "shop", "package", "src/shop", "python"),
        File(app, "app.py", "shop.app", app, "python", "aa", 30, "indexed"),
        File(views, "views.py", "shop.views", views, "python", "bb", 20, "partial", ("line 3: odd", "line 9: Grüße")),
        File(tests, "test_app.py", "tests.test_app", tests, "python", "cc", 9, "indexed"),
        Class(f"{app}::Shop", "Shop", "shop.app.Shop", "class", app, 1, 20, "python", "class Shop:", "Sells."),
        Class(f"{views}::Stall", "Stall", "shop.views.Stall", "class", views, 1, 9, "python", "class Stall(Shop):"),
        function(app, "Shop.open", "shop.app.Shop.open", 3, signature="def open(self):", docstring="Öffnet – “auf”."),
        function(app, "Shop.close", "shop.app.Shop.close", 7, decorators=("final", "cache"), complexity=4),
        function(app, "Shop.close#2", "shop.app.Shop.close", 11),
        function(app, "main", "shop.app.main", 22, is_exported=True, commits=4, authors=("Ann Lee", "Bo")),
        function(views, "Stall.open", "shop.views.Stall.open", 3),
        function(views, "render", "shop.views.render", 12),
        function(tests, "test_open", "tests.test_app.test_open", 4, is_test=True),
        Requirement("REQ-1", "REQ-1", "REQ-1", "Open", "It shall open.", "accepted", "high", "docs/req.md", 5),
        Design("docs/adr.md#opening", "Opening", "Opening", "Opening", "adr", "accepted", "We open.", "docs/adr.md", 3),
        Memory(
            "m-1",
            "note",
            "note",
            "design",
            "Opens at 8",
            ("hours", "shop"),
            0.9,
            "project",
            "active",
            "Ann",
            "t1",
            "t2",
        ),
        Memory("m-2", "note2", "note2", "learning", "Opens at 9", (), 0.5, "project", "active", "Ann", "t1", "t2"),
        External("external:os.path.join", "join", "os.path.join", "os"),
        External("external:print", "print", "print", ""),
        Endpoint("endpoint:http:GET:/shop/{}", "GET /shop/{id}", "GET /shop/{id}", "GET", "/shop/{id}", "http"),
    ]
    shop, stall, opens = f"{app}::Shop", f"{views}::Stall", f"{app}::Shop.open"
    edges = [
        Edge("CONTAINS", "component:.", "component:src/shop"),
        Edge("CONTAINS", "component:src/shop", app),
        Edge("CONTAINS", "component:src/shop", views),
        Edge("CONTAINS", app, shop),
        Edge("CONTAINS", app, f"{app}::main"),
        Edge("CONTAINS", shop, opens),
        Edge("CONTAINS", shop, f"{app}::Shop.close"),
        Edge("CONTAINS", shop, f"{app}::Shop.close#2"),
        Edge("CONTAINS", views, stall),
        Edge("CONTAINS", views, f"{views}::render"),
        Edge("CONTAINS", stall, f"{views}::Stall.open"),
        Edge("CONTAINS", tests, f"{tests}::test_open"),
        Edge("IMPORTS", views, app, line=1, names=("Shop", "main")),
        Edge("IMPORTS", tests, app, line=2, names=("Shop",)),
        Edge("IMPORTS", app, "external:os.path.join", line=1),
        Edge("CALLS", f"{app}::main", shop, line=23, how="import"),
        Edge("CALLS", f"{app}::main", opens, line=24, count=2, confidence=0.9, how="instance", more_lines=(26,)),
        Edge("CALLS", opens, "external:print", line=4, how="builtin"),
        Edge("CALLS", f"{views}::Stall.open", opens, line=4, how="super"),
        Edge("CALLS", f"{views}::render", f"{views}::Stall.open", line=13, confidence=0.6, how="parameter type"),
        Edge("CALLS", f"{views}::render", f"{views}::render", line=14, how="name"),
        Edge("CALLS", f"{tests}::test_open", opens, line=5, how="instance"),
        Edge("EXTENDS", stall, shop, line=1),
        Edge("IMPLEMENTS", stall, shop, line=1),
        Edge("OVERRIDES", f"{views}::Stall.open", opens),
        Edge("REFERENCES", f"{app}::main", stall, line=25, how="type"),
        Edge("TESTS", f"{tests}::test_open", opens, how="calls"),
        Edge("IMPLEMENTS_REQ", opens, "REQ-1", how="marker", confidence=0.8, evidence="# REQ-1"),
        Edge("SATISFIES", "docs/adr.md#opening", "REQ-1", how="declared", evidence="Satisfies REQ-1"),
        Edge("FOLLOWS_DESIGN", shop, "docs/adr.md#opening", how="declared", evidence="see ADR"),
        Edge("DEPENDS_ON", "component:src/shop", "external:os.path.join", count=3),
        Edge("HANDLES", f"{app}::Shop.close", "endpoint:http:GET:/shop/{}", line=9, confidence=0.99, how="route"),
        Edge("REQUESTS", f"{app}::Shop.close#2", "endpoint:http:GET:/shop/{}", line=12, confidence=0.97, how="path"),
        Edge("DECLARES", app, "endpoint:http:GET:/shop/{}", line=3, how="openapi"),
        Edge("SIMILAR_TO", f"{app}::Shop.close", f"{app}::Shop.close#2", similarity=0.97, clone_type="type-2"),
        Edge("CO_CHANGES", f"{app}::Shop.close", f"{views}::render", support=3, confidence=0.75),
        Edge("ABOUT", "m-1", opens),
        Edge("RELATES_TO", "m-1", "m-2", type="refines"),
        Edge("SUPERSEDES", "m-2", "m-1", type="newer"),
    ]
    edges.sort(key=lambda edge: (edge.source, edge.rel, edge.target))
    return Graph(tuple(sorted(nodes, key=lambda node: node.id)), tuple(edges))


@pytest.fixture
def columns(sample: Graph, tmp_path: Path) -> GraphColumns:
    folder = tmp_path / "columns"
    folder.mkdir()
    write_columns(folder, sample, strict=True)
    return GraphColumns.open(folder)
