"""Erlang: what the rest of loregraph has to know of it."""

from __future__ import annotations

from typing import Final

from loregraph.indexer.languages.conventions import Signatures, Unused
from loregraph.indexer.languages.language import Language, Packaging
from loregraph.indexer.languages.testing import Tests
from loregraph.indexer.languages.tokens import DOUBLE, SINGLE, TRIPLE_DOUBLE, Tokens

TESTS: Final = Tests(files=("*_SUITE", "*_test", "*_tests"))
LANGUAGES: Final = (
    Language(
        "erlang",
        "erlang",
        (".erl", ".hrl", ".escript"),
        scip="Erlang",
        shebangs=("escript",),
        global_names=True,
        tests=TESTS,
        lexer="erlang",
        tokens=Tokens(
            "after and andalso band begin bnot bor bsl bsr bxor case catch cond div else end fun if let maybe not of "
            "or orelse receive rem try when xor",
            comments=(r"%[^\n]*",),
            strings=(TRIPLE_DOUBLE, DOUBLE, SINGLE),
            ignored=(r"^-(?:module|export|export_type|import|include|include_lib|spec)\b[^.]*+\.",),
        ),
        signatures=Signatures(overloads=True),
        unused=Unused(called_by_name=frozenset({"start/2", "stop/1", "main/1"})),
        packaging=(Packaging("rebar.config", "rebar-project", 63), Packaging("erlang.mk", "erlang-project", 64)),
    ),
)
