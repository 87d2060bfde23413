"""Dart: what the rest of loregraph has to know of it."""

from __future__ import annotations

from typing import Final

from loregraph.indexer.languages.language import Language, Packaging
from loregraph.indexer.languages.tokens import (
    ANNOTATIONS,
    DOUBLE,
    IMPORTS,
    JVM,
    SINGLE,
    TRIPLE_DOUBLE,
    TRIPLE_SINGLE,
    Tokens,
)

LANGUAGES: Final = (
    Language(
        "dart",
        "dart",
        (".dart",),
        shebangs=("dart",),
        tokens=Tokens(
            JVM
            + " as async await const covariant deferred dynamic export extension external factory function get hide in "
            "is late library mixin of on operator part required rethrow sealed set show sync typedef "
            "var when with yield",
            strings=(TRIPLE_DOUBLE, TRIPLE_SINGLE, DOUBLE, SINGLE),
            ignored=(ANNOTATIONS, IMPORTS),
        ),
        names_arguments=True,
        counts_arguments=True,
        declares_constants=True,
        packaging=(Packaging("pubspec.yaml", "pub-package", 16),),
        called_by_name=frozenset({"call", "noSuchMethod", "toJson"}),
    ),
)
