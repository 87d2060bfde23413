"""Kotlin: what the rest of loregraph has to know of it."""

from __future__ import annotations

from typing import Final

from loregraph.indexer.languages.conventions import Constants, Documentation, Signatures, Unused
from loregraph.indexer.languages.language import Language
from loregraph.indexer.languages.testing import JVM_FILES, JVM_FOLDERS, Tests
from loregraph.indexer.languages.tokens import ANNOTATIONS, CHARACTER, DOUBLE, IMPORTS, TEXT_BLOCK, Tokens

TESTS: Final = Tests(
    files=(*JVM_FILES, "*[A-Za-z0-9_]Spec"),
    folders=JVM_FOLDERS,
    product=("src/main", "src/*Main"),
    marks=frozenset({"Test", "ParameterizedTest", "RepeatedTest", "TestFactory", "TestTemplate", "Property"}),
)
LANGUAGES: Final = (
    Language(
        "kotlin",
        "kotlin",
        (".kt", ".kts"),
        scip="Kotlin",
        shebangs=("kotlin",),
        layout="java",
        tests=TESTS,
        runners="java",
        lexer="kotlin",
        tokens=Tokens(
            "as break by catch class companion constructor continue data do else enum false final "
            "finally for fun get if "
            "import in init inline interface internal is lateinit null object open operator out "
            "override package private "
            "protected public return sealed set super suspend this throw true try typealias val var vararg when "
            "where while",
            strings=(TEXT_BLOCK, DOUBLE, CHARACTER),
            ignored=(ANNOTATIONS, IMPORTS),
        ),
        generated_mark=r"^@(?:javax\.annotation\.(?:processing\.)?|jakarta\.annotation\.)?Generated\(",
        unreadable=r'\$\$"',
        documentation=Documentation(conventions=("kdoc",), marks=()),
        signatures=Signatures(names_arguments=True, counts_arguments=True, overloads=True, override_in_head=True),
        constants=Constants(declared=True),
        unused=Unused(
            called_by_name=frozenset("readObject writeObject readResolve writeReplace".split()),
            permitted=r"@(?:file:)?Suppress\s*+\(.*\"(?:unused|UNUSED\w*+)\"",
        ),
    ),
)
