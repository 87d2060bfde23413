"""Elixir's definitions: modules, and functions by name and number of parameters.

The clauses of one name and number are one function, spread over the lines from the first to the last where nothing
stands between them. A module is a type: an "object", a "struct" where it defines one, an "interface" where it names
callbacks, a "protocol"; an implementation of a protocol is named as the language names it, `Protocol.Type`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from loregraph.indexer.facts import MODULE, NAME, UNKNOWN, Base, Parameter
from loregraph.indexer.languages.elixir.expressions import captures, is_function, pattern
from loregraph.indexer.languages.elixir.lexicon import block_of, given, keyword, lexicon, sign_of, word_of
from loregraph.indexer.languages.extraction import Extraction, Header
from loregraph.indexer.languages.heads import head_text
from loregraph.indexer.languages.lowering import parts
from loregraph.indexer.languages.selectors import many, one

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tree_sitter import Node

MODULES = {"defmodule": "object", "defprotocol": "protocol", "defimpl": "object"}
FUNCTIONS = frozenset("def defp defmacro defmacrop defdelegate defguard defguardp defn defnp".split())
_PRIVATE = frozenset({"defp", "defmacrop", "defguardp", "defnp"})
_WORDS = FUNCTIONS | MODULES.keys() | {"test", "property"}

_clause_left = one(":stab_clause/left")
_texts = many(":quoted_content")


@dataclass(slots=True)
class Head:
    """The head of a function: the node that names it, the parameters, and how few of them a call may give."""

    name: str
    parameters: list[Node]
    least: int
    node: Node | None


def read_header(x: Extraction, node: Node, kind: str) -> Header | None:
    """What a module, function or test is called and belongs to; None for a call that defines nothing."""
    if kind == "lambda":
        if node.type == "unary_operator" and not is_function(x, node):
            return None
        return Header(flags=("expression",))
    word = word_of(x, node)
    if word not in _WORDS:
        return None
    if word in MODULES:
        return _module(x, node, word)
    if word in FUNCTIONS:
        return _function(x, node, word)
    return _test(x, node, word)


# Modules


def _module(x: Extraction, node: Node, word: str) -> Header | None:
    known = lexicon(x)
    whole = next((name for start, end, name in known.modules if start == node.start_byte), "")
    if not whole:
        return None
    header = Header(kind=MODULES[word], flags=("exported",), signature=_head_text(x, node))
    at = node.start_byte
    around = next((name for start, end, name in reversed(known.modules) if start < at < end), "")
    own = whole.removeprefix(f"{around}.") if around and word != "defimpl" else whole
    header.owner_name, _, header.name = own.rpartition(".")
    if word == "defimpl":
        header.within = x.memo["root"]
    found: list[Base] = []
    if word == "defimpl":
        protocol = known.whole(x.text(given(node)[0]), node.start_byte)
        found.append(Base((MODULE, protocol), "IMPLEMENTS", node.start_point[0] + 1))
    for part in parts(block_of(node)):
        attribute = _attribute(part)
        named = word_of(x, attribute) if attribute is not None else word_of(x, part)
        if attribute is not None and named == "behaviour":
            for target in given(attribute)[:1]:
                if target.type == "alias":
                    above = (MODULE, known.whole(x.text(target), target.start_byte))
                    found.append(Base(above, "IMPLEMENTS", part.start_point[0] + 1))
        elif attribute is not None and named in ("callback", "macrocallback"):
            header.kind = "interface" if header.kind == "object" else header.kind
        elif attribute is None and named in ("defstruct", "defexception") and header.kind in ("object", "interface"):
            header.kind = "struct"
    header.bases = tuple(found)
    return header


# Functions


def read_head(x: Extraction, node: Node) -> Head | None:
    """The head of `def name(a, b \\\\ 1) when …`; of operators `def a <> b`."""
    written = given(node)[:1]
    if not written:
        return None
    held = written[0]
    if held.type == "binary_operator" and sign_of(held) == "when":
        left = held.child_by_field_name("left")
        if left is None:
            return None
        held = left
    if held.type == "identifier":
        return Head(x.text(held), [], 0, None)
    if held.type == "call":
        target = held.child_by_field_name("target")
        if target is None or target.type != "identifier" or x.text(target) == "unquote":
            return None
        listed = given(held)
        defaults = sum(1 for p in listed if p.type == "binary_operator" and sign_of(p) == "\\\\")
        return Head(x.text(target), listed, len(listed) - defaults, held)
    if held.type in ("binary_operator", "unary_operator"):
        return Head(sign_of(held), parts(held), len(parts(held)), None)
    return None


def _function(x: Extraction, node: Node, word: str) -> Header | None:
    head = read_head(x, node)
    if head is None or not head.name:
        return None
    count = len(head.parameters)
    if head.node is not None:
        x.memo.setdefault("heads", set()).add(head.node.id)
    around = node.parent
    place = around.id if around is not None else 0
    key = (place, head.name, count)
    clauses: dict[tuple[int, str, int], tuple[Node, Header]] = x.memo.setdefault("clauses", {})
    latest: dict[int, tuple[int, str, int]] = x.memo.setdefault("latest", {})
    first = clauses.get(key)
    if first is not None:
        if latest.get(place) == key:
            first[1].last = node
        return Header(continues=first[0])
    latest[place] = key
    private = word in _PRIVATE
    flags = ["private" if private else "exported"]
    if _has_no_body(x, node, word) and around is not None and word_of(x, around.parent or node) == "defprotocol":
        flags += ["declaration", "abstract"]
    header = Header(name=head.name, kind="function", flags=tuple(flags), signature=_head_text(x, node))
    for attribute in _attributes_above(node):
        if word_of(x, attribute) in ("impl", "deprecated"):
            header.decorator_names = (x.folded(attribute, 120), *header.decorator_names)
    clauses[key] = (node, header)
    functions: dict[tuple[str, str], list[tuple[int, int, Node]]] = x.memo.setdefault("functions", {})
    owner = lexicon(x).module_at(node.start_byte)
    functions.setdefault((owner, head.name), []).append((head.least, count, node))
    return header


def _has_no_body(x: Extraction, node: Node, word: str) -> bool:
    return word == "def" and block_of(node) is None and keyword(x, node, "do") is None


def _head_text(x: Extraction, node: Node) -> str:
    """The text up to `do`."""
    block = block_of(node)
    end = block.start_byte if block is not None else node.end_byte
    if block is None:
        for part in given(node):
            if part.type == "keywords" and x.source[part.start_byte : part.start_byte + 3] == b"do:":
                end = part.start_byte
    return head_text(x, node.start_byte, end, ",")


def _test(x: Extraction, node: Node, word: str) -> Header | None:
    """`test "works" do`: named as ExUnit names it, with the `describe` around it."""
    listed = given(node)
    if block_of(node) is None or not listed or listed[0].type != "string" or not x.path.endswith(".exs"):
        return None
    name = x.text(listed[0]).strip('"')
    around = node.parent.parent if node.parent is not None else None
    if around is not None and word_of(x, around) == "describe" and given(around):
        name = f"{x.text(given(around)[0]).strip(chr(34))} {name}"
    header = Header(name=" ".join(f"{word} {name}".split()), kind="function", signature=_head_text(x, node))
    header.flags = ("expression", "test")
    return header


def read_parameters(x: Extraction, node: Node) -> tuple[Parameter, ...]:
    """The parameters of a function with their defaults; of a capture, `&1` and so on."""
    if node.type == "unary_operator":
        return tuple(Parameter(f"&{number}") for number in range(1, captures(x, node) + 1))
    found: list[Parameter] = []
    for part in _listed(x, node):
        default = None
        held = part
        if part.type == "binary_operator" and sign_of(part) == "\\\\":
            default = x.lower(part.child_by_field_name("right"))
            held = part.child_by_field_name("left") or part
        target = pattern(x, held)
        if target[0] == NAME:
            found.append(Parameter(target[1], None, default))
        else:
            found.append(Parameter("", None, default, "", None if target == UNKNOWN else target))
    return tuple(found)


def _listed(x: Extraction, node: Node) -> list[Node]:
    """The parameters of a function, the context of a test."""
    if node.type == "anonymous_function":
        left = _clause_left(x, node)
        if left is not None and left.type == "binary_operator":  # `fn a when guard -> …`
            left = left.child_by_field_name("left")
        return parts(left)
    if node.type != "call" or word_of(x, node) not in FUNCTIONS:
        return given(node)[1:2] if node.type == "call" else []
    head = read_head(x, node)
    return head.parameters if head is not None else []


def read_docstring(x: Extraction, node: Node) -> str:
    """`@moduledoc` in a module, `@doc` above a function."""
    if node.type != "call":
        return ""
    if word_of(x, node) in MODULES:
        inside = [attribute for part in parts(block_of(node)) if (attribute := _attribute(part)) is not None]
        return next((_text(x, found) for found in inside if word_of(x, found) == "moduledoc"), "")
    return next((_text(x, found) for found in _attributes_above(node) if word_of(x, found) == "doc"), "")


def _attribute(node: Node) -> Node | None:
    """What `@` stands before."""
    return node.child_by_field_name("operand") if node.type == "unary_operator" else None


def _attributes_above(node: Node) -> Iterator[Node]:
    """The attributes that a function has, the nearest first."""
    before = node.prev_named_sibling
    while before is not None and before.type in ("unary_operator", "comment"):
        attribute = _attribute(before)
        if attribute is not None:
            yield attribute
        before = before.prev_named_sibling


def _text(x: Extraction, attribute: Node) -> str:
    """The text of `@doc "…"`; "" where it is false."""
    for value in given(attribute)[:1]:
        if value.type in ("string", "sigil"):
            text = "".join(x.text(part) for part in _texts(x, value))
            return "\n".join(line.strip() for line in text.splitlines()).strip()
    return ""
