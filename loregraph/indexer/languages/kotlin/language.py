"""Kotlin: what the rest of loregraph has to know of it."""

from __future__ import annotations

from typing import Final

from loregraph.indexer.languages.language import Language
from loregraph.indexer.languages.tokens import ANNOTATIONS, CHARACTER, DOUBLE, IMPORTS, TEXT_BLOCK, Tokens

LANGUAGES: Final = (
    Language(
        "kotlin",
        "kotlin",
        (".kt", ".kts"),
        shebangs=("kotlin",),
        tokens=Tokens(
            "as break by catch class companion constructor continue data do else enum false final "
            "finally for fun get if "
            "import in init inline interface internal is lateinit null object open operator out "
            "override package private "
            "protected public return sealed set super suspend this throw true try typealias val var vararg when "
            "where while",
            strings=(TEXT_BLOCK, DOUBLE, CHARACTER),
            ignored=(ANNOTATIONS, IMPORTS),
        ),
        names_arguments=True,
        counts_arguments=True,
        overloads=True,
        override_in_head=True,
        declares_constants=True,
        called_by_name=frozenset("readObject writeObject readResolve writeReplace".split()),
    ),
)
