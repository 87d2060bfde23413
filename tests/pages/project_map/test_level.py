"""What of a box is drawn, and what is folded and counted."""

from __future__ import annotations

from pathlib import Path

from loregraph.graph.model import Edge
from loregraph.pages.project_map.boxes import ROOT, Boxes, boxes_of
from loregraph.pages.project_map.dependencies import Dependencies, dependencies_of
from loregraph.pages.project_map.level import MOST_ARROWS, MOST_BOXES, level_of, symbols_of
from loregraph.pages.project_map.scene import MapModel
from tests.pages.project_map.graphs import columns_of, file, function, imports


def many(folder: Path, count: int, every: int) -> tuple[Boxes, Dependencies]:
    """`count` files, of which each imports the `every` ones before it."""
    names = [f"m{number:03}.py" for number in range(count)]
    edges = [imports(names[a], names[b]) for a in range(count) for b in range(max(0, a - every), a)]
    nodes = [node for name in names for node in (file(name), function(name, "f"))]
    columns = columns_of(folder, nodes, edges)
    boxes = boxes_of(columns)
    return boxes, dependencies_of(columns, boxes)


def test_what_is_too_much_is_folded_and_counted(tmp_path: Path) -> None:
    boxes, dependencies = many(tmp_path, 200, 6)
    level = level_of(boxes, dependencies, ROOT, (), ())
    assert len(level.members) == MOST_BOXES
    assert len(level.folded) == 200 - MOST_BOXES
    assert len(level.drawn) <= MOST_ARROWS
    shown = [pair for pair in level.pairs if max(pair) < MOST_BOXES]
    assert level.undrawn == len(shown) - len(level.drawn) > 0
    assert len(level.pairs) == len(dependencies.levels[ROOT])


def test_an_opened_box_is_never_folded(tmp_path: Path) -> None:
    boxes, dependencies = many(tmp_path, 200, 6)
    last = boxes.by_path["m000.py"]
    assert last in level_of(boxes, dependencies, ROOT, {last}, ()).members


def test_one_alone_is_not_folded(tmp_path: Path) -> None:
    boxes, dependencies = many(tmp_path, MOST_BOXES + 1, 2)
    assert level_of(boxes, dependencies, ROOT, (), ()).folded == ()


def test_files_without_code_are_folded_beside_code(tmp_path: Path) -> None:
    plain = [file(name, "text") for name in ("LICENSE", "AUTHORS", "a.ini", "b.ini")]
    columns = columns_of(tmp_path, [*plain, file("a.py"), function("a.py", "f")])
    boxes = boxes_of(columns)
    level = level_of(boxes, dependencies_of(columns, boxes), ROOT, (), ())
    assert [boxes.paths[box] for box in level.members] == ["a.py"]
    assert len(level.folded) == 4


def test_every_box_keeps_its_strongest_arrow(tmp_path: Path) -> None:
    boxes, dependencies = many(tmp_path, MOST_BOXES, 20)
    level = level_of(boxes, dependencies, ROOT, (), ())
    needing = {a for a, _ in level.pairs}
    assert {a for a, _ in level.drawn} == needing


def test_the_lighter_of_two_directions_is_the_one_that_makes_the_cycle(model: MapModel) -> None:
    shop = model.boxes.by_path["shop"]
    level = level_of(model.boxes, model.dependencies, shop, (), ())
    names = [model.boxes.name(box) for box in level.members]
    assert {(names[a], names[b]) for a, b in level.turned} == {("pay", "cart.py")}
    assert [sorted(names[one] for one in group) for group in level.groups] == [["cart.py", "pay"]]
    assert level.against == level.turned <= set(level.drawn)


def test_what_only_tests_make_is_no_cycle(tmp_path: Path) -> None:
    nodes = [file(name) for name in ("a/one.py", "a/test_one.py", "b/two.py")]
    edges = [imports("b/two.py", "a/one.py", 1, 3), imports("a/test_one.py", "b/two.py", 1)]
    columns = columns_of(tmp_path, nodes, edges)
    boxes = boxes_of(columns)
    level = level_of(boxes, dependencies_of(columns, boxes), ROOT, (), ())
    assert len(level.drawn) == 2
    assert len(level.turned) == 1
    assert (level.groups, level.against) == ((), frozenset())


def test_arrows_that_break_a_contract_are_always_drawn(tmp_path: Path) -> None:
    boxes, dependencies = many(tmp_path, MOST_BOXES, 20)
    weak = (boxes.by_path["m027.py"], boxes.by_path["m007.py"])
    level = level_of(boxes, dependencies, ROOT, (), {weak})
    index = {box: number for number, box in enumerate(level.members)}
    assert (index[weak[0]], index[weak[1]]) in level.drawn


def test_a_file_has_its_outermost_symbols(tmp_path: Path) -> None:
    nodes = [file("a.py"), function("a.py", "late", 40), function("a.py", "early", 2), function("a.py", "inner", 3)]
    edges = [
        Edge("CONTAINS", "a.py", "a.py::early"),
        Edge("CONTAINS", "a.py", "a.py::late"),
        Edge("CONTAINS", "a.py::early", "a.py::inner"),
        Edge("CALLS", "a.py::inner", "a.py::late", line=3, how="scope"),
        Edge("CALLS", "a.py::late", "a.py::early", line=41, how="candidate", confidence=0.66),
    ]
    columns = columns_of(tmp_path, nodes, edges)
    found = columns.find_id("a.py")
    assert found is not None
    level = symbols_of(columns, found)
    assert [columns.name(node) for node in level.members] == ["early", "late"]
    assert dict(level.pairs) == {(0, 1): 1}  # what is only likely makes no arrow
    assert level.groups == ()
