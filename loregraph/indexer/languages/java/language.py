"""Java: what the rest of loregraph has to know of it."""

from __future__ import annotations

from typing import Final

from loregraph.indexer.languages.conventions import Documentation, Signatures, Unused
from loregraph.indexer.languages.language import Language, Packaging
from loregraph.indexer.languages.testing import JVM_FILES, JVM_FOLDERS, Tests
from loregraph.indexer.languages.tokens import ANNOTATIONS, CHARACTER, DOUBLE, JVM, TEXT_BLOCK, Tokens

TESTS: Final = Tests(
    files=("Test[A-Z]*", *JVM_FILES),
    folders=JVM_FOLDERS,
    product=("src/main",),
    prefixes=("test",),
    marks=frozenset({"Test", "ParameterizedTest", "RepeatedTest", "TestFactory", "TestTemplate", "Property"}),
)
LANGUAGES: Final = (
    Language(
        "java",
        "java",
        (".java",),
        scip="Java",
        layout="java",
        tests=TESTS,
        runners="java",
        tokens=Tokens(JVM, strings=(TEXT_BLOCK, DOUBLE, CHARACTER), ignored=(ANNOTATIONS,)),
        generated_mark=r"^@(?:javax\.annotation\.(?:processing\.)?|jakarta\.annotation\.)?Generated\(",
        documentation=Documentation(conventions=("javadoc",)),
        signatures=Signatures(counts_arguments=True, overloads=True, checked_by_position=True),
        unused=Unused(
            called_by_name=frozenset("readObject writeObject readResolve writeReplace readObjectNoData".split()),
            permitted=r"@SuppressWarnings\s*+\(.*\"(?:unused|all)\"",
        ),
        packaging=(
            Packaging("pom.xml", "maven-module", 5, any_language=True, manager="maven"),
            Packaging("build.gradle", "gradle-module", 6, any_language=True, manager="maven"),
            Packaging("build.gradle.kts", "gradle-module", 7, any_language=True, manager="maven"),
        ),
        packaging_settings=(
            "settings.gradle",
            "settings.gradle.kts",
        ),
        confidences={
            "candidate": 0.4,
            "declared-type": 0.89,
            "package": 0.9,
            "scope": 0.91,
            "self": 0.86,
            "super": 0.94,
            "value": 0.65,
        },
    ),
)
