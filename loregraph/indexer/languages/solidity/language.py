"""Solidity: what the rest of loregraph has to know of it."""

from __future__ import annotations

from typing import Final

from loregraph.indexer.languages.conventions import Constants, Signatures, Unused
from loregraph.indexer.languages.language import Language, Packaging
from loregraph.indexer.languages.testing import Tests
from loregraph.indexer.languages.tokens import DOUBLE, SINGLE, Tokens

TESTS: Final = Tests(files=("*.t",), folders=("mock", "mocks"))
LANGUAGES: Final = (
    Language(
        "solidity",
        "solidity",
        (".sol",),
        scip="Solidity",
        layout="solidity",
        global_names=True,
        tests=TESTS,
        tokens=Tokens(
            "abstract address anonymous as assembly bool break bytes calldata case catch constant constructor continue "
            "contract default delete do else emit enum error event external fallback false for from function if "
            "immutable import indexed interface internal is let library mapping memory modifier new override payable "
            "pragma private public pure receive return returns revert storage string struct super switch this throw "
            "true try type unchecked unicode using view virtual while",
            strings=(DOUBLE, SINGLE),
            ignored=(r"^[ \t]*(?:import|pragma)\b[^;\n]*;",),
        ),
        signatures=Signatures(names_arguments=True, counts_arguments=True, overloads=True, override_in_head=True),
        constants=Constants(in_types=True),
        unused=Unused(called_by_name=frozenset({"receive", "fallback", "constructor"})),
        packaging=(
            Packaging("foundry.toml", "foundry-project", 60),
            Packaging("hardhat.config.ts", "hardhat-project", 61),
            Packaging("hardhat.config.js", "hardhat-project", 62),
        ),
        packaging_settings=("remappings.txt",),
    ),
)
