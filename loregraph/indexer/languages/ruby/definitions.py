"""Ruby's definitions: classes, modules, methods, and the calls that define some.

A module is a scope (see `facts.is_node`); resolution mixes it in all the same. A block belongs to the method it stands
in, like the body of a loop: only lambdas, `define_method` and the examples of a test framework are functions.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from loregraph.indexer.facts import UNKNOWN, Base, Parameter
from loregraph.indexer.languages.extraction import Extraction, Header
from loregraph.indexer.languages.heads import ParameterRow, base, head_text, parameters
from loregraph.indexer.languages.lowering import named_part, parts
from loregraph.indexer.languages.registry import is_test_path
from loregraph.indexer.languages.rows import compiled
from loregraph.indexer.languages.ruby.expressions import place
from loregraph.indexer.languages.ruby.language import TESTS

if TYPE_CHECKING:
    from tree_sitter import Node

_MIXINS = frozenset({"include", "prepend", "extend"})
_MAKERS = {
    ("Class", "new"): "class",
    ("Struct", "new"): "class",
    ("Data", "define"): "class",
    ("Module", "new"): "module",
}
_HOLDERS = frozenset({"class", "module", "singleton_class"})


def read_header(x: Extraction, node: Node, kind: str) -> Header | None:
    if node.type in ("class", "module"):
        return _type(x, node, kind)
    if node.type in ("method", "singleton_method"):
        return _method(x, node)
    if node.type == "assignment":
        return _made(x, node)
    if node.type == "lambda":
        return Header(flags=("expression",))
    return _block(x, node)


def _type(x: Extraction, node: Node, kind: str) -> Header | None:
    name = node.child_by_field_name("name")
    if name is None:
        return None
    header = Header(name=x.text(name), flags=("exported",))
    if name.type == "scope_resolution":
        path = x.text(name).lstrip(":").replace("::", ".")
        header.owner_name, _, header.name = path.rpartition(".")
    above = node.child_by_field_name("superclass")
    found: list[Base] = []
    for call in _body_calls(node):
        method = call.child_by_field_name("method")
        if method is None or x.text(method) not in _MIXINS or call.child_by_field_name("receiver") is not None:
            continue
        for mixed in parts(call.child_by_field_name("arguments")):
            if mixed.type == "parenthesized_statements":
                mixed = named_part(mixed) or mixed
            if mixed.type in ("constant", "scope_resolution"):
                found.append(base(x, mixed, "IMPLEMENTS"))
    found.reverse()  # the last one mixed in is asked first
    if above is not None and named_part(above) is not None:
        found.append(Base(x.lower(named_part(above)), "EXTENDS", above.start_point[0] + 1))
    header.bases = tuple(found)
    header.signature = f"class {x.text(name)} {x.folded(above)}" if above is not None else f"{node.type} {x.text(name)}"
    return header


def _body_calls(node: Node) -> list[Node]:
    body = node.child_by_field_name("body")
    return [c for c in body.named_children if c.type == "call"] if body is not None else []


def _made(x: Extraction, node: Node) -> Header | None:
    """`Point = Struct.new(:x)`, `Error = Class.new(Base)`."""
    name, made = node.child_by_field_name("left"), node.child_by_field_name("right")
    maker = made.child_by_field_name("receiver") if made is not None else None
    method = made.child_by_field_name("method") if made is not None else None
    if name is None or made is None or maker is None or method is None:
        return None
    kind = _MAKERS.get((x.text(maker), x.text(method)))
    if kind is None:
        return None
    given = parts(made.child_by_field_name("arguments"))
    header = Header(name=x.text(name), kind=kind, flags=("exported",))
    if x.text(maker) == "Class" and given:
        header.bases = (base(x, given[0], "EXTENDS"),)
    header.signature = x.folded(node).partition(" do")[0]
    return header


def _method(x: Extraction, node: Node) -> Header | None:
    name_node = node.child_by_field_name("name")
    if name_node is None:
        return None
    name = x.text(name_node)
    holder = _holder(node)
    header = Header(name=name, kind="function" if holder is None else "method")
    flags = []
    if node.type == "singleton_method":
        owner = node.child_by_field_name("object")
        text = x.text(owner) if owner is not None else "self"
        around = holder.child_by_field_name("name") if holder is not None else None
        if text != "self" and (around is None or x.text(around) != text) and owner is not None:
            header.owner, header.owner_name, header.kind = x.lower(owner), text.replace("::", "."), "method"
        flags.append("classmethod")
    elif holder is not None and holder.type == "singleton_class":
        flags.append("classmethod")
    private = holder is not None and _is_private(x, node, holder, name)
    flags.append("private" if private else "exported")
    if name.startswith(TESTS.prefixes) and holder is not None and is_test_path(x.path, "ruby") and not private:
        flags.append("test")
    header.flags = tuple(flags)
    header.signature = _signature(x, node)
    return header


def _signature(x: Extraction, node: Node) -> str:
    name = node.child_by_field_name("parameters") or node.child_by_field_name("name")
    return head_text(x, node.start_byte, (name or node).end_byte, "")


def _holder(node: Node) -> Node | None:
    """The class or module whose body a method stands in; a method defined in a method belongs to its class too."""
    around = node.parent
    for _ in range(60):
        if around is None:
            return None
        if around.type in _HOLDERS:
            return around
        if around.type == "assignment" and around.child_by_field_name("left") is not None:
            right = around.child_by_field_name("right")
            if right is not None and right.type == "call" and right.child_by_field_name("block") is not None:
                return around
        around = around.parent
    return None


def _is_private(x: Extraction, node: Node, holder: Node, name: str) -> bool:
    known: dict[int, tuple[set[int], set[str]]] = x.memo.setdefault("private", {})
    found = known.get(holder.id)
    if found is None:
        nodes: set[int] = set()
        names: set[str] = set()
        hidden = False
        for child in parts(holder.child_by_field_name("body")):
            if child.type == "identifier":
                word = x.text(child)
                if word in ("private", "protected", "public"):
                    hidden = word != "public"
            elif child.type == "method" and hidden:
                nodes.add(child.id)
            elif child.type == "call":
                method = child.child_by_field_name("method")
                if method is not None and x.text(method) in ("private", "private_class_method", "protected"):
                    for given in parts(child.child_by_field_name("arguments")):
                        nodes.add(given.id)
                        names.add(x.text(given).strip(":\"'"))
        found = known[holder.id] = (nodes, names)
    return node.id in found[0] or name in found[1]


def _block(x: Extraction, node: Node) -> Header | None:
    """`lambda { }`, `define_method(:x) { }`, `it "works" do … end`; any other block is no definition."""
    call = node.parent
    method = call.child_by_field_name("method") if call is not None else None
    if call is None or method is None or call.child_by_field_name("receiver") is not None:
        return None
    name = x.text(method)
    given = parts(call.child_by_field_name("arguments"))
    if name in ("lambda", "proc"):
        return Header(flags=("expression",))
    if name in ("define_method", "define_singleton_method") and given and given[0].type in ("simple_symbol", "string"):
        flags = ("exported",) if name == "define_method" else ("classmethod", "exported")
        return Header(
            name=x.text(given[0]).strip(":\"'"), kind="method", outer=call, flags=flags, signature=x.folded(call, 80)
        )
    if (
        name in TESTS.callers
        and is_test_path(x.path, "ruby")
        and (not given or given[0].type in ("string", "simple_symbol"))
    ):
        text = f"{name} {x.folded(given[0], 200)}" if given else name
        return Header(flags=("expression", "test"), outer=call, signature=text)
    return None


_parameters = parameters(
    "parameters",
    {
        "identifier": ParameterRow("$"),
        "destructured_parameter": ParameterRow("", pattern=place),
        "keyword_parameter": ParameterRow(default="@value", kind="kw"),
        "optional_parameter": ParameterRow(default=compiled("@value")),
        "splat_parameter": ParameterRow(kind="*"),
        "hash_splat_parameter": ParameterRow(kind="**"),
        "block_parameter": ParameterRow(default=UNKNOWN, kind="kw"),
    },
)


def read_parameters(x: Extraction, node: Node) -> tuple[Parameter, ...]:
    """The parameters; a block without a name (`&`) is none."""
    return tuple([parameter for parameter in _parameters(x, node) if parameter.name or parameter.kind != "kw"])
