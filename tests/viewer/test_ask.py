"""Questions in Cypher on a page."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator
from typing import Any

import pytest

from loregraph.pages.saved_queries import SAVED_QUERIES
from loregraph.viewer.ask import LONGEST_STATEMENT, parameter_names, value_of

from .desk import Desk, indexed_desk

FUNCTIONS = "MATCH (f:Function) RETURN f.id AS id, f.start_line AS line ORDER BY id"


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    opened = Desk(indexed_desk(tmp_path_factory.mktemp("ask")))
    yield opened
    opened.close()


def test_before_a_question_there_are_saved_ones_and_the_words(desk: Desk) -> None:
    page = desk.get("/ask").text
    assert page.count('<a href="/ask?query=') == len(SAVED_QUERIES)
    assert "<dt>Function</dt>" in page
    assert 'id="query-words"' in page
    assert 'role="status"' not in page


# Verifies REQ-WEB-009.
def test_an_answer_is_a_table_whose_ids_lead_to_their_pages(desk: Desk) -> None:
    page = desk.get("/ask", query=FUNCTIONS, limit="5").text
    assert page.count("<tr>") == 6
    assert "and there are more" in page
    assert '<a class="symbol" href="/symbol?id=lending' in page
    assert '<td data-name="line" class="number">' in page


def test_an_answer_is_drawn_where_it_has_nodes(desk: Desk) -> None:
    page = desk.get("/ask", query="MATCH (f:File)-[:IMPORTS]->(g:File) RETURN f, g", view="graph").text
    assert page.count('class="node file"') > 1
    assert "IMPORTS" in page
    assert "style=" not in page
    nothing = desk.get("/ask", query="MATCH (f:File) RETURN count(*) AS n", view="graph").text
    assert "There is no node in these rows" in nothing


def test_an_answer_is_a_file(desk: Desk) -> None:
    answer = desk.get("/data/ask", query=FUNCTIONS, form="csv")
    assert answer.headers["content-type"].startswith("text/csv")
    rows = list(csv.reader(io.StringIO(answer.text)))
    assert rows[0] == ["id", "line"]
    as_json = desk.get("/data/ask", query=FUNCTIONS, form="json").json()
    assert [[row["id"], str(row["line"])] for row in as_json["rows"]] == rows[1:]
    assert as_json["truncated"] is False
    assert desk.get("/data/ask", query=FUNCTIONS, form="exe").status_code == 400


def test_the_values_of_parameters_are_asked_for_before_anything_runs(desk: Desk) -> None:
    query = "MATCH (f:Function {name: $name}) RETURN f.id AS id"
    asked = desk.get("/ask", query=query).text
    assert 'name="p_name"' in asked
    assert "fill in what the query asks for" in asked
    assert 'role="status"' not in asked
    given = desk.get("/ask", query=query, p_name="no_such_name").text
    assert "No row fits" in given
    hostile = desk.get("/ask", query=query, p_name="'}) DETACH DELETE f //").text
    assert "No row fits" in hostile


@pytest.mark.parametrize(
    ("text", "value"),
    [
        *[("12", 12), ("0.5", 0.5), ("true", True), ("null", None), ('["a"]', ["a"]), ('"12"', "12")],
        *[("1.x", "1.x"), ("Session", "Session"), ("-", "-"), ("[" * 100_000, "[" * 100_000)],
    ],
)
def test_a_value_is_what_was_typed(text: str, value: Any) -> None:
    assert value_of(text) == value


# Verifies REQ-QRY-001.
@pytest.mark.parametrize(
    "statement",
    [
        "MATCH (f:Function) DELETE f",
        "CREATE (f:File {id: 'x'})",
        "MATCH (f:File) SET f.name = 'x' RETURN f",
        "LOAD FROM '/etc/passwd' RETURN *",
        "COPY File FROM '/etc/passwd'",
        "CALL read_text('/etc/passwd') RETURN *",
        "MATCH (f:File) RETURN f; MATCH (g) RETURN g",
        "INSTALL httpfs",
        "<script>alert(1)</script>",
    ],
)
def test_what_does_not_read_the_graph_is_refused_at_its_place(desk: Desk, statement: str) -> None:
    answer = desk.get("/ask", query=statement)
    assert answer.status_code == 200
    assert "data-query-error" in answer.text
    assert "<script>alert" not in answer.text
    assert "root:" not in answer.text
    assert desk.get("/data/ask", query=statement).status_code == 400


def test_a_mistake_is_said_with_what_to_do(desk: Desk) -> None:
    page = desk.get("/ask", query="MATCH (f:Functio) RETURN f").text
    assert "unknown label" in page
    assert "did you mean &#39;Function&#39;?" in page
    assert "aria-invalid" in page


def test_a_statement_that_is_too_long_for_an_address_is_refused(desk: Desk) -> None:
    page = desk.get("/ask", query="RETURN 1 //" + "x" * LONGEST_STATEMENT).text
    assert "loregraph query" in page
    assert parameter_names("RETURN $a //" + "x" * LONGEST_STATEMENT) == []


def test_numbers_out_of_range_are_refused(desk: Desk) -> None:
    assert desk.get("/ask", query=FUNCTIONS, limit="100000").status_code == 400


def test_what_rows_hold_is_text(desk: Desk) -> None:
    page = desk.get("/ask", query="RETURN '<img src=x onerror=alert(1)>\u202e' AS `<b>a</b>`").text
    assert "<img" not in page
    assert "<b>" not in page
    assert "\u202e" not in page


def test_a_large_answer_is_a_page_of_bounded_size(desk: Desk) -> None:
    page = desk.get("/ask", query="UNWIND range(1, 1000) AS n RETURN n, repeat('long ', 5000) AS text", limit="1000")
    assert len(page.content) < 1_000_000
    assert "4.6 kB" not in page.text
    assert re.search(r"… 24,600 more", page.text)
