"""Swift: what the rest of loregraph has to know of it."""

from __future__ import annotations

from typing import Final

from loregraph.indexer.languages.conventions import Conditions, Constants, Documentation, Signatures, Unused
from loregraph.indexer.languages.language import Language, Packaging
from loregraph.indexer.languages.testing import Tests
from loregraph.indexer.languages.tokens import DOUBLE, IMPORTS, TEXT_BLOCK, Tokens

TESTS: Final = Tests(
    files=("*[A-Za-z0-9_]Test", "*[A-Za-z0-9_]Tests", "*[A-Za-z0-9_]TestCase", "*[A-Za-z0-9_]Spec"),
    folders=("*UITests",),
    prefixes=("test",),
    marks=frozenset({"Test"}),
)
LANGUAGES: Final = (
    Language(
        "swift",
        "swift",
        (".swift",),
        scip="Swift",
        shebangs=("swift",),
        tests=TESTS,
        runners="swift",
        lexer="swift",
        tokens=Tokens(
            "Self as associatedtype async await break case catch class continue default defer deinit do else "
            "enum extension "
            "fallthrough false fileprivate final for func get guard if import in init inout internal "
            "is let mutating nil "
            "open operator override private protocol public repeat rethrows return self set static "
            "struct subscript super "
            "switch throw throws true try typealias var where while",
            strings=(TEXT_BLOCK, DOUBLE),
            ignored=(IMPORTS,),
        ),
        unreadable=r"^[ \t]*+#if",
        documentation=Documentation(conventions=("swift_docs",)),
        conditions=Conditions(preprocessed=True),
        signatures=Signatures(
            names_arguments=True, counts_arguments=True, overloads=True, override_in_head=True, labels=True
        ),
        constants=Constants(declared=True),
        unused=Unused(
            called_by_name=frozenset(
                "callAsFunction dynamicallyCall makeIterator next buildBlock buildOptional buildEither buildArray"
                " buildExpression buildFinalResult buildLimitedAvailability buildPartialBlock"
                " appendInterpolation".split()
            ),
            permitted=r"swiftlint:disable.*unused_declaration|periphery:ignore",
        ),
        packaging=(Packaging("Package.swift", "swift-package", 17, manager="swift"),),
    ),
)
