"""Zig's row: how its syntax becomes facts.

A file is a struct: one that has fields is a type named like the file, and what other files import is that type. Other
files are modules.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from loregraph.indexer.facts import FILE_SCOPE, UNKNOWN, Expr
from loregraph.indexer.languages.extraction import Extraction
from loregraph.indexer.languages.lowering import named_part
from loregraph.indexer.languages.spec import LanguageSpec
from loregraph.indexer.languages.zig.bindings import (
    assign_declared,
    assign_error,
    assign_field,
    assign_for,
    assign_payload,
    assign_prong,
    assign_values,
    import_of,
    leave,
)
from loregraph.indexer.languages.zig.definitions import (
    file_comment,
    is_type,
    read_docstring,
    read_header,
    read_parameters,
    stem,
)
from loregraph.indexer.languages.zig.expressions import (
    COMMENTS,
    EXPRESSIONS,
    called,
    child,
    imported,
    listed,
    name_text,
)
from loregraph.indexer.languages.zig.parsing import parse_source

if TYPE_CHECKING:
    from tree_sitter import Node


def _is_call(x: Extraction, node: Node) -> bool:
    """Functions of the compiler run nothing, but for `@call`."""
    before = node.prev_named_sibling
    return before is None or before.type != "BUILTINIDENTIFIER" or x.text(before) == "@call"


def _call(x: Extraction, node: Node, capture: str) -> None:
    if not x.numbered(node):
        return
    given = listed(x, node)
    before = node.prev_named_sibling
    if before is not None and before.type == "BUILTINIDENTIFIER":  # `@call(.auto, f, .{ a, b })`
        rest: tuple[Expr, ...] = given[2][1] if len(given) == 3 and given[2][0] == "l" else ()
        x.record_call(node, given[1] if len(given) > 1 else UNKNOWN, rest)
    else:
        x.record_call(node, called(x, node), given)


def _import(x: Extraction, node: Node, capture: str) -> None:
    arguments = node.next_named_sibling
    if x.text(node) != "@import" or arguments is None or arguments.type != "FnCallArguments":
        return
    value = node.parent.parent if node.parent is not None else None
    variable = value.parent if value is not None else None
    if variable is not None and variable.type == "Decl" and child(variable, "usingnamespace") is not None:
        return
    found = import_of(x, variable) if variable is not None and variable.type == "VarDecl" else None
    name = child(variable, "IDENTIFIER")
    if variable is None or found is None or name is None:
        x.import_(node, imported(x, arguments))
    else:
        x.import_(variable, *found, name_text(x, name))


def _import_all(x: Extraction, node: Node, capture: str) -> None:
    builtins = [part for part in node.named_children if part.type == "ErrorUnionExpr"]
    suffix = named_part(builtins[0]) if builtins else None
    builtin, arguments = child(suffix, "BUILTINIDENTIFIER"), child(suffix, "FnCallArguments")
    if builtin is not None and arguments is not None and x.text(builtin) == "@import":
        x.import_(node, imported(x, arguments), "*")


def _file_facts(x: Extraction, root: Node) -> None:
    x.docstring = file_comment(x, root)
    x.memo["root"] = root
    folders = x.path.removeprefix("src/").rpartition("/")[0].split("/")
    x.package = ".".join(part for part in (*folders, "" if is_type(x, root) else stem(x.path)) if part)


def _finish(x: Extraction) -> None:
    """A file that is a type gives that type to whoever imports it."""
    root: Node = x.memo["root"]
    own = x.definition_at(root)
    if own != UNKNOWN:
        x.scope = FILE_SCOPE
        x.export(root, "=", own)


SPECS = {
    "zig": LanguageSpec(
        name="zig",
        grammar="zig",
        queries=("zig/query.scm",),
        expressions=EXPRESSIONS,
        hooks={
            "call": _call,
            "assignment": assign_values,
            "assignment.declare": assign_declared,
            "assignment.field": assign_field,
            "assignment.for": assign_for,
            "assignment.payload": assign_payload,
            "assignment.prong": assign_prong,
            "assignment.error": assign_error,
            "return": leave,
            "import": _import,
            "import.all": _import_all,
        },
        is_call=_is_call,
        parameters=read_parameters,
        header=read_header,
        docstring=read_docstring,
        comments=COMMENTS,
        parse=parse_source,
        file_facts=_file_facts,
        finish=_finish,
    )
}
