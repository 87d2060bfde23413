"""The picture: which boxes are in it, where, and what fits."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from loregraph.pages.layout.acyclic import Edges
from loregraph.pages.layout.layered import Layout, Size, layered
from loregraph.pages.project_map import scene as scenes
from loregraph.pages.project_map.boxes import boxes_of
from loregraph.pages.project_map.dependencies import dependencies_of
from loregraph.pages.project_map.level import MOST_ARROWS, MOST_BOXES
from loregraph.pages.project_map.scene import MOST_OPENED, MapModel, Scene, fitted, scene_of
from tests.pages.project_map.graphs import columns_of, file, function, imports


def keys(scene: Scene) -> list[str]:
    return [box.key for box in scene.boxes]


def test_with_everything_closed_the_outermost_boxes_are_shown(model: MapModel) -> None:
    scene = scene_of(model, [])
    assert keys(scene) == ["README.md", "docs/manual", "shop", "web"]
    assert [(arrow.source, arrow.target, arrow.count) for arrow in scene.arrows] == [("web", "shop", 2)]
    assert scene.opened == ()


# Verifies REQ-WEB-003.
def test_a_box_opens_with_those_around_it(model: MapModel) -> None:
    scene = scene_of(model, ["shop/pay"])
    assert {"shop", "shop/pay", "shop/pay/card.py"} <= set(keys(scene))
    assert scene.opened == ("shop/pay",)
    places = {box.key: box for box in scene.boxes}
    outer, inner = places["shop"], places["shop/pay"]
    assert outer.x < inner.x
    assert inner.x + inner.width < outer.x + outer.width
    assert outer.y < inner.y
    assert inner.y + inner.height < outer.y + outer.height
    assert outer.opened
    assert places["web"].y < outer.y  # it depends on what is in it


def test_a_file_opens_to_its_symbols(model: MapModel) -> None:
    scene = scene_of(model, ["shop/cart.py"])
    symbols = [box for box in scene.boxes if box.kind == "symbol"]
    assert [box.name for box in symbols] == ["Cart", "checkout", "total"]
    assert ("shop/cart.py::checkout", "shop/cart.py::Cart") in {(a.source, a.target) for a in scene.arrows}


def test_what_makes_a_cycle_is_marked(model: MapModel) -> None:
    scene = scene_of(model, ["shop"])
    assert {(a.source, a.target) for a in scene.arrows if a.against} == {("shop/pay", "shop/cart.py")}
    assert {box.key: box.in_cycle for box in scene.boxes if box.in_cycle} == {"shop/cart.py": 2, "shop/pay": 2}


def test_paths_that_are_not_there_are_passed_over(model: MapModel) -> None:
    assert keys(scene_of(model, ["nowhere", "../../etc", "shop/cart.py::checkout"])) == keys(scene_of(model, []))


def test_at_first_the_product_is_open_rather_than_its_tests(tmp_path: Path) -> None:
    nodes = [file(f"tests/t{n}.py") for n in range(30)] + [function(f"tests/t{n}.py", "f") for n in range(30)]
    nodes += [file(f"lib/m{n}.py") for n in range(12)] + [function(f"lib/m{n}.py", "f") for n in range(12)]
    columns = columns_of(tmp_path, nodes)
    boxes = boxes_of(columns)
    assert scene_of(MapModel(columns, boxes, dependencies_of(columns, boxes)), None).opened == ("lib",)


def test_no_more_boxes_are_open_at_a_time_than_can_be_read(tmp_path: Path) -> None:
    folders = [f"f{number:02}" for number in range(MOST_OPENED + 4)]
    nodes = [node for one in folders for n in "ab" for node in (file(f"{one}/{n}.py"), function(f"{one}/{n}.py", "f"))]
    columns = columns_of(tmp_path, nodes)
    boxes = boxes_of(columns)
    scene = scene_of(MapModel(columns, boxes, dependencies_of(columns, boxes)), folders)
    assert len(scene.opened) == MOST_OPENED
    assert scene.closed == 4


@pytest.mark.parametrize(
    "name",
    ["a" * 1_000_000, "\u202egnp.exe", "<script>alert(1)</script>", "\x1b[2J", "漢字" * 400, "e\u0301" * 3000, ""],
)
def test_a_name_fits_into_its_box_and_shows_what_is_invisible(name: str) -> None:
    text = fitted(name, 190)
    assert len(text) <= 26
    assert not any(character in text for character in "\u202e\x1b")


_DRAW = """
import sys
from pathlib import Path
from loregraph.graph.columns import GraphColumns
from loregraph.pages.project_map.boxes import boxes_of
from loregraph.pages.project_map.dependencies import dependencies_of
from loregraph.pages.project_map.scene import MapModel, scene_of
columns = GraphColumns.open(Path(sys.argv[1]))
boxes = boxes_of(columns)
print(scene_of(MapModel(columns, boxes, dependencies_of(columns, boxes)), ["shop/pay"]))
"""


# Verifies REQ-WEB-003.
def test_the_map_is_the_same_whatever_the_seed_of_hashing(tmp_path: Path, model: MapModel) -> None:
    drawn = {
        subprocess.run(
            [sys.executable, "-c", _DRAW, str(tmp_path)],
            env={**os.environ, "PYTHONHASHSEED": seed},
            check=True,
            capture_output=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(drawn) == 1
    assert b"shop/pay/card.py" in drawn.pop()


# Verifies REQ-WEB-003.
def test_a_graph_of_fifty_thousand_nodes_is_drawn_within_bounds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """10,000 files in 100 folders of 100, four functions in each, and 40,000 imports from everywhere to everywhere."""
    names = [f"part{n // 100:02}/module{n % 100:02}.py" for n in range(10_000)]
    nodes = [node for name in names for node in (file(name), *(function(name, f"f{k}") for k in range(4)))]
    edges = {(n, (n * 7919 + k * 104_729) % 10_000) for n in range(10_000) for k in range(1, 5)}
    columns = columns_of(tmp_path, nodes, [imports(names[a], names[b]) for a, b in edges if a != b])
    assert columns.node_count == 50_000
    boxes = boxes_of(columns)
    model = MapModel(columns, boxes, dependencies_of(columns, boxes))
    laid_out: list[int] = []

    def counting(sizes: Sequence[Size], edges: Edges, **more: Any) -> Layout:
        laid_out.append(len(sizes))
        return layered(sizes, edges, **more)

    monkeypatch.setattr(scenes, "layered", counting)
    scene = scene_of(model, ["part00/module00.py", "part01", "part02"])
    assert len(scene.boxes) <= 4 * (MOST_BOXES + 1) + 4
    assert len(scene.arrows) <= 4 * MOST_ARROWS
    assert max(laid_out) <= MOST_BOXES + 4
    assert scene.folded > 200
    assert scene.undrawn > 500
