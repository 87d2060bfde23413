"""Haskell's row: how its syntax becomes facts."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from loregraph.indexer.facts import NAME, Call
from loregraph.indexer.languages.extraction import Extraction
from loregraph.indexer.languages.haskell.bindings import HOOKS
from loregraph.indexer.languages.haskell.definitions import read_docstring, read_header
from loregraph.indexer.languages.haskell.equations import read_parameters
from loregraph.indexer.languages.haskell.expressions import EXPRESSIONS, named
from loregraph.indexer.languages.haskell.modules import read_module
from loregraph.indexer.languages.parsing import error_bytes, parse
from loregraph.indexer.languages.spec import LanguageSpec

if TYPE_CHECKING:
    from tree_sitter import Node

_CHARACTER = re.compile(rb"(?<![\w'])'(?:[^'\\\n]|\\[^'\n]{1,10}|\\')'")
_DIRECTIVE = re.compile(rb"^#[ \t]*(?:if|ifdef|ifndef|else|elif|endif|define|undef|include)\b[^\n]*", re.MULTILINE)


def _parse(x: Extraction) -> Node | None:
    """The tree. The grammar drops what stands behind an `#else`: directives are taken out, so that all branches are
    read. It loses its way after some character literals; where it does, a text with numbers in their place is tried."""
    source = _DIRECTIVE.sub(lambda match: b" " * len(match[0]), x.source) if b"\n#" in x.source else x.source
    root = parse(x.spec.grammar, source)
    if root is None or not root.has_error:
        return root
    for other in (_CHARACTER.sub(lambda match: b"0".ljust(len(match[0])), source), x.source):
        tree = parse(x.spec.grammar, other) if other != source else None
        if tree is not None and error_bytes(tree) < error_bytes(root):
            root = tree
    return root


def _file_facts(x: Extraction, root: Node) -> None:
    read_module(x, root)
    defined: set[str] = set()
    for part in root.named_children:
        if part.type == "declarations":
            defined.update(named(x, o) for f in part.named_children if f.type == "fixity" for o in f.named_children)
    x.memo["operators"] = defined


def _finish(x: Extraction) -> None:
    """Turns names that stand for themselves into reads, where they are not local."""
    local: dict[int, set[str]] = {}
    for fact in x.assignments:
        if fact.scope >= 0 and fact.target[0] == NAME and not x.definitions[fact.scope].is_type:
            local.setdefault(fact.scope, set()).add(fact.target[1])
    for number, definition in enumerate(x.definitions):
        names = local.setdefault(number, set())
        for parameter in definition.parameters:
            if parameter.name:
                names.add(parameter.name)
            if parameter.pattern is not None:
                names.update(part[1] for part in parameter.pattern[1])
    for scope, line, at, block, name, kind in x.memo.get("reads", ()):
        around = scope
        while around >= 0 and name not in local[around]:
            around = x.definitions[around].parent
        if around < 0:
            x.calls.append(Call(scope, line, at, block, (NAME, name), (), (), kind))


SPECS = {
    "haskell": LanguageSpec(
        name="haskell",
        grammar="haskell",
        queries=("haskell/query.scm",),
        expressions=EXPRESSIONS,
        called_name={"apply": "function", "infix": "operator", "qualified": "id"},
        hooks=HOOKS,
        parameters=read_parameters,
        header=read_header,
        docstring=read_docstring,
        comments=frozenset({"comment", "haddock"}),
        annotations=frozenset(),
        trailing_comments=(b"--", b"-}"),
        header_scope="inner",
        parse=_parse,
        file_facts=_file_facts,
        finish=_finish,
    )
}
