"""Julia's row: how its syntax becomes facts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from loregraph.indexer.facts import DEFINED, FILE_SCOPE, NAME, UNKNOWN, Expr
from loregraph.indexer.languages.extraction import Extraction
from loregraph.indexer.languages.julia import definitions
from loregraph.indexer.languages.julia.expressions import EXPRESSIONS, each_of, new_of
from loregraph.indexer.languages.selectors import parts
from loregraph.indexer.languages.spec import Hook, LanguageSpec

if TYPE_CHECKING:
    from tree_sitter import Node

_TARGETS: Final = frozenset({"identifier", "field_expression", "index_expression", "tuple_expression", "open_tuple"})
_LISTS: Final = frozenset({"argument_list", "tuple_expression", "vector_expression", "curly_expression"})
_WITHOUT_CALL: Final = frozenset({"testset", "testitem", "safetestset", "inline", "noinline", "kwdef", "inbounds"})
"""Macros of which there is nothing to say but what they are put before."""


def _is_call(x: Extraction, node: Node) -> bool:
    if node.type == "macrocall_expression":
        word = x.text(node.named_children[0]).rpartition("@")[2] if node.named_children else ""
        return word not in _WITHOUT_CALL
    if node.type == "binary_expression":
        return True
    around = node.parent
    # The head of a function is written as a call of it, in a short one as what is assigned to.
    for _ in range(6):
        if around is None:
            return True
        if around.type == "signature":
            return False
        if around.type == "assignment":
            return around.named_children[0].start_byte != node.start_byte and not new_of(x, node)
        if (
            around.type not in ("where_expression", "typed_expression")
            or around.named_children[0].start_byte != node.start_byte
        ):
            break
        around = around.parent
    return not new_of(x, node)


def _call(x: Extraction, node: Node, capture: str) -> None:
    if not _is_call(x, node) or not node.named_children:
        return
    if node.type == "binary_expression":
        held = parts(x, node)
        if len(held) == 3:
            x.record_call(node, x.lower(held[2]), (x.lower(held[0]),))
        return
    function = node.named_children[0]
    if node.type == "macrocall_expression":
        x.record_call(node, x.lower(function))
        return
    if function.type == "parametrized_type_expression" and function.named_children:
        function = function.named_children[0]
    positional: list[Expr] = []
    named: list[tuple[str, Expr]] = []
    behind = False
    listed = next((part for part in node.children if part.type == "argument_list"), None)
    for part in listed.children if listed is not None else ():
        if part.type == ";":
            behind = True
        elif not part.is_named or part.type in x.spec.comments:
            continue
        elif part.type == "assignment" and part.named_children:
            named.append((x.text(part.named_children[0]), x.lower(part.named_children[-1])))
        elif behind and part.type == "identifier":
            named.append((x.text(part), x.lower(part)))
        elif not behind:
            positional.append(each_of(x.lower(part)) if node.type == "broadcast_call_expression" else x.lower(part))
    block = next((part for part in node.named_children if part.type == "do_clause"), None)
    if block is not None and block.id in x.definition_index:
        positional.insert(0, (DEFINED, x.definition_index[block.id]))
    if function.type == "identifier" and x.text(function) == "include" and listed is not None and listed.named_children:
        _include(x, node, listed.named_children[-1])
    x.record_call(node, x.lower(function), tuple(positional), tuple(named))


def _include(x: Extraction, node: Node, given: Node) -> None:
    """`include("a.jl")`, `include(joinpath(@__DIR__, "a.jl"))`."""
    held = (
        [given]
        if given.type == "string_literal"
        else given.named_children[-1].named_children
        if given.named_children
        else []
    )
    texts = [x.text(part).strip('"') for part in held if part.type == "string_literal"]
    if texts and all("$" not in text for text in texts):
        x.import_(node, "/".join(texts), "*", kind="source")


def _assign(x: Extraction, node: Node, capture: str) -> None:
    if node.id in x.definition_index:
        _short(x, node)
        return
    held = parts(x, node)
    around = node.parent
    if len(held) < 2 or (around is not None and around.type in _LISTS):
        return
    place, value = held[0], x.lower(held[-1])
    type_: Expr | None = None
    if place.type == "typed_expression" and len(place.named_children) == 2:
        type_, place = x.lower(place.named_children[1]), place.named_children[0]
    if place.type not in _TARGETS:
        return
    in_struct = x.scope != FILE_SCOPE and x.definitions[x.scope].kind == "struct"
    kind = (
        "+=" if node.type == "compound_assignment_expression" else "declare" if in_struct or type_ is not None else "="
    )
    x.assign(node, x.lower(place), value, kind, type_)


def _short(x: Extraction, node: Node) -> None:
    """`f(x) = value` returns the value."""
    value = x.lower(node.named_children[-1])
    if value != UNKNOWN:
        x.leave(node, value)


def _for(x: Extraction, node: Node, capture: str) -> None:
    held = parts(x, node)
    if len(held) >= 2 and (target := x.lower(held[0])) != UNKNOWN:
        x.assign(node, target, each_of(x.lower(held[-1])), "for")


def _field(x: Extraction, node: Node, capture: str) -> None:
    named = node.named_children[0] if node.type == "typed_expression" else node
    type_ = (
        x.lower(node.named_children[1]) if node.type == "typed_expression" and len(node.named_children) > 1 else None
    )
    if named.type == "identifier":
        x.assign(node, (NAME, x.text(named)), UNKNOWN, "declare", type_)


def _global(x: Extraction, node: Node, capture: str) -> None:
    named = node.named_children[0] if node.type == "assignment" else node
    if named.type == "typed_expression":
        named = named.named_children[0]
    if named.type == "identifier":
        x.assign(node, (NAME, x.text(named)), UNKNOWN, "global")


def _last(x: Extraction, node: Node, capture: str) -> None:
    """What the last expression of a body gives."""
    inside = parts(x, node) if node.type == "block" else [node]
    if inside and inside[-1].type not in ("return_statement", "for_statement", "while_statement"):
        value = x.lower(inside[-1])
        if value != UNKNOWN:
            x.leave(inside[-1], value)


def _import(x: Extraction, node: Node, capture: str) -> None:
    uses = node.type == "using_statement"
    for part in parts(x, node):
        if part.type == "selected_import":
            module, *taken = part.named_children
            for one in taken:
                name, alias = _aliased(x, one)
                x.import_(one, x.text(module), name, alias)
        else:
            path, alias = _aliased(x, part)
            if uses:  # what the package's own file uses, the files that it includes see, too
                x.import_(part, path, "*", kind="global" if x.extras.get("main") else "")
            x.import_(part, path, "", alias.rpartition(".")[2])


def _aliased(x: Extraction, node: Node) -> tuple[str, str]:
    if node.type == "import_alias":
        return x.text(node.named_children[0]), x.text(node.named_children[-1])
    return x.text(node), x.text(node)


def _file_facts(x: Extraction, root: Node) -> None:
    x.package = definitions.package_of(x, root)
    first = root.named_children[0] if root.named_children else None
    module = definitions.main_module(root)
    if module is not None:
        x.docstring = definitions.docstring(x, module)
    elif first is not None and first.type in ("line_comment", "block_comment"):
        second = first.next_named_sibling
        if second is None or second.start_point[0] > first.end_point[0] + 1:
            x.docstring = x.text(first).strip("#= \n")


HOOKS: Final[dict[str, Hook]] = {
    "call": _call,
    "assignment": _assign,
    "assignment.for": _for,
    "assignment.field": _field,
    "assignment.global": _global,
    "return.last": _last,
    "import": _import,
}

SPECS = {
    "julia": LanguageSpec(
        name="julia",
        grammar="julia",
        queries=("julia/query.scm",),
        expressions=EXPRESSIONS,
        called_name={
            "call_expression": "0",
            "broadcast_call_expression": "0",
            "field_expression": "-1",
            "binary_expression": "-1",
            "parametrized_type_expression": "0",
        },
        assigned={"assignment": ("", "")},
        hooks=HOOKS,
        is_call=_is_call,
        header=definitions.read_header,
        parameters=definitions.parameters,
        docstring=definitions.docstring,
        comments=frozenset({"line_comment", "block_comment"}),
        docstrings_in=frozenset({"source_file", "block"}),
        transparent=definitions.AROUND,
        header_scope="inner",
        file_facts=_file_facts,
        finish=definitions.share_methods,
    )
}
