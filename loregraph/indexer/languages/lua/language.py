"""Lua: what the rest of loregraph has to know of it."""

from __future__ import annotations

from typing import Final

from loregraph.indexer.languages.language import Language
from loregraph.indexer.languages.tokens import DOUBLE, SINGLE, Tokens

LANGUAGES: Final = (
    Language(
        "lua",
        "lua",
        (".lua",),
        shebangs=("lua", "luajit", "texlua", "resty"),
        tokens=Tokens(
            "and break do else elseif end false for function goto if in local nil not or repeat return then true "
            "until while",
            comments=(r"--\[\[.*?(?:\]\]|\Z)", r"--\[=\[.*?(?:\]=\]|\Z)", r"--[^\n]*"),
            strings=(r"\[\[.*?(?:\]\]|\Z)", DOUBLE, SINGLE),
        ),
        ignores_surplus_arguments=True,
    ),
)
