"""Bash: what the rest of loregraph has to know of it."""

from __future__ import annotations

from typing import Final

from loregraph.indexer.languages.conventions import Constants
from loregraph.indexer.languages.language import Language
from loregraph.indexer.languages.testing import Tests
from loregraph.indexer.languages.tokens import DOUBLE, Tokens

TESTS: Final = Tests(
    files=("*.bats", "test_*", "test-*", "*_test", "*-test", "*.test", "*_spec"),
    folders=("spec", "t"),
    prefixes=("test",),
)
LANGUAGES: Final = (
    Language(
        "bash",
        "bash",
        (".sh", ".bash", ".bats", ".ksh"),
        scip="ShellScript",
        filenames=(".bashrc", ".bash_profile", ".profile", "PKGBUILD"),
        shebangs=("sh", "bash", "dash", "ksh", "zsh", "bats"),
        layout="bash",
        tests=TESTS,
        runners="bash",
        lexer="bash",
        tokens=Tokens(
            "case do done elif else esac exit export fi for function if in local return select shift then until while",
            comments=(r"(?:^|(?<=[\s;(]))\#[^\n]*",),
            strings=(DOUBLE, r"'[^']*(?:'|\Z)"),
            name=r"[^\W\d]\w*",
        ),
        unpaired_brackets=True,
        constants=Constants(in_lines=r"^(?:readonly|export|declare -[a-z]{0,5}[rx])[ \t]++([A-Z_][A-Z0-9_]*+)="),
    ),
)
