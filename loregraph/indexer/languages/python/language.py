"""Python: what the rest of loregraph has to know of it."""

from __future__ import annotations

from typing import Final

from loregraph.indexer.languages.language import Language, Packaging
from loregraph.indexer.languages.tokens import DOUBLE, HASH, PYTHON_PREFIX, SINGLE, TRIPLE_DOUBLE, TRIPLE_SINGLE, Tokens

LANGUAGES: Final = (
    Language(
        "python",
        "python",
        (".py", ".pyi", ".pyw"),
        filenames=("SConstruct", "SConscript"),
        shebangs=("python", "python2", "python3", "pypy", "pypy3"),
        tokens=Tokens(
            "False None True and as assert async await break class continue def del elif else except finally for from "
            "global if import in is lambda nonlocal not or pass raise return self try while with yield",
            comments=(HASH,),
            strings=tuple(PYTHON_PREFIX + text for text in (TRIPLE_DOUBLE, TRIPLE_SINGLE, DOUBLE, SINGLE)),
            docstrings=True,
        ),
        names_arguments=True,
        counts_arguments=True,
        unchecked=True,
        loads_files_in_turn=True,
        packaging=(
            Packaging("pyproject.toml", "python-project", 2),
            Packaging("setup.py", "python-project", 3),
        ),
        packaging_settings=("setup.cfg",),
    ),
)
