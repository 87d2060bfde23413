from __future__ import annotations

import tempfile
from pathlib import Path

import msgspec
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from loregraph.errors import StoreError
from loregraph.graph.columns import GraphColumns, write_columns
from loregraph.graph.columns_writer import COLUMNS_FILE, Dropped
from loregraph.graph.model import RELATIONSHIPS, SCHEMA_VERSION, Edge, External, Function, Graph


def edge_key(edge: Edge) -> tuple[str, int, str]:
    return edge.source, list(RELATIONSHIPS).index(edge.rel), edge.target


def test_everything_comes_back_as_it_was_written(sample: Graph, columns: GraphColumns) -> None:
    assert tuple(columns.all_nodes()) == sample.nodes
    assert list(columns.all_edges()) == sorted(sample.edges, key=edge_key)
    assert columns.is_intact()


@settings(max_examples=40, deadline=None)
@given(st.data())
def test_any_graph_comes_back(data: st.DataObject) -> None:
    names = data.draw(st.lists(st.text(st.characters(exclude_categories=["Cs"]), min_size=1), unique=True, max_size=12))
    nodes = tuple(External(name, name[:3], name[1:], name[-1:]) for name in sorted(names))
    functions = tuple(
        Function(f"{n}::f", n, n, "function", n, 1, 2, "python", decorators=tuple(n), docstring=n) for n in names
    )
    everything = tuple(sorted({node.id: node for node in nodes + functions}.values(), key=lambda node: node.id))
    ends = [node.id for node in everything if isinstance(node, Function)]
    pairs = data.draw(st.sets(st.tuples(st.sampled_from(ends), st.sampled_from(ends)))) if ends else set()
    edges = tuple(
        Edge(
            "CALLS",
            a,
            b,
            line=len(a),
            count=len(b) + 1,
            confidence=1 / (1 + len(a)),
            how=a,
            more_lines=tuple(range(len(a) + 1, len(a) + len(b) % 3)),
        )
        for a, b in sorted(pairs)
    )
    with tempfile.TemporaryDirectory() as folder:
        write_columns(Path(folder), Graph(everything, edges), strict=True)
        columns = GraphColumns.open(Path(folder))
        assert tuple(columns.all_nodes()) == everything
        assert sorted(columns.all_edges(), key=edge_key) == sorted(edges, key=edge_key)
        calls = columns.edges("CALLS")
        column, numbers = columns.edge_column("lines", calls)
        assert [column[row] for row in numbers.tolist()] == [columns.edge(call).lines for call in calls.tolist()]
        for number, node in enumerate(everything):
            assert columns.find_id(node.id) == number
            assert number in columns.find_name(node.name)
            assert number in columns.find_qualified_name(node.qualified_name)
            into = {columns.id(int(columns.source[e])) for e in columns.into(number, "CALLS")}
            assert into == {a for a, b in pairs if b == node.id}
            out = {columns.id(int(columns.target[e])) for e in columns.out(number, "CALLS")}
            assert out == {b for a, b in pairs if a == node.id}
        assert columns.find_id("not there") is None


def test_an_empty_graph_can_be_read(tmp_path: Path) -> None:
    assert write_columns(tmp_path, Graph((), ())).nodes == 0
    columns = GraphColumns.open(tmp_path)
    assert columns.node_count == columns.edge_count == 0
    assert columns.find_symbol("x") == []
    assert set(columns.rel_counts().values()) == {0}
    assert columns.nodes("Function").tolist() == []


def test_adjacency_is_split_by_relationship_in_both_directions(columns: GraphColumns) -> None:
    main = columns.find_id("src/shop/app.py::main")
    assert main is not None
    assert [columns.rel(e) for e in columns.out(main)] == ["CALLS", "CALLS", "REFERENCES"]
    assert [columns.id(int(columns.target[e])) for e in columns.out(main, "CALLS")] == [
        "src/shop/app.py::Shop",
        "src/shop/app.py::Shop.open",
    ]
    opens = columns.find_id("src/shop/app.py::Shop.open")
    assert opens is not None
    assert [columns.rel(e) for e in columns.into(opens)] == sorted(
        (columns.rel(e) for e in columns.into(opens)), key=list(RELATIONSHIPS).index
    )
    assert len(columns.into(opens, "CALLS")) == 3
    assert columns.out(opens, "EXTENDS").tolist() == []
    assert columns.confidence[columns.out(main, "CALLS")].tolist() == [1.0, 0.9]


def test_nodes_are_filtered_by_label_kind_language_and_folder(columns: GraphColumns) -> None:
    def ids(**by: str) -> list[str]:
        return [columns.id(n) for n in columns.nodes(**by)]

    assert ids(label="Class") == ["src/shop/app.py::Shop", "src/shop/views.py::Stall"]
    assert ids(kind="function", path="src") == ["src/shop/app.py::main", "src/shop/views.py::render"]
    assert ids(label="File", path="src/shop/app.py") == ["src/shop/app.py"]
    assert ids(path="src/sho") == []
    assert ids(label="File", path=".") == ["src/shop/app.py", "src/shop/views.py", "tests/test_app.py"]
    assert ids(language="cobol") == ids(kind="nothing") == ids(label="Nothing") == []


def test_fields_of_one_node(columns: GraphColumns) -> None:
    opens, app, join = (
        columns.find_id(i) for i in ("src/shop/app.py::Shop.open", "src/shop/app.py", "external:os.path.join")
    )
    assert opens is not None and app is not None and join is not None
    assert columns.docstring(opens) == "Öffnet – “auf”."
    assert columns.signature(opens) == "def open(self):"
    assert columns.own(opens, "is_test") is False
    assert columns.own(app, "docstring") is None
    assert columns.own(app, "status") == "indexed"
    assert (columns.kind(opens), columns.kind(app), columns.kind(join)) == ("method", "file", "external")
    assert (columns.start_line[app], columns.end_line[app], columns.end_line[join]) == (1, 30, 0)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("src/shop/app.py::Shop.open", ["src/shop/app.py::Shop.open"]),
        ("shop.app.Shop.open", ["src/shop/app.py::Shop.open"]),
        ("Shop.open", ["src/shop/app.py::Shop.open"]),
        ("app.py::Shop.open", ["src/shop/app.py::Shop.open"]),
        ("open", ["src/shop/app.py::Shop.open", "src/shop/views.py::Stall.open"]),
        ("pen", []),
        ("op.open", []),
        ("shop.app.Shop.close", ["src/shop/app.py::Shop.close", "src/shop/app.py::Shop.close#2"]),
        ("Shop.close#2", ["src/shop/app.py::Shop.close#2"]),
        ("shop/app.py", ["src/shop/app.py"]),
        ("app.py", ["src/shop/app.py"]),
        ("os.path.join", ["external:os.path.join"]),
        ("path.join", ["external:os.path.join"]),
        ("", []),
        ("::", []),
    ],
)
def test_a_symbol_is_found_by_id_qualified_name_name_and_ending(
    columns: GraphColumns, text: str, found: list[str]
) -> None:
    assert [columns.id(n) for n in columns.find_symbol(text)] == found


# Verifies REQ-GRA-008.
def test_edges_that_break_the_contract_are_dropped_and_counted(sample: Graph, tmp_path: Path) -> None:
    bad = (
        *sample.edges,
        sample.edges[0],
        Edge("CALLS", "src/shop/app.py::main", "nowhere"),
        Edge("CALLS", "external:print", "src/shop/app.py::main"),
        Edge("NO_SUCH", "src/shop/app.py::main", "src/shop/app.py::main"),
    )
    written = write_columns(tmp_path, Graph(sample.nodes, bad))
    assert written.dropped == Dropped(duplicate=1, dangling=1, misplaced=2)
    assert written.edges == len(sample.edges)
    assert list(GraphColumns.open(tmp_path).all_edges()) == sorted(sample.edges, key=edge_key)
    with pytest.raises(StoreError, match="break the contract"):
        write_columns(tmp_path, Graph(sample.nodes, bad), strict=True)


def test_nodes_out_of_order_or_twice_are_refused(sample: Graph, tmp_path: Path) -> None:
    for nodes in (sample.nodes[::-1], (sample.nodes[0], *sample.nodes)):
        with pytest.raises(StoreError, match="sorted by id"):
            write_columns(tmp_path, Graph(nodes, ()))


# Verifies REQ-IDX-015.
def test_equal_graphs_give_equal_bytes_whatever_the_order_of_the_edges(sample: Graph, tmp_path: Path) -> None:
    contents = []
    for edges in (sample.edges, sample.edges[::-1]):
        write_columns(tmp_path, Graph(sample.nodes, edges))
        contents.append((tmp_path / COLUMNS_FILE).read_bytes())
    assert contents[0] == contents[1]


def test_more_than_256_reasons_and_big_numbers_survive(tmp_path: Path) -> None:
    nodes = tuple(sorted((External(f"e{i}", "e", "e", "") for i in range(3)), key=lambda n: n.id))
    functions = tuple(
        sorted(
            (Function(f"f{i:03}", "f", "f", "function", "p", 1, 2, "python") for i in range(300)), key=lambda n: n.id
        )
    )
    edges = tuple(Edge("CALLS", f.id, "e1", line=2**31 - 1, how=f"reason {i}") for i, f in enumerate(functions))
    write_columns(tmp_path, Graph(nodes + functions, edges), strict=True)
    assert tuple(GraphColumns.open(tmp_path).all_edges()) == edges


@pytest.mark.parametrize("damage", ["missing", "empty", "foreign", "cut", "header", "schema"])
def test_a_damaged_file_is_refused_with_what_to_do(sample: Graph, tmp_path: Path, damage: str) -> None:
    write_columns(tmp_path, sample)
    file = tmp_path / COLUMNS_FILE
    content = file.read_bytes()
    if damage == "missing":
        file.unlink()
    elif damage == "schema":
        file.write_bytes(content.replace(b"schema%c" % SCHEMA_VERSION, b"schema%c" % (SCHEMA_VERSION + 1)))
    else:
        broken = {"empty": b"", "foreign": b"SQLite format 3\0" * 100, "cut": content[:-64], "header": content[:80]}
        file.write_bytes(broken[damage])
    with pytest.raises(StoreError) as caught:
        GraphColumns.open(tmp_path)
    assert "loregraph index" in caught.value.suggestion


def test_a_flipped_bit_is_found_when_looked_for(sample: Graph, tmp_path: Path) -> None:
    write_columns(tmp_path, sample)
    content = bytearray((tmp_path / COLUMNS_FILE).read_bytes())
    content[-100] ^= 1
    (tmp_path / COLUMNS_FILE).write_bytes(content)
    assert not GraphColumns.open(tmp_path).is_intact()


def test_arrays_cannot_be_written(columns: GraphColumns) -> None:
    for array in (columns.source, columns.target, columns.confidence):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1


def test_a_column_holds_one_row_a_node_or_one_a_node_of_the_label(columns: GraphColumns) -> None:
    column, own = columns.column("Function", "complexity")
    assert own and np.asarray(column).tolist() == [
        node.complexity for node in columns.all_nodes() if isinstance(node, Function)
    ]
    column, own = columns.column("Function", "file_path")
    assert not own and len(column) == columns.node_count
    assert msgspec.structs.asdict(columns.node(0))["id"] == columns.id(0)
