"""What boxes depend on."""

from __future__ import annotations

from pathlib import Path

from loregraph.graph.model import Edge
from loregraph.pages.project_map.boxes import ROOT, boxes_of
from loregraph.pages.project_map.dependencies import dependencies_of
from loregraph.pages.project_map.scene import MapModel
from tests.pages.project_map.graphs import class_, columns_of, component, file, function, imports


def levels(model: MapModel) -> dict[str, dict[tuple[str, str], int]]:
    paths = model.boxes.paths
    return {
        paths[box]: {(paths[a], paths[b]): count for (a, b), count in pairs.items()}
        for box, pairs in model.dependencies.levels.items()
    }


def test_imports_count_where_both_sides_stand_side_by_side(model: MapModel) -> None:
    assert levels(model) == {
        "": {("web", "shop"): 2},
        "shop": {("shop/cart.py", "shop/pay"): 2, ("shop/pay", "shop/cart.py"): 1},
        "shop/pay": {("shop/pay/cash.py", "shop/pay/card.py"): 1},
    }


def test_the_edges_between_two_boxes_are_those_of_all_that_is_in_them(model: MapModel) -> None:
    at = model.boxes.by_path
    edges = model.dependencies.between(model.boxes, at["shop/cart.py"], at["shop/pay"])
    assert [model.columns.edge(edge).target for edge in edges.tolist()] == ["shop/pay/card.py", "shop/pay/cash.py"]


def test_between_boxes_wherever_they_stand_the_innermost_counts(model: MapModel) -> None:
    at = model.boxes.by_path
    shown = [at["web"], at["shop"], at["shop/pay"]]
    found = model.dependencies.among(model.boxes, shown)
    assert found == {(at["web"], at["shop"]): 2}  # a box and what is around it are no pair
    found = model.dependencies.among(model.boxes, [*shown, at["shop/cart.py"]])
    assert found[at["shop/cart.py"], at["shop/pay"]] == 2


def test_where_files_are_imported_calls_and_values_make_no_dependency(model: MapModel) -> None:
    at = model.boxes.by_path
    assert (at["shop"], at["web"]) not in model.dependencies.levels[ROOT]


def test_where_a_package_is_seen_unsaid_what_code_names_makes_one(tmp_path: Path) -> None:
    nodes = [
        file("a/One.java", "java"),
        file("a/Two.java", "java"),
        file("a/Three.java", "java"),
        class_("a/One.java", "One", language="java"),
        class_("a/Two.java", "Two", language="java"),
        function("a/Three.java", "run", language="java"),
    ]
    edges = [
        Edge("EXTENDS", "a/One.java::One", "a/Two.java::Two", line=1),
        Edge("CALLS", "a/Two.java::Two", "a/Three.java::run", line=3, how="interface", confidence=0.35),
    ]
    columns = columns_of(tmp_path, nodes, edges)
    boxes = boxes_of(columns)
    found = dependencies_of(columns, boxes).levels
    one, two = boxes.by_path["a/One.java"], boxes.by_path["a/Two.java"]
    assert found == {boxes.parents[one]: {(one, two): 1}}


def test_an_import_of_a_package_leads_to_its_box(tmp_path: Path) -> None:
    nodes = [component("lib"), file("lib/a.py"), file("lib/b.py"), file("app.py")]
    columns = columns_of(tmp_path, nodes, [imports("app.py", "component:lib"), imports("lib/a.py", "component:lib")])
    boxes = boxes_of(columns)
    # What a file imports of the package around it is no arrow: the package holds the file.
    assert dependencies_of(columns, boxes).levels == {ROOT: {(boxes.by_path["app.py"], boxes.by_path["lib"]): 1}}


def test_a_go_type_does_not_depend_on_the_interfaces_that_it_happens_to_have(tmp_path: Path) -> None:
    nodes = [file("a/io.go", "go"), file("b/disk.go", "go")]
    nodes += [class_("a/io.go", "Reader", language="go"), class_("b/disk.go", "Disk", language="go")]  # type: ignore[list-item]
    columns = columns_of(tmp_path, nodes, [Edge("IMPLEMENTS", "b/disk.go::Disk", "a/io.go::Reader", line=1)])
    assert dependencies_of(columns, boxes_of(columns)).levels == {}


def test_files_that_are_compiled_together_make_no_cycle_but_packages_do(tmp_path: Path) -> None:
    names = ("a/one.go", "a/two.go", "b/three.go")
    nodes = [node for name in names for node in (file(name, "go"), function(name, "F", language="go"))]
    pairs = [(0, 1), (1, 0), (1, 2), (2, 0)]
    calls = [Edge("CALLS", f"{names[a]}::F", f"{names[b]}::F", line=1, how="package") for a, b in pairs]
    columns = columns_of(tmp_path, nodes, calls)
    boxes = boxes_of(columns)
    found = dependencies_of(columns, boxes)
    a, b = boxes.by_path["a"], boxes.by_path["b"]
    assert {box: set(pairs) for box, pairs in found.product.items()} == {ROOT: {(a, b), (b, a)}}
    assert len(found.levels[a]) == 2
