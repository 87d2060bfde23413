"""Components and notebooks in a store: edits of them in steps, and what questions of all kinds say of them."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import loregraph
from loregraph.config import load_settings
from loregraph.graph.columns import GraphColumns
from loregraph.graph.generation import StoreFolder
from loregraph.graph.model import Edge, Node
from loregraph.indexer.pipeline import IndexReport, index
from loregraph.project import Project

_TOTAL = "  let sum = 0\n  for (const order of orders) {\n    sum += order.price * order.count\n  }\n  return sum\n"
FILES = {
    "package.json": '{"name": "shop"}',
    "src/main.ts": "import Shop from './Shop.vue'\nexport function start() { return new Shop() }\n",
    "src/money.ts": "export function money(x: number) { return x }\nfunction unused() { return 1 }\n",
    "src/Card.svelte": (
        "<script>\n// Implements REQ-SHOP-001\nfunction open() {}\nfunction total(orders) {\n"
        + _TOTAL
        + "}\n</script>\n"
        "<b onclick={open}>{total([])}</b>\n"
    ),
    "src/Shop.vue": (
        "<template>\n<Card @close='save'/>{{ money(total([])) }}\n</template>\n<script setup lang='ts'>\n"
        "import Card from './Card.svelte'\nimport { money } from './money'\nfunction save() {}\n"
        "function total(orders: Order[]) {\n" + _TOTAL + "}\n</script>\n"
    ),
    "notes/prices.py": "def price(x):\n    return x\n",
    "docs/requirements.md": "# Requirements\n\n- **REQ-SHOP-001** A card shall open.\n- **REQ-SHOP-002** A price.\n",
}
_LONG = (
    "    rows = [line.split(sep) for line in open(path)]\n    kept = [row for row in rows if len(row) > 2]\n"
    "    return sorted(kept, key=lambda row: (row[0], row[1]))\n"
)
_CELLS = (
    "%matplotlib inline\nfrom prices import price",
    "# Implements REQ-SHOP-002\ndef read_rows(path, sep):\n" + _LONG,
    "def load_rows(path, sep):\n" + _LONG,
    "read_rows(price(1), ',')",
)


def _notebook(*cells: str) -> str:
    listed = [{"cell_type": "code", "outputs": [], "source": cell.splitlines(keepends=True)} for cell in cells]
    return json.dumps({"cells": listed, "metadata": {}, "nbformat": 4}, indent=1)


def _write(root: Path) -> None:
    for path, text in {**FILES, "notes/orders.ipynb": _notebook(*_CELLS)}.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text, encoding="utf-8")


def _run(root: Path, store: Path) -> IndexReport:
    return index(root, load_settings(root, store=str(store)), jobs=1, embed=False)


def _graph(store: Path) -> tuple[list[Node], list[Edge]]:
    with StoreFolder(store).lease() as lease:
        columns = GraphColumns(lease.path)
        return list(columns.all_nodes()), list(columns.all_edges())


def _replace(path: str, old: str, new: str) -> Callable[[Path], None]:
    def edit(root: Path) -> None:
        text = (root / path).read_text(encoding="utf-8")
        assert old in text
        (root / path).write_text(text.replace(old, new), encoding="utf-8")

    return edit


# Verifies REQ-IDX-013.
def test_steps_give_the_graph_that_indexing_from_nothing_gives(tmp_path: Path) -> None:
    root = tmp_path / "project"
    _write(root)
    _run(root, tmp_path / "steps")
    for number, edit in enumerate(
        (
            _replace("src/Shop.vue", "{{ money(", "{{ save(), money("),
            _replace("src/Card.svelte", "function open", "export function close() {}\nfunction open"),
            _replace("notes/orders.ipynb", '"%matplotlib inline', '"import sys\\n",\n    "%matplotlib inline'),
        )
    ):
        edit(root)
        _run(root, tmp_path / "steps")
        _run(root, tmp_path / str(number))
        assert _graph(tmp_path / "steps") == _graph(tmp_path / str(number))


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Project]:
    root = tmp_path_factory.mktemp("shop")
    _write(root)
    with loregraph.open(root) as opened:
        opened.index()
        yield opened
    shutil.rmtree(root)


def test_a_component_is_called_by_those_that_show_it(project: Project) -> None:
    callers = {hit.id for hit in project.callers("src/Card.svelte::Card")}
    assert callers == {"src/Shop.vue::Shop"}
    assert {hit.id for hit in project.callers("src/Shop.vue::Shop")} == {"src/main.ts::start"}


def test_files_and_definitions_say_their_languages(project: Project) -> None:
    rows = project.query("MATCH (n) WHERE n.path <> '' OR n.file_path <> '' RETURN n.id AS id, n.language AS language")
    languages = {row["id"]: row["language"] for row in rows}
    assert languages["src/Shop.vue"] == "vue"
    assert languages["src/Shop.vue::Shop.save"] == "typescript"
    assert languages["src/Card.svelte::Card.open"] == "javascript"
    assert languages["notes/orders.ipynb"] == "notebook"
    assert languages["notes/orders.ipynb::read_rows"] == "python"


def test_copies_are_found_in_what_files_hold(project: Project) -> None:
    pairs = {frozenset((pair.a.id, pair.b.id)) for pair in project.duplicates(min_tokens=30).pairs}
    assert frozenset(("notes/orders.ipynb::load_rows", "notes/orders.ipynb::read_rows")) in pairs


def test_markers_and_searches_reach_what_files_hold(project: Project) -> None:
    rows = project.query("MATCH (f)-[:IMPLEMENTS_REQ]->(r) RETURN f.id AS id, r.id AS requirement ORDER BY id")
    assert rows == [
        {"id": "notes/orders.ipynb::read_rows", "requirement": "REQ-SHOP-002"},
        {"id": "src/Card.svelte::Card.open", "requirement": "REQ-SHOP-001"},
    ]
    assert project.search("read rows")[0].id == "notes/orders.ipynb::read_rows"


def test_what_a_template_uses_is_not_dead(project: Project) -> None:
    assert [one.finding.place.id for one in project.check(rules=["dead-code"])] == ["src/money.ts::unused"]
