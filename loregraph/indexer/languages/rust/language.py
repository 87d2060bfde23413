"""Rust: what the rest of loregraph has to know of it."""

from __future__ import annotations

from typing import Final

from loregraph.indexer.languages.conventions import Conditions, Constants, Documentation, Signatures, Unused
from loregraph.indexer.languages.language import Language, Packaging
from loregraph.indexer.languages.testing import Tests
from loregraph.indexer.languages.tokens import CHARACTER, DOUBLE, RUST_RAW, Tokens

TESTS: Final = Tests(
    files=("tests", "test_*", "*_test", "*_tests", "*.test", "*.tests"),
    marks=frozenset("test bench rstest test_case quickcheck wasm_bindgen_test proptest".split()),
    modules=("test", "tests"),
)
LANGUAGES: Final = (
    Language(
        "rust",
        "rust",
        (".rs",),
        scip="Rust",
        shebangs=("rust-script",),
        layout="rust",
        tests=TESTS,
        runners="rust",
        lexer="rust",
        tokens=Tokens(
            "Self as async await break const continue crate dyn else enum extern false fn for if impl in let "
            "loop match mod "
            "move mut pub ref return self static struct super trait true type unsafe use where while",
            strings=(RUST_RAW, DOUBLE, CHARACTER),
        ),
        documentation=Documentation(
            conventions=("rustdoc",), attribute=r"\s*+#\[\s*+(?:doc\b|cfg_attr\([^\]]*\bdoc\b|cfg\s*+\(\s*+doctest)"
        ),
        conditions=Conditions(attribute=r"\s*+#!?\[\s*+cfg\b"),
        signatures=Signatures(
            counts_arguments=True,
            checked_by_position=True,
            implements=r"\s*(?:unsafe\s+)?impl\b.*\bfor\b",
            inline_module=r"\s*(?:pub(?:\([^)]*\))?\s+)?mod\s+\w+",
        ),
        constants=Constants(declared=True),
        unused=Unused(
            called_by_name=frozenset({"write_fmt", "write_str"}),
            permitted=r"#!?\[\s*+(?:cfg_attr\(.*)?(?:allow|expect)\s*+\([^\]]*\b(?:dead_code|unused)\b",
            permitted_for_modules=True,
            underscored=True,
        ),
        packaging=(Packaging("Cargo.toml", "cargo-package", 0, manager="cargo"),),
        confidences={"candidate": 0.88, "macro": 0.41},
    ),
)
