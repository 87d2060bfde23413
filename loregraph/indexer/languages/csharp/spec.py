"""C#'s row: how its syntax becomes facts."""

from __future__ import annotations

import re

from tree_sitter import Node

from loregraph.indexer.facts import ATTRIBUTE, ELEMENT, NAME, PARENT, RECEIVER, SUBSCRIPT, TYPED, UNION, UNKNOWN, Expr
from loregraph.indexer.languages import hooks
from loregraph.indexer.languages.csharp.definitions import read_docstring, read_header, read_parameters
from loregraph.indexer.languages.csharp.expressions import COMMENTS, EXPRESSIONS, declared_type
from loregraph.indexer.languages.extraction import Extraction
from loregraph.indexer.languages.hooks import Given, binds, by_sign, calls, enumerates, leaves, refers, unless
from loregraph.indexer.languages.lowering import child, named_part, put_into_text
from loregraph.indexer.languages.parsing import blanked, error_bytes, parse
from loregraph.indexer.languages.rows import choose, compiled, having, together
from loregraph.indexer.languages.spec import LanguageSpec

_BESIDE_THE_VALUE = frozenset({"interpolation_brace", "interpolation_format_clause", "interpolation_alignment_clause"})

_in_parentheses = hooks.arguments()


def _given(x: Extraction, node: Node) -> Given:
    return _in_parentheses(x, node.child_by_field_name("arguments") or child(node, "argument_list"))


# Type arguments of a method say nothing about which one it is.
_invocation = calls(choose("%function", {"generic_name": (NAME, "`function/0")}, "@function"), given=_given)
_type_arguments = refers(each=":type_argument_list/^predefined_type")


def _call(x: Extraction, node: Node, capture: str) -> None:
    function = node.child_by_field_name("function")
    if function is None or (function.type == "identifier" and x.text(function) == "nameof"):
        return  # a name as text: nothing is called
    _invocation(x, node, capture)
    generic = function.child_by_field_name("name") or function
    if generic.type == "generic_name":
        _type_arguments(x, generic, capture)


def _wanted(x: Extraction, node: Node) -> Expr:
    """The type that `new()` takes from what it stands in: a declaration with a written type."""
    around = node.parent
    if around is not None and around.type == "variable_declarator":
        around = around.parent
    if around is None or around.type not in ("variable_declaration", "property_declaration"):
        return UNKNOWN
    return declared_type(x, around) or UNKNOWN


def _constructed(x: Extraction, node: Node) -> Expr:
    """What `: base(…)` and `: this(…)` call."""
    return (RECEIVER,) if any(c.type == "this" for c in node.children) else (PARENT,)


_written_to = binds(by_sign("= ??="), "@left", "@right")


def _values(x: Extraction, node: Node, capture: str) -> None:
    """`a = b`; in an initialiser it is a member of what is being made, not a name of this scope."""
    if node.parent is None or node.parent.type != "initializer_expression":
        _written_to(x, node, capture)


def _initial(x: Extraction, declarator: Node) -> Expr:
    last = named_part(declarator, -1) if declarator.named_child_count > 1 else None
    return UNKNOWN if last is None or last.type == "bracketed_argument_list" else x.lower(last)


def _pattern(x: Extraction, node: Node, capture: str) -> None:
    """`x is Foo foo`, `case Foo foo:`, `out Foo foo`."""
    name, type_ = node.child_by_field_name("name"), node.child_by_field_name("type")
    declared = declared_type(x, node)
    if name is not None and name.type == "identifier":
        tested = node.parent if node.parent is not None and node.parent.type == "is_pattern_expression" else None
        value = x.lower(tested.child_by_field_name("expression")) if tested is not None else UNKNOWN
        x.assign(node, x.lower(name), value, "declare", declared)
    elif declared is not None and type_ is not None and node.type != "declaration_expression":
        x.refer(type_, declared, "type")


def _import(x: Extraction, node: Node, capture: str) -> None:
    """`using A.B`, `using static A.B.C`, `using X = A.B`; `global` ones hold for the whole project."""
    words = {c.type for c in node.children}
    alias, path = node.child_by_field_name("name"), named_part(node, -1)
    if path is None:
        return
    if alias is not None and path.id == alias.id:
        alias = None
    module = _dotted(x.lower(path))
    if not module:
        return
    if alias is not None:
        x.import_(node, module, "", x.text(alias))
    else:
        x.import_(node, module, "*", "", "global" if "global" in words else "static" if "static" in words else "")


def _text(x: Extraction, node: Node, capture: str) -> None:
    """`$"for {owner}"` runs `owner.ToString()`."""
    part = next((c for c in node.named_children if c.type not in _BESIDE_THE_VALUE), None)
    put_into_text(x, node, x.lower(part), "ToString")


def _dotted(expr: Expr) -> str:
    if expr[0] == SUBSCRIPT:
        return _dotted(expr[1])
    if expr[0] == ATTRIBUTE:
        before = _dotted(expr[1])
        return f"{before}.{expr[2]}" if before else ""
    return str(expr[1]) if expr[0] == NAME else ""


def _file_facts(x: Extraction, root: Node) -> None:
    """The namespaces of the file: the first is its package, others are kept beside it."""
    found: dict[str, None] = {}
    stack = [(root, "")]
    while stack:
        node, around = stack.pop()
        for part in reversed(node.named_children):
            if part.type in ("namespace_declaration", "file_scoped_namespace_declaration"):
                name = part.child_by_field_name("name")
                own = _dotted(x.lower(name)) if name is not None else ""
                full = f"{around}.{own}" if around else own
                body = part.child_by_field_name("body")
                inside = [c for c in body.named_children if c.type != "comment"] if body is not None else []
                if not inside or any(c.type != "namespace_declaration" for c in inside):
                    found[full] = None
                if body is not None:
                    stack.append((body, full))
            elif part.type in ("preproc_if", "preproc_region"):
                stack.append((part, around))
    names = list(reversed(found)) if len(found) > 1 else list(found)
    x.package = names[0] if names else ""
    if len(names) > 1:
        x.extras["packages"] = names[1:]


_DIRECTIVE = re.compile(rb"^[ \t]*#[ \t]*(\w+)[^\n]*", re.MULTILINE)


def _parse(x: Extraction) -> Node | None:
    """The tree; where directives stand in the middle of something (`#if` in a parameter list), that of the text in
    which only the first branch of each is left."""
    root = parse(x.spec.grammar, x.source)
    if root is None or not root.has_error or b"#" not in x.source:
        return root
    chosen = parse(x.spec.grammar, _first_branches(x.source))
    return root if chosen is None or (chosen.has_error and error_bytes(chosen) >= error_bytes(root)) else chosen


def _first_branches(source: bytes) -> bytes:
    """`source` at the same offsets with its directives, and all branches but the first, blanked."""
    text = bytearray(source)
    hidden: list[int] = []  # where each open `#if` stopped being shown, -1 while it is

    def blank(start: int, end: int) -> None:
        text[start:end] = blanked(bytes(text[start:end]))

    for directive in _DIRECTIVE.finditer(source):
        word = directive[1]
        if word == b"if":
            hidden.append(-1)
        elif word in (b"elif", b"else") and hidden and hidden[-1] < 0:
            hidden[-1] = directive.start()
        elif word == b"endif" and hidden:
            start = hidden.pop()
            if start >= 0:
                blank(start, directive.start())
        blank(directive.start(), directive.end())
    return bytes(text)


def _inner_from(node: Node) -> int:
    """A constructor's `: base(…)` runs in it; attributes and bases run outside."""
    if node.type == "constructor_declaration":
        listed = node.child_by_field_name("parameters")
        return listed.end_byte if listed is not None else node.start_byte
    body = node.child_by_field_name("body")
    return body.start_byte if body is not None else node.start_byte


SPECS = {
    "csharp": LanguageSpec(
        name="csharp",
        grammar="csharp",
        queries=("csharp/query.scm",),
        expressions=EXPRESSIONS,
        called_name={
            "invocation_expression": "function",
            "member_access_expression": "name",
            "conditional_access_expression": "-1",
            "member_binding_expression": "name",
            "object_creation_expression": "type",
            "qualified_name": "name",
        },
        assigned={
            "variable_declarator": ("name", ""),
            "property_declaration": ("name", "value"),
            "assignment_expression": ("left", "right"),
        },
        hooks={
            "call": _call,
            "call.new": calls(
                choose("%.", {"implicit_object_creation_expression": _wanted}, "@type"), given=_given, kind="new"
            ),
            "call.constructor": calls(_constructed, given=_given),
            "call.text": _text,
            "assignment": binds("declare", "@0", _initial, type=declared_type, each=":variable_declarator"),
            # A property is a field: what reads it gets its type.
            "assignment.property": binds(
                "declare",
                "@name!",
                choose("%value", {"arrow_expression_clause": UNKNOWN}, "@value"),
                type=declared_type,
            ),
            # The parameters of a primary constructor: members of the type.
            "assignment.components": binds("declare", "@name!", own_type=declared_type, each=":parameter", last=True),
            "assignment.constant": enumerates("@name!"),
            "assignment.expression": _values,
            "assignment.for": binds("for", "@left!", (ELEMENT, "@right"), type=declared_type),
            "assignment.from": binds("for", "@name!", (ELEMENT, "@-1"), type=declared_type),
            "assignment.catch": binds(
                "except", having("name", "@name", (NAME, "")), (TYPED, "@type", UNKNOWN), type=compiled("@type")
            ),
            "assignment.pattern": _pattern,
            # `where T : Foo, IBar`: within its definition `T` is another name for its bounds.
            "assignment.bound": binds(
                "=", "@0!", together(UNION, "**:type_parameter_constraint/type"), last=True, known=True
            ),
            "return.arrow": unless("block", leaves(choose("%.", {"arrow_expression_clause": "@0"}, "@."))),
            "reference.type": unless("predefined_type array_type", refers()),
            "import": _import,
        },
        name_marks="@",
        parameters=read_parameters,
        header=read_header,
        docstring=read_docstring,
        comments=COMMENTS,
        documentation_marks=("///", "/**"),
        annotations=frozenset({"attribute_list"}),
        inner_from=_inner_from,
        parse=_parse,
        file_facts=_file_facts,
    )
}
