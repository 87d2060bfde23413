"""Go: what the rest of loregraph has to know of it."""

from __future__ import annotations

from typing import Final

from loregraph.indexer.languages.language import Language, Packaging
from loregraph.indexer.languages.tokens import CHARACTER, DOUBLE, RAW_BACKTICK, Tokens

LANGUAGES: Final = (
    Language(
        "go",
        "go",
        (".go",),
        tokens=Tokens(
            "break case chan const continue default defer else fallthrough false for func go goto if "
            "import interface map "
            "nil package range return select struct switch true type var",
            strings=(RAW_BACKTICK, DOUBLE, CHARACTER),
        ),
        counts_arguments=True,
        checked_by_position=True,
        capital_exports=True,
        declares_constants=True,
        packaging=(Packaging("go.mod", "go-module", 1),),
        packaging_settings=("go.work",),
    ),
)
