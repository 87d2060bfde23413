"""`trace`: from documents, code and decisions to a matrix and an exit code, as the command line does it."""

from __future__ import annotations

import csv
import json
import shutil
from pathlib import Path
from typing import Any

import pytest

import loregraph

from ..shop import written
from ..stores import adopted
from .conftest import Run
from .test_startup import HEAVY, loaded_by

FILES = {
    "loregraph.toml": '[requirements]\nsources = ["docs/requirements.md"]\n',
    "docs/requirements.md": """# Requirements

- **REQ-PAY-001** Prices are rounded to whole cents.
- **REQ-PAY-002** Orders are kept for ten years.
- **REQ-PAY-003** A cart can be shared. `status: planned`
""",
    "docs/adr/0001-money-is-cents.md": """# 1. Money is cents

Status: accepted

Satisfies: REQ-PAY-001

All amounts are whole cents.
""",
    "shop/money.py": '''
def round_price(amount: float) -> float:
    """Round to whole cents.

    Implements: REQ-PAY-001
    Follows: ADR-0001
    """
    return round(amount, 2)


def keep_order(order: dict[str, str], years: int) -> None:
    """Write an order to the archive."""
''',
    "shop/old.py": "# Implements: REQ-PAY-999\nLIMIT = 3\n",
    "tests/test_money.py": """
from shop.money import round_price


def test_rounding() -> None:
    assert round_price(1.005) == 1.0
""",
}
PASSED = '<testsuite><testcase classname="tests.test_money" name="test_rounding[1.005]">{}</testcase></testsuite>'
RAN = """
MATCH (r:Requirement)<-[:IMPLEMENTS_REQ]-(f:Function)
OPTIONAL MATCH (f)<-[t:TESTS]-(test:Function)
RETURN r.id AS requirement, f.id AS code, f.executed AS executed, t.how AS how, count(test) AS tests
ORDER BY requirement, code, how
"""
"""As docs/tracing.md has it."""
WALK = """
MATCH (r:Requirement)<-[:SATISFIES]-(d:Design)<-[:FOLLOWS_DESIGN]-(c:Function)<-[:TESTS]-(t:Function),
      (m:Memory)-[:ABOUT]->(c)
RETURN r.id AS requirement, d.title AS design, c.id AS code, t.id AS test, m.name AS memory
ORDER BY requirement, design, code, test, memory
"""


@pytest.fixture(scope="module")
def _shop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("traced") / "shop"
    written(root, FILES)
    with loregraph.open(root) as project:
        project.index(jobs=1, embed=False)
    return root


@pytest.fixture
def shop(_shop: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("LOREGRAPH_HOME", str(tmp_path / "home"))
    return adopted(Path(shutil.copytree(_shop, tmp_path / "shop")))


def traced(run: Run, root: Path, *words: str | Path, code: int = 0) -> dict[str, Any]:
    result = run("--root", root, "trace", "--json", *words)
    assert result.code == code, result.err
    answer: dict[str, Any] = json.loads(result.out)
    return answer


def by_id(answer: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {one["id"]: one for one in answer["requirements"]}


# Verifies REQ-TRC-002.
def test_the_contract(shop: Path, run: Run) -> None:
    answer = traced(run, shop)
    assert list(answer) == ["requirements", "coverage", "orphans"]
    one = answer["requirements"][0]
    assert set(one) == set("id title status path line implementations tests designs memories mentions parts".split())
    assert (one["id"], one["path"], one["line"]) == ("REQ-PAY-001", "docs/requirements.md", 3)
    (code,), (test,), (design,) = one["implementations"], one["tests"], one["designs"]
    assert set(code) == set(test) == {"id", "file_path", "how", "confidence", "evidence"}
    assert (code["id"], code["file_path"], code["how"]) == ("shop/money.py::round_price", "shop/money.py", "marker")
    assert "REQ-PAY-001" in code["evidence"]
    assert (test["id"], test["how"]) == ("tests/test_money.py::test_rounding", "exercises")
    assert design["title"] == "Money is cents"
    assert answer["coverage"] == {"implemented": 1, "tested": 1, "total": 2, "excluded": {"planned": 1}}
    assert [(o["kind"], o["id"]) for o in answer["orphans"]] == [
        ("requirement_without_code", "REQ-PAY-002"),
        ("requirement_without_test", "REQ-PAY-002"),
        ("unknown_requirement", "REQ-PAY-999"),
    ]
    assert (answer["orphans"][2]["path"], answer["orphans"][2]["line"]) == ("shop/old.py", 1)


def test_one_requirement_alone(shop: Path, run: Run) -> None:
    answer = traced(run, shop, "REQ-PAY-002")
    assert list(by_id(answer)) == ["REQ-PAY-002"]
    assert answer["coverage"]["total"] == 1
    assert {o["id"] for o in answer["orphans"]} == {"REQ-PAY-002"}
    wrong = run("--root", shop, "trace", "REQ-PAY-007")
    assert wrong.code == 2
    assert "REQ-PAY-00" in wrong.err.partition("hint:")[2]


# Verifies REQ-TRC-005.
@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        ((), 0, ""),
        (("--fail-under", "50"), 0, ""),
        (("--fail-under", "50.1"), 1, "1 of 2 requirements has code, 50.1 % is asked for"),
        (("--fail-under", "100"), 1, "has code"),
        (("--fail-under-tested", "51"), 1, "1 of 2 requirements has a test, 51 % is asked for"),
        (("REQ-PAY-001", "--fail-under", "100", "--strict"), 0, ""),
        (("REQ-PAY-003", "--fail-under", "100"), 0, ""),
        (("--strict",), 1, "1 link to what is not there"),
        (("--fail-under", "101"), 2, "fail-under"),
    ],
)
def test_exit_codes(shop: Path, run: Run, words: tuple[str, ...], code: int, said: str) -> None:
    result = run("--root", shop, "trace", *words)
    assert result.code == code
    assert said in result.err
    assert bool(said) == bool(result.err)


def test_a_project_without_requirements_says_what_to_configure(indexed: Path, run: Run) -> None:
    result = run("--root", indexed, "trace")
    assert (result.code, result.out) == (2, "")
    assert "[requirements]" in result.err


def test_accepting_and_taking_it_back(shop: Path, run: Run) -> None:
    accepted = run("--root", shop, "trace", "--accept", "REQ-PAY-002", "keep_order", "--json")
    assert accepted.code == 0
    assert "accepted: REQ-PAY-002 ← shop/money.py::keep_order" in accepted.err
    answer = json.loads(accepted.out)
    (link,) = by_id(answer)["REQ-PAY-002"]["implementations"]
    assert (link["id"], link["how"], link["confidence"]) == ("shop/money.py::keep_order", "accepted", 1.0)
    assert link["evidence"].startswith("accepted by ")
    assert list(by_id(answer)) == ["REQ-PAY-002"]
    assert traced(run, shop)["coverage"]["implemented"] == 2
    query = "MATCH (f)-[i:IMPLEMENTS_REQ]->(r) RETURN f.id AS code, i.how AS how, r.id AS requirement ORDER BY code"
    rows = json.loads(run("--root", shop, "query", query, "--json").out)
    assert {"code": "shop/money.py::keep_order", "how": "accepted", "requirement": "REQ-PAY-002"} in rows
    again = traced(run, shop, "--reject", "REQ-PAY-002", "shop/money.py::keep_order")
    assert by_id(again)["REQ-PAY-002"]["implementations"] == []
    rows = json.loads(run("--root", shop, "query", query, "--json").out)
    assert [row["requirement"] for row in rows] == ["REQ-PAY-001"]


def test_several_decisions_at_once_and_none_of_them_where_one_is_wrong(shop: Path, run: Run) -> None:
    wrong = run(
        "--root", shop, "trace", "--accept", "REQ-PAY-002", "keep_order", "--reject", "REQ-PAY-001", "round_prize"
    )
    assert wrong.code == 2
    assert "round_price" in wrong.err
    assert by_id(traced(run, shop))["REQ-PAY-002"]["implementations"] == []
    done = traced(
        run, shop, "--accept", "REQ-PAY-002", "keep_order", "--accept", "REQ-PAY-001", "shop/money.py",
        "--reject", "REQ-PAY-001", "shop/old.py",
    )  # fmt: skip
    links = {one: [link["id"] for link in row["implementations"]] for one, row in by_id(done).items()}
    assert links == {
        "REQ-PAY-001": ["shop/money.py", "shop/money.py::round_price"],
        "REQ-PAY-002": ["shop/money.py::keep_order"],
    }


@pytest.mark.parametrize(
    ("requirement", "code", "hint"),
    [
        ("REQ-PAY-02", "keep_order", "REQ-PAY-00"),
        ("REQ-PAY-002", "nothing_like_it", "hint:"),
        ("REQ-PAY-002", "REQ-PAY-001", "a function, a class"),
    ],
)
def test_a_wrong_id_is_answered_with_what_to_do(shop: Path, run: Run, requirement: str, code: str, hint: str) -> None:
    result = run("--root", shop, "trace", "--accept", requirement, code)
    assert result.code == 2
    assert hint in result.err


def test_an_accepted_link_to_code_that_is_gone_is_reported_and_can_be_withdrawn(shop: Path, run: Run) -> None:
    run("--root", shop, "trace", "--accept", "REQ-PAY-002", "keep_order")
    money = shop / "shop/money.py"
    money.write_text(money.read_text(encoding="utf-8").partition("def keep_order")[0], encoding="utf-8")
    run("--root", shop, "index", "--no-embed", "--json")
    answer = traced(run, shop)
    assert answer["coverage"]["implemented"] == 1
    (stale,) = [o for o in answer["orphans"] if o["kind"] == "stale_accepted_link"]
    assert (stale["id"], stale["path"]) == ("REQ-PAY-002", "shop/money.py")
    assert "shop/money.py::keep_order is gone" in stale["message"]
    gone = traced(run, shop, "--withdraw", "REQ-PAY-002", "shop/money.py::keep_order")
    assert [o["kind"] for o in gone["orphans"] if o["kind"].startswith("stale")] == []


def test_an_accepted_link_survives_the_loss_of_the_graph(shop: Path, run: Run) -> None:
    import shutil

    run("--root", shop, "trace", "--accept", "REQ-PAY-002", "keep_order")
    before = traced(run, shop)
    shutil.rmtree(shop / ".loregraph")
    run("--root", shop, "index", "--no-embed", "--json")
    assert traced(run, shop) == before


def name_the_requirement(shop: Path, run: Run) -> None:
    test = shop / "tests/test_money.py"
    test.write_text(test.read_text().replace("def test_r", "# Verifies: REQ-PAY-001\ndef test_r"), encoding="utf-8")
    assert run("--root", shop, "index", "--no-embed", "--json").code == 0


# Verifies REQ-TRC-006.
def test_tests_that_name_no_requirement_verify_none(shop: Path, run: Run, tmp_path: Path) -> None:
    report = tmp_path / "junit.xml"
    report.write_text(PASSED.format(""), encoding="utf-8")
    answer = traced(run, shop, "--results", report)
    assert by_id(answer)["REQ-PAY-001"]["verified"] == "not run"
    assert by_id(answer)["REQ-PAY-001"]["tests"][0]["result"] == "passed"
    assert answer["coverage"]["verified"] == 0
    report.write_text(PASSED.format("<failure/>"), encoding="utf-8")
    assert by_id(traced(run, shop, "--results", report))["REQ-PAY-001"]["verified"] == "failed"


# Verifies REQ-TRC-006.
def test_results_say_which_requirements_are_verified(shop: Path, run: Run, tmp_path: Path) -> None:
    name_the_requirement(shop, run)
    report = tmp_path / "out" / "junit.xml"
    report.parent.mkdir()
    report.write_text(PASSED.format(""), encoding="utf-8")
    answer = traced(run, shop, "--results", tmp_path / "out" / "*.xml")
    assert {one: row["verified"] for one, row in by_id(answer).items()} == {
        "REQ-PAY-001": "passed",
        "REQ-PAY-002": "not run",
        "REQ-PAY-003": "not run",
    }
    assert by_id(answer)["REQ-PAY-001"]["tests"][0]["result"] == "passed"
    assert (answer["coverage"]["verified"], answer["results"]["joined"]) == (1, 1)
    report.write_text(PASSED.format("<failure/>"), encoding="utf-8")
    failed = run("--root", shop, "trace", "REQ-PAY-001", "--results", report, "--strict")
    assert failed.code == 1
    assert "REQ-PAY-001" in failed.err


# Verifies REQ-RUN-018.
def test_results_of_imported_runs_count_where_no_files_are_named(shop: Path, run: Run, tmp_path: Path) -> None:
    name_the_requirement(shop, run)
    report = tmp_path / "junit.xml"
    report.write_text(PASSED.format(""), encoding="utf-8")
    assert "results" not in traced(run, shop)
    assert run("--root", shop, "runs", "import", report).code == 0
    answer = traced(run, shop)
    assert by_id(answer)["REQ-PAY-001"]["verified"] == "passed"
    assert answer["results"] == {"cases": 1, "joined": 1, "unjoined": [], "runs": True}
    other = tmp_path / "other.xml"
    other.write_text(PASSED.format("<failure/>"), encoding="utf-8")
    assert by_id(traced(run, shop, "--results", other))["REQ-PAY-001"]["verified"] == "failed"
    test = shop / "tests/test_money.py"
    test.write_text(test.read_text() + "\n\ndef test_more() -> None:\n    pass\n", encoding="utf-8")
    assert run("--root", shop, "index", "--no-embed", "--json").code == 0
    changed = traced(run, shop)
    assert by_id(changed)["REQ-PAY-001"]["verified"] == "not run"
    assert (changed["results"]["joined"], changed["results"]["outdated"]) == (0, 1)


# Verifies REQ-RUN-017.
def test_code_that_ran_is_shown_apart_from_tests(shop: Path, run: Run, tmp_path: Path) -> None:
    plain = traced(run, shop)
    assert "executed" not in plain["coverage"]
    assert "execution" not in by_id(plain)["REQ-PAY-001"]
    assert "execution" not in run("--root", shop, "trace", "--format", "csv").out.splitlines()[0]
    report = tmp_path / "lcov.info"
    code, test = shop / "shop/money.py", shop / "tests/test_money.py"
    code.write_text(code.read_text() + "\n    print(order, years)\n", encoding="utf-8")
    test.write_text(test.read_text() + "\n\ndef test_page() -> None:\n    __import__('page')\n", encoding="utf-8")
    assert run("--root", shop, "index", "--no-embed", "--json").code == 0
    line = code.read_text().split("\n").index("    return round(amount, 2)") + 1
    ran = f"TN:tests/test_money.py::test_page\nSF:shop/money.py\nDA:{line},{{}}\nend_of_record\n"
    report.write_text(ran.format(1), encoding="utf-8")
    assert run("--root", shop, "runs", "import", report).code == 0
    answer = traced(run, shop)
    one = by_id(answer)["REQ-PAY-001"]
    assert one["execution"] == {
        "state": "executed", "only": True, "tests": ["tests/test_money.py::test_page"], "test_count": 1,
    }  # fmt: skip
    assert [test["id"] for test in one["tests"]] == ["tests/test_money.py::test_rounding"]
    assert answer["coverage"]["executed"] == 1
    assert run("--root", shop, "trace", "--format", "csv").out.splitlines()[0].endswith(",execution")
    assert "covered by execution alone 1 of 2" in run("--root", shop, "trace").out
    assert "tests/test_money.py::test_page" in run("--root", shop, "trace", "REQ-PAY-001").out
    rows = json.loads(run("--root", shop, "query", RAN, "--json").out)
    assert [tuple(row.values()) for row in rows] == [
        ("REQ-PAY-001", "shop/money.py::round_price", True, "call", 1),
        ("REQ-PAY-001", "shop/money.py::round_price", True, "coverage", 1),
    ]
    report.write_text(ran.format(0), encoding="utf-8")
    assert run("--root", shop, "runs", "import", report).code == 0
    idle = traced(run, shop)
    assert by_id(idle)["REQ-PAY-001"]["execution"]["state"] == "not executed"
    assert [o["id"] for o in idle["orphans"] if o["kind"] == "requirement_not_executed"] == ["REQ-PAY-001"]
    assert "whose code did not run: REQ-PAY-001" in run("--root", shop, "trace").out
    code.write_text(code.read_text().replace("round(amount, 2)", "round(amount, 3)"), encoding="utf-8")
    assert run("--root", shop, "index", "--no-embed", "--json").code == 0
    assert "execution" not in by_id(traced(run, shop))["REQ-PAY-001"]


def test_results_that_are_none(shop: Path, run: Run, tmp_path: Path) -> None:
    nothing = run("--root", shop, "trace", "--results", tmp_path / "none-*.xml")
    assert nothing.code == 2
    assert "no file matches" in nothing.err
    broken = tmp_path / "broken.xml"
    broken.write_text("<testsuite>", encoding="utf-8")
    result = run("--root", shop, "trace", "--results", broken)
    assert (result.code, result.out) == (2, "")
    assert str(broken) in result.err


def test_results_that_the_configuration_names(shop: Path, run: Run) -> None:
    name_the_requirement(shop, run)
    config = shop / "loregraph.toml"
    config.write_text(config.read_text(encoding="utf-8") + 'results = ["reports/*.xml"]\n', encoding="utf-8")
    nothing = run("--root", shop, "trace", "--json")
    assert "verified" not in json.loads(nothing.out)["coverage"]
    assert "warning: requirements.results: no file matches 'reports/*.xml'; run the tests" in nothing.err
    for gate in (["--fail-under-verified", "0"], ["--strict"]):
        refused = run("--root", shop, "trace", *gate)
        assert (refused.code, refused.out) == (2, "")
        assert "error: requirements.results: no file matches 'reports/*.xml'" in refused.err
    (shop / "reports").mkdir()
    (shop / "reports/a.xml").write_text(PASSED.format(""), encoding="utf-8")
    assert by_id(traced(run, shop))["REQ-PAY-001"]["verified"] == "passed"


def test_results_outside_are_the_users_to_name(shop: Path, run: Run) -> None:
    name_the_requirement(shop, run)
    (shop.parent / "outside.xml").write_text(PASSED.format(""), encoding="utf-8")
    config = shop / "loregraph.toml"
    config.write_text(config.read_text(encoding="utf-8") + 'results = ["../outside.xml"]\n', encoding="utf-8")
    assert "verified" not in by_id(traced(run, shop))["REQ-PAY-001"]
    with loregraph.open(shop, requirements_results=["../outside.xml"]) as project:
        assert project.trace().requirements[0].verified == "passed"


@pytest.mark.parametrize("form", ["html", "csv", "reqif", "text", "json"])
def test_a_matrix_in_a_file_is_the_one_that_is_printed(shop: Path, run: Run, tmp_path: Path, form: str) -> None:
    printed = run("--root", shop, "trace", "--format", form)
    assert printed.code == 0
    file = tmp_path / f"matrix.{form}"
    saved = run("--root", shop, "trace", "--format", form, "--output", file)
    assert (saved.code, saved.out) == (0, "")
    text = file.read_bytes().decode()
    assert (json.loads(text) == json.loads(printed.out)) if form == "json" else (text == printed.out)
    assert "REQ-PAY-003" in text


def test_a_matrix_that_cannot_be_written(shop: Path, run: Run, tmp_path: Path) -> None:
    result = run("--root", shop, "trace", "--output", tmp_path / "none" / "matrix.html")
    assert result.code == 2
    assert "--output" in result.err


def test_a_reqif_matrix_is_a_source_of_the_same_requirements(shop: Path, run: Run, tmp_path: Path) -> None:
    other = tmp_path / "other"
    (other / "docs").mkdir(parents=True)
    (other / "loregraph.toml").write_text('[requirements]\nsources = ["docs/*.reqif"]\n', encoding="utf-8")
    (other / "shop.py").write_text("def f() -> None:\n    pass\n", encoding="utf-8")
    run("--root", shop, "trace", "--format", "reqif", "--output", other / "docs/matrix.reqif")
    assert run("--root", other, "index", "--no-embed", "--jobs", "1", "--json").code == 0
    before, after = by_id(traced(run, shop)), by_id(traced(run, other))
    assert {i: (one["title"], one["status"]) for i, one in after.items()} == {
        i: (one["title"], one["status"]) for i, one in before.items()
    }
    (design,) = after["REQ-PAY-001"]["designs"]
    assert (design["title"], design["how"]) == ("Money is cents", "declared")


def test_a_trace_loads_no_engine_parser_or_model(shop: Path) -> None:
    assert HEAVY & loaded_by("--root", str(shop), "trace", "--json") == set()


def test_csv_opens_as_a_table(shop: Path, run: Run) -> None:
    rows = list(csv.reader(run("--root", shop, "trace", "--format", "csv").out.splitlines()))
    assert {len(row) for row in rows} == {len(rows[0])}


def test_one_query_walks_from_requirement_to_memory(shop: Path, run: Run) -> None:
    run("--root", shop, "memory", "add", "Prices came in as floats", "--kind", "learning", "--anchor", "round_price")
    rows = json.loads(run("--root", shop, "query", WALK, "--json").out)
    assert rows == [
        {
            "requirement": "REQ-PAY-001",
            "design": "Money is cents",
            "code": "shop/money.py::round_price",
            "test": "tests/test_money.py::test_rounding",
            "memory": "Prices came in as floats",
        }
    ]


def test_catching_up_gives_the_graph_that_indexing_gives(shop: Path, tmp_path: Path) -> None:
    with loregraph.open(shop) as project:
        project.decide_links([("accepted", "REQ-PAY-002", "keep_order"), ("accepted", "REQ-PAY-001", "round_price")])
        assert project.catch_up()
        caught_up = list(project.reader().columns.all_edges())
    with loregraph.open(shop, store=tmp_path / "fresh") as fresh:
        fresh.index(embed=False)
        assert list(fresh.reader().columns.all_edges()) == caught_up
    links = {(e.source, e.target): e.how for e in caught_up if e.rel == "IMPLEMENTS_REQ"}
    assert links["shop/money.py::keep_order", "REQ-PAY-002"] == "accepted"
    assert links["shop/money.py::round_price", "REQ-PAY-001"] == "marker"


def test_rejecting_what_the_code_says_itself_is_said(shop: Path, run: Run) -> None:
    result = run("--root", shop, "trace", "--reject", "REQ-PAY-001", "round_price")
    assert result.code == 0
    assert "still linked, by its marker: REQ-PAY-001 ← shop/money.py::round_price" in result.err


# Verifies REQ-TRC-003.
def test_suggestions_leave_out_what_was_decided(shop: Path, run: Run) -> None:
    def suggested() -> list[str]:
        row = by_id(traced(run, shop, "--suggest"))["REQ-PAY-002"]
        assert all(set(one) == {"id", "file_path", "score", "evidence"} for one in row["suggestions"])
        return [one["id"] for one in row["suggestions"]]

    first = suggested()[0]
    assert first == "shop/money.py::keep_order"
    assert first in run("--root", shop, "trace", "--suggest").out
    run("--root", shop, "trace", "--reject", "REQ-PAY-002", first)
    assert first not in suggested()
    run("--root", shop, "trace", "--withdraw", "REQ-PAY-002", first)
    assert suggested()[0] == first
    run("--root", shop, "trace", "--accept", "REQ-PAY-002", first)
    assert first not in suggested()


def test_edits_since_the_index_are_told(shop: Path, run: Run) -> None:
    assert "warning" not in run("--root", shop, "trace").err
    (shop / "shop/new.py").write_text("# Implements: REQ-PAY-002\n")
    assert "warning: 1 file changed since the last index" in run("--root", shop, "trace").err
