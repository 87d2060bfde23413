"""The places behind an arrow."""

from __future__ import annotations

from pathlib import Path

from loregraph.graph.model import Edge
from loregraph.pages.project_map.boxes import boxes_of
from loregraph.pages.project_map.dependencies import dependencies_of
from loregraph.pages.project_map.evidence import MOST_PLACES, evidence_between, evidence_within
from loregraph.pages.project_map.scene import MapModel
from tests.pages.project_map.graphs import columns_of, file, function, imports


def test_the_imports_that_make_an_arrow_and_the_calls_besides(model: MapModel) -> None:
    at = model.boxes.by_path
    found = evidence_between(model.columns, model.boxes, model.dependencies, at["shop/cart.py"], at["shop/pay"])
    assert found.counts == {"imports": 2}
    assert [(place.path, place.line, place.target) for place in found.places] == [
        ("shop/cart.py", 2, "shop/pay/card.py"),
        ("shop/cart.py", 3, "shop/pay/cash.py"),
    ]
    assert [(place.source, place.target, place.how) for place in found.calls] == [
        ("shop/cart.py::checkout", "shop/pay/card.py::charge", "import")
    ]
    assert (found.more, found.more_calls) == (0, 0)


def test_a_call_of_what_was_handed_over_makes_no_arrow(model: MapModel) -> None:
    at = model.boxes.by_path
    found = evidence_between(model.columns, model.boxes, model.dependencies, at["shop"], at["web"])
    assert found.places == ()
    assert [place.target for place in found.calls] == ["web/pages.py::show"]


def test_between_symbols_of_a_file(model: MapModel) -> None:
    nodes = [model.columns.find_id(f"shop/cart.py::{name}") for name in ("checkout", "Cart")]
    assert nodes[0] is not None
    assert nodes[1] is not None
    found = evidence_within(model.columns, nodes[0], nodes[1])
    assert found.counts == {"calls": 1}
    assert (found.places[0].line, found.places[0].how) == (13, "scope")


def test_too_many_places_are_counted(tmp_path: Path) -> None:
    names = [f"a/m{number:03}.py" for number in range(MOST_PLACES + 7)]
    nodes = [file("b.py"), *map(file, names), function("b.py", "f")]
    columns = columns_of(tmp_path, nodes, [imports(name, "b.py", 3) for name in names])
    boxes = boxes_of(columns)
    found = evidence_between(columns, boxes, dependencies_of(columns, boxes), boxes.by_path["a"], boxes.by_path["b.py"])
    assert len(found.places) == MOST_PLACES
    assert found.more == 7
    assert found.counts == {"imports": MOST_PLACES + 7}


def test_calls_that_are_unsure_are_not_listed(tmp_path: Path) -> None:
    nodes = [file("a.py"), file("b.py"), function("a.py", "f"), function("b.py", "g")]
    call = Edge("CALLS", "a.py::f", "b.py::g", line=2, how="interface", confidence=0.35)
    columns = columns_of(tmp_path, nodes, [call])
    boxes = boxes_of(columns)
    found = evidence_between(columns, boxes, dependencies_of(columns, boxes), *boxes.children[0])
    assert (found.places, found.calls) == ((), ())
