"""`search`, `show`, `callers`, `callees`, `impact`, `query`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from loregraph.cli import questions
from loregraph.graph.queries import CallHit

from .conftest import Run

HIT = {"id", "name", "kind", "file_path", "start_line", "end_line", "signature", "score", "why"}
CALL = {"id", "file_path", "line", "distance", "confidence", "how", "lines"}


# Verifies REQ-SRC-002.
def test_search_finds_by_parts_of_a_name(run: Run, indexed: Path) -> None:
    hits = json.loads(run("--root", indexed, "search", "round price", "--json").out)
    assert hits[0]["id"] == "shop/money.py::round_price"
    assert all(set(hit) == HIT for hit in hits)
    assert [hit["score"] for hit in hits] == sorted((hit["score"] for hit in hits), reverse=True)


# Verifies REQ-SRC-003.
@pytest.mark.parametrize("mode", ["lexical", "semantic", "hybrid"])
def test_every_mode_answers(run: Run, indexed: Path, mode: str) -> None:
    hits = json.loads(run("--root", indexed, "search", "pay for everything in the cart", "--mode", mode, "--json").out)
    assert hits[0]["id"] == "shop/cart.py::checkout"


def test_search_can_be_narrowed(run: Run, indexed: Path) -> None:
    base = ("--root", indexed, "search", "cart checkout", "--json")
    assert {hit["kind"] for hit in json.loads(run(*base, "--kind", "class").out)} == {"class"}
    assert {hit["file_path"] for hit in json.loads(run(*base, "--path", "tests").out)} == {"tests/test_cart.py"}
    assert json.loads(run(*base, "--language", "go").out) == []
    assert len(json.loads(run(*base, "--limit", "1").out)) == 1


# Verifies REQ-SRC-009.
def test_a_batch_gives_one_list_a_line(run: Run, indexed: Path, tmp_path: Path) -> None:
    queries = tmp_path / "queries"
    queries.write_text("round price\n\npay for everything in the cart\n")
    lines = run("--root", indexed, "search", "--batch", queries, "--json").out.splitlines()
    assert len(lines) == 3
    firsts = [[hit["id"] for hit in json.loads(line)][:1] for line in lines]
    assert firsts == [["shop/money.py::round_price"], [], ["shop/cart.py::checkout"]]


def test_a_query_and_a_batch_together_are_refused(run: Run, indexed: Path, tmp_path: Path) -> None:
    queries = tmp_path / "queries"
    queries.write_text("x\n")
    assert run("--root", indexed, "search", "x", "--batch", queries).code == 2


def test_search_prints_places_that_a_terminal_can_jump_to(run: Run, indexed: Path) -> None:
    line = run("--root", indexed, "search", "round price").out.splitlines()[0]
    assert line.startswith("shop/money.py:1  ")
    assert "\x1b" not in line


# Verifies REQ-GRA-007.
def test_callers_say_where_the_call_stands(run: Run, indexed: Path) -> None:
    hits = json.loads(run("--root", indexed, "callers", "shop.cart.checkout", "--json").out)
    assert all(set(hit) == CALL for hit in hits)
    assert [(hit["id"], hit["file_path"], hit["line"], hit["distance"]) for hit in hits] == [
        ("shop/jobs.py::run", "shop/jobs.py", 5, 1),
        ("tests/test_cart.py::test_checkout", "tests/test_cart.py", 5, 1),
    ]


# Verifies REQ-CLI-009.
@pytest.mark.parametrize(
    ("lines", "printed"),
    [
        ((4,), "a.py:4"),
        ((4, 7, 70_000), "a.py:4, 7, 70000"),
        (tuple(range(1, 10)), "a.py:1, 2, 3, 4, 5, 6 and 3 more"),
        ((), "a.py"),
    ],
)
def test_all_places_of_a_row_are_printed(lines: tuple[int, ...], printed: str) -> None:
    assert questions.places(CallHit("a.py::f", "a.py", lines[0] if lines else 0, 1, 1.0, "self", lines)) == printed


# Verifies REQ-CLI-009.
def test_depth_follows_callers_of_callers(run: Run, indexed: Path) -> None:
    near = json.loads(run("--root", indexed, "callers", "round_price", "--json").out)
    far = json.loads(run("--root", indexed, "callers", "round_price", "--depth", "3", "--json").out)
    assert [hit["id"] for hit in near] == ["shop/cart.py::Cart.total"]
    assert {hit["id"]: hit["distance"] for hit in far} == {
        "shop/cart.py::Cart.total": 1,
        "shop/cart.py::checkout": 2,
        "shop/jobs.py::run": 3,
        "tests/test_cart.py::test_checkout": 3,
    }


def test_callees(run: Run, indexed: Path) -> None:
    hits = json.loads(run("--root", indexed, "callees", "checkout", "--json").out)
    assert {"shop/cart.py::Cart", "shop/cart.py::Cart.__init__", "shop/cart.py::Cart.total"} == {
        hit["id"] for hit in hits
    }


def test_least_confidence_leaves_out_what_is_less_sure(run: Run, indexed: Path) -> None:
    base = ("--root", indexed, "callers", "checkout", "--json", "--min-confidence")
    sure = [hit["confidence"] for hit in json.loads(run(*base, "0").out)]
    assert len(sure) == 2
    assert len(json.loads(run(*base, str(max(sure))).out)) == sum(c >= max(sure) for c in sure)
    assert run(*base, "1.5").code == 2


# Verifies REQ-CLI-009.
def test_impact_reaches_the_tests(run: Run, indexed: Path) -> None:
    hits = json.loads(run("--root", indexed, "impact", "Cart.total", "--json").out)
    assert all(set(hit) == CALL for hit in hits)
    assert "tests/test_cart.py::test_checkout" in {hit["id"] for hit in hits}


def test_an_ambiguous_name_is_answered_with_its_candidates(run: Run, indexed: Path) -> None:
    result = run("--root", indexed, "callers", "run")
    assert (result.code, result.out) == (2, "")
    assert result.err.splitlines()[1:3] == ["  shop/jobs.py::run", "  shop/money.py::run"]


def test_an_unknown_name_is_answered_with_the_nearest(run: Run, indexed: Path) -> None:
    result = run("--root", indexed, "callers", "chekout")
    assert (result.code, result.out) == (2, "")
    assert "checkout" in result.err


def test_callers_print_the_place_first(run: Run, indexed: Path) -> None:
    result = run("--root", indexed, "callers", "checkout")
    assert [line.split()[:2] for line in result.out.splitlines()] == [
        ["shop/jobs.py:5", "run"],
        ["tests/test_cart.py:5", "test_checkout"],
    ]


def test_nobody_calls_is_said_apart_from_results(run: Run, indexed: Path) -> None:
    result = run("--root", indexed, "callers", "test_checkout")
    assert (result.code, result.out, result.err) == (0, "", "none\n")


# Verifies REQ-RES-011.
def test_no_callers_is_told_from_nobody_knows(run: Run, project: Path) -> None:
    (project / "shop" / "remote.py").write_text("def ask(server):\n    server.answer()\n    server.close()\n")
    run("--root", project, "index", "--no-embed")
    result = run("--root", project, "callers", "test_checkout")
    assert (result.code, result.out) == (0, "")
    assert result.err == "none that is known; of 2 calls in 1 file it is not known what they reach\n"
    assert json.loads(run("--root", project, "status", "--json").out)["unresolved"] == {"shop/remote.py": 2}


# Verifies REQ-CLI-008.
def test_show_has_all_that_is_known(run: Run, indexed: Path) -> None:
    shown = json.loads(run("--root", indexed, "show", "checkout", "--json").out)
    assert shown["id"] == "shop/cart.py::checkout"
    assert shown["docstring"] == "Pay for everything in the cart."
    assert [hit["id"] for hit in shown["callers"]] == ["shop/jobs.py::run", "tests/test_cart.py::test_checkout"]
    assert {"callees", "tests", "requirements", "memories", "contains"} <= set(shown)


def test_show_for_people(run: Run, indexed: Path) -> None:
    out = run("--root", indexed, "show", "shop.cart.Cart").out
    assert out.startswith("shop/cart.py:6-")
    assert "What a customer means to buy." in out
    assert "shop/cart.py::Cart.total" in out


def test_query_rows_are_objects(run: Run, indexed: Path) -> None:
    cypher = "MATCH (f:Function) WHERE f.name = $name RETURN f.id AS id, f.start_line AS line ORDER BY id"
    result = run("--root", indexed, "query", cypher, "--params", '{"name": "run"}', "--json")
    assert json.loads(result.out) == [{"id": "shop/jobs.py::run", "line": 4}, {"id": "shop/money.py::run", "line": 6}]


def test_query_prints_a_table_for_people(run: Run, indexed: Path) -> None:
    result = run("--root", indexed, "query", "MATCH (c:Class) RETURN c.name AS name, c.file_path AS file")
    assert result.out.splitlines() == ["name  file", "Cart  shop/cart.py"]


def test_rows_left_out_are_said(run: Run, indexed: Path) -> None:
    result = run("--root", indexed, "query", "MATCH (f:Function) RETURN f.id", "--limit", "2", "--json")
    assert len(json.loads(result.out)) == 2
    assert "first 2 rows" in result.err


@pytest.mark.parametrize(
    "cypher",
    ["CREATE (:File {id: 'x'})", "MATCH (n) DETACH DELETE n", "LOAD FROM '/etc/passwd' RETURN *", "COPY File TO 'x'"],
)
def test_a_statement_that_does_not_only_read_is_refused(run: Run, indexed: Path, cypher: str) -> None:
    result = run("--root", indexed, "query", cypher)
    assert (result.code, result.out) == (2, "")
    assert result.err.startswith("error: ")


def test_a_statement_that_the_engine_cannot_run_is_a_wrong_call(run: Run, indexed: Path) -> None:
    result = run("--root", indexed, "query", "MATCH (n:Nosuch) RETURN n")
    assert (result.code, result.out) == (2, "")
    assert "Nosuch" in result.err


@pytest.mark.parametrize("params", ["nonsense", "[1]"])
def test_params_that_are_no_object_are_refused(run: Run, indexed: Path, params: str) -> None:
    assert run("--root", indexed, "query", "RETURN 1", "--params", params).code == 2


@pytest.mark.parametrize(
    ("option", "given", "near"), [("--kind", "funtion", "'function'"), ("--language", "pyton", "'python'")]
)
def test_an_unknown_kind_or_language_is_refused_with_the_nearest(
    run: Run, indexed: Path, option: str, given: str, near: str
) -> None:
    result = run("--root", indexed, "search", "checkout", option, given)
    assert result.code == 2
    assert f"unknown {option[2:]} {given!r}" in result.err
    assert f"did you mean {near}?" in result.err


def test_a_sum_is_printed_whole(run: Run, indexed: Path) -> None:
    out = run("--root", indexed, "query", "MATCH (f:Function) RETURN sum(f.end_line) AS lines").out
    assert out.split()[1].isdigit()
