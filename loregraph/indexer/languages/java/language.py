"""Java: what the rest of loregraph has to know of it."""

from __future__ import annotations

from typing import Final

from loregraph.indexer.languages.language import Language, Packaging
from loregraph.indexer.languages.tokens import ANNOTATIONS, CHARACTER, DOUBLE, JVM, TEXT_BLOCK, Tokens

LANGUAGES: Final = (
    Language(
        "java",
        "java",
        (".java",),
        tokens=Tokens(JVM, strings=(TEXT_BLOCK, DOUBLE, CHARACTER), ignored=(ANNOTATIONS,)),
        counts_arguments=True,
        overloads=True,
        checked_by_position=True,
        packaging=(
            Packaging("pom.xml", "maven-module", 5),
            Packaging("build.gradle", "gradle-module", 6),
            Packaging("build.gradle.kts", "gradle-module", 7),
        ),
        packaging_settings=(
            "settings.gradle",
            "settings.gradle.kts",
        ),
        called_by_name=frozenset("readObject writeObject readResolve writeReplace readObjectNoData".split()),
    ),
)
