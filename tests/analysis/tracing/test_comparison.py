"""What became of requirements and their links between two times."""

from __future__ import annotations

from loregraph.analysis.tracing.comparison import (
    CHANGED,
    CODE_CHANGED,
    GAINED,
    LOST,
    RELINKED,
    SUSPECT,
    TEXT_CHANGED,
    Comparison,
    compare,
)
from loregraph.graph.declarations import Declarations
from loregraph.graph.model import Edge, Requirement


def stated(identity: str, text: str = "It is done.", status: str = "") -> Requirement:
    return Requirement(identity, identity, identity, text, text, status, "", "r.md", 1)


def side(
    *requirements: Requirement, links: dict[str, str] | None = None, hashes: dict[str, str] | None = None
) -> Declarations:
    edges = tuple(Edge("IMPLEMENTS_REQ", code, name, how="marker") for code, name in (links or {}).items())
    tests = frozenset(edge.source for edge in edges if "test" in edge.source)
    known = {edge.source: "1" for edge in edges} | (hashes or {})
    return Declarations({one.id: one for one in requirements}, edges, known, tests)


def kinds(found: Comparison) -> dict[str, str]:
    return {one.id: one.kind for one in found.differences}


def test_requirements_that_were_gained_lost_and_changed() -> None:
    found = compare(
        side(stated("R-1"), stated("R-2"), stated("R-3"), stated("R-4")),
        side(
            stated("R-2", "It is undone."),
            stated("R-3", status="planned"),
            stated("R-4", "It is\n  done."),
            stated("R-5"),
        ),
    )
    assert kinds(found) == {"R-1": LOST, "R-5": GAINED, "R-2": CHANGED, "R-3": CHANGED}
    assert [one.changed for one in found.of(CHANGED)] == [("title", "text"), ("status",)]
    assert found.same == 1


# Verifies REQ-WEB-006.
# Verifies REQ-TRC-010.
def test_a_link_is_suspect_where_one_end_changed_alone() -> None:
    links = {"a.py::f": "R-1", "b.py::g": "R-2", "c.py::h": "R-3"}
    found = compare(
        side(stated("R-1"), stated("R-2"), stated("R-3"), links=links),
        side(
            stated("R-1", "Other."),
            stated("R-2"),
            stated("R-3", "Other."),
            links=links,
            hashes={"b.py::g": "2", "c.py::h": "2"},
        ),
    )
    assert kinds(found) == {"R-1": CHANGED, "R-2": SUSPECT, "R-3": CHANGED}
    assert {name: [(link.end.id, link.why) for link in links] for name, links in found.suspects.items()} == {
        "R-1": [("a.py::f", TEXT_CHANGED)],
        "R-2": [("b.py::g", CODE_CHANGED)],
    }


def test_a_status_alone_makes_no_link_suspect() -> None:
    links = {"a.py::f": "R-1"}
    found = compare(side(stated("R-1"), links=links), side(stated("R-1", status="done"), links=links))
    assert found.suspects == {}


def test_links_that_were_gained_and_lost() -> None:
    found = compare(
        side(stated("R-1"), links={"a.py::f": "R-1"}),
        side(stated("R-1"), links={"b.py::g": "R-1", "test_b.py::test_g": "R-1"}, hashes={"b.py::g": "2"}),
    )
    (one,) = found.differences
    assert one.kind == RELINKED
    assert [end.id for end in one.lost] == ["a.py::f"]
    assert [(end.kind, end.id) for end in one.gained] == [("code", "b.py::g"), ("test", "test_b.py::test_g")]


def test_code_that_moved_keeps_its_link_and_is_suspect_if_it_changed_too() -> None:
    before = side(
        stated("R-1"),
        stated("R-2"),
        links={"a.py::f": "R-1", "a.py::g": "R-2"},
        hashes={"a.py::f": "f", "a.py::g": "g"},
    )
    after = side(
        stated("R-1"),
        stated("R-2"),
        links={"b.py::f2": "R-1", "b.py::g": "R-2"},
        hashes={"b.py::f2": "f", "b.py::g": "G"},
    )
    found = compare(before, after)
    assert kinds(found) == {"R-2": SUSPECT}
    assert found.suspects["R-2"][0].end.id == "b.py::g"
    assert found.same == 1


def test_what_is_not_known_is_not_suspected() -> None:
    links = {"folder": "R-1"}
    known = side(stated("R-1"), links=links)
    unknown = Declarations({"R-1": stated("R-1", "Other.")}, known.links)
    assert compare(known, unknown).suspects == {}
