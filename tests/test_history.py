"""CO_CHANGES, commits and authors: in the graph when they are asked for, of the commit that is checked out."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import loregraph
from loregraph.analysis.history import functions, kept, past
from loregraph.analysis.history.co_changes import readable
from loregraph.errors import StoreBusyError
from loregraph.graph.cypher_names import asks_for_history
from loregraph.project import Project
from tests.conftest import Repository

pytestmark = pytest.mark.usefixtures("engine_later")

PAIRS = (
    "MATCH (a)-[c:CO_CHANGES]->(b) RETURN a.name AS one, b.name AS other, c.support AS support, "
    "c.confidence AS confidence ORDER BY one, other"
)
WORKED = "MATCH (f:Function) RETURN f.name AS name, f.commits AS commits, f.authors AS authors ORDER BY name"


def function(name: str, value: int) -> str:
    return f"def {name}(order):\n    price = order.price\n    return price + {value}\n\n\n"


def write(repository: Repository, **values: int) -> None:
    repository.write("shop.py", "".join(function(name, value) for name, value in values.items()))


@pytest.fixture
def project(repository: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    """`ship` and `bill` were changed together three times, `ship` once alone."""
    monkeypatch.setenv("LOREGRAPH_HOME", str(tmp_path / "home"))
    repository.commit()
    for number, other in ((1, 1), (2, 2), (3, 3)):
        write(repository, ship=number, keep=0, bill=other)
        repository.commit()
    repository.git("config", "user.name", "Ann <ann@example.com>")
    monkeypatch.setenv("GIT_AUTHOR_NAME", "Ann\u202e\x1b[31m ann@example.com")
    write(repository, ship=4, keep=0, bill=3)
    repository.commit()
    opened = loregraph.open(repository.root, store=tmp_path / "store", project_id="shop")
    opened.index(jobs=1)
    return opened


# Verifies REQ-HIS-001, REQ-HIS-003.
def test_a_query_that_names_it_brings_it_in(project: Project) -> None:
    with project:
        assert list(project.query("MATCH (f:Function) RETURN count(f) AS n")) == [{"n": 3}]
        assert project.store.current().history == ""  # type: ignore[union-attr]
        assert list(project.query(PAIRS)) == [
            {"one": "bill", "other": "ship", "support": 3, "confidence": 1.0},
            {"one": "ship", "other": "bill", "support": 3, "confidence": 0.75},
        ]
        generation = project.reader().generation
        project.query(PAIRS)
        assert project.reader().generation == generation


# Verifies REQ-HIS-004, REQ-HIS-005.
def test_commits_and_authors_are_properties(project: Project) -> None:
    with project:
        rows = {row["name"]: (row["commits"], row["authors"]) for row in project.query(WORKED)}
        assert rows == {"bill": (3, ["A"]), "keep": (1, ["A"]), "ship": (4, ["Ann [31m ann", "A"])}
        assert list(project.query("MATCH (f:File) RETURN f.commits AS commits")) == [{"commits": 4}]
        shown = project.show("ship", history=True)
        assert (shown.commits, shown.authors) == (4, ("Ann [31m ann", "A"))
        assert project.show("ship").commits is None


def test_related_follows_it_only_where_it_is_named(project: Project) -> None:
    with project:
        named = project.related("bill", relationship_types=["co_changes"], direction="OUTGOING")
        assert [(one.name, one.confidence, one.evidence) for one in named] == [
            ("ship", 1.0, "changed together 3 times"),
        ]
        assert "CO_CHANGES" not in {one.relationship for one in project.related("bill")}


def test_the_history_is_that_of_the_commit_that_is_checked_out(project: Project, repository: Repository) -> None:
    with project:
        assert {row["support"] for row in project.query(PAIRS)} == {3}
        write(repository, ship=5, keep=0, bill=5)
        repository.commit()
        assert {row["support"] for row in project.query(PAIRS)} == {4}
        project.index(jobs=1)
        assert project.store.current().history == ""  # type: ignore[union-attr]
        assert {row["support"] for row in project.query(PAIRS)} == {4}


def test_uncommitted_lines_are_allowed_for(project: Project, repository: Repository) -> None:
    with project:
        text = (repository.root / "shop.py").read_text(encoding="utf-8")
        repository.write("shop.py", "import os\n\n\ndef fresh():\n    return 1\n\n\n" + text)
        project.index(jobs=1)
        rows = {row["name"]: row["commits"] for row in project.query(WORKED)}
        assert rows == {"bill": 3, "fresh": 0, "keep": 1, "ship": 4}


def test_a_function_is_followed_to_another_file(project: Project, repository: Repository) -> None:
    with project:
        write(repository, ship=4, keep=0)
        repository.write("bills.py", function("bill", 3))
        repository.commit()
        project.index(jobs=1)
        assert [row["support"] for row in project.query(PAIRS)] == [3, 3]


# Verifies REQ-HIS-002.
def test_a_commit_of_very_many_functions_does_not_count(
    project: Project, repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(functions, "MOST_FUNCTIONS", 2)
    with project:
        write(repository, ship=9, keep=9, bill=9)
        repository.commit()
        found = project.history()
        assert {edge.support for edge in found.co_changes()} == {2}
        assert found.left_out == {"first": 1, "mass": 2}


# Verifies REQ-HIS-006.
def test_git_is_only_asked_for_what_is_new(
    project: Project, repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    with project:
        first = project.history()
        asked: list[str] = []
        monkeypatch.setattr(kept, "past", lambda root: asked.append("all") or past.past(root))
        assert project.history().worked_on() == first.worked_on()
        write(repository, ship=5, keep=0, bill=5)
        repository.commit()
        assert project.history().worked_on()["shop.py::ship"].commits == 5
        assert not asked
        repository.git("commit", "-q", "--amend", "-m", "other")
        assert project.history().worked_on()["shop.py::ship"].commits == 5
        assert asked == ["all"]


def test_a_store_that_cannot_be_written_costs_only_time(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    def busy(*_: object) -> None:
        raise StoreBusyError("busy", "wait")

    with project:
        monkeypatch.setattr(type(project.store), "writer", busy)
        assert project.show("ship", history=True).commits == 4


def test_damage_of_what_is_kept_is_no_error(project: Project) -> None:
    with project:
        project.history()
        with project.store.writer(1) as folder:
            from loregraph.graph.state import State

            with State.open(folder.state_path) as state:
                state.put_meta("history", b"\x93")
        assert project.show("ship", history=True).commits == 4


def test_without_a_repository_nothing_is_known(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LOREGRAPH_HOME", str(tmp_path / "home"))
    (tmp_path / "plain").mkdir()
    (tmp_path / "plain" / "a.py").write_text(function("ship", 1), encoding="utf-8")
    with loregraph.open(tmp_path / "plain", store=tmp_path / "store") as opened:
        opened.index(jobs=1)
        assert list(opened.query(PAIRS)) == []
        assert opened.show("ship", history=True).commits is None
        assert opened.history().refusal
        assert opened.history_remark == opened.history().refusal
        assert opened.impact_report("ship", history=True).changes_with == ()


# Verifies REQ-HIS-007.
def test_a_report_suggests_apart_from_edges(project: Project) -> None:
    with project:
        assert project.impact_report("ship").changes_with == ()
        report = project.impact_report("ship", history=True)
        first = report.changes_with[0]
        assert (first.id, first.support, first.confidence) == ("shop.py::bill", 3, 0.75)
        assert first.why == ("file", "history")
        assert not report.call_sites
        json.dumps([one.id for one in report.changes_with])


@pytest.mark.parametrize(
    ("cypher", "asks"),
    [
        ("MATCH (a)-[:co_changes]->(b) RETURN a", True),
        ("MATCH (f:File) RETURN f.commits", True),
        ("MATCH (f:File) RETURN f . `authors`", True),
        ("MATCH (f:Function {commits: 3}) RETURN f.id", True),
        ("MATCH (f:Function {name: 'x', commits: 3}) RETURN f.id", True),
        ("MATCH (f:File) WHERE f.name CONTAINS 'commits' RETURN f.id", False),
        ("MATCH (m:Memory) RETURN m.author", False),
    ],
)
def test_only_statements_that_need_it_wait_for_it(cypher: str, asks: bool) -> None:
    assert asks_for_history(cypher) is asks


@pytest.mark.parametrize(
    ("written", "printed"),
    [
        ("Ann Lee", "Ann Lee"),
        ("ann@example.com", "ann"),
        ("Ann <ann@example.com>", "Ann ann"),
        ("a\x00b\x1b[2J\u202ec", "a b [2J c"),
        ("x" * 500, "x" * 60),
        ("李雷", "李雷"),
        ("\n", ""),
    ],
)
def test_names_are_printed_safely_and_without_domains(written: str, printed: str) -> None:
    assert readable(written) == printed
