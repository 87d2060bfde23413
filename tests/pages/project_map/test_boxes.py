"""Folders, components and files as boxes."""

from __future__ import annotations

from pathlib import Path

from loregraph.graph.columns import GraphColumns
from loregraph.pages.project_map.boxes import boxes_of
from tests.pages.project_map.graphs import SHOP, columns_of, file, function


def test_folders_stand_around_what_is_in_them(shop: GraphColumns) -> None:
    boxes = boxes_of(shop)
    assert [boxes.paths[box] for box in boxes.children[0]] == ["README.md", "docs/manual", "shop", "web"]
    pay = boxes.by_path["shop/pay"]
    assert [boxes.name(box) for box in boxes.children[pay]] == ["card.py", "cash.py"]
    assert boxes.name(pay) == "pay"
    assert boxes.around(boxes.by_path["shop/pay/card.py"]) == [pay, boxes.by_path["shop"]]


def test_folders_with_nothing_but_a_folder_are_one_box(tmp_path: Path) -> None:
    java = [file(f"src/main/java/org/{name}.java", "java") for name in "AB"]
    boxes = boxes_of(columns_of(tmp_path, [*SHOP, *java]))
    assert boxes.name(boxes.by_path["src/main/java/org"]) == "src/main/java/org"
    assert "src" not in boxes.by_path


def test_a_component_stays_a_box_of_its_own(tmp_path: Path) -> None:
    boxes = boxes_of(columns_of(tmp_path, [node for node in SHOP if node.id != "shop/cart.py"][:7]))
    assert boxes.nodes[boxes.by_path["shop"]] >= 0
    assert "shop/pay" in boxes.by_path


def test_sizes_are_those_of_all_that_a_box_holds(shop: GraphColumns) -> None:
    boxes = boxes_of(shop)
    at = boxes.by_path["shop"]
    assert (int(boxes.files[at]), int(boxes.lines[at]), int(boxes.symbols[at])) == (4, 91, 5)
    assert (int(boxes.files[0]), int(boxes.symbols[0])) == (7, 6)


def test_code_belongs_to_the_box_of_its_file_and_what_is_outside_to_none(shop: GraphColumns) -> None:
    boxes = boxes_of(shop)
    charge, outside = shop.find_id("shop/pay/card.py::charge"), shop.find_id("external:json")
    assert charge is not None
    assert outside is not None
    assert int(boxes.of_node[charge]) == boxes.by_path["shop/pay/card.py"]
    assert int(boxes.of_node[outside]) == -1


def test_a_graph_without_files_has_the_box_of_the_project_alone(tmp_path: Path) -> None:
    boxes = boxes_of(columns_of(tmp_path, []))
    assert boxes.paths == [""]
    assert boxes.children == [[]]


def test_a_very_deep_path_takes_no_stack(tmp_path: Path) -> None:
    deep = "/".join(["a"] * 3000) + "/end.py"
    boxes = boxes_of(columns_of(tmp_path, [file(deep), file("a/b.py"), function(deep, "f")]))
    assert int(boxes.symbols[boxes.by_path["a"]]) == 1
    assert len(boxes.paths) == 5
