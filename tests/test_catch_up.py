"""Memories reach the graph: with the next index, and when a query asks for them."""

from __future__ import annotations

from pathlib import Path

import pytest

import loregraph
from loregraph.errors import QueryFailedError, QueryRefusedError, StoreError
from loregraph.graph.cypher_names import asks_for_authored
from loregraph.graph.model import Edge, Node
from loregraph.project import Project

pytestmark = pytest.mark.usefixtures("engine_later")

ABOUT = "MATCH (m:Memory)-[:ABOUT]->(f) RETURN m.name AS memory, f.id AS id ORDER BY memory, id"


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    monkeypatch.setenv("LOREGRAPH_HOME", str(tmp_path / "home"))
    root = tmp_path / "shop"
    root.mkdir()
    (root / "cart.py").write_text(
        "def total(items):\n    return add(items)\n\n\ndef add(items):\n    return sum(items)\n"
    )
    return loregraph.open(root, store=tmp_path / "store", project_id="shop")


def graph_of(project: Project) -> tuple[list[Node], list[Edge]]:
    columns = project.reader().columns
    return list(columns.all_nodes()), list(columns.all_edges())


def test_a_memory_added_after_the_index_is_found_by_the_query_that_asks_for_it(project: Project) -> None:
    with project:
        project.index(embed=False)
        project.memory.add("Prices are in cents.", kind="design", anchors=["cart.py::total"])
        assert list(project.query(ABOUT)) == [{"memory": "Prices are in cents.", "id": "cart.py::total"}]


def test_catching_up_gives_the_graph_that_indexing_from_nothing_gives(project: Project, tmp_path: Path) -> None:
    with project:
        project.index()
        before = project.search("add the items")
        first = project.memory.add("Prices are in cents.", kind="design", anchors=["cart.py::total"])
        project.memory.add(
            "Sums are exact.", kind="learning", relationships=[{"type": "extends", "target_id": first.memory_id}]
        )
        assert project.catch_up()
        caught_up = graph_of(project)
        assert [hit.id for hit in project.search("add the items")] == [hit.id for hit in before]
        assert project.index().files.indexed == 0
        assert graph_of(project) == caught_up
    with loregraph.open(project.root, store=tmp_path / "fresh", project_id="shop") as fresh:
        fresh.index()
        assert graph_of(fresh) == caught_up
        assert [hit.id for hit in fresh.search("add the items")] == [hit.id for hit in before]


# Verifies REQ-MEM-010.
def test_deleting_the_graph_and_indexing_again_brings_every_memory_back(project: Project) -> None:
    import shutil

    with project:
        project.index(embed=False)
        project.memory.add("Prices are in cents.", kind="design", anchors=["cart.py::total"])
        project.close()
        shutil.rmtree(project.store.path)
        project.index(embed=False)
        assert len(project.query(ABOUT)) == 1


def test_a_deleted_memory_leaves_the_graph(project: Project) -> None:
    with project:
        added = project.memory.add("Prices are in cents.", kind="design", anchors=["cart.py::total"])
        project.index(embed=False)
        assert len(project.query(ABOUT)) == 1
        project.memory.delete(added.memory_id)
        assert list(project.query(ABOUT)) == []


@pytest.mark.parametrize(
    ("cypher", "asks"),
    [
        ("MATCH (m:Memory) RETURN m.id", True),
        ("MATCH ()-[:ABOUT]->(f:Function) RETURN f.id", True),
        ("MATCH (n) RETURN count(n)", True),
        ("MATCH (r:Requirement) RETURN r.id", True),
        ("MATCH (f:Function)-[:IMPLEMENTS_REQ]->(r) RETURN f.id", True),
        ("MATCH (f:Function)-[:CALLS]->(g) RETURN f.id", False),
    ],
)
def test_which_statements_ask_for_what_people_wrote(cypher: str, asks: bool) -> None:
    assert asks_for_authored(cypher) is asks


# Verifies REQ-QRY-003.
@pytest.mark.parametrize(
    "cypher",
    [
        "MATCH (a)-[:SIMILAR_TO]->(b) DELETE a",
        "MATCH (m:Memory) SET m.content = 'x'",
        "MATCH (m:Memory)-[:NOTHING]->(a)-[:SIMILAR_TO]->(b) RETURN a",
        "MATCH (m:Memory)-[:SIMILAR_TO]->(b) WHERE b.id = $missing RETURN b",
    ],
)
def test_nothing_is_made_for_a_query_that_is_refused(project: Project, cypher: str) -> None:
    with project:
        project.index(embed=False)
        project.memory.add("Prices are in cents.", kind="design")
        before = sorted(path.name for path in project.store.path.rglob("*"))
        with pytest.raises((QueryRefusedError, QueryFailedError)):
            project.query(cypher)
        assert sorted(path.name for path in project.store.path.rglob("*")) == before


def test_a_relationship_in_lower_case_is_brought_too(project: Project) -> None:
    body = "".join(f"    x{i} = items[{i}] + {i}\n" for i in range(12))
    (project.root / "copy.py").write_text(f"def one(items):\n{body}\n\ndef two(items):\n{body}")
    with project:
        project.index(embed=False)
        assert len(project.query("MATCH (a)-[:similar_to]-(b) RETURN a.id")) == 2


def test_only_commands_about_memories_need_to_know_whose_they_are(project: Project, tmp_path: Path) -> None:
    with project:
        project.memory.add("Prices are in cents.", kind="design")
    (tmp_path / "home" / "projects.json").write_text("{")
    with loregraph.open(project.root, store=tmp_path / "other") as other:
        assert other.index(embed=False).functions == 2
        assert other.show("total").callees
        assert list(other.query("MATCH (m:Memory) RETURN count(m) AS n")) == [{"n": 0}]
        with pytest.raises(StoreError, match=r"projects\.json"):
            other.memory.list()
