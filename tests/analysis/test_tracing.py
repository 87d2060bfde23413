"""From requirements to code, tests and designs."""

from __future__ import annotations

from pathlib import Path

import pytest

from loregraph.analysis.context import context
from loregraph.analysis.places import locate
from loregraph.analysis.tracing import coverage, trace
from loregraph.errors import NotFoundError, NothingToTraceError
from loregraph.graph.columns import GraphColumns, write_columns
from loregraph.graph.model import File, Graph


def test_one_requirement(columns: GraphColumns) -> None:
    (found,) = trace(columns, "REQ-1")
    assert found.requirement["title"] == "Orders can be read"
    assert found.requirement["source"] == "r.md:3"
    (code,) = found.implementations
    assert (code.id, code.link, code.confidence, code.evidence) == (
        "shop/api.py::get_order",
        "marker",
        1.0,
        "shop/api.py:1",
    )
    assert [test.id for test in found.tests] == ["tests/test_api.py::test_get"]
    assert [design.title for design in found.design_documents] == ["Orders are rows"]
    assert (found.coverage.implementation, found.coverage.testing) == (1.0, 1.0)


def test_all_of_them(columns: GraphColumns) -> None:
    found = trace(columns)
    assert [one.requirement["requirement_id"] for one in found] == ["REQ-1", "REQ-2"]
    assert found[1].coverage.implementation == 0.0
    total = coverage(found)
    assert (total.implementation, total.testing, total.total) == (0.5, 0.5, 2)


def test_one_that_is_not_there_is_answered_with_the_nearest(columns: GraphColumns) -> None:
    with pytest.raises(NotFoundError) as raised:
        trace(columns, "REQ-3")
    assert "REQ-" in raised.value.suggestion


def test_a_graph_without_requirements(tmp_path: Path) -> None:
    write_columns(tmp_path, Graph((File("a.py", "a.py", "a", "a.py", "python", "", 1, "indexed"),), ()))
    with pytest.raises(NothingToTraceError):
        trace(GraphColumns.open(tmp_path))


def test_the_context_of_a_function(columns: GraphColumns) -> None:
    found = context(columns, locate(columns, "get_order"))
    assert found.component["id"] == "shop/api.py::get_order"
    assert [one["requirement_id"] for one in found.requirements] == ["REQ-1"]
    assert [one.title for one in found.design_documents] == ["Orders are rows"]
    assert [one.id for one in found.dependencies] == ["shop/api.py::find_order"]
    assert {one.id for one in found.dependents} == {"tests/test_api.py::test_get", "shop/sub/deep.py"}


def test_a_folder_has_the_context_of_what_is_in_it(columns: GraphColumns) -> None:
    found = context(columns, locate(columns, "shop"))
    assert [one["requirement_id"] for one in found.requirements] == ["REQ-1"]
    assert "shop/api.py::find_order" not in [one.id for one in found.dependencies]  # it is inside
