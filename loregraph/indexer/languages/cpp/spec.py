"""C++'s row: how its syntax becomes facts."""

from __future__ import annotations

from loregraph.indexer.languages.c import definitions
from loregraph.indexer.languages.c.rescue import parsed
from loregraph.indexer.languages.c.spec import HOOKS
from loregraph.indexer.languages.cpp import statements
from loregraph.indexer.languages.cpp.expressions import EXPRESSIONS
from loregraph.indexer.languages.spec import LanguageSpec

SPECS = {
    "cpp": LanguageSpec(
        name="cpp",
        grammar="cpp",
        queries=("c/query.scm", "cpp/query.scm"),
        expressions=EXPRESSIONS,
        assigned={
            "init_declarator": ("declarator", "value"),
            "field_declaration": ("declarator", "default_value"),
            "assignment_expression": ("left", "right"),
        },
        hooks={
            **HOOKS,
            "assignment.declaration": statements.declaration,
            "assignment.range": statements.range_loop,
            "assignment.catch": statements.catch,
            "assignment.alias": statements.alias,
            "assignment.using": statements.using,
            "assignment.capture": statements.capture_initializer,
            "call": statements.call,
            "call.new": statements.instantiation,
            "import.module": statements.module,
        },
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
