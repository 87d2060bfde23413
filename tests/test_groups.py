"""One symbol with several definitions, through the command line, Python and MCP's layer, memories and diff."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import loregraph
from loregraph.project import Project

from .conftest import Repository

FILES = {
    "Owner.java": """class Owner {
    Pet getPet(String name) { return getPet(name, false); }
    Pet getPet(Integer id) { return null; }
    Pet getPet(String name, boolean ignoreNew) { return null; }
}
""",
    "Visits.java": """class Visits {
    void byName(Owner owner) { owner.getPet("Leo"); }
    void byId(Owner owner) { owner.getPet(7); }
    void byBoth(Owner owner) { owner.getPet("Leo", true); }
}
""",
    "money.py": """from typing import overload


@overload
def parse(value: int) -> int: ...
@overload
def parse(value: str) -> str: ...
def parse(value):
    return value


def total():
    return parse(1)


def test_parse():
    assert parse("1") == "1"
""",
}


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Project]:
    root = tmp_path_factory.mktemp("shop")
    for name, text in FILES.items():
        (root / name).write_text(text)
    with loregraph.open(root) as opened:
        opened.index(embed=False, jobs=1)
        yield opened


def test_callers_are_those_of_every_overload_and_say_of_which(project: Project) -> None:
    first, second, third = "Owner.java::Owner.getPet", "Owner.java::Owner.getPet#2", "Owner.java::Owner.getPet#3"
    for text in (first, "Owner.getPet", "getPet"):
        assert {hit.id: hit.definitions for hit in project.callers(text)} == {
            "Visits.java::Visits.byName": (first,),
            "Visits.java::Visits.byId": (second,),
            "Visits.java::Visits.byBoth": (third,),
            first: (third,),
        }
    assert {(hit.id, hit.definitions) for hit in project.callers(second)} == {("Visits.java::Visits.byId", ())}
    assert [hit.id for hit in project.callees("Owner.getPet")] == [third]
    shown = project.show("Owner.getPet")
    assert (shown.id, shown.definitions, len(shown.callers)) == (first, (first, second, third), 4)
    reached = project.related("Owner.getPet", relationship_types=["CALLS"], direction="INCOMING")
    assert {one.name for one in reached} == {"byName", "byId", "byBoth"}


def test_stubs_stand_for_their_implementation(project: Project) -> None:
    for text in ("money.py::parse", "parse", "money.parse"):
        assert {hit.id for hit in project.callers(text)} == {"money.py::total", "money.py::test_parse"}
        assert {hit.id for hit in project.impact(text)} == {"money.py::total", "money.py::test_parse"}
        shown = project.show(text)
        assert (shown.id, shown.signature) == ("money.py::parse#3", "def parse(value)")


def test_the_command_line_prints_which_one_a_row_is_about(project: Project) -> None:
    def asked(*words: str) -> str:
        command = [sys.executable, "-m", "loregraph", "--root", str(project.root), *words]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout

    (line,) = (line for line in asked("callers", "Owner.getPet").splitlines() if "byId" in line)
    assert line.endswith("→ Owner.getPet#2")
    rows = json.loads(asked("callers", "Owner.getPet", "--json"))
    assert sorted(row["definitions"] for row in rows)[-1] == ["Owner.java::Owner.getPet#3"]
    assert all("definitions" not in row for row in json.loads(asked("callers", "Owner.getPet#2", "--json")))


def test_a_memory_is_about_every_definition(
    repository: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LOREGRAPH_HOME", str(tmp_path / "home"))
    repository.write("Owner.java", FILES["Owner.java"])
    with loregraph.open(repository.root) as opened:
        opened.index(embed=False, jobs=1)
        added = opened.memory.add("Names of pets are unique.", kind="design", anchors=["Owner.getPet"])
        assert opened.memory.get(added.memory_id).anchors == ("Owner.java::Owner.getPet",)
        rows = opened.query("MATCH (:Memory)-[:ABOUT]->(f) RETURN f.id AS id ORDER BY id")
        assert [row["id"] for row in rows] == [f"Owner.java::Owner.getPet{n}" for n in ("", "#2", "#3")]
        assert opened.show("Owner.getPet#2").memories == (added.memory_id,)
        assert not opened.memory.found(added.memory_id).stale
        repository.replace("Owner.java", "(Integer id) { return null; }", "(Integer id) { return none(); }")
        opened.index(embed=False, jobs=1)
        assert opened.memory.found(added.memory_id).stale


def test_a_diff_knows_who_calls_the_function_behind_a_stub(repository: Repository) -> None:
    repository.write("money.py", FILES["money.py"])
    repository.commit()
    repository.replace("money.py", "def parse(value: int) -> int: ...", "def parse(value: int, base: int) -> int: ...")
    with loregraph.open(repository.root) as opened:
        opened.index(embed=False, jobs=1)
        view = opened.diff("HEAD")
    assert {(caller.id, caller.symbol) for caller in view.callers} == {
        ("money.py::total", "money.py::parse"),
        ("money.py::test_parse", "money.py::parse"),
    }
