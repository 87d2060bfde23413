"""What a search shows: results in groups."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import msgspec

from loregraph.graph.columns import GraphColumns
from loregraph.pages.links import Links
from loregraph.pages.names import GROUPS, SPREAD, Match, Matches, name_within
from loregraph.pages.node_address import address_of

TITLES: Mapping[str, str] = {
    "pages": "Pages",
    "code": "Code",
    "files": "Files",
    "components": "Components",
    "requirements": "Requirements",
    "designs": "Designs",
    "words": "Code with these words",
    "memories": "Memories",
}
"""Group → its heading, in the order of groups that match equally well."""


class Result(msgspec.Struct, frozen=True):
    """One thing that was found: what it is called, what it is, and where."""

    name: str
    kind: str
    where: str
    address: str


class Group(msgspec.Struct, frozen=True):
    """The results of a kind, best first, of `total`. `how` is the best match's, see `names`."""

    name: str
    title: str
    results: tuple[Result, ...]
    total: int
    how: int = SPREAD


def named_groups(found: Mapping[str, Matches], columns: GraphColumns, links: Links) -> list[Group]:
    """The groups of what matches by name."""
    return [
        Group(
            name,
            TITLES[name],
            tuple(result_of(match, columns, links) for match in found[name].best),
            found[name].total,
            found[name].best[0].how,
        )
        for name in GROUPS
        if name in found
    ]


def result_of(match: Match, columns: GraphColumns, links: Links) -> Result:
    """A node as a result."""
    node = match.node
    label, identity, path = columns.label(node), columns.id(node), columns.path(node)
    address = address_of(links, columns, node)
    if label in ("Class", "Function"):
        line = int(columns.start_line[node])
        return Result(name_within(columns, node), columns.kind(node), f"{path}:{line}", address)
    if label == "File":
        folder, _, name = identity.rpartition("/")
        return Result(name, columns.language(node) or "file", folder, address)
    if label == "Component":
        return Result(columns.name(node), columns.kind(node), path, address)
    return Result(identity, label.lower(), str(columns.own(node, "title") or path), address)


def in_order(groups: Iterable[Group]) -> list[Group]:
    """Groups with a better match first, others in the order of `TITLES`; empty ones are left out."""
    order = list(TITLES)
    return sorted((group for group in groups if group.results), key=lambda group: (group.how, order.index(group.name)))
