"""The graph as Parquet files, read back by the engine's reader of files, which knows nothing of who wrote them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from loregraph.graph import parquet, store
from loregraph.graph.model import GUESSED, LABELS, RELATIONSHIPS, Graph


@pytest.fixture(scope="module")
def written(sample: Graph, tmp_path_factory: pytest.TempPathFactory) -> Path:
    # A folder whose name means something to the engine's language.
    folder = tmp_path_factory.mktemp("tables") / "it's\\here"
    folder.mkdir()
    return write(sample, tmp_path_factory.mktemp("generation"), folder)


def write(graph: Graph, generation: Path, folder: Path) -> Path:
    @contextmanager
    def file(name: str) -> Iterator[Path]:
        yield folder / name

    store.write_generation(generation, graph)
    names = parquet.write(generation, file)
    assert sorted(names) == sorted(path.name for path in folder.iterdir())
    (folder.parent / "generation").symlink_to(generation)
    return folder


def rows(written: Path, name: str) -> list[dict[str, object]]:
    with store.open_read(written.parent / "generation") as connection:
        literal = str(written / name).replace("\\", "\\\\").replace("'", "\\'")
        found = connection.execute(f"LOAD FROM '{literal}' RETURN *")
    return [dict(zip(found.columns, row, strict=True)) for row in found.rows]


# Verifies REQ-WEB-013.
def test_there_is_a_table_for_every_label_and_relationship(written: Path) -> None:
    names = {path.name for path in written.iterdir()}
    assert names == {f"nodes_{label}.parquet" for label in LABELS} | {f"edges_{rel}.parquet" for rel in RELATIONSHIPS}
    assert all(path.read_bytes()[:4] == path.read_bytes()[-4:] == b"PAR1" for path in written.iterdir())


# Verifies REQ-WEB-013.
def test_rows_are_those_of_the_graph_in_their_order(written: Path, sample: Graph) -> None:
    for label in LABELS:
        expected = [node.id for node in sample.nodes if type(node).__name__ == label]
        assert [row["id"] for row in rows(written, f"nodes_{label}.parquet")] == expected, label
    for rel in RELATIONSHIPS:
        ends = [(edge.source, edge.target) for edge in sample.edges if edge.rel == rel and rel not in GUESSED]
        assert [(row["from"], row["to"]) for row in rows(written, f"edges_{rel}.parquet")] == ends, rel
    assert "commits" not in rows(written, "nodes_Function.parquet")[0]
    opens = next(row for row in rows(written, "nodes_Function.parquet") if row["name"] == "open")
    assert opens["docstring"] == "Öffnet – “auf”."
    call = next(row for row in rows(written, "edges_CALLS.parquet") if row["count"] == 2)
    assert call["lines"] == [24, 26]
    assert (call["confidence"], call["how"]) == (0.9, "instance")


def test_the_same_graph_gives_the_same_bytes(written: Path, sample: Graph, tmp_path: Path) -> None:
    (tmp_path / "generation-2").mkdir()
    (tmp_path / "again").mkdir()
    again = write(sample, tmp_path / "generation-2", tmp_path / "again")
    assert {path.name: path.read_bytes() for path in again.iterdir()} == {
        path.name: path.read_bytes() for path in written.iterdir()
    }
