"""C: what the rest of loregraph has to know of it."""

from __future__ import annotations

from typing import Final

from loregraph.indexer.languages.language import Language, Packaging
from loregraph.indexer.languages.tokens import CHARACTER, DOUBLE, C, Tokens

LANGUAGES: Final = (
    Language(
        "c",
        "c",
        (".c", ".h"),
        shebangs=("tcc",),
        tokens=Tokens(C, strings=(DOUBLE, CHARACTER)),
        counts_arguments=True,
        checked_by_position=True,
        loads_files_in_turn=True,
        preprocessed=True,
        declares_constants=True,
        shared=(".h",),
        packaging=(Packaging("meson.build", "meson-project", 10),),
        packaging_settings=("configure.ac",),
    ),
)
