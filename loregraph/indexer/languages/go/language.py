"""Go: what the rest of loregraph has to know of it."""

from __future__ import annotations

from typing import Final

from loregraph.indexer.languages.conventions import Conditions, Constants, Documentation, Signatures, Unused
from loregraph.indexer.languages.language import Language, Packaging
from loregraph.indexer.languages.testing import Tests
from loregraph.indexer.languages.tokens import CHARACTER, DOUBLE, RAW_BACKTICK, Tokens

TESTS: Final = Tests(files=("*_test",), prefixes=("Test", "Benchmark", "Fuzz", "Example"))
INTERFACE_METHODS: Final = frozenset(
    "Error Unwrap Is As String GoString Format Read Write Close Seek Len Less Swap ServeHTTP RoundTrip MarshalJSON"
    " UnmarshalJSON MarshalText UnmarshalText MarshalYAML UnmarshalYAML MarshalBinary UnmarshalBinary Scan"
    " Value".split()
)
LANGUAGES: Final = (
    Language(
        "go",
        "go",
        (".go",),
        scip="Go",
        layout="go",
        tests=TESTS,
        runners="go",
        lexer="go",
        tokens=Tokens(
            "break case chan const continue default defer else fallthrough false for func go goto if "
            "import interface map "
            "nil package range return select struct switch true type var",
            strings=(RAW_BACKTICK, DOUBLE, CHARACTER),
        ),
        documentation=Documentation(interfaces=INTERFACE_METHODS),
        conditions=Conditions(file=r"//(?:go:build| ?\+build)\b"),
        signatures=Signatures(counts_arguments=True, checked_by_position=True),
        constants=Constants(capital_exports=True, declared=True),
        unused=Unused(
            permitted=(
                r"//\s*+nolint(?:\s|$|:.*\b(?:unused|deadcode|all)\b)|//lint:(?:file-)?ignore\s++\S*U1000|//go:linkname"
            ),
            implicit_interfaces=True,
        ),
        packaging=(Packaging("go.mod", "go-module", 1, manager="golang"),),
        packaging_settings=("go.work",),
        confidences={"declared-type": 1.0, "inferred-type": 1.0},
    ),
)
