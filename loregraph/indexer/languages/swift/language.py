"""Swift: what the rest of loregraph has to know of it."""

from __future__ import annotations

from typing import Final

from loregraph.indexer.languages.language import Language, Packaging
from loregraph.indexer.languages.tokens import DOUBLE, IMPORTS, TEXT_BLOCK, Tokens

LANGUAGES: Final = (
    Language(
        "swift",
        "swift",
        (".swift",),
        shebangs=("swift",),
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
        names_arguments=True,
        counts_arguments=True,
        overloads=True,
        override_in_head=True,
        preprocessed=True,
        declares_constants=True,
        packaging=(Packaging("Package.swift", "swift-package", 17),),
        called_by_name=frozenset(
            "callAsFunction dynamicallyCall makeIterator next buildBlock buildOptional buildEither buildArray"
            " buildExpression buildFinalResult buildLimitedAvailability buildPartialBlock appendInterpolation".split()
        ),
    ),
)
