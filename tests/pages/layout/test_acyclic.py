"""Which edges are turned round, and which cycles there are."""

from __future__ import annotations

import networkx as nx
from hypothesis import given
from hypothesis import strategies as st

from loregraph.pages.layout.acyclic import backward, cycles, shortest_cycle

graphs = st.dictionaries(st.tuples(st.integers(0, 9), st.integers(0, 9)), st.integers(1, 50), max_size=40)


def test_the_lighter_direction_is_turned_round() -> None:
    assert backward(2, {(0, 1): 8, (1, 0): 3}) == {(1, 0)}
    assert backward(2, {(0, 1): 3, (1, 0): 8}) == {(0, 1)}


def test_of_a_ring_the_lightest_edge_is_turned_round() -> None:
    assert backward(4, {(0, 1): 9, (1, 2): 2, (2, 3): 9, (3, 0): 9}) == {(1, 2)}


def test_nothing_outside_a_cycle_is_turned_round() -> None:
    assert backward(4, {(3, 2): 1, (2, 1): 1, (1, 0): 1, (3, 0): 1}) == frozenset()


@given(graphs)
def test_without_the_turned_edges_there_is_no_cycle(edges: dict[tuple[int, int], int]) -> None:
    turned = backward(10, edges)
    assert turned <= edges.keys()
    left = nx.DiGraph([pair for pair in edges if pair not in turned and pair[0] != pair[1]])
    assert nx.is_directed_acyclic_graph(left)
    groups = cycles(10, edges)
    member = {node: number for number, group in enumerate(groups) for node in group}
    assert all(member.get(a, -1) == member.get(b, -2) for a, b in turned)


def test_a_shortest_cycle_goes_through_the_edge() -> None:
    edges = {(0, 1): 1, (1, 2): 1, (2, 0): 1, (1, 3): 1, (3, 2): 1}
    assert shortest_cycle(edges, 0, 1) == (0, 1, 2)
    assert shortest_cycle(edges, 3, 2) == (3, 2, 0, 1)


def test_an_edge_of_no_cycle_has_none() -> None:
    assert shortest_cycle({(0, 1): 1, (1, 2): 1}, 0, 1) == ()
    assert shortest_cycle({(0, 1): 1}, 1, 0) == ()
