"""Parts that functions share."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from loregraph.analysis.duplicates.fragments import find_fragments
from loregraph.project import Project

from .conftest import indexed

BODY = """
    rows = []
    for line in lines:
        key, _, value = line.partition(":")
        if not key.strip():
            continue
        rows.append((key.strip().lower(), value.strip()))
    total = sum(len(value) for _, value in rows)
    if total > limit:
        raise ValueError("too much")
"""
BEFORE = """def {}(lines, limit, seen, sink, clock):
    started = clock.now()
    for listener in sink.listeners:
        listener.begin(started, seen.count(limit))
        listener.note(seen.first, seen.last, sink.name)
    while seen.pending and not sink.closed:
        seen.advance(sink.read(limit + 1))
        sink.flush(force=True)
    seen.sort(key=lambda item: (item.rank, item.name))
    assert seen.is_sorted and not seen.pending, "sorting lost what was pending"
    clock.every(60, lambda: sink.report(seen.first, seen.last))
    del listener
"""
AFTER = """    with sink.open("w") as stream:
        stream.write(str(rows))
        stream.write(seen.title or "none")
        while stream.busy(clock):
            stream.wait(0.1, retries=limit // 2)
    yield from stream.chunks[1:-1]
    global last
    last = {name: {"at": clock.now(), "of": value} for name, value in rows if name != limit}
    print(f"{last}", file=sink, flush=bool(seen))
    return [name for name, _ in rows if name not in seen]
"""
ONE = BEFORE.format("first") + BODY
OTHER = "def second(lines, limit, seen, sink, clock):" + BODY.replace("rows", "found") + AFTER.replace("rows", "found")

Make = Callable[[dict[str, str]], Project]


def test_a_part_that_two_functions_share_is_told_with_its_lines(make_project: Make) -> None:
    with make_project({"a.py": ONE, "b.py": OTHER}) as project:
        (pair,) = project.duplicates().pairs
    assert (pair.scope, pair.clone_type) == ("fragment", "type-2")
    assert (pair.a.id, pair.a.start_line, pair.a.end_line) == ("a.py::first", 14, 22)
    assert (pair.b.id, pair.b.start_line, pair.b.end_line) == ("b.py::second", 2, 10)
    assert 0.9 <= pair.similarity < 1.0


def test_a_part_of_functions_that_are_copies_is_not_told(make_project: Make) -> None:
    with make_project({"a.py": ONE, "b.py": ONE.replace("first", "again")}) as project:
        assert [pair.scope for pair in project.duplicates().pairs] == ["function"]


def test_names_that_change_their_meaning_end_a_part(make_project: Make) -> None:
    mixed = OTHER.replace("found.append", "lines.append")
    with make_project({"a.py": ONE, "b.py": mixed}) as project:
        assert project.duplicates().pairs == ()


def test_a_function_that_repeats_itself(make_project: Make) -> None:
    with make_project({"a.py": ONE + AFTER + BODY}) as project:
        (pair,) = project.duplicates().pairs
    assert pair.a.id == pair.b.id == "a.py::first"
    assert pair.a.end_line < pair.b.start_line


def test_a_table_is_no_copy() -> None:
    row = '    add("{0}", {0}, {0})\n'
    table = "".join(row.format(number) for number in range(40))
    index = indexed([BEFORE.format("first") + table, f"def second(seen):\n{table}{AFTER}"])
    assert find_fragments(index.units, index.streams, np.empty(0, np.int64)) == []
    index = indexed([ONE, OTHER])
    assert len(find_fragments(index.units, index.streams, np.empty(0, np.int64))) == 1
