"""Callers and callees in bounded lists, and what lies at which distance."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from loregraph.graph import queries
from loregraph.graph.columns import GraphColumns
from loregraph.pages import neighbours, rings
from loregraph.pages.neighbours import MOST_OF_A_FILE, OUTSIDE
from loregraph.project import Project

from ..shop import SHOP, written

CALLERS = 30
HUB = {
    **SHOP,
    "shop/rates.py": "\n\n".join(
        [
            "from shop.money import round_price",
            *(f"def rate{n}():\n    return round_price({n})" for n in range(CALLERS)),
        ]
    ),
    **{
        f"tests/test_{name}.py": f"from shop.money import round_price\n\ndef test_{name}():\n    round_price(1)\n"
        for name in "abcd"
    },
}


def is_test(path: str) -> bool:
    return path.startswith("tests/")


@pytest.fixture(scope="module")
def columns(tmp_path_factory: pytest.TempPathFactory, engine_later: None) -> Iterator[GraphColumns]:
    with Project(written(Path(tmp_path_factory.mktemp("near")), HUB)) as project:
        project.index(embed=False, jobs=1)
        yield project.reader().columns


def test_callers_are_grouped_by_file_the_product_before_tests(columns: GraphColumns) -> None:
    group = queries.resolve_group(columns, "round_price")
    side = neighbours.side(columns, group, is_test, outward=False)
    assert [file.path for file in side.files] == [
        "shop/cart.py",
        "shop/rates.py",
        *(f"tests/test_{name}.py" for name in "abcd"),
    ]
    assert (side.total, side.in_tests) == (1 + CALLERS + 4, 4)
    rates = side.files[1]
    assert (len(rates.rows), rates.more) == (MOST_OF_A_FILE, CALLERS - MOST_OF_A_FILE)
    assert (rates.rows[0].name, rates.rows[0].lines, rates.rows[0].how) == ("rate0", (4,), "import")


def test_files_beyond_some_are_counted(columns: GraphColumns) -> None:
    group = queries.resolve_group(columns, "round_price")
    side = neighbours.side(columns, group, is_test, 2, outward=False)
    assert (len(side.files), side.more_files, side.more, side.all_files) == (2, 4, 4, 6)


def test_callees_outside_the_project_come_last(columns: GraphColumns) -> None:
    side = neighbours.side(columns, queries.resolve_group(columns, "Cart.total"), is_test, outward=True)
    assert [file.path for file in side.files] == ["shop/money.py", OUTSIDE]


def test_a_brief_list_names_the_first_of_the_project(columns: GraphColumns) -> None:
    node = queries.resolve_number(columns, "round_price")
    brief = neighbours.brief(columns, node, is_test, 5, outward=False)
    assert [row.name for row in brief.rows] == ["Cart.total", "rate0", "rate1", "rate2", "rate3"]
    assert brief.more == CALLERS + 5 - 5


def test_rings_are_what_impact_says(columns: GraphColumns) -> None:
    for symbol in ("round_price", "Cart", "shop/money.py::round_price", "rate3", "checkout"):
        group = queries.resolve_group(columns, symbol)
        by_distance: dict[int, list[str]] = {}
        for hit in queries.impact_of(columns, group, rings.DEPTH):
            by_distance.setdefault(hit.distance, []).append(hit.id)
        found = rings.reached(columns, group)
        assert {n: sorted(map(columns.id, nodes.tolist())) for n, nodes in enumerate(found, 1)} == {
            n: sorted(ids) for n, ids in by_distance.items()
        }


def test_a_ring_is_divided_by_component_and_counts_tests(columns: GraphColumns) -> None:
    group = queries.resolve_group(columns, "round_price")
    first, *_ = rings.rings(columns, rings.reached(columns, group), is_test, lambda path: path.partition("/")[0])
    assert (first.distance, first.count, first.tests) == (1, CALLERS + 5, 4)
    assert [(part.component, part.count) for part in first.parts] == [("shop", CALLERS + 1), ("tests", 4)]
    assert first.named[0] == ("shop/cart.py::Cart.total", "Cart.total")


def test_small_components_of_a_ring_are_one_part(columns: GraphColumns) -> None:
    group = queries.resolve_group(columns, "round_price")
    reached = rings.reached(columns, group)
    first, *_ = rings.rings(columns, reached, is_test, lambda path: path if is_test(path) else f"{path}{len(path)}")
    assert len(first.parts) <= rings.MOST_PARTS + 1
    assert sum(part.count for part in first.parts) == first.count


def test_a_whole_ring_is_drawn_in_two_halves() -> None:
    assert rings.arc(1, 0.0, 1.0).count("M") == 2
    assert rings.arc(1, 0.0, 0.25).count("M") == 1
    assert "nan" not in rings.arc(4, 0.999, 1.0)
