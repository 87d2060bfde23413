"""PHP: what the rest of loregraph has to know of it."""

from __future__ import annotations

from typing import Final

from loregraph.indexer.languages.conventions import Constants, Documentation, Signatures, Unused
from loregraph.indexer.languages.language import Language, Packaging
from loregraph.indexer.languages.testing import Tests
from loregraph.indexer.languages.tokens import IMPORTS, JVM, SLASHES, Tokens

TESTS: Final = Tests(
    files=("*[A-Za-z0-9_]Test", "*[A-Za-z0-9_]TestCase", "*[A-Za-z0-9_]Cest"),
    folders=("spec",),
    prefixes=("test",),
    marks=frozenset({"Test"}),
)
LANGUAGES: Final = (
    Language(
        "php",
        "php",
        (".php", ".phtml", ".php5"),
        scip="PHP",
        shebangs=("php",),
        tests=TESTS,
        runners="php",
        lexer="php",
        tokens=Tokens(
            JVM + " and array as callable clone const declare echo elseif empty endfor endforeach endif "
            "endwhile fn foreach "
            "function global goto include include_once isset list match namespace or print readonly "
            "require require_once "
            "trait unset use var xor yield",
            comments=(*SLASHES, r"\#(?!\[)[^\n]*"),
            ignored=(IMPORTS,),
            name=r"[$]?[^\W\d]\w*",
        ),
        builtin_package="php",
        documentation=Documentation(conventions=("phpdoc",), marks=()),
        signatures=Signatures(
            names_arguments=True,
            ignores_surplus_arguments=True,
            reads_unnamed=r"\bfunc_(?:get_args?|num_args)\b",
            rest_documented=True,
        ),
        constants=Constants(made_by="define"),
        unused=Unused(
            permitted=(
                r"@noinspection\s++PhpUnused|@(?:psalm-suppress|phpstan-ignore)\S*+\s++.*[uU]nused"
                r"|@(?:psalm-|phpstan-)?api\b|@used-by"
            )
        ),
        packaging=(Packaging("composer.json", "composer-package", 13, manager="composer"),),
        confidences={"value": 0.53},
    ),
)
