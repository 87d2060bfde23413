"""Rust: what the rest of loregraph has to know of it."""

from __future__ import annotations

from typing import Final

from loregraph.indexer.languages.language import Language, Packaging
from loregraph.indexer.languages.tokens import CHARACTER, DOUBLE, RUST_RAW, Tokens

LANGUAGES: Final = (
    Language(
        "rust",
        "rust",
        (".rs",),
        shebangs=("rust-script",),
        tokens=Tokens(
            "Self as async await break const continue crate dyn else enum extern false fn for if impl in let "
            "loop match mod "
            "move mut pub ref return self static struct super trait true type unsafe use where while",
            strings=(RUST_RAW, DOUBLE, CHARACTER),
        ),
        counts_arguments=True,
        checked_by_position=True,
        declares_constants=True,
        packaging=(Packaging("Cargo.toml", "cargo-package", 0),),
        called_by_name=frozenset({"write_fmt", "write_str"}),
    ),
)
