"""Memories as nodes and edges of the graph, and whether a graph is outdated relative to its journals."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from loregraph import rooted
from loregraph.graph import model
from loregraph.graph.authored import Authored
from loregraph.memory.journal import Journal, is_entry
from loregraph.memory.journal_file import whole_lines
from loregraph.memory.links import LinkDecision, link_edges
from loregraph.memory.record import SUPERSEDES, Memory, is_memory_id, title_of
from loregraph.memory.scopes import SCOPES


def belongs_in_graph(memory: Memory) -> bool:
    """Whether a memory is visible to every reader of the project's graph: a graph has no access control.

    Memories private to an agent, a user or a session are left out.
    """
    if memory.state == "deleted" or memory.scope not in SCOPES:
        return False
    return memory.scope in ("project", "org") or (memory.scope == "agent" and memory.visibility != "private")


def memory_nodes(memories: Iterable[Memory]) -> tuple[list[model.Memory], list[model.Edge]]:
    """Nodes, and ABOUT, RELATES_TO and SUPERSEDES edges, of the memories that belong in a graph; sorted by id.

    Edges may have targets that are not in the graph: those are dropped when it is assembled.
    """
    kept = {memory.id: memory for memory in memories if belongs_in_graph(memory)}
    nodes: list[model.Memory] = []
    edges: dict[tuple[str, str, str], model.Edge] = {}
    for memory_id, memory in sorted(kept.items()):
        nodes.append(
            model.Memory(
                id=memory_id,
                name=title_of(memory.content),
                qualified_name=memory_id,
                kind=memory.kind,
                content=memory.content,
                tags=memory.tags,
                importance=memory.importance,
                scope=memory.scope,
                state=memory.state,
                author=memory.author,
                created_at=memory.created_at,
                updated_at=memory.updated_at,
            )
        )
        for anchor in memory.anchors:
            edges.setdefault(("ABOUT", memory_id, anchor), model.Edge("ABOUT", memory_id, anchor))
        for link in memory.relationships:
            if is_memory_id(link.target_id) and link.target_id in kept:
                rel = SUPERSEDES if link.type.upper() == SUPERSEDES else "RELATES_TO"
                key = (rel, memory_id, link.target_id)
                edges.setdefault(key, model.Edge(rel, memory_id, link.target_id, type=link.type))
    return nodes, [edge for _, edge in sorted(edges.items())]


def authored(journals: Iterable[Path], root: Path) -> Authored:
    """The authored content of `journals` for the project's graph; `read_journals` reads them."""
    memories, links, offsets = read_journals(journals, root)
    nodes, edges = memory_nodes(memories)
    return Authored(nodes, edges + link_edges(links), offsets)


def read_journals(
    journals: Iterable[Path], root: Path | None = None
) -> tuple[list[Memory], list[LinkDecision], dict[str, int]]:
    """The present version of every memory and link decision in `journals`, and the number of bytes read of each, by its
    name.

    Within the project's `root` no journal is reached through a link.
    """
    memories: list[Memory] = []
    links: list[LinkDecision] = []
    offsets: dict[str, int] = {}
    for path in journals:
        journal = Journal(path, base=rooted.base_of(path, root))
        journal.refresh()
        memories += journal.all()
        links += journal.links()
        offsets[path.name] = journal.offset
    return memories, links, offsets


def is_behind(offsets: Mapping[str, int], journals: Iterable[Path], root: Path | None = None) -> bool:
    """Whether a graph with `offsets` bytes of each journal is outdated. One `stat` each."""
    return any(offsets.get(path.name, 0) != _whole_lines(path, offsets.get(path.name, 0), root) for path in journals)


def _whole_lines(path: Path, known: int, root: Path | None) -> int:
    """The size of a journal; `known` where only an incomplete line was added since."""
    try:
        size = path.stat().st_size
    except OSError:
        return 0
    if size <= known:
        return size
    try:
        with rooted.open_read(rooted.base_of(path, root), path) as file:
            file.seek(known)
            return known + whole_lines(file.read(), is_entry)
    except OSError:
        return size
