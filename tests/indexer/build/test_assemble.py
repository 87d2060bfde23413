"""Nodes and edges from facts, without a disk."""

from __future__ import annotations

from pathlib import Path

from loregraph.graph.model import Edge
from loregraph.indexer.build.assemble import dependency_edges
from loregraph.indexer.discover.layout import read_layout

FILES = {
    "shop/pyproject.toml": '[project]\nname = "shop"\n',
    "shop/pay.py": "",
    "shop/cart.py": "",
    "till/pyproject.toml": '[project]\nname = "till"\n',
    "till/open.py": "",
}


# Verifies REQ-GRA-010.
def test_imports_are_counted_between_components_and_to_packages(tmp_path: Path) -> None:
    for path, text in FILES.items():
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_text(text)
    layout = read_layout(tmp_path, list(FILES))
    shop, till = layout.component_of("shop/pay.py"), layout.component_of("till/open.py")
    assert shop != till
    edges = [
        Edge("IMPORTS", "till/open.py", "shop/pay.py"),
        Edge("IMPORTS", "till/open.py", "shop/cart.py"),
        Edge("IMPORTS", "till/open.py", "external:httpx.get"),
        Edge("IMPORTS", "shop/pay.py", "shop/cart.py"),
        Edge("IMPORTS", "shop/pay.py", "external:len"),
    ]
    found = dependency_edges(layout, edges, {"external:httpx.get": "httpx", "external:len": ""})
    assert found == [
        Edge("DEPENDS_ON", till, shop, count=2),
        Edge("DEPENDS_ON", till, "external:httpx", count=1),
    ]
