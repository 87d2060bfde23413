from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest

from loregraph.errors import QueryFailedError, QueryLimitError, StoreError
from loregraph.graph import store
from loregraph.graph.columns import GraphColumns
from loregraph.graph.model import LABELS, RELATIONSHIP_PROPERTIES, RELATIONSHIPS, Edge, Function, Graph
from loregraph.graph.store import GRAPH_FILE, IDENTITY_FILE, ReadConnection


def as_json(value: object) -> Any:
    return msgspec.json.decode(msgspec.json.encode(value))


def generation(folder: Path, graph: Graph) -> Path:
    path = folder / "generation-1"
    path.mkdir()
    store.write_generation(path, graph, strict=True)
    return path


@pytest.fixture
def folder(sample: Graph, tmp_path: Path) -> Path:
    """A generation that the test may change."""
    return generation(tmp_path, sample)


@pytest.fixture(scope="module")
def shared(sample: Graph, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A generation that tests only read."""
    return generation(tmp_path_factory.mktemp("shared"), sample)


def test_every_node_comes_back_with_every_property(sample: Graph, shared: Path) -> None:
    with store.open_read(shared) as connection:
        for label in LABELS:
            wanted = [as_json(n) for n in sample.nodes if type(n).__name__ == label]
            found = [row[0] for row in connection.execute(f"MATCH (n:{label}) RETURN n").rows]
            assert found == [{"label": label, **node} for node in wanted], "in order of id, without internal ids"


def test_every_edge_comes_back_with_its_properties(sample: Graph, shared: Path) -> None:
    with store.open_read(shared) as connection:
        for rel in RELATIONSHIPS:
            rows = connection.execute(f"MATCH (a)-[r:{rel}]->(b) RETURN a.id, b.id, r").rows
            wanted = [
                [e.source, e.target, {"rel": rel, **{p: as_json(getattr(e, p)) for p in properties}}]
                for e in sample.edges
                if e.rel == rel
                for properties in [RELATIONSHIP_PROPERTIES[rel]]
            ]
            assert sorted(rows, key=str) == sorted(wanted, key=str) and wanted


def test_every_allowed_pair_of_labels_has_its_table(shared: Path) -> None:
    with store.open_read(shared) as connection:
        for rel, pairs in RELATIONSHIPS.items():
            for source, target in pairs:
                connection.execute(f"MATCH (a:{source})-[r:{rel}]->(b:{target}) RETURN count(*)")


def test_rows_without_order_come_in_the_order_of_ids(tmp_path: Path) -> None:
    nodes = tuple(Function(f"p::f{i:05}", f"f{i}", f"p.f{i}", "function", "p", i, i, "") for i in range(20_000))
    edges = tuple(Edge("CALLS", f"p::f{i:05}", f"p::f{i * 7 % 20_000:05}", line=i) for i in range(20_000))
    store.write_generation(tmp_path, Graph(nodes, edges), strict=True)
    with store.open_read(tmp_path) as connection:
        assert [row[0] for row in connection.execute("MATCH (f:Function) RETURN f.id").rows] == [n.id for n in nodes]
        rows = connection.execute("MATCH (a:Function)-[c:CALLS]->(b:Function) RETURN a.id, c.line, b.id").rows
        assert sorted(map(tuple, rows)) == [(e.source, e.line, e.target) for e in edges]


def test_paths_and_nested_values_are_plain(shared: Path) -> None:
    with store.open_read(shared) as connection:
        [[path]] = connection.execute(
            "MATCH p = (:Function {id: $id})-[:CALLS*1..2]->(:External) RETURN p",
            {"id": "src/shop/views.py::Stall.open"},
        ).rows
        assert [node["id"] for node in path["nodes"]] == [
            "src/shop/views.py::Stall.open", "src/shop/app.py::Shop.open", "external:print",
        ]  # fmt: skip
        assert [rel["line"] for rel in path["rels"]] == [4, 4]
        assert "_" not in {key[0] for node in path["nodes"] for key in node}
        rows = connection.execute(
            "RETURN {a: [{b: null}]}, date('2024-01-02'), interval('2 days'), 1.5, "
            "cast('550e8400-e29b-41d4-a716-446655440000' AS UUID), blob('\\\\xAA'), map(['k'], [1]), sqrt(-1.0)"
        ).rows
    assert rows == [
        [
            {"a": [{"b": None}]}, "2024-01-02", 172800.0, 1.5,
            "550e8400-e29b-41d4-a716-446655440000", "aa", {"k": 1}, None,
        ]
    ]  # fmt: skip


def test_rows_are_cut_at_the_limit_and_said_so(shared: Path) -> None:
    with store.open_read(shared) as connection:
        cut = connection.execute("UNWIND range(1, 10) AS x RETURN x", max_rows=3)
        assert (cut.rows, cut.truncated) == ([[1], [2], [3]], True)
        whole = connection.execute("UNWIND range(1, 3) AS x RETURN x", max_rows=3)
        assert (len(whole.rows), whole.truncated) == (3, False)


@pytest.mark.parametrize(
    ("query", "params"),
    [
        ("RETURN nope", {}),
        ("MATCH (n:Nope) RETURN n", {}),
        ("MATCH (n:Function) RETURN n.nope", {}),
        ("MATCH (", {}),
        ("RETURN $x", {"x": object()}),
    ],
)
def test_what_the_engine_does_not_accept_is_a_wrong_query(shared: Path, query: str, params: dict[str, object]) -> None:
    with store.open_read(shared) as connection, pytest.raises(QueryFailedError):
        connection.execute(query, params)


def test_a_query_that_takes_too_long_is_interrupted(shared: Path) -> None:
    with store.open_read(shared, timeout_ms=100) as connection:
        with pytest.raises(QueryLimitError, match="longer"):
            connection.execute("UNWIND range(1,10000) AS x UNWIND range(1,10000) AS y RETURN sum(x * y)")
        assert connection.execute("RETURN 1").rows == [[1]]


def test_the_file_cannot_be_changed_by_a_read_connection(shared: Path) -> None:
    before = (shared / GRAPH_FILE).read_bytes()
    with store.open_read(shared) as connection, pytest.raises(QueryFailedError, match="read-only"):
        connection.execute("CREATE (:External {_number: 99, id: 'x'})")
    assert (shared / GRAPH_FILE).read_bytes() == before


def test_reading_leaves_a_second_name_of_the_file_alone(shared: Path, tmp_path: Path) -> None:
    """Copies of a store that are hard links share what was never written to."""
    other = tmp_path / GRAPH_FILE
    other.hardlink_to(shared / GRAPH_FILE)
    with store.open_read(shared) as connection:
        assert connection.execute("RETURN 1").rows == [[1]]
    assert other.samefile(shared / GRAPH_FILE)


def test_an_empty_graph_can_be_asked(tmp_path: Path) -> None:
    store.write_generation(tmp_path, Graph((), ()))
    with store.open_read(tmp_path) as connection:
        assert connection.execute("MATCH (n)-[r]->(m) RETURN count(*)").rows == [[0]]


def test_the_engine_file_can_be_left_to_the_first_query(sample: Graph, tmp_path: Path) -> None:
    written = store.write_generation(tmp_path, sample, engine=False)
    assert not written.engine.engine and not (tmp_path / GRAPH_FILE).exists()
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    assert store.ensure_graph(tmp_path, scratch) == tmp_path
    before = (tmp_path / GRAPH_FILE).stat().st_ino
    assert store.ensure_graph(tmp_path, scratch) == tmp_path
    assert (tmp_path / GRAPH_FILE).stat().st_ino == before
    assert not list(scratch.iterdir())
    with store.open_read(tmp_path) as connection:
        assert connection.execute("MATCH (n) RETURN count(*)").rows == [[len(sample.nodes)]]


# Verifies REQ-STO-010.
def test_the_engine_file_of_another_engine_is_built_again(folder: Path) -> None:
    other = store.EngineIdentity("another", 7)
    (folder / IDENTITY_FILE).write_bytes(msgspec.json.encode({"identity": other, "file": [1, 1, 1]}))
    with pytest.raises(StoreError, match="another"):
        store.open_read(folder)
    store.ensure_graph(folder, folder)
    store.open_read(folder).close()
    (folder / GRAPH_FILE).write_bytes(b"cut short")
    store.ensure_graph(folder, folder)
    store.open_read(folder).close()


@pytest.mark.parametrize("damage", ["missing", "text", "cut", "half", "empty", "no identity", "bad identity"])
def test_a_damaged_file_is_refused_with_what_to_do(folder: Path, damage: str) -> None:
    file = folder / GRAPH_FILE
    if damage == "missing":
        file.unlink()
    elif damage == "text":
        file.write_text("not a graph" * 1000)
    elif damage == "cut":
        file.write_bytes(file.read_bytes()[:100])
    elif damage == "half":
        file.write_bytes(file.read_bytes()[: file.stat().st_size // 2])
    elif damage == "empty":
        file.write_bytes(b"")
    elif damage == "no identity":
        (folder / IDENTITY_FILE).unlink()
    else:
        (folder / IDENTITY_FILE).write_bytes(b"{")
    with pytest.raises(StoreError) as caught:
        store.open_read(folder)
    assert "loregraph index" in caught.value.suggestion


def test_a_folder_without_room_is_an_error_with_advice(sample: Graph, tmp_path: Path, columns: GraphColumns) -> None:
    with pytest.raises(StoreError) as caught:
        store.write_graph(tmp_path / "missing", columns)
    assert "--store" in caught.value.suggestion


def test_an_unknown_engine_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LOREGRAPH_ENGINE", "neo4j")
    with pytest.raises(StoreError, match="neo4j"):
        store.engine_identity()


def test_a_closed_connection_says_so(shared: Path) -> None:
    connection: ReadConnection = store.open_read(shared)
    connection.close()
    connection.close()
    with pytest.raises(StoreError, match="closed"):
        connection.execute("RETURN 1")


def test_nothing_is_left_beside_the_engine_file(shared: Path) -> None:
    assert sorted(p.name for p in shared.iterdir()) == ["columns.bin", "engine.json", "graph.kuzu", "lease"]


def test_importing_the_store_imports_no_engine() -> None:
    code = (
        "import sys; import loregraph.graph.store, loregraph.graph.cypher_worker, loregraph.graph.queries, "
        "loregraph.graph.export, loregraph.graph.state\n"
        "print([m for m in ('kuzu', 'ladybug', 'networkx', 'filelock') if m in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=Path(__file__).parents[2], capture_output=True, text=True, check=True
    )
    assert done.stdout == "[]\n"
