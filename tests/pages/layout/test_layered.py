"""Pictures of small graphs: what stands where, and that nothing stands on something else."""

from __future__ import annotations

import itertools

from hypothesis import given, settings
from hypothesis import strategies as st

from loregraph.pages.layout.layered import Layout, Size, layered

SMALL: Size = (100.0, 40.0)

sizes = st.lists(
    st.tuples(st.sampled_from([84.0, 130.0, 214.0]), st.sampled_from([44.0, 200.0])), min_size=1, max_size=14
)
graphs = st.dictionaries(st.tuples(st.integers(0, 13), st.integers(0, 13)), st.integers(1, 50), max_size=40)


def overlap(drawn: Layout, boxes: list[Size]) -> list[tuple[int, int]]:
    def apart(one: int, other: int) -> bool:
        (x, y), (width, height) = drawn.places[one], boxes[one]
        (u, v), (wide, high) = drawn.places[other], boxes[other]
        return x + width <= u or u + wide <= x or y + height <= v or v + high <= y

    return [pair for pair in itertools.combinations(range(len(boxes)), 2) if not apart(*pair)]


# Verifies REQ-WEB-003.
def test_what_depends_stands_above() -> None:
    drawn = layered([SMALL] * 4, {(3, 1): 1, (1, 0): 1, (3, 2): 1, (2, 0): 1})
    height = [y for _, y in drawn.places]
    assert height[3] < height[1] == height[2] < height[0]
    assert drawn.crossings == 0


def test_an_edge_against_the_others_leads_upwards_and_says_so() -> None:
    drawn = layered([SMALL] * 2, {(0, 1): 5, (1, 0): 1})
    down, up = drawn.routes
    assert (down.source, down.against, up.source, up.against) == (0, False, 1, True)
    assert down.points[0][1] < down.points[-1][1]
    assert up.points[0][1] > up.points[-1][1]
    assert {x for x, _ in down.points}.isdisjoint({x for x, _ in up.points})


def test_the_edges_to_turn_round_can_be_given() -> None:
    drawn = layered([SMALL] * 2, {(0, 1): 5}, turned={(0, 1)})
    assert drawn.routes[0].against
    assert drawn.places[1][1] < drawn.places[0][1]


def test_a_wide_row_becomes_several() -> None:
    drawn = layered([SMALL] * 30, {(0, other): 1 for other in range(1, 30)}, widest=600)
    assert drawn.width < 30 * SMALL[0] / 2
    assert len({y for _, y in drawn.places}) >= 5


def test_boxes_without_edges_are_packed_below() -> None:
    drawn = layered([SMALL] * 12, {(0, 1): 1}, widest=500)
    connected = max(drawn.places[0][1], drawn.places[1][1])
    assert all(y > connected for _, y in drawn.places[2:])
    assert drawn.width <= 500


def test_nothing_to_draw() -> None:
    assert layered([], {}) == Layout((), (), 0.0, 0.0, 0)


@settings(max_examples=60)
@given(sizes, graphs)
def test_no_box_stands_on_another_and_every_edge_ends_at_its_boxes(
    boxes: list[Size], edges: dict[tuple[int, int], int]
) -> None:
    edges = {pair: weight for pair, weight in edges.items() if max(pair) < len(boxes)}
    drawn = layered(boxes, edges, widest=700)
    assert overlap(drawn, boxes) == []
    assert {(route.source, route.target) for route in drawn.routes} == {pair for pair in edges if pair[0] != pair[1]}
    for route in drawn.routes:
        (x, y), (width, height) = drawn.places[route.source], boxes[route.source]
        assert x <= route.points[0][0] <= x + width
        assert abs(route.points[0][1] - (y if route.against else y + height)) < 0.01
        top = drawn.places[route.target][1]
        assert abs(route.points[-1][1] - (top + boxes[route.target][1] if route.against else top)) < 0.01
    right = max(x + width for (x, _), (width, _) in zip(drawn.places, boxes, strict=True))
    assert right <= drawn.width + 0.01
    assert min(x for x, _ in drawn.places) >= -0.01
