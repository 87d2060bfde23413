"""Elixir's row: how its syntax becomes facts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from loregraph.indexer.facts import UNKNOWN, Expr
from loregraph.indexer.languages.elixir.definitions import (
    FUNCTIONS,
    MODULES,
    read_docstring,
    read_head,
    read_header,
    read_parameters,
)
from loregraph.indexer.languages.elixir.expressions import (
    EXPRESSIONS,
    arguments,
    called,
    captured,
    member_read,
    pattern,
    piped_into,
)
from loregraph.indexer.languages.elixir.lexicon import COMMENTS, given, keyword, lexicon, named_modules, word_of
from loregraph.indexer.languages.extraction import Extraction
from loregraph.indexer.languages.lowering import parts
from loregraph.indexer.languages.spec import LanguageSpec

if TYPE_CHECKING:
    from tree_sitter import Node

_FORMS = frozenset(
    {
        "case", "cond", "if", "unless", "with", "for", "receive", "try", "quote", "unquote", "unquote_splicing",
        "super", "defstruct", "defexception", "defoverridable", "describe", "test", "setup", "setup_all", "property",
        "__aliases__", "__block__", *MODULES, *FUNCTIONS,
    }
)  # fmt: skip
"""Words that are written like calls and reach no function."""
_DIRECTIVES = frozenset({"alias", "import", "require", "use"})


def _is_call(x: Extraction, node: Node) -> bool:
    """Whether a node written like a call is one: neither a form of the language, nor `user.name`, nor what
    `&Mod.name/1` captures, nor `A.{B, C}`."""
    target = node.child_by_field_name("target")
    if target is None or node.type == "identifier":
        return True
    if target.type == "identifier":
        word = x.text(target)
        return word not in _FORMS and word not in _DIRECTIVES
    if target.type != "dot":
        return True
    if given(node):
        return True
    if member_read(x, node) is not None or _is_captured(x, node):
        return False
    right = target.child_by_field_name("right")
    return right is None or right.type != "tuple"


def _call(x: Extraction, node: Node, capture: str) -> None:
    """`name(…)`, `Mod.name(…)`, `fun.(…)`, and what looks like them."""
    if x.numbered(node):
        if node.id in x.memo.get("heads", ()):
            return
        if word_of(x, node) == "apply":
            _apply(x, node)
        else:
            x.record_call(node, called(x, node), arguments(x, node))
        return
    word = word_of(x, node)
    if word in FUNCTIONS:
        _clause(x, node, word)
    elif word in _DIRECTIVES:
        _directive(x, node, word)


def _is_captured(x: Extraction, node: Node) -> bool:
    around = node.parent
    above = around.parent if around is not None and around.type == "binary_operator" else None
    return above is not None and above.type == "unary_operator" and captured(x, above) is not None


def _piped(x: Extraction, node: Node, capture: str) -> None:
    """`value |> name`."""
    piped = piped_into(node)
    x.record_call(node, ("n", x.text(node)), (x.lower(piped),))


def _attribute(x: Extraction, node: Node, capture: str) -> None:
    """`@timeout 5_000`: a name of the module."""
    x.memo.setdefault("heads", set()).add(node.id)
    values = given(node)
    if values:
        x.assign(node, ("n", f"@{word_of(x, node)}"), x.lower(values[0]), "declare")


def _clause(x: Extraction, node: Node, word: str) -> None:
    """What a clause binds, and where a delegate goes."""
    head = read_head(x, node)
    if head is None or x.scope < 0:
        return
    if word == "defdelegate":
        target, renamed = keyword(x, node, "to"), keyword(x, node, "as")
        if target is not None:
            name = x.text(renamed).lstrip(":") if renamed is not None else head.name
            x.record_call(node, ("a", x.lower(target), name), tuple(x.lower(p) for p in head.parameters))
        return
    first = x.definitions[x.scope]
    if first.start_byte < node.start_byte:  # a further clause: its parameters are the function's
        for parameter, held in zip(first.parameters, head.parameters, strict=False):
            bound = pattern(x, held)
            if bound != UNKNOWN:
                value: Expr = ("n", parameter.name) if parameter.name and bound != ("n", parameter.name) else UNKNOWN
                if value != UNKNOWN or bound[0] != "n":
                    x.assign(held, bound, value, "declare")


def _apply(x: Extraction, node: Node) -> None:
    """`apply(Mod, :name, [a, b])`."""
    listed = given(node)
    if len(listed) == 3 and listed[1].type == "atom":
        given_ = tuple(x.lower(part) for part in parts(listed[2])) if listed[2].type == "list" else (("*", UNKNOWN),)
        x.record_call(node, ("a", x.lower(listed[0]), x.text(listed[1]).lstrip(":")), given_)
    elif len(listed) == 2:
        x.record_call(node, x.lower(listed[0]), (("*", x.lower(listed[1])),))


def _directive(x: Extraction, node: Node, word: str) -> None:
    known = lexicon(x)
    for written in named_modules(x, node):
        module = known.whole(written, node.start_byte)
        if word == "import":
            chosen = keyword(x, node, "only")
            names = _names(x, chosen)
            for name in names or ["*"]:
                x.import_(node, module, name, "" if name == "*" else name)
        elif word == "use":
            listed = given(node)
            which = x.text(listed[1]).lstrip(":") if len(listed) > 1 and listed[1].type == "atom" else ""
            x.import_(node, module, "*", kind=f"use {which}" if which else "use")
            x.record_call(node, ("a", ("m", module), "__using__"), (UNKNOWN,))
        else:
            x.import_(node, module)


def _names(x: Extraction, node: Node | None) -> list[str]:
    """The names of `only: [a: 1, b: 2]`, once each."""
    found: dict[str, None] = {}
    for listed in parts(node) if node is not None and node.type == "list" else ():
        for pair in listed.named_children if listed.type == "keywords" else ():
            key = pair.child_by_field_name("key")
            if key is not None:
                found[x.text(key).strip().rstrip(":").strip('"')] = None
    return list(found)


def _assign(x: Extraction, node: Node, capture: str) -> None:
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    if left is not None:
        target = pattern(x, left)
        if target != UNKNOWN:
            value = x.lower(right)
            x.assign(node, target, ("i", value) if capture == "assignment.generator" else value)


def _return(x: Extraction, node: Node, capture: str) -> None:
    """A function gives what its last expression gives."""
    around = node.parent
    owner = around.parent if around is not None else None
    if owner is None or x.scope < 0 or node.type in COMMENTS:
        return
    if around is not None and around.type == "body":
        if owner.type != "stab_clause" or owner.parent is None or owner.parent.type != "anonymous_function":
            return
    elif word_of(x, owner) not in FUNCTIONS:
        return
    value = x.lower(node)
    if value != UNKNOWN:
        x.leave(node, value)


def _keyword_return(x: Extraction, node: Node, capture: str) -> None:
    """`def name, do: value`."""
    pair = node.parent
    key = pair.child_by_field_name("key") if pair is not None else None
    if pair is None or key is None or x.source[key.start_byte : key.start_byte + 3] != b"do:" or x.scope < 0:
        return
    listed = pair.parent.parent if pair.parent is not None else None
    owner = listed.parent if listed is not None else None
    if owner is not None and word_of(x, owner) in FUNCTIONS:
        value = x.lower(node)
        if value != UNKNOWN:
            x.leave(node, value)


def _struct(x: Extraction, node: Node, capture: str) -> None:
    x.refer(node, x.lower(node), "type")


def _file_facts(x: Extraction, root: Node) -> None:
    x.memo["root"] = root


SPECS = {
    "elixir": LanguageSpec(
        name="elixir",
        grammar="elixir",
        queries=("elixir/query.scm",),
        expressions=EXPRESSIONS,
        assigned={"binary_operator": ("left", "right")},
        hooks={
            "call": _call,
            "call.piped": _piped,
            "assignment": _assign,
            "assignment.attribute": _attribute,
            "return": _return,
            "return.keyword": _keyword_return,
            "reference.type": _struct,
        },
        return_type_field="",
        is_call=_is_call,
        parameters=read_parameters,
        header=read_header,
        docstring=read_docstring,
        comments=COMMENTS,
        header_scope="inner",
        file_facts=_file_facts,
    )
}
