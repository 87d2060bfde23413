"""SIMILAR_TO: in the graph when it is asked for, once for a generation, gone when the graph is made again."""

from __future__ import annotations

from pathlib import Path

import pytest

import loregraph
from loregraph.graph.generation import StoreFolder
from loregraph.project import Project

pytestmark = pytest.mark.usefixtures("engine_later")

LOAD = """def load(path, limit=10):
    rows = []
    with open(path, encoding="utf-8") as stream:
        for number, line in enumerate(stream):
            if number >= limit or not line.strip():
                break
            name, _, value = line.partition("=")
            rows.append((name.strip(), float(value)))
    return sorted(rows, key=lambda row: row[1])
"""
ASK = "MATCH (a)-[s:SIMILAR_TO]->(b) RETURN a.id AS one, b.id AS other, s.clone_type AS type ORDER BY one, other"
CONTAINED = "MATCH (a:File)-[:CONTAINS]->(b:Function) RETURN a.id AS one, b.id AS other ORDER BY one, other"
COPIES = [{"one": "a.py::load", "other": "b.py::load", "type": "type-1"}]


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    monkeypatch.setenv("LOREGRAPH_HOME", str(tmp_path / "home"))
    root = tmp_path / "shop"
    root.mkdir()
    for name in ("a.py", "b.py"):
        (root / name).write_text(LOAD, encoding="utf-8")
    project = loregraph.open(root, store=tmp_path / "store", project_id="shop")
    project.index(jobs=1)
    return project


def generation(project: Project) -> int:
    current = StoreFolder(project.store.path).current()
    assert current is not None
    return current.generation


def test_a_query_that_names_it_brings_it_in_once(project: Project) -> None:
    with project:
        before, hits = generation(project), [hit.id for hit in project.search("rows of a file")]
        assert list(project.query("MATCH (a:Function) RETURN count(a) AS n")) == [{"n": 4}]
        assert generation(project) == before
        others = list(project.query(CONTAINED))
        assert len(others) == 2
        assert list(project.query(ASK)) == COPIES
        after = generation(project)
        assert after > before
        assert list(project.query(ASK)) == COPIES
        assert generation(project) == after
        assert list(project.query(CONTAINED)) == others
        assert [hit.id for hit in project.search("rows of a file")] == hits


def test_neighbours_and_exports_have_it(project: Project) -> None:
    with project:
        related = project.related("a.py::load", relationship_types=["similar_to"])
        assert [one.entity_id for one in related] == ["b.py::load"]
        assert sum('"rel": "SIMILAR_TO"' in line for line in project.export()) == 1


def test_it_is_made_again_after_a_change(project: Project, tmp_path: Path) -> None:
    with project:
        assert list(project.query(ASK)) == COPIES
        (project.root / "b.py").write_text("# moved\n\n" + LOAD, encoding="utf-8")
        project.index(jobs=1)
        assert list(project.query(ASK)) == COPIES
        (project.root / "b.py").write_text("def load():\n    return 1\n", encoding="utf-8")
        project.index(jobs=1)
        assert list(project.query(ASK)) == []
        in_steps = list(project.export())
    with loregraph.open(project.root, store=tmp_path / "fresh", project_id="shop") as fresh:
        fresh.index(jobs=1)
        assert list(fresh.export()) == in_steps


def test_memories_that_join_later_leave_it_there(project: Project) -> None:
    with project:
        assert list(project.query(ASK)) == COPIES
        project.memory.add("Rows are sorted.", kind="design", anchors=["a.py::load"])
        assert len(project.query("MATCH (m:Memory)-[:ABOUT]->(f) RETURN f.id")) == 1
        assert list(project.query(ASK)) == COPIES


def test_an_export_of_a_store_that_cannot_be_written_goes_without(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    from loregraph.errors import StoreError
    from loregraph.indexer.build import republish

    def refuse(*_: object) -> bool:
        raise StoreError("read only")

    monkeypatch.setattr(republish, "add_similar", refuse)
    with project:
        assert not any('"rel": "SIMILAR_TO"' in line for line in project.export())
        with pytest.raises(StoreError):
            project.query(ASK)
