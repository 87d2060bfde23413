"""Looks up components by the users' names for them, and their contents."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from loregraph.errors import NotFoundError
from loregraph.graph import queries
from loregraph.graph.columns import GraphColumns
from loregraph.graph.model import MENTION


def locate(columns: GraphColumns, text: str) -> int:
    """The node denoted by `text`: an id, a name, or the path of a file or folder.

    Raises NotFoundError and AmbiguousSymbolError as `queries.resolve_number` does.
    """
    path = text.strip().removeprefix("./").rstrip("/") or "."
    for candidate in (path, f"component:{path}"):
        node = columns.find_id(candidate)
        if node is not None:
            return node
    try:
        return queries.resolve_number(columns, text)
    except NotFoundError:
        # A folder that is no component itself: the component around it.
        if len(columns.nodes(path=path)):
            while path:
                path = path.rpartition("/")[0]
                node = columns.find_id(f"component:{path or '.'}")
                if node is not None:
                    return node
        raise


def around(columns: GraphColumns, node: int) -> list[int]:
    """The containers of `node`, nearest first."""
    found: list[int] = []
    current = node
    while len(edges := columns.into(current, "CONTAINS")):
        current = int(columns.source[edges[0]])
        found.append(current)
    return found


def ends(columns: GraphColumns, nodes: Iterable[int], rel: str, *, outward: bool) -> list[int]:
    """The nodes at the other end of the edges of `rel` at `nodes`, each once, in order. Edges of mentions do not count
    as IMPLEMENTS_REQ."""
    found: dict[int, None] = {}
    for node in nodes:
        edges = columns.out(node, rel) if outward else columns.into(node, rel)
        if rel == "IMPLEMENTS_REQ":
            edges = edges[[columns.how(edge) != MENTION for edge in edges.tolist()]]
        far = columns.target[edges] if outward else columns.source[edges]
        found.update(dict.fromkeys(far.tolist()))
    return list(found)


def supertypes(columns: GraphColumns, cls: int, rels: Sequence[str]) -> list[int]:
    """The supertypes of a class by the edges of `rels`, at any depth, nearest first; each once, without the class."""
    found = [cls]
    for one in found:
        for rel in rels:
            found.extend(base for base in ends(columns, [one], rel, outward=True) if base not in found)
    return found[1:]
