"""Calls that the code seems to make and that recorded tests did not make."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import loregraph
from loregraph.project import Project
from loregraph.recording.calls import CALL, ITERATION, KINDS
from loregraph.runs.record import Call, Place
from loregraph.runs.watched import Watched

CODE = """import functools


class Base:
    def run(self):
        return 1


class Special(Base):
    def run(self):
        return 2


def rare():
    return 0


def never():
    return 0


def work(thing: Base, how=""):
    if how == "rare":
        return rare()
    if how == "never":
        return never()
    return thing.run()


def one():
    return 1


def two():
    return 2


def either(flag):
    chosen = one if flag else two
    return chosen()


def many():
    yield 1


def lazy():
    return many()


def wrapped(function):
    @functools.wraps(function)
    def wrapper():
        return function()
    return wrapper


@wrapped
def slow():
    return 3


def uses():
    return slow()
"""
TESTS = """import pytest
import work


@pytest.mark.parametrize("number", range(3))
def test_special(number):
    assert work.work(work.Special()) == 2


def test_others():
    assert work.Base().run() + work.rare() == 1
    assert work.either(True) == 1 and work.two() == 2
    assert next(work.lazy()) == 1 and work.uses() == 3
"""


@pytest.fixture
def project(tmp_path: Path) -> Project:
    """A project whose tests were recorded."""
    root = tmp_path / "shop"
    (root / "tests").mkdir(parents=True)
    (root / "work.py").write_text(CODE)
    (root / "tests/test_work.py").write_text(TESTS)
    (root / "pytest.ini").write_text("[pytest]\npythonpath = .\n")
    command = f"{sys.executable} -m pytest -q -p no:cacheprovider -p loregraph.pytest_plugin --loregraph=run.jsonl"
    environment = {name: value for name, value in os.environ.items() if name != "LOREGRAPH_RECORDING"}
    subprocess.run(command.split(), cwd=root, env=environment, check=True, capture_output=True, timeout=90)
    project = loregraph.open(root)
    project.index(embed=False)
    return project


def calls(project: Project) -> dict[str, dict[str, Any]]:
    """`caller callee` → the row of an edge in work.py."""
    rows = [json.loads(line) for line in project.export()]
    return {
        f"{row['from'].partition('::')[2]} {row['to'].partition('::')[2]}": row
        for row in rows
        if row.get("rel") == "CALLS" and row["from"].startswith("work.py::")
    }


# Verifies REQ-RUN-020.
def test_what_tests_could_have_shown_and_did_not_is_marked(project: Project) -> None:
    before = list(project.export())
    static = calls(project)
    assert {row["unseen"] for row in static.values()} == {0}
    project.import_runs([project.root / "run.jsonl"])
    found = calls(project)
    assert {name: row["unseen"] for name, row in found.items() if row["unseen"]} == {
        "work Base.run": 3,
        "work rare": 3,
        "either two": 1,
    }, "what never ran, a generator and what a wrapper calls are not marked"
    assert found["work Special.run"]["how"].endswith("+observed")
    assert found["work rare"]["confidence"] == static["work rare"]["confidence"] == 1, "a branch that was not taken"
    assert (static["work Base.run"]["confidence"], found["work Base.run"]["confidence"]) == (0.95, 0.5)
    assert (static["either two"]["confidence"], found["either two"]["confidence"]) == (0.83, 0.4)
    assert [hit.unseen for hit in project.callees("either") if hit.id.endswith("::two")] == [1]
    assert not [hit for hit in project.callees("either", min_confidence=0.5) if hit.id.endswith("::two")]
    rows = project.query("MATCH (f)-[c:CALLS]->(g) WHERE c.unseen > 1 RETURN g.name AS name ORDER BY name")
    assert [row["name"] for row in rows] == ["rare", "run"]
    project.forget_runs()
    assert list(project.export()) == before


# Verifies REQ-RUN-020.
def test_marks_hold_for_the_caller_that_was_recorded(project: Project) -> None:
    project.import_runs([project.root / "run.jsonl"])
    marked = list(project.export())
    source = project.root / "work.py"
    for old, new, gone in (
        ("    return chosen()", "    return chosen() + 0", {"either two"}),
        ("def two():\n    return 2", "def two():\n    return 5", set()),
        ("import functools\n", "import functools\n\nMORE = 1\n", set()),
    ):
        source.write_text(CODE.replace(old, new))
        project.index(embed=False)
        left = {name for name, row in calls(project).items() if row["unseen"]}
        assert left == {"work Base.run", "work rare", "either two"} - gone
        edited = list(project.export())
        project.index(embed=False, full=True)
        assert list(project.export()) == edited, "as a fresh index"
    source.write_text(CODE)
    project.index(embed=False)
    assert list(project.export()) == marked


def call(callee: Place, line: int, kind: int = CALL) -> Call:
    return Call(Place("a.py", "caller", 1), callee, line, KINDS[kind])


# Verifies REQ-RUN-020.
@pytest.mark.parametrize(
    ("line", "kind", "first", "stopped", "watched"),
    [
        (1, CALL, 3, False, True),
        (2, CALL, 3, False, True),
        (2, CALL, 4, False, False),
        (1, CALL, 4, False, True),
        (1, ITERATION, 3, False, False),
        (1, CALL, 3, True, False),
    ],
    ids=["named", "by another name", "decorated by another name", "decorated", "iterated", "called too often"],
)
def test_functions_of_which_every_call_shows(line: int, kind: int, first: int, stopped: bool, watched: bool) -> None:
    own = Watched(lambda place: "target()\nother()\ndef target(): ...\n@wrapped\ndef target(): ...")
    own.ran("test", {"id"})
    own.called(call(Place("a.py", "target", first), line, kind), "id")
    if stopped:
        own.missed("id")
    assert own.of("id") == (1, watched)
