"""`export`."""

from __future__ import annotations

import json
from pathlib import Path

from loregraph.graph.model import LABELS, RELATIONSHIPS

from .conftest import Run


# Verifies REQ-CLI-010.
def test_jsonl_has_every_node_and_then_every_edge(run: Run, indexed: Path) -> None:
    rows = [json.loads(line) for line in run("--root", indexed, "export").out.splitlines()]
    kinds = [row["type"] for row in rows]
    assert kinds == ["node"] * kinds.count("node") + ["edge"] * kinds.count("edge")
    nodes = {row["id"]: row for row in rows if row["type"] == "node"}
    edges = [row for row in rows if row["type"] == "edge"]
    assert len(nodes) == kinds.count("node")
    assert all({"label", "id", "name", "qualified_name"} <= set(row) for row in nodes.values())
    assert all({"rel", "from", "to", "line", "confidence", "how"} <= set(row) for row in edges)
    assert all(edge["from"] in nodes and edge["to"] in nodes for edge in edges)
    checkout = nodes["shop/cart.py::checkout"]
    assert (checkout["label"], checkout["file_path"], checkout["start_line"]) == ("Function", "shop/cart.py", 17)
    assert ("CALLS", "shop/jobs.py::run", "shop/cart.py::checkout") in {(e["rel"], e["from"], e["to"]) for e in edges}


def test_the_same_graph_is_written_the_same(run: Run, indexed: Path) -> None:
    assert run("--root", indexed, "export").out == run("--root", indexed, "export").out


# Verifies REQ-CLI-010.
def test_graphml_can_be_read_back(run: Run, indexed: Path, tmp_path: Path) -> None:
    import networkx

    file = tmp_path / "graph.graphml"
    result = run("--root", indexed, "export", "--format", "graphml", "--output", file)
    assert (result.code, result.out) == (0, "")
    graph = networkx.read_graphml(file)
    rows = [json.loads(line) for line in run("--root", indexed, "export").out.splitlines()]
    assert set(graph.nodes) == {row["id"] for row in rows if row["type"] == "node"}
    assert graph.number_of_edges() == sum(row["type"] == "edge" for row in rows)
    assert graph.nodes["shop/cart.py::Cart"]["label"] == "Class"


# Verifies REQ-WEB-013.
def test_tables_are_written_to_a_folder(run: Run, indexed: Path, tmp_path: Path) -> None:
    result = run("--root", indexed, "export", "--format", "parquet", "--output", tmp_path / "tables")
    assert (result.code, result.out) == (0, "")
    assert f"{len(LABELS) + len(RELATIONSHIPS)} files written to" in result.err
    files = {path.name for path in (tmp_path / "tables").iterdir()}
    assert {"nodes_Function.parquet", "edges_CALLS.parquet", "loregraph-export.json"} <= files
    again = run("--root", indexed, "export", "--format", "parquet", "--output", tmp_path / "tables")
    assert again.code == 0, "an export replaces the one before"


# Verifies REQ-SEC-005.
def test_tables_go_into_no_folder_of_others(run: Run, indexed: Path) -> None:
    for folder in (".git/tables", ".loregraph", "shop"):
        before = sorted(indexed.rglob("*"))
        result = run("--root", indexed, "export", "--format", "parquet", "--output", indexed / folder)
        assert (result.code, "error: " in result.err) == (2, True), folder
        assert sorted(indexed.rglob("*")) == before


# Verifies REQ-WEB-013.
def test_a_picture_of_a_symbol_or_of_the_components_is_written(run: Run, indexed: Path, tmp_path: Path) -> None:
    drawn = run("--root", indexed, "export", "--format", "mermaid", "--symbol", "checkout").out
    assert drawn.startswith("flowchart LR\n  %% shop/cart.py::checkout, 1 step around it\n")
    assert '["run"]' in drawn
    assert run("--root", indexed, "export", "--format", "mermaid").out.startswith("flowchart LR\n")
    file = tmp_path / "graph.dot"
    assert run("--root", indexed, "export", "--format", "dot", "--output", file).code == 0
    assert file.read_text().startswith("digraph loregraph {\n")
    assert run("--root", indexed, "export", "--format", "dot").out == file.read_text()


def test_options_that_do_not_go_together_are_refused(run: Run, indexed: Path) -> None:
    assert run("--root", indexed, "export", "--symbol", "checkout").code == 2
    assert run("--root", indexed, "export", "--format", "parquet").code == 2
    assert run("--root", indexed, "export", "--format", "dot", "--symbol", "nothing_like_it").code == 2


# Verifies REQ-WEB-010.
def test_pages_are_written_by_either_command(run: Run, indexed: Path, tmp_path: Path) -> None:
    result = run("--root", indexed, "view", "--export", tmp_path / "one")
    assert (result.code, result.out) == (0, "")
    assert "written to" in result.err
    assert run("--root", indexed, "export", "--format", "html", "--output", tmp_path / "two").code == 0
    one, two = (
        {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
        for folder in (tmp_path / "one", tmp_path / "two")
    )
    assert one == two
    assert {"index.html", "map.html", "assets/app.js", "assets/style.css"} <= one.keys()


def test_memories_are_left_out_of_an_export_alone(run: Run, indexed: Path) -> None:
    assert run("--root", indexed, "view", "--no-memories").code == 2


# Verifies REQ-CLI-015.
def test_an_index_for_code_browsers_is_written(run: Run, indexed: Path, tmp_path: Path) -> None:
    result = run("--root", indexed, "export", "--format", "scip", "--output", tmp_path / "index.scip")
    assert (result.code, result.out) == (0, "")
    assert "documents, " in result.err and f"written to {tmp_path / 'index.scip'}" in result.err
    assert (tmp_path / "index.scip").read_bytes().startswith(b"\x0a")
