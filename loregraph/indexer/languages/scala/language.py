"""Scala: what the rest of loregraph has to know of it."""

from __future__ import annotations

from typing import Final

from loregraph.indexer.languages.conventions import Constants, Documentation, Signatures, Unused
from loregraph.indexer.languages.language import Language, Packaging
from loregraph.indexer.languages.testing import JVM_FILES, JVM_FOLDERS, Tests
from loregraph.indexer.languages.tokens import CHARACTER, DOUBLE, IMPORTS, JVM, TEXT_BLOCK, Tokens

TESTS: Final = Tests(
    files=(*JVM_FILES, "*[A-Za-z0-9_]Spec", "*[A-Za-z0-9_]Specs", "*[A-Za-z0-9_]Suite"),
    folders=JVM_FOLDERS,
    product=("src/main",),
    marks=frozenset({"Test", "ParameterizedTest"}),
)
LANGUAGES: Final = (
    Language(
        "scala",
        "scala",
        (".scala", ".sc", ".sbt"),
        scip="Scala",
        shebangs=("scala",),
        layout="java",
        tests=TESTS,
        runners="java",
        tokens=Tokens(
            JVM
            + " def forSome given implicit lazy match object override sealed then trait type using val var with yield",
            strings=(TEXT_BLOCK, DOUBLE, CHARACTER),
            ignored=(IMPORTS,),
        ),
        documentation=Documentation(conventions=("javadoc",), marks=()),
        signatures=Signatures(names_arguments=True, counts_arguments=True, overloads=True, override_in_head=True),
        constants=Constants(in_types=True),
        unused=Unused(
            called_by_name=frozenset("unapply unapplySeq apply update readResolve readObject writeObject".split()),
            permitted=r"@(?:nowarn|unused)\b|@SuppressWarnings",
        ),
        packaging=(Packaging("build.sbt", "sbt-project", 8),),
    ),
)
