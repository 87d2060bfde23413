"""Zig's row: how its syntax becomes facts.

A file is a struct: one that has fields is a type named like the file, and what other files import is that type. Other
files are modules.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from loregraph.indexer.facts import FILE_SCOPE, UNKNOWN
from loregraph.indexer.languages.extraction import Extraction
from loregraph.indexer.languages.spec import LanguageSpec
from loregraph.indexer.languages.zig.bindings import HOOKS, is_call
from loregraph.indexer.languages.zig.definitions import (
    file_comment,
    is_type,
    read_docstring,
    read_header,
    read_parameters,
    stem,
)
from loregraph.indexer.languages.zig.expressions import COMMENTS, EXPRESSIONS
from loregraph.indexer.languages.zig.parsing import parse_source

if TYPE_CHECKING:
    from tree_sitter import Node


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
        hooks=HOOKS,
        is_call=is_call,
        parameters=read_parameters,
        header=read_header,
        docstring=read_docstring,
        comments=COMMENTS,
        parse=parse_source,
        file_facts=_file_facts,
        finish=_finish,
    )
}
