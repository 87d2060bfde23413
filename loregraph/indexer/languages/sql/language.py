"""SQL: what the rest of loregraph has to know of it."""

from __future__ import annotations

from typing import Final

from loregraph.indexer.languages.conventions import Signatures
from loregraph.indexer.languages.language import Language
from loregraph.indexer.languages.testing import Tests
from loregraph.indexer.languages.tokens import BLOCK, Tokens

TESTS: Final = Tests(folders=("spec", "t"))
LANGUAGES: Final = (
    Language(
        "sql",
        "sql",
        (".sql", ".psql", ".pgsql", ".ddl"),
        scip="SQL",
        layout="sql",
        tests=TESTS,
        tokens=Tokens(
            "ALL ALTER AND AS ASC BEGIN BETWEEN BY CASE CREATE CROSS DECLARE DEFAULT DELETE DESC DISTINCT "
            "DROP ELSE END EXCEPT EXECUTE EXISTS FOR FROM FULL FUNCTION GROUP HAVING IF IN INNER INSERT "
            "INTERSECT INTO IS JOIN LEFT LIKE LIMIT LOOP NOT NULL OFFSET ON OR ORDER OUTER PERFORM "
            "PROCEDURE REPLACE RETURN RETURNS RIGHT SELECT SET TABLE THEN TRIGGER UNION UPDATE USING "
            "VALUES VIEW WHEN WHERE WHILE WITH all alter and as asc begin between by case create cross "
            "declare default delete desc distinct drop else end except execute exists for from full "
            "function group having if in inner insert intersect into is join left like limit loop not null "
            "offset on or order outer perform procedure replace return returns right select set table then "
            "trigger union update using values view when where while with",
            comments=(r"--[^\n]*", BLOCK),
            strings=(r"'(?:[^']|'')*+(?:'|\Z)", r'"(?:[^"\n]|"")*+"', r"`[^`\n]*+`"),
        ),
        signatures=Signatures(overloads=True),
    ),
)
