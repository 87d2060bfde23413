"""PHP: what the rest of loregraph has to know of it."""

from __future__ import annotations

from typing import Final

from loregraph.indexer.languages.language import Language, Packaging
from loregraph.indexer.languages.tokens import IMPORTS, JVM, SLASHES, Tokens

LANGUAGES: Final = (
    Language(
        "php",
        "php",
        (".php", ".phtml", ".php5"),
        shebangs=("php",),
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
        names_arguments=True,
        ignores_surplus_arguments=True,
        packaging=(Packaging("composer.json", "composer-package", 13),),
    ),
)
