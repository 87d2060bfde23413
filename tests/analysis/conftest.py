"""A small graph, made by hand: a folder with habits, a requirement with its code, tests and design."""

from __future__ import annotations

from pathlib import Path

import pytest

from loregraph.graph.columns import GraphColumns, write_columns
from loregraph.graph.model import Class, Component, Design, Edge, File, Function, Graph, Node, Requirement


def function(path: str, name: str, line: int = 1, **more: object) -> Function:
    last = name.rpartition(".")[2]
    return Function(
        f"{path}::{name}",
        last,
        f"shop.{name}",
        "function",
        path,
        line,
        line + 2,
        "python",
        **more,  # type: ignore[arg-type]
    )


def class_(path: str, name: str, line: int) -> Class:
    return Class(f"{path}::{name}", name, f"shop.{name}", "class", path, line, line + 5, "python", docstring="It is.")


NODES: list[Node] = [
    Component("component:.", ".", ".", "folder", ".", ""),
    Component("component:shop", "shop", "shop", "package", "shop", "python"),
    *(File(p, p, p, p, "python", "", 50, "indexed") for p in ("shop/api.py", "shop/model.py", "tests/test_api.py")),
    File("shop/sub/deep.py", "deep.py", "shop.sub.deep", "shop/sub/deep.py", "python", "", 5, "indexed"),
    function("shop/api.py", "get_order", 1, docstring="Get.", complexity=2),
    function("shop/api.py", "put_order", 5, docstring="Put.", complexity=2),
    function("shop/api.py", "list_orders", 9, docstring="List.", complexity=1),
    function("shop/api.py", "drop_order", 13, docstring="Drop.", complexity=3),
    function("shop/api.py", "find_order", 17, docstring="Find.", complexity=2),
    function("shop/api.py", "sendOrder", 21, complexity=40),
    function("shop/api.py", "_helper", 25),
    *(
        class_("shop/model.py", name, line)
        for line, name in enumerate(("Base", "Order", "Item", "User", "Cart", "Stray"))
    ),
    function("tests/test_api.py", "test_get", 1, is_test=True),
    Requirement(
        "REQ-1", "REQ-1", "REQ-1", "Orders can be read", "An order is read by its id.", "accepted", "", "r.md", 3
    ),
    Requirement("REQ-2", "REQ-2", "REQ-2", "Orders can be printed", "", "accepted", "", "r.md", 9),
    Design("ADR-1", "ADR-1", "ADR-1", "Orders are rows", "adr", "accepted", "One row an order.", "adr/1.md", 1),
]
API = ("get_order", "put_order", "list_orders", "drop_order", "find_order", "sendOrder", "_helper")
EDGES = [
    Edge("CONTAINS", "component:.", "component:shop"),
    Edge("CONTAINS", "component:shop", "shop/api.py"),
    Edge("CONTAINS", "component:shop", "shop/model.py"),
    *(Edge("CONTAINS", "shop/api.py", f"shop/api.py::{name}") for name in API),
    *(
        Edge("CONTAINS", "shop/model.py", f"shop/model.py::{n}")
        for n in ("Base", "Order", "Item", "User", "Cart", "Stray")
    ),
    *(Edge("EXTENDS", f"shop/model.py::{name}", "shop/model.py::Base") for name in ("Order", "Item", "User", "Cart")),
    Edge("CALLS", "shop/api.py::get_order", "shop/api.py::find_order", line=2, how="local"),
    Edge("CALLS", "tests/test_api.py::test_get", "shop/api.py::get_order", line=2, how="import"),
    Edge("CALLS", "shop/sub/deep.py", "shop/api.py::get_order", line=1, how="import"),
    Edge("TESTS", "tests/test_api.py::test_get", "shop/api.py::get_order", how="calls"),
    Edge("IMPLEMENTS_REQ", "shop/api.py::get_order", "REQ-1", how="marker", confidence=1.0, evidence="shop/api.py:1"),
    Edge("SATISFIES", "ADR-1", "REQ-1", how="declared"),
]


@pytest.fixture(scope="module", autouse=True)
def _engine_later(engine_later: None) -> None:
    """Rules read columns."""


@pytest.fixture
def columns(tmp_path: Path) -> GraphColumns:
    nodes = tuple(sorted(NODES, key=lambda node: node.id.encode()))
    write_columns(tmp_path, Graph(nodes, tuple(sorted(EDGES, key=lambda e: (e.source, e.rel, e.target)))))
    return GraphColumns.open(tmp_path)
