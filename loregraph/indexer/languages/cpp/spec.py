"""C++'s row: how its syntax becomes facts."""

from __future__ import annotations

import dataclasses

from loregraph.indexer.facts import NAME
from loregraph.indexer.languages.c.spec import SPECS as C_SPECS
from loregraph.indexer.languages.cpp import statements
from loregraph.indexer.languages.cpp.expressions import EXPRESSIONS
from loregraph.indexer.languages.hooks import binds, calls

SPECS = {
    "cpp": dataclasses.replace(
        C_SPECS["c"],
        name="cpp",
        grammar="cpp",
        queries=("c/query.scm", "cpp/query.scm", "cpp/modules.scm"),
        expressions=EXPRESSIONS,
        called_name={
            **C_SPECS["c"].called_name,
            "qualified_identifier": "name",
            "template_function": "name",
            "template_method": "name",
            "dependent_name": "0",
            "new_expression": "type",
        },
        assigned={
            "init_declarator": ("declarator", "value"),
            "field_declaration": ("declarator", "default_value"),
            "assignment_expression": ("left", "right"),
        },
        hooks={
            **C_SPECS["c"].hooks,
            "assignment.declaration": statements.declaration,
            "assignment.range": statements.range_loop,
            "assignment.catch": statements.catch,
            "assignment.alias": statements.alias,
            "assignment.using": statements.using,
            "assignment.capture": binds("declare", (NAME, "$left"), "@right"),  # `[self = shared_from_this()]`
            "call": statements.call,
            "call.new": calls("@type", "*arguments|value", kind="new"),  # `new Foo(…)`, `Foo{…}`
            "call.new.field": statements.field_initializer,
            "import.module": statements.module,
        },
    )
}
