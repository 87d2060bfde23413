"""Vue's single-file components: what the rest of loregraph has to know of them."""

from __future__ import annotations

from typing import Final

from loregraph.indexer.languages.javascript.language import TOKENS
from loregraph.indexer.languages.language import Language

LANGUAGES: Final = (
    Language("vue", "", (".vue",), scip="Vue", holds=("javascript", "typescript", "tsx"), tokens=TOKENS),
)
