"""C: what the rest of loregraph has to know of it."""

from __future__ import annotations

from typing import Final

from loregraph.indexer.languages.conventions import Conditions, Constants, Documentation, Signatures, Unused
from loregraph.indexer.languages.language import Language, Packaging
from loregraph.indexer.languages.testing import Tests
from loregraph.indexer.languages.tokens import CHARACTER, DOUBLE, C, Tokens

TESTS: Final = Tests(
    files=(
        "test_*",
        "test-*",
        "*_test",
        "*-test",
        "*.test",
        "*_tests",
        "*-tests",
        "*.tests",
        "*[_-]unittest",
        "*[_-]unittests",
        "*[a-z0-9]Test",
        "*[a-z0-9]Tests",
    ),
    prefixes=("test", "Test", "TEST"),
)
UNUSED_PERMITTED: Final = (
    r"maybe_unused|__attribute__\s*+\(\(.*\bunused\b|\bG_GNUC_UNUSED\b|ignored\s++\"-Wunused|NOLINT"
)
DEFINED: Final = r"^[ \t]*+#[ \t]*+define[ \t]++([A-Za-z_]\w*+)[ \t]++[^\s\\]"
CONDITIONAL: Final = r"^[ \t]*+#[ \t]*+if"
"""Branches of conditional compilation may each open what is closed once."""
LANGUAGES: Final = (
    Language(
        "c",
        "c",
        (".c", ".h"),
        scip="C",
        shebangs=("tcc",),
        layout="c",
        tests=TESTS,
        tokens=Tokens(C, strings=(DOUBLE, CHARACTER)),
        loads_files_in_turn=True,
        shared=(".h",),
        unreadable=CONDITIONAL,
        documentation=Documentation(conventions=("doxygen", "xml_docs")),
        conditions=Conditions(preprocessed=True),
        signatures=Signatures(counts_arguments=True, checked_by_position=True, macros=True),
        constants=Constants(declared=True, in_lines=DEFINED),
        unused=Unused(permitted=UNUSED_PERMITTED, loose_enumerators=True),
        packaging=(Packaging("meson.build", "meson-project", 10, any_language=True, yields=True),),
        packaging_settings=("configure.ac",),
    ),
)
