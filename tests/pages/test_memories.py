"""Memories as rows, places and versions."""

from __future__ import annotations

from typing import Any

import pytest

from loregraph.memory.answers import Found
from loregraph.memory.record import Memory
from loregraph.pages.links import Links
from loregraph.pages.memories import LONGEST_TITLE, MOST_VERSIONS, by_place, row_of, versions_of


def memory(content: str = "Prices are rounded once", **fields: Any) -> Memory:
    given = {
        "id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
        "kind": "design",
        "updated_at": "2026-03-01T12:00:00.000000Z",
    }
    return Memory(**{**given, "content": content, **fields})


@pytest.mark.parametrize(
    ("content", "title", "excerpt"),
    [
        ("One line", "One line", ""),
        ("A title\n\nwith more\nbelow", "A title", "with more\nbelow"),
        ("word " * 40, ("word " * 21 + "word")[:LONGEST_TITLE].strip() + "…", "…" + ("word " * 18).strip()),
        ("x" * 200, "x" * LONGEST_TITLE + "…", "…" + "x" * (200 - LONGEST_TITLE)),
    ],
)
def test_the_first_line_is_the_title_and_the_rest_the_excerpt(content: str, title: str, excerpt: str) -> None:
    row = row_of(Found(memory=memory(content)), None, Links())
    assert row.title == title
    assert row.excerpt.strip() == excerpt


def test_of_many_anchors_some_are_listed_and_the_rest_counted() -> None:
    row = row_of(Found(memory=memory(anchors=tuple(f"a.py::f{number}" for number in range(9)))), None, Links())
    assert (len(row.anchors), row.more_anchors) == (6, 3)


def test_memories_are_grouped_by_files_with_stale_ones_first() -> None:
    fresh = row_of(Found(memory=memory(anchors=("a.py::f", "b.py"))), None, Links())
    stale = row_of(Found(memory=memory("Old", anchors=("b.py",)), stale=True), None, Links())
    places = by_place([fresh, stale], Links())
    assert [(place.path, place.stale) for place in places] == [("b.py", 1), ("a.py", 0)]
    assert [row.title for row in places[0].anchors[0][1]] == ["Prices are rounded once", "Old"]


def test_a_version_says_what_it_changed() -> None:
    history = [
        memory(version=1, tags=("money",)),
        memory("Prices are rounded twice", version=2, tags=("money",)),
        memory("Prices are rounded twice", version=3, tags=("tax",), importance=0.9),
        memory("Prices are rounded twice", version=4, tags=("tax",), importance=0.9, anchor_hashes={"a.py": "1"}),
        memory("Prices are rounded twice", version=5, tags=("tax",), importance=0.9, state="deleted"),
        memory("Prices are rounded twice", version=6, tags=("tax",), importance=0.9),
    ]
    versions, older = versions_of(history, may_change=True)
    assert older == 0
    assert [(version.number, version.what) for version in versions] == [
        (6, "restored"),
        (5, "deleted"),
        (4, "confirmed for the code as it was then"),
        (3, "changed"),
        (2, "changed"),
        (1, "added"),
    ]
    assert [(change.name, change.before, change.after) for change in versions[3].changes] == [
        ("tags", "money", "tax"),
        ("importance", "0.5 (medium)", "0.9 (high)"),
    ]
    assert [(run.how, run.text) for run in versions[4].words if run.how != "same"] == [
        ("removed", "once"),
        ("added", "twice"),
    ]
    assert [version.may_restore for version in versions] == [False, False, True, True, True, True]


def test_many_versions_are_cut_and_counted() -> None:
    history = [memory(f"version {number}", version=number) for number in range(1, MOST_VERSIONS + 4)]
    versions, older = versions_of(history, may_change=False)
    assert (len(versions), older, versions[-1].number) == (MOST_VERSIONS, 3, 4)
    assert versions[-1].words
    assert not any(version.may_restore for version in versions)
