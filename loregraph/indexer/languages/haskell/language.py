"""Haskell: what the rest of loregraph has to know of it."""

from __future__ import annotations

from typing import Final

from loregraph.indexer.languages.conventions import Conditions, Signatures, Unused
from loregraph.indexer.languages.language import Language, Packaging
from loregraph.indexer.languages.testing import Tests
from loregraph.indexer.languages.tokens import DOUBLE, Tokens

TESTS: Final = Tests(
    files=("*[A-Za-z0-9_]Test", "*[A-Za-z0-9_]Tests"),
    folders=("spec", "t"),
    prefixes=("prop_", "test_", "unit_", "case_", "spec_", "hprop_", "scprop_"),
)
LANGUAGES: Final = (
    Language(
        "haskell",
        "haskell",
        (".hs", ".hsc"),
        scip="Haskell",
        shebangs=("runhaskell", "runghc"),
        tests=TESTS,
        lexer="haskell",
        tokens=Tokens(
            "case class data default deriving do else forall foreign if import in infix infixl infixr "
            "instance let module "
            "newtype of then type where",
            comments=(r"\{-.*?(?:-\}|\Z)", r"--+(?![!#$%&*+./<=>?@\\^|~:-])[^\n]*"),
            strings=(DOUBLE, r"(?<!\w)'(?:[^'\\\n]|\\[^'\n]{1,6})'"),
            ignored=(r"^import[ \t]+[^\n]*$",),
            name=r"[^\W\d][\w']*",
            body="\n",
        ),
        conditions=Conditions(preprocessed=True),
        signatures=Signatures(checked_by_position=True),
        unused=Unused(permitted=r"-Wno-unused|-fno-warn-unused"),
        packaging=(Packaging(".cabal", "cabal-package", 18, manager="hackage"),),
        packaging_settings=("stack.yaml",),
    ),
)
