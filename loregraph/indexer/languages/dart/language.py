"""Dart: what the rest of loregraph has to know of it."""

from __future__ import annotations

from typing import Final

from loregraph.indexer.languages.conventions import Constants, Signatures, Unused
from loregraph.indexer.languages.language import Language, Packaging
from loregraph.indexer.languages.testing import Tests
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

TESTS: Final = Tests(
    files=("*_test",),
    folders=("integration_test", "test_driver"),
    callers=frozenset({"test", "testWidgets", "testGoldens", "patrolTest", "blocTest"}),
)
LANGUAGES: Final = (
    Language(
        "dart",
        "dart",
        (".dart",),
        scip="Dart",
        shebangs=("dart",),
        layout="dart",
        tests=TESTS,
        runners="dart",
        lexer="dart",
        tokens=Tokens(
            JVM
            + " as async await const covariant deferred dynamic export extension external factory function get hide in "
            "is late library mixin of on operator part required rethrow sealed set show sync typedef "
            "var when with yield",
            strings=(TRIPLE_DOUBLE, TRIPLE_SINGLE, DOUBLE, SINGLE),
            ignored=(ANNOTATIONS, IMPORTS),
        ),
        signatures=Signatures(names_arguments=True, counts_arguments=True),
        constants=Constants(declared=True),
        unused=Unused(
            called_by_name=frozenset({"call", "noSuchMethod", "toJson"}),
            permitted=r"//\s*+ignore(?:_for_file)?:.*\bunused_element\b|@pragma\(",
        ),
        packaging=(Packaging("pubspec.yaml", "pub-package", 16, manager="pub"),),
    ),
)
