"""TypeScript, and TSX: the same language with one more kind of node: what the rest of loregraph has to know of it."""

from __future__ import annotations

from typing import Final

from loregraph.indexer.languages.javascript.language import TOKENS
from loregraph.indexer.languages.language import Language

LANGUAGES: Final = (
    Language(
        "typescript",
        "typescript",
        (".ts", ".mts", ".cts"),
        shebangs=("ts-node", "tsx", "deno"),
        tokens=TOKENS,
        counts_arguments=True,
        ignores_surplus_arguments=True,
        ecmascript=True,
        loads_files_in_turn=True,
        override_in_head=True,
        along=("tsx",),
    ),
    Language(
        "tsx",
        "tsx",
        (".tsx",),
        tokens=TOKENS,
        counts_arguments=True,
        ignores_surplus_arguments=True,
        ecmascript=True,
        loads_files_in_turn=True,
        override_in_head=True,
    ),
)
