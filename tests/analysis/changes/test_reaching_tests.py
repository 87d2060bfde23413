"""Which tests reach code, and how near they are."""

from __future__ import annotations

from pathlib import Path

from loregraph.analysis.changes import reaching_tests
from loregraph.graph.columns import GraphColumns, write_columns
from loregraph.graph.model import Edge, Function, Graph

EDGES = [
    Edge("CALLS", "a.py::outer", "a.py::inner", 2, how="name"),
    Edge("TESTS", "t.py::test_inner", "a.py::inner", how="call+coverage"),
    Edge("TESTS", "t.py::test_outer", "a.py::outer", how="call"),
    Edge("TESTS", "t.py::test_page", "a.py::inner", how="coverage"),
    Edge("TESTS", "t.py::test_all", "a.py::outer", how="coverage+observed"),
]


def reached(folder: Path, *, executed: bool | None) -> dict[str, int]:
    def function(path: str, name: str, **more: bool | None) -> Function:
        return Function(f"{path}::{name}", name, name, "function", path, 1, 3, "python", **more)

    tests = [function("t.py", name, is_test=True) for name in ("test_all", "test_inner", "test_outer", "test_page")]
    nodes = [function("a.py", "inner", executed=executed), function("a.py", "outer"), *tests]
    write_columns(folder, Graph(tuple(nodes), tuple(sorted(EDGES, key=lambda e: (e.source, e.rel, e.target)))))
    columns = GraphColumns.open(folder)
    node = columns.find_id("a.py::inner")
    assert node is not None
    return {columns.name(test): distance for test, distance in reaching_tests.TestReach(columns).of(node).items()}


# Verifies REQ-RUN-016.
def test_what_only_a_run_shows_is_no_direct_call(tmp_path: Path) -> None:
    found = reached(tmp_path, executed=True)
    assert found == {"test_inner": 0, "test_outer": 1, "test_page": reaching_tests.CALLS_TO_A_TEST}
    assert list(found) == ["test_inner", "test_outer", "test_page"]


# Verifies REQ-RUN-016.
def test_tests_that_ran_the_callers_of_code_that_is_not_measured_count(tmp_path: Path) -> None:
    assert reached(tmp_path, executed=None).keys() == {"test_inner", "test_outer", "test_page", "test_all"}
