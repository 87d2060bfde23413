"""Addresses of other states of the map, and its table."""

from __future__ import annotations

from pathlib import Path

import pytest

from loregraph.graph.model import Edge
from loregraph.pages.links import Links
from loregraph.pages.project_map.boxes import boxes_of
from loregraph.pages.project_map.dependencies import dependencies_of
from loregraph.pages.project_map.evidence import evidence_within
from loregraph.pages.project_map.scene import MapModel, scene_of
from loregraph.pages.project_map.showing import (
    Shown,
    closed_without,
    drawn_arrows,
    drawn_boxes,
    neighbours,
    opened_with,
    table_of,
)
from tests.pages.project_map.graphs import columns_of, file, function


def shown(model: MapModel, *opened: str, colour: str = "") -> Shown:
    return Shown(model, scene_of(model, opened), Links(), colour=colour)


@pytest.mark.parametrize(
    ("opened", "path", "after"),
    [
        ((), "shop", ("shop",)),
        (("shop",), "shop/pay", ("shop/pay",)),
        (("web",), "shop/pay", ("web", "shop/pay")),
    ],
)
def test_opening(model: MapModel, opened: tuple[str, ...], path: str, after: tuple[str, ...]) -> None:
    assert opened_with(model.boxes, opened, path) == after


@pytest.mark.parametrize(
    ("opened", "path", "after"),
    [
        (("shop/pay",), "shop/pay", ("shop",)),
        (("shop/pay", "web"), "shop", ("web",)),
        (("shop/pay", "shop/cart.py"), "shop/pay", ("shop/cart.py",)),
        (("shop",), "shop", ()),
    ],
)
def test_closing(model: MapModel, opened: tuple[str, ...], path: str, after: tuple[str, ...]) -> None:
    assert closed_without(model.boxes, opened, path) == after


def test_a_box_leads_to_the_map_with_it_open_and_a_symbol_to_its_page(model: MapModel) -> None:
    boxes = {box["key"]: box for box in drawn_boxes(shown(model, "shop/cart.py", colour="churn"))}
    assert boxes["web"]["address"] == "/map?open=shop%2Fcart.py&open=web&colour=churn"
    assert boxes["shop"]["address"] == "/map?open=.&colour=churn"
    assert boxes["shop/cart.py::checkout"]["address"] == "/symbol?id=shop%2Fcart.py%3A%3Acheckout"
    assert boxes["README.md"]["address"] == "/file?path=README.md"
    assert "In a cycle of 2" in boxes["shop/pay"]["says"]


def test_an_arrow_says_what_it_stands_for(model: MapModel) -> None:
    arrows = {arrow["says"] for arrow in drawn_arrows(shown(model, "shop"))}
    assert "web depends on shop: 2 uses" in arrows
    assert "pay depends on cart.py: 1 use; against the direction of the others, which makes a cycle" in arrows


def test_the_table_has_all_dependencies_in_both_directions(model: MapModel) -> None:
    table = table_of(shown(model, "shop"), model.boxes.by_path["shop"], 0)
    rows = {row["name"]: row for row in table["rows"]}
    assert [row["name"] for row in table["rows"]] == ["cart.py", "pay", "__init__.py"]
    assert [(one["name"], one["count"]) for one in rows["cart.py"]["needs"]["rows"]] == [("pay", 2)]
    assert [(one["name"], one["count"], one["bad"]) for one in rows["cart.py"]["used"]["rows"]] == [("pay", 1, True)]
    assert rows["pay"]["cycle"] == ["cart.py"]
    assert (rows["pay"]["files"], rows["pay"]["lines"]) == (2, 50)


def test_neighbours_of_a_box_are_by_number(model: MapModel) -> None:
    view = shown(model, "shop")
    number = {box.key: str(place) for place, box in enumerate(view.scene.boxes)}
    assert neighbours(view)[number["web"]] == [[[int(number["shop/cart.py"]), 2], 0], [0]]


def test_a_name_of_a_megabyte_takes_no_room(tmp_path: Path) -> None:
    long = function("a.py", "a" * 1_000_000, 3)
    call = Edge("CALLS", "a.py::f", long.id, line=2, how="scope")
    columns = columns_of(tmp_path, [file("a.py"), function("a.py", "f"), long], [call])
    boxes = boxes_of(columns)
    view = shown(MapModel(columns, boxes, dependencies_of(columns, boxes)), "a.py")
    drawn = (drawn_boxes(view), drawn_arrows(view), table_of(view, boxes.by_path["a.py"], 0), neighbours(view))
    assert len(repr(drawn)) < 20_000
    assert [box["address"] for box in drawn[0] if box["kind"] == "symbol"] == [
        "/symbol?id=a.py%3A%3Af",
        "/file?path=a.py#L3",
    ]
    source, target = columns.find_id("a.py::f"), columns.find_id(long.id)
    assert source is not None
    assert target is not None
    assert len(repr(evidence_within(columns, source, target))) < 2_000
