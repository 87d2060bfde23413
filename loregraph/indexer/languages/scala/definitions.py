"""Scala's definitions: their heads, parameters and companions.

A class and an object of one name are companions: two nodes, but what stands in either is named under the first, so that
`Order.apply` is called that wherever it stands. A package object is its package: its members are those of the file.
"""

from __future__ import annotations

from tree_sitter import Node

from loregraph.indexer.facts import NAME, UNKNOWN, Base, Expr, Parameter
from loregraph.indexer.languages import heads
from loregraph.indexer.languages.extraction import Extraction, Header
from loregraph.indexer.languages.heads import ParameterRow, base, parameters
from loregraph.indexer.languages.hooks import written
from loregraph.indexer.languages.lowering import around, child, parts, plain
from loregraph.indexer.languages.scala.expressions import declared_type, is_mixed, made_type
from loregraph.indexer.languages.scala.language import TESTS
from loregraph.indexer.languages.selectors import one

_TYPES = frozenset({"class_definition", "trait_definition", "object_definition", "enum_definition"})
_BODIES = frozenset({"template_body", "enum_body", "with_template_body"})
_ANONYMOUS = frozenset({"lambda_expression", "case_block", "colon_argument"})
_PLACEHOLDERS = frozenset({"field_expression", "call_expression", "infix_expression"})


def read_header(x: Extraction, node: Node, kind: str) -> Header | None:
    if kind == "lambda":
        return _lambda(node)
    if node.type == "instance_expression":
        type_ = made_type(x, node)
        bases = _bases(x, [type_] if type_ is not None else [])
        return Header(bases=bases, flags=("expression",), signature=_signature(x, node))
    if node.type == "given_definition":
        return _given(x, node)
    if node.type == "infix_expression":
        return _mixed(x, node)
    name = plain(x, node.child_by_field_name("name"))
    if not name:
        return None
    words = modifiers(x, node)
    header = Header(name=name, signature=_signature(x, node))
    header.decorators, header.decorator_names = _annotations(x, node)
    flags = [word for word in ("abstract",) if word in words]
    flags.append("private" if "private" in words else "exported")
    if node.type in ("function_definition", "function_declaration"):
        flags = _function(x, node, header, flags)
    else:
        header.kind = kind
        header.bases = _bases(x, parts(node.child_by_field_name("extend")))
        if "sealed" in words and kind == "class":
            flags.append("abstract")
        if node.type == "full_enum_case":
            enum = around(node, "enum_definition")
            if not header.bases and enum is not None:
                header.bases = heads.bases_of_constant(plain(x, enum.child_by_field_name("name")), node)
    header.type_parameters = tuple(name for name in _names_of_types(x, node) if name != "_")
    header.within = _companion_around(x, node)
    header.flags = tuple(dict.fromkeys(flags))
    return header


def _lambda(node: Node) -> Header | None:
    around = node.parent
    if node.type == "case_block" and around is not None and around.type in ("match_expression", "catch_clause"):
        return None
    return Header(flags=("expression",)) if node.type in _ANONYMOUS or _is_placeholder(node) else None


_BEGINS_WITH = {"field_expression": "value", "infix_expression": "left"}
_BEGINS_WITH |= dict.fromkeys(("call_expression", "generic_function"), "function")


def _is_placeholder(node: Node | None) -> bool:
    """Whether an argument is a function written with `_`: `_.name`, `_.f(x)`, `_ + 1`."""
    while node is not None and node.type in _BEGINS_WITH:
        right = node.child_by_field_name("right")
        if right is not None and right.type == "wildcard":
            return True
        node = node.child_by_field_name(_BEGINS_WITH[node.type])
    return node is not None and node.type == "wildcard"


def _function(x: Extraction, node: Node, header: Header, flags: list[str]) -> list[str]:
    """What is said of a function: its kind, its result, what it extends."""
    around = node.parent
    extension = around is not None and around.type == "extension_definition"
    holder = around.parent if extension and around is not None else around
    method = holder is not None and (holder.type in _BODIES or _in_mixed(x, holder))
    if holder is not None and not method and holder.type in ("block", "indented_block"):
        flags = [flag for flag in flags if flag not in ("exported", "private")]
    header.kind = "method" if method else "function"
    if header.name == "this":
        header.kind = "constructor"
    header.returns = _returned(x, node)
    if node.type == "function_declaration":
        flags += ["declaration", "abstract"]
    if extension:
        flags += ["extension", "static"]
    elif method and implicit_class(x, node) is not None:
        flags.append("extension")
    if TESTS.marked(header.decorator_names):
        flags.append("test")
    return flags


def _mixed(x: Extraction, node: Node) -> Header | None:
    """`new A(1) with B { … }`, which the grammar takes for operators."""
    if not is_mixed(x, node) or (node.parent is not None and is_mixed(x, node.parent)):
        return None
    types: list[Node | None] = []
    part: Node | None = node
    while part is not None and part.type == "infix_expression":
        types.append(_mixed_in(x, part))
        part = part.child_by_field_name("left")
    types.append(made_type(x, part) if part is not None else None)
    found = [Base(_bare_type(x, type_), "EXTENDS", type_.start_point[0] + 1) for type_ in reversed(types) if type_]
    return Header(bases=_known(found), flags=("expression",), signature=x.folded(node, 200))


_mixed_in = one("right/?function")


def _bare_type(x: Extraction, node: Node) -> Expr:
    """A type, or the expression that the grammar took it for."""
    if node.type == "generic_function":
        return _bare_type(x, node.child_by_field_name("function") or node.children[0])
    return (NAME, plain(x, node)) if node.type in ("identifier", "type_identifier") else x.lower(node)


def _given(x: Extraction, node: Node) -> Header | None:
    type_ = node.child_by_field_name("return_type")
    name = plain(x, node.child_by_field_name("name"))
    return Header(
        name=name,
        bases=(base(x, type_, "EXTENDS"),) if type_ is not None else (),
        signature=_signature(x, node),
        flags=("exported",) if name else ("expression",),
        within=_companion_around(x, node) if name else None,
    )


def _in_mixed(x: Extraction, block: Node) -> bool:
    """Whether a block is the body behind `with B`."""
    call = block.parent
    around = call.parent if block.type == "block" and call is not None and call.type == "call_expression" else None
    return around is not None and is_mixed(x, around)


def implicit_class(x: Extraction, node: Node) -> Node | None:
    """The implicit class that a method stands in."""
    body = node.parent
    holder = body.parent if body is not None else None
    if holder is None or holder.type != "class_definition" or "implicit" not in modifiers(x, holder):
        return None
    return holder


def modifiers(x: Extraction, node: Node) -> set[str]:
    """`abstract`, `private`, `case`, …: the words before a definition."""
    listed = child(node, "modifiers")
    words = {c.type for c in node.children if not c.is_named}
    return words | {x.text(c).partition("[")[0] for c in (listed.children if listed is not None else ())}


def _companion_around(x: Extraction, node: Node) -> Node | None:
    """Where a definition stands in the second of two companions: the first one, which its name stands under."""
    body = node.parent
    if body is not None and body.type == "extension_definition":
        body = body.parent
    holder = body.parent if body is not None and body.type in _BODIES else None
    if holder is None or holder.type not in _TYPES or holder.parent is None:
        return None
    first = _first_of(x, holder.parent).get(plain(x, holder.child_by_field_name("name")))
    return first if first is not None and first.id != holder.id else None


def _first_of(x: Extraction, container: Node) -> dict[str, Node]:
    """Name → the first type or object of that name, of one run of definitions."""
    known: dict[int, dict[str, Node]] = x.memo.setdefault("companions", {})
    found = known.get(container.id)
    if found is None:
        found = known[container.id] = {}
        for part in container.named_children:
            if part.type in _TYPES:
                found.setdefault(plain(x, part.child_by_field_name("name")), part)
    return found


_annotations = heads.decorators(":annotation")
_names_of_types = heads.texts(":type_parameters/name", plain)
_returned = written("@return_type")
_signature = heads.signature(without="annotation", ends=f"body|:{','.join(sorted(_BODIES))}", signs="{=: ")


def _known(found: list[Base]) -> tuple[Base, ...]:
    return tuple(base for base in found if base.type != UNKNOWN)


def _bases(x: Extraction, listed: list[Node]) -> tuple[Base, ...]:
    types = [type_ for part in listed for type_ in (parts(part) if part.type == "compound_type" else [part])]
    return _known([base(x, type_, "EXTENDS") for type_ in types])


read_docstring = heads.documented(" ".join(_ANONYMOUS | _PLACEHOLDERS | {"instance_expression"}))


def read_parameters(x: Extraction, node: Node) -> tuple[Parameter, ...]:
    """The parameters of all lists; those that are given implicitly need not be passed."""
    if node.type == "lambda_expression":
        return _lambda_parameters(x, node.child_by_field_name("parameters"))
    if node.type == "case_block":
        return (Parameter("case"),)
    if node.type == "colon_argument":
        return _lambda_parameters(x, node.child_by_field_name("lambda_start"))
    if node.type in _PLACEHOLDERS:
        return (Parameter("_"),)
    found: list[Parameter] = []
    around = node.parent
    if around is not None and around.type == "extension_definition":
        found += _listed(x, around)
        if found:
            found[0] = Parameter(found[0].name, found[0].type, None, "this")
    else:
        holder = implicit_class(x, node)
        listed = holder.child_by_field_name("class_parameters") if holder is not None else None
        first = child(listed, "class_parameter")
        if first is not None:
            found.append(Parameter("", declared_type(x, first), None, "this"))
    return (*found, *_listed(x, node))


def _listed(x: Extraction, node: Node) -> list[Parameter]:
    found: list[Parameter] = []
    for listed in node.children_by_field_name("parameters"):
        if listed.type != "parameters":
            continue
        given = any(c.type in ("implicit", "using") for c in listed.children)
        for part in parts(listed):
            if part.type == "parameter":
                name, default = plain(x, part.child_by_field_name("name")), _default(x, part)
                rest = child(part, "repeated_parameter_type") is not None
                value = UNKNOWN if default is None and given else default
                found.append(Parameter(name, declared_type(x, part), value, "*" if rest else ""))
            elif given:  # `(using Context)`
                found.append(Parameter("", x.lower(part), UNKNOWN))
    return found


_default = written("@default_value")
_bound = parameters(".", {"binding": ParameterRow("`name", "@type")})


def _lambda_parameters(x: Extraction, node: Node | None) -> tuple[Parameter, ...]:
    if node is not None and node.type in ("identifier", "wildcard"):
        return (Parameter(plain(x, node)),)
    return _bound(x, node) if node is not None else ()
