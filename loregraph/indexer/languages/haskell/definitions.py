"""Haskell's definitions: functions by their equations, type classes, instances, data types.

Equations of one name that follow each other are one function. A type signature in front belongs to it, as does its
documentation. What an instance defines is named under the type that it is for, whose node may be in another file.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from loregraph.indexer.facts import FILE_SCOPE, NAME, Base
from loregraph.indexer.languages.comments import clean_comment, comment_above
from loregraph.indexer.languages.extraction import Extraction, Header
from loregraph.indexer.languages.haskell.equations import (
    EQUATIONS,
    arrows,
    beside,
    equation_name,
    is_continued,
    last_equation,
    signature_names,
    signatures,
)
from loregraph.indexer.languages.haskell.expressions import named
from loregraph.indexer.languages.haskell.language import TESTS
from loregraph.indexer.languages.heads import base, head_text, texts
from loregraph.indexer.languages.registry import is_test_path
from loregraph.indexer.languages.selectors import many

if TYPE_CHECKING:
    from tree_sitter import Node

_METHODS = frozenset({"class_declarations", "instance_declarations"})
_NAMED = frozenset({"name", "qualified"})
_BODIES = frozenset("match = where data_constructors class_declarations gadt_constructors".split())

_type_parameters = texts("patterns/:variable")
_derived = many(":deriving/classes/?:name,qualified")
_contexts = many(":context/context")


def read_header(x: Extraction, node: Node, kind: str) -> Header | None:
    """What a definition is called, and what it belongs to or extends; None where it defines nothing new."""
    if kind == "lambda":
        return Header(flags=("expression",))
    if node.type == "instance":
        return _instance(x, node)
    if node.type in ("class", "data_type", "newtype", "type_synomym"):
        return _type(x, node)
    if node.type == "signature":
        return _declared_method(x, node)
    if node.type == "foreign_import":
        signature = node.child_by_field_name("signature")
        names = signature_names(x, signature) if signature is not None else []
        return Header(name=names[0], flags=_flags(x, node, names[0])) if any(names[:1]) else None
    name = equation_name(x, node)
    if not name or is_continued(x, node):
        return None
    holder = node.parent
    method = holder is not None and holder.type in _METHODS
    header = Header(name=name, kind="method" if method else "function", last=last_equation(x, node))
    if holder is not None and holder.type == "instance_declarations" and holder.parent is not None:
        header.within = holder
        header.owner_name = _instance_type(x, holder.parent).rpartition(".")[2] or "."
    signature = signatures(x, holder).get(name)
    if signature is not None:
        header.signature = x.folded(signature)
        header.returns = arrows(x, signature)[1]
        if beside(node, True) == signature:
            header.first = signature
    else:
        header.signature = _head(x, node)
    header.flags = _flags(x, node, name)
    return header


def _flags(x: Extraction, node: Node, name: str) -> tuple[str, ...]:
    holder = node.parent
    if holder is not None and holder.type in _METHODS:
        return ("exported",)
    if holder is None or holder.type != "declarations":
        return ()
    exports = x.memo.get("exports")
    found = ["exported" if exports is None or name in exports else "private"]
    if name.startswith(TESTS.prefixes) and is_test_path(x.path, "haskell"):
        found.append("test")
    return tuple(found)


def _declared_method(x: Extraction, node: Node) -> Header | None:
    """A method of a type class without a default; one with a default is defined by its equations."""
    names = signature_names(x, node)
    beside_it = node.parent.named_children if node.parent is not None else ()
    equations = {equation_name(x, part) for part in beside_it if part.type in EQUATIONS}
    if not any(names[:1]) or names[0] in equations:
        return None
    return Header(
        name=names[0],
        returns=arrows(x, node)[1],
        signature=x.folded(node),
        flags=("abstract", "declaration", "exported"),
    )


def _type(x: Extraction, node: Node) -> Header | None:
    name = named(x, node.child_by_field_name("name"))
    if not name:
        return None
    exports = x.memo.get("exports")
    bases = [base(x, held, "IMPLEMENTS") for held in _derived(x, node) if held.type in _NAMED]
    for asked in _contexts(x, node) if node.type == "class" else ():
        constraints = asked.named_children if asked.type in ("parens", "tuple") else [asked]
        heads = [_head_type(constraint) for constraint in constraints]
        bases += [base(x, head, "EXTENDS") for head in heads if head is not None and head.type in _NAMED]
    return Header(
        name=name,
        signature=_head(x, node),
        flags=("exported" if exports is None or name in exports else "private",),
        type_parameters=_type_parameters(x, node),
        bases=tuple(bases),
    )


def _head_type(node: Node | None) -> Node | None:
    """`Maybe` of `Maybe a`."""
    while node is not None:
        if node.type == "apply":
            node = node.child_by_field_name("constructor") or node.child_by_field_name("function")
        elif node.type in ("parens", "strict_field") and node.named_children:
            node = node.named_children[0]
        else:
            return node
    return None


def _instance(x: Extraction, node: Node) -> Header | None:
    """An instance is a scope without a node: what it defines is named under the type it is for."""
    contract = named(x, node.child_by_field_name("name"))
    if not contract or node.child_by_field_name("declarations") is None:
        return None
    owner = _instance_type(x, node)
    implemented: list[object] = [(NAME, owner), (NAME, contract), node.start_point[0] + 1, FILE_SCOPE]
    x.extras.setdefault("impls", []).append(implemented)
    return Header(
        name=f"{contract}/{owner}",
        kind="module",
        bases=(Base((NAME, contract), "IMPLEMENTS", node.start_point[0] + 1),),
        flags=("expression",),
    )


def _instance_type(x: Extraction, node: Node) -> str:
    """The name of the type that an instance is for; the class's own where it is for any type."""
    contract = named(x, node.child_by_field_name("name"))
    patterns = node.child_by_field_name("patterns")
    head = _head_type(patterns.named_children[-1]) if patterns is not None and patterns.named_children else None
    if head is None or head.type == "variable":
        return contract
    if head.type in ("list", "tuple"):
        return "[]" if head.type == "list" else "(,)"
    return named(x, head) or contract


def _head(x: Extraction, node: Node) -> str:
    """What stands before a definition's first `=`, `|` or `where`."""
    end = next((part.start_byte for part in node.children if part.type in _BODIES), node.end_byte)
    return head_text(x, node.start_byte, end, "=| ")


def read_docstring(x: Extraction, node: Node) -> str:
    """The comment above the definition, or above its type signature."""
    if node.type in ("lambda", "lambda_case", "instance"):
        return ""
    first = node
    above = beside(node, True)
    written = signature_names(x, above) if above is not None and above.type == "signature" else []
    if node.type in EQUATIONS and above is not None and equation_name(x, node) in written:
        first = above
    found = comment_above(x, first)
    if not found and first.prev_named_sibling is None and first.parent is not None:
        # The grammar puts what stands above the first declaration behind the imports or the header.
        before = first.parent.prev_named_sibling
        while before is not None and before.named_children and before.type == "imports":
            before = before.named_children[-1]
        if before is not None and before.type == "haddock" and before.end_point[0] >= first.start_point[0] - 1:
            found = clean_comment(x.text(before))
    return _without_marks(found)


def _without_marks(text: str) -> str:
    return "\n".join(line.removeprefix("| ").removeprefix("|") for line in text.splitlines()).removeprefix("^ ").strip()
