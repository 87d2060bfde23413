"""TypeScript, and TSX: the same language with one more kind of node: what the rest of loregraph has to know of it."""

from __future__ import annotations

from typing import Final

from loregraph.indexer.languages.conventions import Documentation, Signatures, Unused
from loregraph.indexer.languages.javascript.language import TESTS, TOKENS, UNUSED_PERMITTED
from loregraph.indexer.languages.language import Language

LANGUAGES: Final = (
    Language(
        "typescript",
        "typescript",
        (".ts", ".mts", ".cts"),
        scip="TypeScript",
        shebangs=("ts-node", "tsx", "deno"),
        layout="javascript",
        tests=TESTS,
        runners="javascript",
        lexer="typescript",
        tokens=TOKENS,
        ecmascript=True,
        loads_files_in_turn=True,
        along=("tsx",),
        documentation=Documentation(conventions=("jsdoc",), marks=()),
        signatures=Signatures(
            counts_arguments=True,
            ignores_surplus_arguments=True,
            override_in_head=True,
            reads_unnamed=r"\barguments\b",
            decorators_replace=True,
            rest_documented=True,
        ),
        unused=Unused(permitted=UNUSED_PERMITTED, duck_typed=True),
        confidences={"inferred-type": 1.0, "value": 0.94},
    ),
    Language(
        "tsx",
        "tsx",
        (".tsx",),
        scip="TypeScriptReact",
        layout="javascript",
        tests=TESTS,
        runners="javascript",
        lexer="tsx",
        tokens=TOKENS,
        ecmascript=True,
        loads_files_in_turn=True,
        documentation=Documentation(conventions=("jsdoc",), marks=()),
        signatures=Signatures(
            counts_arguments=True,
            ignores_surplus_arguments=True,
            override_in_head=True,
            reads_unnamed=r"\barguments\b",
            decorators_replace=True,
            rest_documented=True,
        ),
        unused=Unused(permitted=UNUSED_PERMITTED, duck_typed=True),
        confidences={"inferred-type": 1.0, "value": 0.94},
    ),
)
