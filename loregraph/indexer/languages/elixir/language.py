"""Elixir: what the rest of loregraph has to know of it."""

from __future__ import annotations

from typing import Final

from loregraph.indexer.languages.conventions import Signatures
from loregraph.indexer.languages.language import Language, Packaging
from loregraph.indexer.languages.testing import Tests
from loregraph.indexer.languages.tokens import DOUBLE, HASH, IMPORTS, SINGLE, TRIPLE_DOUBLE, Tokens

TESTS: Final = Tests(files=("*_test.exs", "test_helper.exs"))
LANGUAGES: Final = (
    Language(
        "elixir",
        "elixir",
        (".ex", ".exs"),
        scip="Elixir",
        shebangs=("elixir",),
        global_names=True,
        tests=TESTS,
        runners="elixir",
        lexer="elixir",
        tokens=Tokens(
            "after alias and case catch cond def defimpl defmacro defmodule defp defprotocol defstruct do else "
            "end false fn "
            "for if import in nil not or quote raise receive require rescue super true try unless "
            "unquote use when with",
            comments=(HASH,),
            strings=(TRIPLE_DOUBLE, DOUBLE, SINGLE),
            ignored=(IMPORTS, r"@(?:doc|moduledoc)\s+(?:\"\"\".*?(?:\"\"\"|\Z)|false)"),
            body="\n",
        ),
        signatures=Signatures(counts_arguments=True, overloads=True),
        packaging=(Packaging("mix.exs", "mix-project", 15, manager="hex"),),
    ),
)
