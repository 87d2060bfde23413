"""Haskell: what the rest of loregraph has to know of it."""

from __future__ import annotations

from typing import Final

from loregraph.indexer.languages.language import Language, Packaging
from loregraph.indexer.languages.tokens import DOUBLE, Tokens

LANGUAGES: Final = (
    Language(
        "haskell",
        "haskell",
        (".hs", ".hsc"),
        shebangs=("runhaskell", "runghc"),
        tokens=Tokens(
            "case class data default deriving do else forall foreign if import in infix infixl infixr "
            "instance let module "
            "newtype of then type where",
            comments=(r"\{-.*?(?:-\}|\Z)", r"--+(?![!#$%&*+./<=>?@\\^|~:-])[^\n]*"),
            strings=(DOUBLE, r"(?<!\w)'(?:[^'\\\n]|\\[^'\n]{1,6})'"),
            ignored=(r"^import[ \t]+[^\n]*$",),
            name=r"[^\W\d][\w']*",
        ),
        checked_by_position=True,
        preprocessed=True,
        packaging=(Packaging(".cabal", "cabal-package", 18),),
        packaging_settings=("stack.yaml",),
    ),
)
