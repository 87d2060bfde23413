"""Bash: what the rest of loregraph has to know of it."""

from __future__ import annotations

from typing import Final

from loregraph.indexer.languages.language import Language
from loregraph.indexer.languages.tokens import DOUBLE, Tokens

LANGUAGES: Final = (
    Language(
        "bash",
        "bash",
        (".sh", ".bash", ".bats", ".ksh"),
        filenames=(".bashrc", ".bash_profile", ".profile", "PKGBUILD"),
        shebangs=("sh", "bash", "dash", "ksh", "zsh", "bats"),
        tokens=Tokens(
            "case do done elif else esac exit export fi for function if in local return select shift then until while",
            comments=(r"(?:^|(?<=[\s;(]))\#[^\n]*",),
            strings=(DOUBLE, r"'[^']*(?:'|\Z)"),
            name=r"[^\W\d]\w*",
        ),
    ),
)
