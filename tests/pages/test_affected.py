"""The picture of who is affected by a change."""

from __future__ import annotations

from typing import Any

import numpy as np

from loregraph.graph.queries import CallHit
from loregraph.pages import affected
from loregraph.pages.affected import Picture, Start, picture


class Calls:
    """Of a graph: who calls whom, by ids."""

    def __init__(self, *calls: tuple[str, str]) -> None:
        self._ids = sorted({id for call in calls for id in call})
        self._edges = [(self._ids.index(a), self._ids.index(b)) for a, b in calls]
        self.source = np.array([a for a, _ in self._edges], np.int64)
        self.target = np.array([b for _, b in self._edges], np.int64)

    def find_id(self, id: str) -> int | None:
        return self._ids.index(id) if id in self._ids else None

    def id(self, node: int) -> str:
        return self._ids[node]

    def label(self, node: int) -> str:
        return "Function"

    def out(self, node: int, rel: str) -> Any:
        return np.flatnonzero(self.source == node) if rel == "CALLS" else np.empty(0, np.int64)

    def into(self, node: int, rel: str) -> Any:
        return np.empty(0, np.int64)


def hit(id: str, distance: int, confidence: float = 1.0) -> CallHit:
    return CallHit(id, id.partition("::")[0], 3, distance, confidence, "import", (3,))


def drawn(
    calls: list[tuple[str, str]],
    starts: list[Start],
    hits: list[CallHit],
    tests: frozenset[str] = frozenset(),
    users: tuple[tuple[str, str], ...] = (),
) -> Picture:
    columns: Any = Calls(*calls)
    found = picture(columns, starts, hits, tests, users)
    assert found is not None
    return found


def test_rings_follow_the_steps_and_lines_the_uses() -> None:
    found = drawn(
        [("b.py::g", "a.py::f"), ("c.py::h", "b.py::g")],
        [Start("a.py::f", "body")],
        [hit("b.py::g", 1), hit("c.py::h", 2, 0.4)],
    )
    assert [(box.name, box.path, box.kind) for box in found.boxes] == [
        ("f", "a.py", "body"),
        ("g", "b.py", "affected"),
        ("h", "c.py", "affected"),
    ]
    assert [ring.total for ring in found.rings] == [1, 1, 1]
    assert [line.is_sure for line in found.lines] == [True, False]
    assert sorted({box.x for box in found.boxes}) == [ring.x for ring in found.rings]
    assert all(box.x + affected.WIDTH <= found.width and box.y + affected.HEIGHT <= found.height for box in found.boxes)


def test_tests_are_counted_and_not_drawn() -> None:
    calls = [("b.py::g", "a.py::f"), ("t.py::test_f", "a.py::f")]
    found = drawn(
        calls, [Start("a.py::f", "body")], [hit("b.py::g", 1), hit("t.py::test_f", 1)], frozenset({"t.py::test_f"})
    )
    assert [box.name for box in found.boxes] == ["f", "g"]
    assert [(ring.total, ring.tests) for ring in found.rings] == [(1, 0), (2, 1)]


def test_too_many_are_counted() -> None:
    users = [f"u{n:02}.py::use" for n in range(40)]
    found = drawn([(user, "a.py::f") for user in users], [Start("a.py::f", "body")], [hit(user, 1) for user in users])
    assert sum(box.kind == "affected" for box in found.boxes) == affected.MOST_BOXES
    assert [box.name for box in found.boxes if box.kind == "more"] == [f"and {40 - affected.MOST_BOXES} more"]


def test_users_of_what_was_renamed_are_joined_to_it_and_come_first() -> None:
    users = [f"u{n:02}.py::use" for n in range(40)]
    found = drawn(
        [(user, "a.py::f") for user in users],
        [Start("a.py::f", "body"), Start("a.py::new", "renamed", True, "a.py::old")],
        [hit(user, 1) for user in users],
        users=(("z.py::late", "a.py::old"),),
    )
    (box,) = [box for box in found.boxes if box.kind == "broken"]
    (start,) = [box for box in found.boxes if box.kind == "breaks"]
    assert (box.name, box.sign, start.sign) == ("late", "!", "→")
    ends = f"M{start.x + affected.WIDTH - affected.INSET} {start.y + affected.HEIGHT // 2}C"
    assert any(line.path.startswith(ends) for line in found.lines)


def test_the_picture_does_not_depend_on_the_order_of_what_it_is_given() -> None:
    calls = [(f"u{n}.py::use", f"a.py::f{n % 3}") for n in range(9)]
    starts = [Start(f"a.py::f{n}", "body") for n in range(3)]
    hits = [hit(user, 1) for user, _ in calls]
    assert drawn(calls, starts, hits) == drawn(calls[::-1], starts, hits)


def test_long_names_are_cut_at_their_beginning() -> None:
    found = drawn([("b::g", "a::f")], [Start(f"{'p' * 90}.py::{'n' * 90}end", "added")], [])
    (box,) = found.boxes
    assert box.name.startswith("…")
    assert box.name.endswith("end")
    assert len(box.name) <= 28
    assert picture(Calls(("a", "b")), [], [], frozenset()) is None  # type: ignore[arg-type]
