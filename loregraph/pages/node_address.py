"""The page of a node, by its label."""

from __future__ import annotations

from loregraph.graph.columns import GraphColumns
from loregraph.pages.links import Links


def address_of(links: Links, columns: GraphColumns, node: int) -> str:
    """The address of the page that shows a node, "" where it has none."""
    label, identity = columns.label(node), columns.id(node)
    if label == "File":
        return links.file(identity)
    if label == "Component":
        return links.map(columns.path(node))
    if label == "Requirement":
        return links.requirement(identity)
    if label == "Memory":
        return links.memory(identity)
    if label == "Design":
        return links.file(columns.path(node), int(columns.start_line[node]))
    return links.symbol(identity)
