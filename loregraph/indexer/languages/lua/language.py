"""Lua: what the rest of loregraph has to know of it."""

from __future__ import annotations

from typing import Final

from loregraph.indexer.languages.conventions import Documentation, Signatures, Unused
from loregraph.indexer.languages.language import Language
from loregraph.indexer.languages.testing import Tests
from loregraph.indexer.languages.tokens import DOUBLE, SINGLE, Tokens

TESTS: Final = Tests(
    files=("*_spec", "*_test", "test_*"),
    folders=("spec", "specs", "t"),
    # Of busted and plenary.
    callers=frozenset({"it", "test", "specify", "pending_it"}),
)
LANGUAGES: Final = (
    Language(
        "lua",
        "lua",
        (".lua",),
        scip="Lua",
        shebangs=("lua", "luajit", "texlua", "resty"),
        layout="lua",
        tests=TESTS,
        runners="lua",
        tokens=Tokens(
            "and break do else elseif end false for function goto if in local nil not or repeat return then true "
            "until while",
            comments=(r"--\[\[.*?(?:\]\]|\Z)", r"--\[=\[.*?(?:\]=\]|\Z)", r"--[^\n]*"),
            strings=(r"\[\[.*?(?:\]\]|\Z)", DOUBLE, SINGLE),
            body="\n",
        ),
        documentation=Documentation(
            conventions=("emmylua",), marks=("--",), longer_mark="---", long_comment=("--[[", "]]")
        ),
        signatures=Signatures(ignores_surplus_arguments=True, reads_unnamed=r"\bselect\s*+\(", rest_documented=True),
        unused=Unused(permitted=r"--\s*+luacheck:\s*+ignore|@diagnostic\s++disable(?:-next-line|-line)?\s*+:.*unused"),
    ),
)
