"""Jupyter notebooks: what the rest of loregraph has to know of them."""

from __future__ import annotations

from typing import Final

from loregraph.indexer.languages.language import Language

LANGUAGES: Final = (Language("notebook", "", (".ipynb",), holds=("python",)),)
