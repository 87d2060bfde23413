"""JavaScript: what the rest of loregraph has to know of it."""

from __future__ import annotations

from typing import Final

from loregraph.indexer.languages.conventions import Documentation, Signatures, Unused
from loregraph.indexer.languages.language import Language, Packaging
from loregraph.indexer.languages.testing import Tests
from loregraph.indexer.languages.tokens import BACKTICK, DOUBLE, REGEX, SINGLE, Tokens

_WORDS: Final = (
    "as async await break case catch class const continue debugger default delete do else enum export extends false "
    "finally for from function get if implements import in instanceof interface let new null of private protected "
    "public readonly return set static super switch this throw true try type typeof undefined var void while with yield"
)
TOKENS: Final = Tokens(_WORDS, strings=(BACKTICK, DOUBLE, SINGLE, REGEX), name=r"[^\W\d]\w*|[$][\w$]*")
"""TypeScript's words among them: one reads the other."""

TESTS: Final = Tests(
    files=(
        "test",
        "tests",
        "test_*",
        "test-*",
        *(f"*{joint}{word}" for joint in "._-" for word in ("test", "tests", "spec", "specs", "e2e")),
        "*.cy",
        "*.test-d",
        "*.e2e-spec",
        "*[a-z0-9]Test",
        "*[a-z0-9]Tests",
    ),
    folders=("__tests__", "__specs__", "__mocks__", "spec", "specs", "cypress"),
    # Jest, Mocha, Jasmine, Vitest, node:test; QUnit and Deno have theirs as a member.
    callers=frozenset({"it", "test", "specify", "fit", "xit", "xtest", "bench"}),
)
UNUSED_PERMITTED: Final = (
    r"eslint-disable(?:-next-line|-line)?(?:\s*+(?:\*/|$)|.*no-unused-(?:vars|private-class-members))"
    r"|@ts-(?:ignore|expect-error|nocheck)|biome-ignore(?:-all)?\s.*noUnused|oxlint-disable"
)
LANGUAGES: Final = (
    Language(
        "javascript",
        "javascript",
        (".js", ".jsx", ".mjs", ".cjs"),
        scip="JavaScript",
        filenames=("Jakefile",),
        shebangs=("node", "nodejs", "bun"),
        layout="javascript",
        tests=TESTS,
        runners="javascript",
        lexer="javascript",
        tokens=TOKENS,
        ecmascript=True,
        loads_files_in_turn=True,
        minified=True,
        documentation=Documentation(conventions=("jsdoc",), marks=()),
        signatures=Signatures(
            ignores_surplus_arguments=True,
            unchecked=True,
            reads_unnamed=r"\barguments\b",
            decorators_replace=True,
            rest_documented=True,
        ),
        unused=Unused(permitted=UNUSED_PERMITTED, duck_typed=True),
        packaging=(Packaging("package.json", "npm-package", 4, any_language=True, manager="npm"),),
        packaging_settings=(
            "tsconfig.json",
            # Others extend it: tsconfig.base.json.
            "tsconfig.*.json",
            "jsconfig.json",
            "pnpm-workspace.yaml",
            "deno.json",
            "lerna.json",
        ),
        confidences={"attribute": 0.86, "inferred-type": 1.0, "value": 0.97},
    ),
)
