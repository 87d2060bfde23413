"""An order of nodes in which as little weight of edges as possible points backwards, and the cycles there are."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from typing import Final

Edges = Mapping[tuple[int, int], int]
"""(Source, target) → weight, above 0. Nodes are numbers from 0."""

_ROUNDS: Final = 12
"""Maximum rounds of moving single nodes: on maps of real projects the third changes nothing any more."""


def cycles(count: int, edges: Edges) -> list[tuple[int, ...]]:
    """The groups of two and more nodes that reach one another, largest first, each ascending."""
    import networkx as nx  # a tenth of a second, which what draws nothing need not pay

    graph = nx.DiGraph()
    graph.add_nodes_from(range(count))
    graph.add_edges_from(sorted(edges))
    groups = [tuple(sorted(group)) for group in nx.strongly_connected_components(graph) if len(group) > 1]
    return sorted(groups, key=lambda group: (-len(group), group))


def backward(count: int, edges: Edges) -> frozenset[tuple[int, int]]:
    """The edges to turn round so that no cycle is left, of little weight in all. Only edges within a cycle are among
    them, and an edge from a node to itself never is."""
    inner = {pair: weight for pair, weight in edges.items() if pair[0] != pair[1]}
    found: set[tuple[int, int]] = set()
    for group in cycles(count, inner):
        members = frozenset(group)
        within = {pair: weight for pair, weight in inner.items() if pair[0] in members and pair[1] in members}
        place = {node: number for number, node in enumerate(_order(group, within))}
        found.update((source, target) for source, target in within if place[source] > place[target])
    return frozenset(found)


def _order(nodes: Sequence[int], edges: Edges) -> list[int]:
    """Eades, Lin and Smyth, "A fast and effective heuristic for the feedback arc set problem" (1993), with weights;
    then each node goes to its best place while that gains something."""
    out: dict[int, dict[int, int]] = {node: {} for node in nodes}
    into: dict[int, dict[int, int]] = {node: {} for node in nodes}
    for (source, target), weight in edges.items():
        out[source][target] = into[target][source] = weight
    left, first, last = set(nodes), list[int](), list[int]()
    outward = {node: sum(out[node].values()) for node in nodes}
    inward = {node: sum(into[node].values()) for node in nodes}
    while left:
        sinks = sorted(node for node in left if not outward[node])
        sources = sorted(node for node in left if not inward[node])
        if sinks:
            taken = sinks[0]
            last.append(taken)
        else:
            taken = sources[0] if sources else min(left, key=lambda node: (inward[node] - outward[node], node))
            first.append(taken)
        left.discard(taken)
        for other, weight in out[taken].items():
            inward[other] -= weight
        for other, weight in into[taken].items():
            outward[other] -= weight
    order = first + last[::-1]
    for _ in range(_ROUNDS):
        if not sum(_moved(order, node, out[node], into[node]) for node in sorted(nodes)):
            break
    return order


def _moved(order: list[int], node: int, out: Mapping[int, int], into: Mapping[int, int]) -> bool:
    """Moves `node` to where the least weight points backwards; False where it stands there already."""
    here = order.index(node)
    rest = order[:here] + order[here + 1 :]
    # The weight that points backwards with the node in front of all others, then behind one more each.
    weight = sum(into.values())
    costs = [weight]
    for other in rest:
        weight += out.get(other, 0) - into.get(other, 0)
        costs.append(weight)
    best = min(range(len(costs)), key=lambda place: (costs[place], abs(place - here), place))
    if costs[best] == costs[here]:
        return False
    order[:] = [*rest[:best], node, *rest[best:]]
    return True


def shortest_cycle(edges: Edges, source: int, target: int) -> tuple[int, ...]:
    """The nodes of a shortest cycle through the edge from `source` to `target`, from `source` on; empty for none."""
    out: dict[int, list[int]] = {}
    for one, other in sorted(edges):
        out.setdefault(one, []).append(other)
    before: dict[int, int] = {target: target}
    queue = deque([target])
    while queue and source not in before:
        node = queue.popleft()
        for other in out.get(node, ()):
            if other not in before:
                before[other] = node
                queue.append(other)
    if source not in before or (source, target) not in edges:
        return ()
    back = [source]
    while back[-1] != target:
        back.append(before[back[-1]])
    return (source, *reversed(back[1:]))
