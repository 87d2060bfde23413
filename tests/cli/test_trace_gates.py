"""What passes the gates of `trace`, and what only looks as if it did."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import loregraph

from ..shop import written
from .conftest import Run

FILES = {
    "loregraph.toml": '[requirements]\nsources = ["docs/requirements.md"]\n',
    "docs/requirements.md": "# Requirements\n"
    + "".join(f"\n- **PAY-REQ-00{number}** The till shall do thing {number}.\n" for number in range(1, 6)),
    "pay/till.py": '''
# Implements: PAY-REQ-001
def take(amount):
    return amount


# see PAY-REQ-002
def give(amount):
    return amount


def explain():
    """Code is marked like this:

        # Implements: PAY-REQ-003

    and no other way.
    """


# PAY-REQ-004 does not apply to this one
def waive():
    return 0


# does not implement PAY-REQ-005
def refuse():
    return 0
''',
    "tests/test_till.py": """
from pay.till import take


# Verifies: PAY-REQ-001
def test_take():
    assert take(1) == 1
""",
}
PASSED = '<testsuite><testcase classname="tests.test_till" name="test_take">{}</testcase></testsuite>'
MENTION = "pay/till.py::give"
LINKS = """
MATCH (c)-[i:IMPLEMENTS_REQ]->(r)
RETURN c.id AS code, i.how AS how, i.confidence AS sure, r.id AS id ORDER BY id, code
"""


def made(root: Path) -> Path:
    written(root, FILES)
    with loregraph.open(root) as project:
        project.index(embed=False)
    return root


@pytest.fixture(scope="module")
def indexed_till(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return made(tmp_path_factory.mktemp("gates") / "till")


@pytest.fixture
def till(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """One that decisions may be kept in."""
    monkeypatch.setenv("LOREGRAPH_HOME", str(tmp_path / "home"))
    return made(tmp_path / "till")


def traced(run: Run, root: Path, *words: str | Path) -> dict[str, Any]:
    result = run("--root", root, "trace", "--json", *words)
    assert result.code == 0, result.err
    answer: dict[str, Any] = json.loads(result.out)
    return answer


def ids(links: list[dict[str, Any]]) -> list[str]:
    return [link["id"] for link in links]


# Verifies REQ-TRC-008.
def test_only_what_is_declared_counts(indexed_till: Path, run: Run) -> None:
    answer = traced(run, indexed_till)
    rows = {one["id"]: one for one in answer["requirements"]}
    assert {one: ids(row["implementations"]) for one, row in rows.items() if row["implementations"]} == {
        "PAY-REQ-001": ["pay/till.py::take"]
    }
    assert {one: ids(row["mentions"]) for one, row in rows.items() if row["mentions"]} == {"PAY-REQ-002": [MENTION]}
    (mention,) = rows["PAY-REQ-002"]["mentions"]
    assert (mention["how"], mention["confidence"]) == ("mention", 0.5)
    assert mention["evidence"] == "pay/till.py:6: # see PAY-REQ-002"
    assert (answer["coverage"]["implemented"], answer["coverage"]["total"]) == (1, 5)
    (told,) = [o for o in answer["orphans"] if o["id"] == "PAY-REQ-002" and o["kind"] == "requirement_without_code"]
    assert told["message"].endswith("(1 mention it, and do not say that they do)")


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (["--fail-under", "20"], 0),
        (["--fail-under", "21"], 1),
        (["--fail-under", "40", "--min-confidence", "0.5"], 0),
        (["--fail-under", "41", "--min-confidence", "0.5"], 1),
        (["--fail-under", "21", "--min-confidence", "0.9"], 1),
        (["--fail-under-tested", "20"], 0),
        (["--fail-under-tested", "21"], 1),
        (["PAY-REQ-004", "--fail-under", "1", "--min-confidence", "0"], 1),
    ],
)
def test_the_gates(indexed_till: Path, run: Run, words: list[str], code: int) -> None:
    result = run("--root", indexed_till, "trace", *words)
    assert result.code == code
    assert ("failed:" in result.err) == bool(code)


def test_a_requirement_is_verified_where_its_tests_passed(indexed_till: Path, run: Run, tmp_path: Path) -> None:
    report = tmp_path / "junit.xml"
    report.write_text(PASSED.format(""), encoding="utf-8")
    words = ("--root", indexed_till, "trace", "--results", report, "--fail-under-verified")
    assert run(*words, "20").code == 0
    short = run(*words, "21")
    assert (short.code, short.err.strip()) == (
        1,
        "failed: 1 of 5 requirements has tests that passed, 21 % is asked for",
    )
    report.write_text(PASSED.format("<failure/>"), encoding="utf-8")
    assert run(*words, "20").code == 1


def test_without_results_nothing_can_be_verified(indexed_till: Path, run: Run) -> None:
    refused = run("--root", indexed_till, "trace", "--fail-under-verified", "0")
    assert (refused.code, refused.out) == (2, "")
    assert "needs test results" in refused.err
    assert "--results GLOB" in refused.err


def test_cypher_tells_declared_links_from_mentions(indexed_till: Path, run: Run) -> None:
    rows = json.loads(run("--root", indexed_till, "query", LINKS, "--json").out)
    assert [tuple(row.values()) for row in rows] == [
        ("pay/till.py::take", "marker", 1.0, "PAY-REQ-001"),
        ("tests/test_till.py::test_take", "marker", 1.0, "PAY-REQ-001"),
        (MENTION, "mention", 0.5, "PAY-REQ-002"),
    ]


def test_mentions_are_shown_and_can_be_accepted_and_rejected(till: Path, run: Run) -> None:
    assert "1 mention" in run("--root", till, "trace").out
    shown = run("--root", till, "trace", "PAY-REQ-002").out
    assert "mentioned here, which counts for nothing" in shown
    assert "give  mention 0.50, line 6: # see PAY-REQ-002" in shown
    assert "1 mentioned" in run("--root", till, "trace", "--format", "html").out
    assert f",mention,{MENTION}," in run("--root", till, "trace", "--format", "csv").out
    one = traced(run, till, "--accept", "PAY-REQ-002", "give")["requirements"][0]
    assert ([(link["id"], link["how"]) for link in one["implementations"]], one["mentions"]) == (
        [(MENTION, "accepted")],
        [],
    )
    query = f"MATCH (c)-[i:IMPLEMENTS_REQ]->(r) WHERE c.id = '{MENTION}' RETURN i.how AS how"
    assert json.loads(run("--root", till, "query", query, "--json").out) == [{"how": "accepted"}]
    one = traced(run, till, "--withdraw", "PAY-REQ-002", "give")["requirements"][0]
    assert (one["implementations"], ids(one["mentions"])) == ([], [MENTION])
    assert json.loads(run("--root", till, "query", query, "--json").out) == [{"how": "mention"}]
    one = traced(run, till, "--reject", "PAY-REQ-002", "give", "--min-confidence", "0")["requirements"][0]
    assert (one["implementations"], one["mentions"]) == ([], [])


def test_a_withdrawn_link_leaves_the_graph_that_indexing_gives(till: Path, tmp_path: Path) -> None:
    with loregraph.open(till) as project:
        project.decide_links([("accepted", "PAY-REQ-002", "give")])
        assert project.catch_up()
        project.decide_links([("withdrawn", "PAY-REQ-002", "give")])
        assert project.catch_up()
        withdrawn = list(project.reader().columns.all_edges())
    with loregraph.open(till, store=tmp_path / "fresh") as fresh:
        fresh.index(embed=False)
        assert list(fresh.reader().columns.all_edges()) == withdrawn
