"""Claims of others, joined with the edges of a file."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from loregraph.graph import imported
from loregraph.graph.imported import Claim, FileClaims, Source, joined
from loregraph.graph.model import Edge
from loregraph.graph.state import State

OURS = Edge("CALLS", "a.py::f", "b.py::g", line=5, confidence=0.5, how="candidate")
OTHER = Edge("CALLS", "a.py::f", "b.py::h", line=6, confidence=0.9, how="import")


def no_definitions() -> Mapping[str, tuple[str, int]]:
    raise AssertionError("asked for without need")


def of_file(*claims: Claim, content: str = "now") -> FileClaims:
    return FileClaims(content, claims)


# Verifies REQ-EXC-003.
def test_an_edge_that_both_know_keeps_both_reasons() -> None:
    found = joined((OURS, OTHER), [("scip", of_file(Claim("a.py::f", "b.py::g", 5)))], "now", no_definitions)
    assert found == (Edge("CALLS", "a.py::f", "b.py::g", line=5, how="candidate+scip"), OTHER)
    again = joined(found, [("scip", of_file(Claim("a.py::f", "b.py::g", 5)))], "now", no_definitions)
    assert again == found
    third = joined(found, [("observed", of_file(Claim("a.py::f", "b.py::g", 5)))], "now", no_definitions)
    assert imported.reasons(third[0].how) == ["candidate", "scip", "observed"]


# Verifies REQ-EXC-003.
def test_further_lines_are_added_to_an_edge() -> None:
    claims = of_file(Claim("a.py::f", "b.py::g", 3), Claim("a.py::f", "b.py::g", 9))
    (edge,) = joined((OURS,), [("scip", claims)], "now", no_definitions)
    assert (edge.lines, edge.count) == ((3, 5, 9), 3)


# Verifies REQ-EXC-003.
def test_a_new_edge_stands_in_order() -> None:
    claims = of_file(Claim("a.py::e", "b.py::h", 2), Claim("a.py::f", "b.py::gg", 7))
    found = joined((OURS, OTHER), [("scip", claims)], "now", no_definitions)
    assert [(edge.source, edge.target, edge.how) for edge in found] == [
        ("a.py::e", "b.py::h", "scip"),
        ("a.py::f", "b.py::g", "candidate"),
        ("a.py::f", "b.py::gg", "scip"),
        ("a.py::f", "b.py::h", "import"),
    ]


# Verifies REQ-EXC-003.
def test_claims_about_another_content_do_not_hold() -> None:
    claims = of_file(Claim("a.py::f", "b.py::g", 5), content="before")
    assert joined((OURS,), [("scip", claims)], "now", no_definitions) == (OURS,)


# Verifies REQ-EXC-003.
@pytest.mark.parametrize(("known", "lines"), [(("same", 20), (5, 22)), (("changed", 20), (5,)), (("", 0), (5,))])
def test_claims_about_a_definition_move_with_it(known: tuple[str, int], lines: tuple[int, ...]) -> None:
    """An observed call stays where its function was not touched, whatever else in the file was."""
    claims = of_file(Claim("a.py::f", "b.py::g", 2, content_hash="same"), content="before")
    (edge,) = joined((OURS,), [("observed", claims)], "now", lambda: {"a.py::f": known})
    assert edge.lines == lines


# Verifies REQ-EXC-003.
def test_other_relationships_have_no_further_lines() -> None:
    claims = of_file(Claim("a.py::test_f", "b.py::g", 0, rel="TESTS"))
    ours = Edge("TESTS", "a.py::test_f", "b.py::g", how="calls")
    assert joined((ours,), [("coverage", claims)], "now", no_definitions) == (
        Edge("TESTS", "a.py::test_f", "b.py::g", how="calls+coverage"),
    )


# Verifies REQ-EXC-003.
def test_sources_are_kept_apart_and_survive_a_full_index(tmp_path: Path) -> None:
    scip, runs = Source("scip", "index.scip", "1"), Source("observed", "runs", "2")
    own = {"a.py": of_file(Claim("a.py::f", "b.py::g", 5)), "empty.py": of_file()}
    with State.open(tmp_path / "state.sqlite") as state:
        imported.put(state, scip, own)
        imported.put(state, runs, {"a.py": of_file(Claim("a.py::f", "b.py::h", 6))})
        before = state.meta("imported")
        state.clear()
        assert state.meta("imported") == before
        assert [source.key for source in imported.sources(state)] == ["observed:runs", "scip:index.scip"]
        assert [key for key, _ in imported.claims_about(state)["a.py"]] == ["observed:runs", "scip:index.scip"]
        assert imported.claims_about(state, ["b.py", "empty.py"]) == {}
        imported.put(state, scip, {"b.py": of_file(Claim("b.py::g", "a.py::f", 1))})
        assert state.meta("imported") != before
        assert [key for key, _ in imported.claims_about(state)["a.py"]] == ["observed:runs"]
        assert imported.forget(state, "observed:runs") and not imported.forget(state, "observed:runs")
        assert imported.forget(state, "scip:index.scip")
        assert state.meta("imported") is None and imported.claims_about(state) == {}
