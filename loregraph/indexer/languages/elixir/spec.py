"""Elixir's row: how its syntax becomes facts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from loregraph.indexer.facts import ATTRIBUTE, ELEMENT, MODULE, NAME, SPREAD, UNKNOWN
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
from loregraph.indexer.languages.elixir.lexicon import (
    COMMENTS,
    atom_text,
    given,
    key_text,
    keyword,
    lexicon,
    named_modules,
    word_of,
)
from loregraph.indexer.languages.extraction import Extraction
from loregraph.indexer.languages.hooks import binds, leaves
from loregraph.indexer.languages.lowering import parts
from loregraph.indexer.languages.rows import at
from loregraph.indexer.languages.selectors import many
from loregraph.indexer.languages.spec import LanguageSpec

if TYPE_CHECKING:
    from tree_sitter import Node

_FORMS = frozenset((*MODULES, *FUNCTIONS)) | frozenset(
    "case cond if unless with for receive try quote unquote unquote_splicing super defstruct defexception "
    "defoverridable describe test setup setup_all property __aliases__ __block__".split()
)
"""Words that are written like calls and reach no function."""
_DIRECTIVES = frozenset({"alias", "import", "require", "use"})

_pairs = many(":keywords/:pair")
_give = leaves("@.", known=True)


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
    x.record_call(node, (NAME, x.text(node)), (x.lower(piped_into(node)),))


def _attribute(x: Extraction, node: Node, capture: str) -> None:
    """`@timeout 5_000`: a name of the module."""
    x.memo.setdefault("heads", set()).add(node.id)
    values = given(node)
    if values:
        x.assign(node, (NAME, f"@{word_of(x, node)}"), x.lower(values[0]), "declare")


def _clause(x: Extraction, node: Node, word: str) -> None:
    """What a clause binds, and where a delegate goes."""
    head = read_head(x, node)
    if head is None or x.scope < 0:
        return
    if word == "defdelegate":
        target, renamed = keyword(x, node, "to"), keyword(x, node, "as")
        if target is not None:
            name = atom_text(x, renamed) if renamed is not None else head.name
            x.record_call(node, (ATTRIBUTE, x.lower(target), name), tuple(x.lower(p) for p in head.parameters))
        return
    first = x.definitions[x.scope]
    if first.start_byte < node.start_byte:  # a further clause: its parameters are the function's
        for parameter, held in zip(first.parameters, head.parameters, strict=False):
            bound = pattern(x, held)
            own = (NAME, parameter.name)
            if parameter.name and bound not in (UNKNOWN, own):
                x.assign(held, bound, own, "declare")
            elif bound[0] not in (NAME, UNKNOWN[0]):
                x.assign(held, bound, UNKNOWN, "declare")


def _apply(x: Extraction, node: Node) -> None:
    """`apply(Mod, :name, [a, b])`."""
    listed = given(node)
    if len(listed) == 3 and listed[1].type == "atom":
        given_ = tuple(x.lower(part) for part in parts(listed[2])) if listed[2].type == "list" else ((SPREAD, UNKNOWN),)
        x.record_call(node, (ATTRIBUTE, x.lower(listed[0]), atom_text(x, listed[1])), given_)
    elif len(listed) == 2:
        x.record_call(node, x.lower(listed[0]), ((SPREAD, x.lower(listed[1])),))


def _directive(x: Extraction, node: Node, word: str) -> None:
    known = lexicon(x)
    for written in named_modules(x, node):
        module = known.whole(written, node.start_byte)
        if word == "import":
            for name in _names(x, keyword(x, node, "only")) or ["*"]:
                x.import_(node, module, name, "" if name == "*" else name)
        elif word == "use":
            listed = given(node)
            which = atom_text(x, listed[1]) if len(listed) > 1 and listed[1].type == "atom" else ""
            x.import_(node, module, "*", kind=f"use {which}" if which else "use")
            x.record_call(node, (ATTRIBUTE, (MODULE, module), "__using__"), (UNKNOWN,))
        else:
            x.import_(node, module)


def _names(x: Extraction, node: Node | None) -> list[str]:
    """The names of `only: [a: 1, b: 2]`, once each."""
    pairs = _pairs(x, node) if node is not None and node.type == "list" else []
    return list(dict.fromkeys(key_text(x, pair).strip('"') for pair in pairs))


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
    _give(x, node, capture)


def _keyword_return(x: Extraction, node: Node, capture: str) -> None:
    """`def name, do: value`."""
    pair = node.parent
    key = pair.child_by_field_name("key") if pair is not None else None
    if pair is None or key is None or x.source[key.start_byte : key.start_byte + 3] != b"do:" or x.scope < 0:
        return
    given_ = pair.parent.parent if pair.parent is not None else None
    owner = given_.parent if given_ is not None else None
    if owner is not None and word_of(x, owner) in FUNCTIONS:
        _give(x, node, capture)


def _file_facts(x: Extraction, root: Node) -> None:
    x.memo["root"] = root


SPECS = {
    "elixir": LanguageSpec(
        name="elixir",
        grammar="elixir",
        queries=("elixir/query.scm",),
        expressions=EXPRESSIONS,
        called_name={"call": "target", "dot": "right"},
        assigned={"binary_operator": ("left", "right")},
        hooks={
            "call": _call,
            "call.piped": _piped,
            "assignment": binds("=", at("left", pattern), "@right", ignoring=(UNKNOWN,)),
            "assignment.generator": binds("=", at("left", pattern), (ELEMENT, "@right"), ignoring=(UNKNOWN,)),
            "assignment.attribute": _attribute,
            "return": _return,
            "return.keyword": _keyword_return,
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
