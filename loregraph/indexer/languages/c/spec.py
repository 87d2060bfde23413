"""C's row: how its syntax becomes facts."""

from __future__ import annotations

from loregraph.indexer.facts import LITERAL, NAME
from loregraph.indexer.languages.c import definitions, statements
from loregraph.indexer.languages.c.expressions import EXPRESSIONS
from loregraph.indexer.languages.c.rescue import parsed
from loregraph.indexer.languages.hooks import binds, imports
from loregraph.indexer.languages.rows import choose
from loregraph.indexer.languages.spec import Hook, LanguageSpec

HOOKS: dict[str, Hook] = {
    "assignment": statements.assignment,
    "assignment.declaration": statements.declaration,
    "assignment.enumerator": binds("declare", (NAME, "$name"), (LITERAL, "int", "")),
    "assignment.typedef": statements.typedef,
    "assignment.macro": statements.alias_macro,
    "assignment.expansion": statements.expansion,
    "import": imports(choose("%path", {"string_literal system_lib_string": "$path"}, ""), kind="include"),
}

SPECS = {
    "c": LanguageSpec(
        name="c",
        grammar="c",
        queries=("c/query.scm",),
        expressions=EXPRESSIONS,
        called_name={"call_expression": "function", "field_expression": "field"},
        hooks=HOOKS,
        parameters=definitions.parameters,
        header=definitions.header,
        docstring=definitions.docstring,
        comments=frozenset({"comment"}),
        documentation_marks=("/**", "/*!", "///", "//!"),
        transparent=definitions.TRANSPARENT,
        header_scope="inner",
        parse=parsed,
    )
}
