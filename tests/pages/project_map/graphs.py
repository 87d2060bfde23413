"""Graphs written by hand, of which maps are drawn."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from loregraph.graph.columns import GraphColumns, write_columns
from loregraph.graph.model import Class, Component, Edge, External, File, Function, Graph, Node


def file(path: str, language: str = "python", lines: int = 10) -> File:
    return File(path, path.rpartition("/")[2], path, path, language, "", lines, "indexed")


def component(path: str) -> Component:
    return Component(f"component:{path}", path.rpartition("/")[2], path, "package", path, "python")


def function(path: str, name: str, line: int = 1, language: str = "python", complexity: int = 1) -> Function:
    return Function(f"{path}::{name}", name, name, "function", path, line, line + 2, language, complexity=complexity)


def class_(path: str, name: str, line: int = 1, language: str = "python") -> Class:
    return Class(f"{path}::{name}", name, name, "class", path, line, line + 5, language)


def imports(source: str, target: str, line: int = 1, count: int = 1) -> Edge:
    return Edge("IMPORTS", source, target, line=line, count=count, names=("x",))


def graph_of(nodes: Iterable[Node], edges: Iterable[Edge]) -> Graph:
    """With a CONTAINS edge from each file to the code in it, where there is none."""
    by_id = {node.id: node for node in nodes}
    found = list(edges)
    inner = {edge.target for edge in found if edge.rel == "CONTAINS"}
    for node in by_id.values():
        if isinstance(node, Class | Function) and node.id not in inner:
            found.append(Edge("CONTAINS", node.file_path, node.id))
    ordered = tuple(sorted(by_id.values(), key=lambda node: node.id.encode("utf-8", "surrogatepass")))
    return Graph(ordered, tuple(sorted(found, key=lambda edge: (edge.source, edge.rel, edge.target))))


def columns_of(folder: Path, nodes: Sequence[Node], edges: Sequence[Edge] = ()) -> GraphColumns:
    write_columns(folder, graph_of(nodes, edges))
    return GraphColumns.open(folder)


SHOP: list[Node] = [
    component("."),
    component("shop"),
    component("shop/pay"),
    file("shop/__init__.py", lines=1),
    file("shop/cart.py", lines=40),
    file("shop/pay/card.py", lines=30),
    file("shop/pay/cash.py", lines=20),
    file("web/pages.py", lines=60),
    file("docs/manual/intro.md", "markdown", 100),
    file("README.md", "markdown", 5),
    External("external:json", "json", "json", "json"),
    class_("shop/cart.py", "Cart", 3),
    function("shop/cart.py", "checkout", 12, complexity=7),
    function("shop/cart.py", "total", 20, complexity=2),
    function("shop/pay/card.py", "charge", 4, complexity=3),
    function("shop/pay/cash.py", "count", 4),
    function("web/pages.py", "show", 9, complexity=12),
]
SHOP_EDGES = [
    imports("web/pages.py", "shop/cart.py", 1, 2),
    imports("shop/cart.py", "shop/pay/card.py", 2),
    imports("shop/cart.py", "shop/pay/cash.py", 3),
    imports("shop/pay/cash.py", "shop/pay/card.py", 1),
    imports("shop/pay/card.py", "shop/cart.py", 3),
    Edge("IMPORTS", "shop/cart.py", "external:json", line=1),
    Edge("CALLS", "shop/cart.py::checkout", "shop/cart.py::Cart", line=13, how="scope"),
    Edge("CALLS", "shop/cart.py::checkout", "shop/pay/card.py::charge", line=14, how="import"),
    # A function that was handed over: nobody depends on the file it is in.
    Edge("CALLS", "shop/pay/card.py::charge", "web/pages.py::show", line=5, how="value", confidence=0.83),
    Edge("REFERENCES", "shop/pay/card.py::charge", "web/pages.py::show", line=5, how="value"),
]
"""`shop/cart.py` and `shop/pay` need each other, the latter only once."""
