"""SQL: fixtures that assert themselves, and what only SQL does."""

from __future__ import annotations

from pathlib import Path

import pytest

from loregraph.indexer.extract.file import extract
from loregraph.indexer.facts import FileFacts
from tests.indexer.languages.carets import FIXTURES, failures
from tests.indexer.languages.edges import calls_between

FILES = sorted((FIXTURES / "sql").glob("*.sql"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_fixtures_say_what_is_found(path: Path) -> None:
    assert failures(path, "sql", "--") == []


def facts_of(text: str, path: str = "db/a.sql") -> FileFacts:
    return extract(path, text.encode(), "sql")


def defined(text: str) -> list[tuple[str, str, int, int]]:
    return [(d.kind, d.qualname, d.start_line, d.end_line) for d in facts_of(text).definitions]


def test_routines_of_mysql_end_at_the_delimiter() -> None:
    text = (
        "DELIMITER $$\nCREATE DEFINER=`root`@`%` PROCEDURE `in_stock`(IN film INT, OUT found INT)\nREADS SQL DATA\n"
        "BEGIN\n"
        "  SELECT id FROM inventory WHERE held(id);\n  IF 1 THEN SELECT 2; END IF;\nEND $$\nDELIMITER ;\n"
        "CREATE TABLE `actor` (`id` INT, KEY `k` (`id`)) ENGINE=InnoDB;\nCREATE TRIGGER t AFTER INSERT ON actor\n"
        "FOR EACH ROW BEGIN INSERT INTO log (id) VALUES (new.id); END;\nCREATE VIEW v AS SELECT 1;"
    )
    assert defined(text) == [
        ("function", "in_stock", 2, 7),
        ("struct", "actor", 9, 9),
        ("function", "actor.t", 10, 11),
        ("class", "v", 12, 12),
    ]
    found = facts_of(text)
    assert [(c.function[1], len(c.arguments)) for c in found.calls] == [("held", 1)]
    assert found.definitions[0].complexity == 2


def test_batches_of_t_sql_end_at_go() -> None:
    text = (
        "IF OBJECT_ID('dbo.Save') IS NULL EXEC('CREATE PROCEDURE dbo.Save AS RETURN 0');\nGO\n"
        "ALTER PROCEDURE [dbo].[Save] @Id INT = 0, @Name NVARCHAR(MAX) AS\nBEGIN\n"
        " SELECT * INTO #found FROM dbo.Orders;\n"
        " CREATE TABLE #rest (id INT);\n EXEC @r = dbo.Tell @Id;\nEND\nGO\nCREATE TABLE [dbo].[Orders] ([Id] INT)\n"
        "CREATE TABLE dbo.Rest (Id INT)\nGO\nCREATE TABLE #temporary (id INT);"
    )
    found = [("function", "save", 3, 8), ("struct", "orders", 10, 10), ("struct", "rest", 11, 11)]
    assert defined(text) == found
    assert defined(text.replace("\n", "\r\n")) == found
    assert [(p.name, p.default is not None) for p in facts_of(text).definitions[0].parameters] == [
        ("@id", True),
        ("@name", False),
    ]
    assert ("save", "orders") in calls_between({"a.sql": text}, "REFERENCES")


def test_names_are_those_of_one_database() -> None:
    files = {
        "migrations/1.sql": "CREATE TABLE Orders (id int);\nCREATE TABLE shop.items (id int);",
        "migrations/2.sql": "SET search_path = audit;\nCREATE TABLE log (id int);\nCREATE TABLE items (id int);",
        "views.sql": "CREATE VIEW a AS SELECT * FROM public.orders, shop.items;\n"
        "CREATE VIEW b AS SELECT * FROM audit.items JOIN audit.log ON 1 = 1 JOIN other.orders ON 2 = 2;",
    }
    assert calls_between(files, "REFERENCES") == {
        ("a", "orders"),
        ("a", "shop.items"),
        ("b", "items"),
        ("b", "log"),
    }


def test_functions_are_told_apart_by_how_many_arguments_they_take() -> None:
    files = {
        "f.sql": "CREATE FUNCTION f(a int) RETURNS int AS $$ SELECT 1 $$ LANGUAGE sql;\n"
        "CREATE FUNCTION f(a int, b int, c int DEFAULT 1) RETURNS int AS $$ SELECT f(a) $$ LANGUAGE sql;",
        "g.sql": "CREATE VIEW g AS SELECT f(1, 2);",
        "h.sql": "CREATE FUNCTION h() RETURNS int AS $$ import f; f(1) $$ LANGUAGE plpython3u;",
    }
    assert calls_between(files) == {("f#2", "f"), ("g", "f#2")}


def test_a_trigger_does_not_hide_the_function_of_its_name() -> None:
    text = (
        "CREATE FUNCTION stamp() RETURNS trigger AS $$ BEGIN RETURN NEW; END $$ LANGUAGE plpgsql;\n"
        "CREATE TRIGGER stamp BEFORE UPDATE ON a FOR EACH ROW EXECUTE PROCEDURE stamp();\n"
        "CREATE TRIGGER stamp BEFORE UPDATE ON b FOR EACH ROW EXECUTE PROCEDURE stamp();"
    )
    assert calls_between({"a.sql": text}) == {("a.stamp", "stamp"), ("b.stamp", "stamp")}


def test_what_a_text_creates_is_not_used() -> None:
    text = "CREATE TABLE a (id int);\nSELECT run($$ CREATE TABLE a (id int); INSERT INTO b VALUES (1); $$);"
    assert [(r.line, r.value[1]) for r in facts_of(text).references] == [(2, "b")]


def test_what_is_no_code() -> None:
    text = (
        "-- CREATE TABLE a (id int);\n/* CREATE TABLE b (id int); */\nSELECT 'CREATE TABLE c (id int);';\n"
        "COPY d (id) FROM stdin;\nCREATE TABLE e (id int);\n\\.\nCREATE TEMP TABLE f (id int);\n"
        "SELECT 1 \\gset\nCREATE TABLE g (id int);\n\\i other.sql\n"
    )
    found = facts_of(text)
    assert [d.qualname for d in found.definitions] == ["g"]
    assert [(i.module, i.kind) for i in found.imports] == [("other.sql", "include")]


def test_markers_stand_at_the_definition_below_them() -> None:
    found = facts_of("-- Implements REQ-SHOP-001\nCREATE TABLE a (\n  id int -- Implements REQ-SHOP-002\n);\n")
    assert [(m.id, m.scope, m.line) for m in found.markers] == [("REQ-SHOP-001", 0, 1), ("REQ-SHOP-002", 0, 3)]


def test_a_definition_without_a_name_is_a_problem() -> None:
    found = facts_of("CREATE TABLE ;\nCREATE TABLE a (id int);")
    assert (found.status, [d.qualname for d in found.definitions]) == ("partial", ["a"])
    assert [problem.line for problem in found.problems] == [1]


@pytest.mark.parametrize(
    "text",
    [
        "CREATE VIEW v AS SELECT " + "(" * 5000 + "1" + ")" * 5000 + ";",
        "CREATE FUNCTION f() BEGIN " + "IF a THEN " * 3000 + "END IF; " * 3000 + "END;",
        "CREATE TABLE t (" * 3000,
        "SELECT '" * 3001,
    ],
    ids=["parentheses", "blocks", "tables", "texts"],
)
def test_deep_code_is_read_without_recursion(text: str) -> None:
    assert facts_of(text).status in ("indexed", "partial")
