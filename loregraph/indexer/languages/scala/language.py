"""Scala: what the rest of loregraph has to know of it."""

from __future__ import annotations

from typing import Final

from loregraph.indexer.languages.language import Language, Packaging
from loregraph.indexer.languages.tokens import CHARACTER, DOUBLE, IMPORTS, JVM, TEXT_BLOCK, Tokens

LANGUAGES: Final = (
    Language(
        "scala",
        "scala",
        (".scala", ".sc", ".sbt"),
        shebangs=("scala",),
        tokens=Tokens(
            JVM
            + " def forSome given implicit lazy match object override sealed then trait type using val var with yield",
            strings=(TEXT_BLOCK, DOUBLE, CHARACTER),
            ignored=(IMPORTS,),
        ),
        names_arguments=True,
        counts_arguments=True,
        overloads=True,
        override_in_head=True,
        constants_in_types=True,
        packaging=(Packaging("build.sbt", "sbt-project", 8),),
        called_by_name=frozenset("unapply unapplySeq apply update readResolve readObject writeObject".split()),
    ),
)
