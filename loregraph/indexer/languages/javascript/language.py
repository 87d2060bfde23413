"""JavaScript: what the rest of loregraph has to know of it."""

from __future__ import annotations

from typing import Final

from loregraph.indexer.languages.language import Language, Packaging
from loregraph.indexer.languages.tokens import BACKTICK, DOUBLE, REGEX, SINGLE, Tokens

_WORDS: Final = (
    "as async await break case catch class const continue debugger default delete do else enum export extends false "
    "finally for from function get if implements import in instanceof interface let new null of private protected "
    "public readonly return set static super switch this throw true try type typeof undefined var void while with yield"
)
TOKENS: Final = Tokens(_WORDS, strings=(BACKTICK, DOUBLE, SINGLE, REGEX), name=r"[^\W\d]\w*|[$][\w$]*")
"""TypeScript's words among them: one reads the other."""

LANGUAGES: Final = (
    Language(
        "javascript",
        "javascript",
        (".js", ".jsx", ".mjs", ".cjs"),
        filenames=("Jakefile",),
        shebangs=("node", "nodejs", "bun"),
        tokens=TOKENS,
        ignores_surplus_arguments=True,
        ecmascript=True,
        unchecked=True,
        loads_files_in_turn=True,
        packaging=(Packaging("package.json", "npm-package", 4),),
        packaging_settings=(
            "tsconfig.json",
            "jsconfig.json",
            "pnpm-workspace.yaml",
            "deno.json",
            "lerna.json",
        ),
    ),
)
