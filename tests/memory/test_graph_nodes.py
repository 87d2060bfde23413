"""Memories in the graph: which, as what, and whether a graph is behind."""

from __future__ import annotations

from pathlib import Path

from loregraph.graph.model import RELATIONSHIPS, Edge
from loregraph.memory.api import ProjectMemory
from loregraph.memory.graph_nodes import is_behind, memory_nodes, read_journals

from .conftest import record

OLD, NEW, OTHER = (f"3f2504e0-4f89-41d3-9a0c-0305e82c330{i}" for i in range(3))


def test_memories_become_nodes_and_their_links_edges() -> None:
    from loregraph.memory.record import Relationship

    new = record(
        "the title\nand the rest",
        id=NEW,
        anchors=("src/a.py",),
        relationships=(
            Relationship("supersedes", OLD),
            Relationship("uses", OTHER),
            Relationship("EXPLAINS", "src/a.py"),
        ),
    )
    nodes, edges = memory_nodes([new, record("old", id=OLD)])
    assert [(node.id, node.name) for node in nodes] == [(OLD, "old"), (NEW, "the title")]
    assert nodes[1].content == "the title\nand the rest"
    assert edges == [Edge("ABOUT", NEW, "src/a.py"), Edge("SUPERSEDES", NEW, OLD, type="supersedes")]
    assert {edge.rel for edge in edges} <= RELATIONSHIPS.keys()


def test_what_is_not_for_everyone_stays_out() -> None:
    shown = [record("p"), record("o", scope="org", project_id=""), record("s", scope="agent", visibility="shared")]
    hidden = [
        record("u", scope="user", project_id=""),
        record("x", scope="session", session_id="s"),
        record("a", scope="agent", agent_id="bot"),
        record("d", state="deleted"),
    ]
    nodes, _ = memory_nodes([*shown, *hidden])
    assert {node.content for node in nodes} == {"p", "o", "s"}


def test_a_graph_is_behind_as_soon_as_a_journal_changes(memory: ProjectMemory, home: Path) -> None:
    journals = [memory.store.project.path, memory.store.user.path]
    assert not is_behind({}, journals)
    memory.add("one")
    assert is_behind({}, journals)
    memories, _, offsets = read_journals(journals)
    assert [m.content for m in memories] == ["one"]
    assert offsets == {"shop.jsonl": journals[0].stat().st_size, "_user.jsonl": 0}
    assert not is_behind(offsets, journals)
    with journals[0].open("ab") as file:
        file.write(b'{"half a line')
    assert not is_behind(offsets, journals)
    memory.add("two", scope="org")
    assert is_behind(offsets, journals)
