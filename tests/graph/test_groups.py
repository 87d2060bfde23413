"""Overloads and other definitions of one name are asked about together."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from loregraph.graph.groups import group_of, is_stub, lead, unnumbered
from loregraph.graph.model import LABELS

NODES: Mapping[str, str] = {
    "a#2.py": "File",
    "a.py": "File",
    "a.py::f": "Function",
    "a.py::f#10": "Function",
    "a.py::f#2": "Function",
    "a.py::f#2.inner": "Function",
    "a.py::f2": "Function",
    "a.py::O": "Class",
    "a.py::O#2": "Class",
    "a.py::O#2.g": "Function",
    "a.py::O#2.g#2": "Function",
    "a.py::O.g": "Function",
    "a.py::O.#g": "Function",
    "a.py::P": "Class",
    "a.py::P#2": "Function",
    "b.py::ns.f": "Function",
    "b.py::ns.f#3": "Function",
}


class Graph:
    """Ids and labels; what ends in `f` has a decorator."""

    ids = sorted(NODES)

    def id(self, node: int) -> str:
        return self.ids[node]

    def label(self, node: int) -> str:
        return NODES[self.ids[node]]

    def own(self, node: int, field: str) -> object:
        return ["typing.overload"] if field == "decorators" and self.ids[node].endswith(".f") else None

    def find_id(self, text: str) -> int | None:
        return self.ids.index(text) if text in NODES else None

    def ids_with(self, prefix: str) -> tuple[int, int]:
        found = [i for i, identity in enumerate(self.ids) if identity.startswith(prefix)]
        return (found[0], found[-1] + 1) if found else (0, 0)


GRAPH = Graph()


def group(identity: str, text: str = "", labels: tuple[str, ...] = LABELS) -> list[str]:
    node = GRAPH.find_id(identity)
    assert node is not None
    return [GRAPH.id(one) for one in group_of(GRAPH, node, text, labels)]


@pytest.mark.parametrize(
    ("identity", "text", "expected"),
    [
        ("a.py::f", "", ["a.py::f", "a.py::f#10", "a.py::f#2"]),
        ("a.py::f", "f", ["a.py::f", "a.py::f#10", "a.py::f#2"]),
        ("a.py::f#2", "a.py::f#2", ["a.py::f#2"]),
        ("a.py::f#2", "f#2", ["a.py::f#2"]),
        ("a.py::f#2.inner", "inner", ["a.py::f#2.inner"]),
        ("a.py::O.g", "O.g", ["a.py::O#2.g", "a.py::O#2.g#2", "a.py::O.g"]),
        ("a.py::O#2.g", "O#2.g", ["a.py::O#2.g", "a.py::O#2.g#2"]),
        ("a.py::O#2.g#2", "O#2.g#2", ["a.py::O#2.g#2"]),
        ("a.py::O#2.g#2", "g#2", ["a.py::O#2.g#2"]),
        ("a.py::O.#g", "#g", ["a.py::O.#g"]),
        ("a.py::P", "P", ["a.py::P", "a.py::P#2"]),
        ("b.py::ns.f", "ns.f", ["b.py::ns.f", "b.py::ns.f#3"]),
        ("a.py", "a.py", ["a.py"]),
        ("a#2.py", "a#2.py", ["a#2.py"]),
    ],
)
def test_a_name_without_a_number_means_every_definition(identity: str, text: str, expected: list[str]) -> None:
    assert group(identity, text) == expected


def test_labels_narrow_a_group_and_never_leave_out_what_was_found() -> None:
    assert group("a.py::P", "P", ("Class",)) == ["a.py::P"]
    assert group("a.py::P#2", "P", ("Class",)) == ["a.py::P", "a.py::P#2"]


def test_unnumbered() -> None:
    assert unnumbered("a#2.py::O#2.g#12") == "a#2.py::O.g"
    assert unnumbered("a#2.py") == "a#2.py"
    assert unnumbered("a.js::Counter.#inc") == "a.js::Counter.#inc"


def test_the_one_to_show_is_no_stub() -> None:
    node = GRAPH.find_id("b.py::ns.f")
    assert node is not None
    assert is_stub(GRAPH, node)
    assert GRAPH.id(lead(GRAPH, group_of(GRAPH, node))) == "b.py::ns.f#3"
