"""Terraform: what the rest of loregraph has to know of it."""

from __future__ import annotations

from typing import Final

from loregraph.indexer.languages.language import Language
from loregraph.indexer.languages.testing import Tests
from loregraph.indexer.languages.tokens import BLOCK, DOUBLE, HASH, LINE, Tokens

TESTS: Final = Tests(files=("*.tftest",))
LANGUAGES: Final = (
    Language(
        "terraform",
        "terraform",
        (".tf", ".tofu", ".tfvars", ".hcl"),
        layout="terraform",
        tests=TESTS,
        tokens=Tokens(
            "data dynamic each else endfor endif false for if in local locals module null output provider resource "
            "self terraform true var variable",
            comments=(HASH, LINE, BLOCK),
            strings=(DOUBLE,),
            name=r"[^\W\d][\w-]*",
        ),
    ),
)
