"""What an edit publishes is byte for byte what writing the whole graph publishes."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from loregraph.config import load_settings
from loregraph.graph.authored import Authored
from loregraph.graph.columns_writer import COLUMNS_FILE
from loregraph.graph.constants import CONSTANTS_FILE
from loregraph.graph.generation import StoreFolder
from loregraph.graph.lexical import LEXICAL_FILE
from loregraph.graph.model import Edge, Graph, Memory
from loregraph.graph.vector_index import VECTORS_FILE
from loregraph.indexer.build import whole as build
from loregraph.indexer.pipeline import IndexReport, index

PROJECT = {
    "pyproject.toml": '[project]\nname = "shop"\n',
    "shop/__init__.py": "from shop.cart import Cart\n",
    "shop/cart.py": (
        "import json\n\nfrom shop import money\nfrom shop.base import Basket\n\nLIMIT = 10\n\n\nclass Cart(Basket):\n"
        "    def total(self):\n        return money.price(self.items())\n\n    def save(self):\n"
        "        return json.dumps(self.total())\n"
    ),
    "shop/base.py": "class Basket:\n    def items(self):\n        return [1]\n",
    "shop/money.py": (
        "# Implements: REQ-SHOP-001\n\n\ndef price(x):\n    return rounded(x)\n\n\ndef rounded(x):\n"
        '    """Rounds (REQ-SHOP-002)."""\n    return round(x)\n'
    ),
    "tests/test_cart.py": "from shop import Cart\n\n\ndef test_total():\n    assert Cart().total() == 1\n",
    "till/pyproject.toml": '[project]\nname = "till"\n',
    "till/till.py": (
        "from shop.cart import Cart\n\n\ndef ring():\n    Cart().total()\n    Cart().total()\n\n"
        "    return Cart().total()\n"
    ),
    "web/package.json": '{"name": "web"}',
    "web/total.ts": (
        "export const RATE = 3;\n\nexport interface Priced {\n  price(): number;\n}\n\n"
        "export class Item implements Priced {\n  price(): number {\n    return RATE;\n  }\n}\n\n"
        "export function total(items: Priced[]): number {\n  return items.map((i) => i.price()).length;\n}\n"
    ),
    "web/page.ts": (
        "import { total, Item } from './total';\n\nexport function show(): number {\n  return total([new Item()]);\n}\n"
    ),
    "api/go.mod": "module acme.com/api\n\ngo 1.22\n",
    "api/cart.go": "package main\n\ntype cart struct{}\n\nfunc main() { cart{}.Total() }\n",
    "api/total.go": "package main\n\nfunc (c cart) Total() int { return 1 }\n",
    "rust/Cargo.toml": '[package]\nname = "till"\nversion = "1.0.0"\n',
    "rust/src/lib.rs": "mod coin;\n\npub struct Till;\n\npub fn run() { coin::Count::count(&Till); }\n",
    "rust/src/coin.rs": (
        "pub trait Count {\n    fn count(&self) {}\n}\n\nimpl Count for crate::Till {\n    fn count(&self) {}\n}\n"
    ),
    "docs/requirements.md": (
        "# Requirements\n\n- **REQ-SHOP-001** A cart shall know its total.\n- **REQ-SHOP-002** A price is round.\n"
        "\n| Requirement | Code |\n|---|---|\n| REQ-SHOP-002 | shop/base.py::Basket |\n"
    ),
}

Edit = tuple[str, str, str]
"""A file, a text in it, what stands in its place."""

ONLY_MOVED: dict[str, Edit] = {
    "a docstring changes": ("shop/base.py", "        return [1]", '        """All."""\n        return [1]'),
    "lines of one edge move": ("till/till.py", "def", "\n# Rings.\ndef"),
    "some lines of one edge move": ("till/till.py", "\n\n    return", "\n\n\n\n    return"),
    "two lines of one edge become one": ("till/till.py", "total()\n    Cart", "total(); Cart"),
}
"""Edits that leave nothing to resolve again."""

EDITS: dict[str, Edit] = {
    **ONLY_MOVED,
    "a line of an edge becomes two": ("till/till.py", "return Cart()", "return Cart(\n    )"),
    "an edge has one line more": ("till/till.py", "()\n\n    return", "()\n    Cart().total()\n    return"),
    "an edge has one line left": ("till/till.py", "    Cart().total()\n    Cart().total()\n", ""),
    "a function is added": ("shop/cart.py", "\n\nclass Cart", "\n\ndef empty():\n    return Cart()\n\n\nclass Cart"),
    "a method is removed": ("shop/cart.py", "    def save(self):\n        return json.dumps(self.total())\n", ""),
    "a method is renamed": ("shop/cart.py", "def save", "def store"),
    "a method that others call is renamed": ("shop/cart.py", "def total", "def amount"),
    "a call is added": ("shop/cart.py", "return json", "self.items()\n        return json"),
    "an external import comes": ("shop/base.py", "class", "import httpx\n\nhttpx.get('x')\n\n\nclass"),
    "the last use of an external symbol goes": ("shop/cart.py", "json.dumps(self.total())", "self.total()"),
    "the last use of a package goes": ("shop/cart.py", "import json\n\n", ""),
    "a decorator comes": ("shop/money.py", "def price", "@staticmethod\ndef price"),
    "a base goes": ("shop/cart.py", "Cart(Basket)", "Cart"),
    "a constant comes": ("shop/cart.py", "LIMIT = 10", "LIMIT = 10\nLEAST = 1"),
    "a constant goes": ("shop/cart.py", "LIMIT = 10\n", "limit()\n"),
    "a component is no longer needed": ("till/till.py", "from shop.cart import Cart", "from cart import Cart"),
    "a value travels on": ("tests/test_cart.py", "Cart().total()", "max([Cart], key=len)().total()"),
    "a file is broken": ("shop/base.py", "def items(self):", "def items(self:"),
    "code moves around a marker": ("shop/money.py", "# Impl", "import json\n\njson.loads('')\n# Impl"),
    "a function beside a marker comes": (
        "shop/money.py",
        "def price",
        "def cost(x):\n    return price(x)\n\n\ndef price",
    ),
    "a method of an interface is added": ("web/total.ts", "price(): number;", "price(): number;\n  name(): string;"),
    "an arrow function comes": ("web/page.ts", "export", "const half = (x: number) => total([]) / 2;\n\nexport"),
    "an import of a package comes": ("web/page.ts", "import", "import React from 'react';\nReact.render();\nimport"),
    "a class is renamed": ("web/total.ts", "class Item", "class Thing"),
    "a method outside its type goes": ("api/total.go", "func (c cart) Total() int { return 1 }\n", ""),
    "a method outside its type comes": ("api/total.go", "return 1 }\n", "return 1 }\n\nfunc (c cart) Sum() {}\n"),
    "a type whose methods are elsewhere moves": ("api/cart.go", "type", "// Words.\n\nfunc more() { main() }\n\ntype"),
    "an implementation elsewhere goes": ("rust/src/coin.rs", "impl Count for crate::Till", "impl crate::Till"),
    "a type implemented elsewhere moves": ("rust/src/lib.rs", "pub struct", "pub fn more() { run() }\n\npub struct"),
}

WHOLE: dict[str, Edit] = {
    "a marker comes": ("shop/cart.py", "class Cart", "# Implements: REQ-SHOP-002\nclass Cart"),
    "what a marker stands at is renamed": ("shop/money.py", "def rounded", "def even"),
    "what a table names is renamed": ("shop/base.py", "class Basket", "class Bag"),
    "a name that a table means comes again": ("shop/base.py", "class Basket", "class Basket: ...\n\n\nclass Basket"),
    "a test is named after a requirement": ("tests/test_cart.py", "test_total", "test_req_shop_001_total"),
    "a document changes": ("docs/requirements.md", "round.", "even.\n- **REQ-SHOP-003** More."),
    "packaging changes": ("pyproject.toml", '"shop"', '"store"'),
}


def project_in(folder: Path) -> Path:
    root = folder / "project"
    for path, text in PROJECT.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    return root


def apply(root: Path, edit: Edit) -> None:
    path, old, new = edit
    text = (root / path).read_text()
    (root / path).write_text(text.replace(old, new, 1))


def run(root: Path, store: Path, *, embed: bool = False, authored: Authored | None = None) -> IndexReport:
    settings_ = load_settings(root, store=str(store))
    return index(root, settings_, jobs=1, embed=embed, authored=lambda: authored or Authored())


def contents(store: Path) -> dict[str, bytes]:
    """Everything that readers open, by name."""
    names = (COLUMNS_FILE, CONSTANTS_FILE, LEXICAL_FILE, VECTORS_FILE)
    with StoreFolder(store).lease() as lease:
        return {name: (lease.path / name).read_bytes() for name in names if (lease.path / name).exists()}


def same(ours: IndexReport, theirs: IndexReport) -> bool:
    """Whether two runs report the same graph."""
    fields = ("functions", "classes", "components", "requirements", "relationships", "problems", "unresolved")
    return all(getattr(ours, field) == getattr(theirs, field) for field in fields)


@pytest.fixture
def built(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[Graph]]:
    """The graphs that are built as a whole."""
    graphs: list[Graph] = []
    whole = build.build_graph

    def noted(*arguments: object) -> object:
        found = whole(*arguments)  # type: ignore[arg-type]
        graphs.append(found.graph)
        return found

    monkeypatch.setattr(build, "build_graph", noted)
    yield graphs


# Verifies REQ-IDX-012, REQ-IDX-013, REQ-IDX-025.
@pytest.mark.parametrize("name", EDITS)
def test_an_edit_is_published_without_building_the_graph(tmp_path: Path, built: list[Graph], name: str) -> None:
    root = project_in(tmp_path)
    run(root, tmp_path / "store")
    apply(root, EDITS[name])
    built.clear()
    report = run(root, tmp_path / "store")
    assert not built
    assert report.generation == 2
    assert same(report, run(root, tmp_path / "fresh"))
    assert contents(tmp_path / "store") == contents(tmp_path / "fresh")


@pytest.mark.parametrize("name", WHOLE)
def test_what_is_not_certain_is_built_as_a_whole(tmp_path: Path, built: list[Graph], name: str) -> None:
    root = project_in(tmp_path)
    run(root, tmp_path / "store")
    apply(root, WHOLE[name])
    built.clear()
    report = run(root, tmp_path / "store")
    assert len(built) == 1
    assert same(report, run(root, tmp_path / "fresh"))
    assert contents(tmp_path / "store") == contents(tmp_path / "fresh")


def about(*targets: str) -> Authored:
    """A memory about each of `targets`."""
    nodes = [
        Memory(f"memory:{i}", "", "", "fact", "Words.", (), 0.5, "project", "active", "me", "", "")
        for i in range(len(targets))
    ]
    edges = [Edge("ABOUT", node.id, target) for node, target in zip(nodes, targets, strict=True)]
    return Authored(nodes, edges, {"journal": len(targets)})


@pytest.mark.parametrize(
    ("target", "name", "whole"),
    [
        ("shop/money.py::price", "a function is added", 0),
        ("shop/cart.py::Cart.total", "a function is added", 0),
        ("shop/cart.py::Cart.save", "a method is renamed", 1),
        ("shop/cart.py::Cart.store", "a method is renamed", 1),
        ("external:json.dumps", "the last use of an external symbol goes", 1),
    ],
)
def test_what_people_wrote_about_stays_with_it(
    tmp_path: Path, built: list[Graph], target: str, name: str, whole: int
) -> None:
    root = project_in(tmp_path)
    authored = about(target, "shop/base.py")
    run(root, tmp_path / "store", authored=authored)
    apply(root, EDITS[name])
    built.clear()
    report = run(root, tmp_path / "store", authored=authored)
    assert len(built) == whole
    assert same(report, run(root, tmp_path / "fresh", authored=authored))
    assert contents(tmp_path / "store") == contents(tmp_path / "fresh")


# Verifies REQ-SRC-007.
def test_vectors_of_what_did_not_change_are_kept(tmp_path: Path, built: list[Graph]) -> None:
    root = project_in(tmp_path)
    run(root, tmp_path / "store", embed=True)
    built.clear()
    for name in ("a function is added", "a method is removed", "a class is renamed"):
        apply(root, EDITS[name])
        run(root, tmp_path / "store", embed=True)
    assert not built
    run(root, tmp_path / "fresh", embed=True)
    assert contents(tmp_path / "store") == contents(tmp_path / "fresh")
    assert VECTORS_FILE in contents(tmp_path / "store")


# Verifies REQ-IDX-013.
@settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(st.lists(st.sampled_from([*EDITS.values(), *WHOLE.values()]), min_size=1, max_size=3), max_size=4))
def test_any_edits_give_the_bytes_of_a_fresh_index(steps: list[list[Edit]]) -> None:
    with tempfile.TemporaryDirectory(prefix="loregraph-") as scratch:
        folder = Path(scratch)
        root = project_in(folder)
        report = run(root, folder / "store")
        for edits in steps:
            for edit in edits:
                apply(root, edit)
            report = run(root, folder / "store")
        assert same(report, run(root, folder / "fresh"))
        assert contents(folder / "store") == contents(folder / "fresh")
