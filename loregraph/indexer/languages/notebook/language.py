"""Jupyter notebooks: what the rest of loregraph has to know of them."""

from __future__ import annotations

from typing import Final

from loregraph.indexer.languages.language import Language
from loregraph.indexer.languages.python.language import LANGUAGES as _PYTHON

LANGUAGES: Final = (Language("notebook", "", (".ipynb",), holds=("python",), tokens=_PYTHON[0].tokens),)
