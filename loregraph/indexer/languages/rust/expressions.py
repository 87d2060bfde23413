"""Rust's expressions and types, lowered.

References, raw pointers, `dyn` and `impl` stand for what they hold; `Box`, `Rc`, `Option` and their like are ordinary
generic types, which the resolver's policy reads as what they hold. Slices and arrays are `("s", ("n", "[]"), T)`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from loregraph.indexer.facts import UNKNOWN, Expr
from loregraph.indexer.languages.extraction import MAX_LITERAL, Extraction
from loregraph.indexer.languages.lowering import is_read_twice, name, named_part, this
from loregraph.indexer.languages.rust.patterns import is_variant
from loregraph.indexer.languages.spec import Lowering

if TYPE_CHECKING:
    from tree_sitter import Node

COMMENTS = frozenset({"line_comment", "block_comment"})
_BOOLEAN_OPERATORS = frozenset({"==", "!=", "<", ">", "<=", ">=", "&&", "||"})
_WRAPPERS = frozenset({"Some", "Ok"})
_POINTERS = frozenset(
    {"Box", "Rc", "Arc", "Cell", "RefCell", "Mutex", "RwLock", "Pin", "Cow", "ManuallyDrop", "OnceCell"}
)
_STRING_MACROS = frozenset({"format", "concat", "stringify", "line", "file", "include_str", "env"})


def inner(x: Extraction, node: Node) -> Expr:
    """The first part of `node`, which adds nothing to it."""
    for child in node.named_children:
        if child.type not in COMMENTS and child.type not in ("mutable_specifier", "attribute_item"):
            return x.lower(child)
    return UNKNOWN


def path(x: Extraction, node: Node) -> Expr:
    """`a::b::C`."""
    name_node, before = node.child_by_field_name("name"), node.child_by_field_name("path")
    if name_node is None:
        return UNKNOWN
    text = x.text(name_node)
    if before is None:
        return ("n", text)
    if name_node.type == "super":  # `super::super`
        return ("m", "::".join(from_file(node, tuple(x.text(node).split("::")))))
    if before.type in ("self", "super"):  # in a path `self` is the module, not the receiver
        return ("a", ("m", "::".join(from_file(node, (before.type,)))), text)
    return ("a", x.lower(before), text)


def from_file(node: Node, segments: tuple[str, ...]) -> tuple[str, ...]:
    """A path that begins with `self` or `super` as the file's own module sees it, for one written in a `mod {}`."""
    if not segments or segments[0] not in ("self", "super"):
        return segments
    inline: list[str] = []
    around = node.parent
    while around is not None:
        if around.type == "mod_item":
            name = around.child_by_field_name("name")
            inline.append(name.text.decode() if name is not None and name.text is not None else "")
        around = around.parent
    inline.reverse()
    rest = list(segments)
    while rest and inline and rest[0] == "super":
        rest.pop(0)
        inline.pop()
    if rest and rest[0] == "super":
        return tuple(rest)
    return ("self", *inline, *(rest[1:] if rest and rest[0] == "self" else rest))


def _field(x: Extraction, node: Node) -> Expr:
    value, field = node.child_by_field_name("value"), node.child_by_field_name("field")
    if field is None:
        return UNKNOWN
    base, text = x.lower(value), x.text(field)
    if field.type == "integer_literal" and not is_read_twice(base):  # a tuple struct's field, or a tuple's element
        return ("u", (("a", base, text), ("s", base, ("k", "int", text))))
    return ("a", base, text)


def is_macro(x: Extraction, function: Node) -> bool:
    """Whether what `function` names is a macro that was read as a call."""
    return x.source[function.end_byte : function.end_byte + 1] == b"!"


def _call(x: Extraction, node: Node) -> Expr:
    """A call's result. Wrapping a value (`Some(v)`, `Box::new(v)`) gives the value, a variant's call its type."""
    function = node.child_by_field_name("function")
    if function is None:
        return UNKNOWN
    if is_macro(x, function):
        word = x.text(function)
        if word in _STRING_MACROS:
            return ("k", "str", "")
        if word == "matches":
            return ("k", "bool", "")
        return _first_argument(x, node) if word == "dbg" else x.call_at(node)
    if function.type == "identifier" and x.text(function) in _WRAPPERS:
        return _first_argument(x, node)
    if function.type == "scoped_identifier":
        called = path(x, function)
        if called[0] == "a" and called[1][0] == "n" and called[1][1] in _POINTERS and called[2] == "new":
            return _first_argument(x, node)
        if is_variant(called) and called[2][:1].isupper():
            return ("t", called[1], UNKNOWN)
    return x.call_at(node)


def _first_argument(x: Extraction, node: Node) -> Expr:
    arguments = node.child_by_field_name("arguments")
    return inner(x, arguments) if arguments is not None else UNKNOWN


def _macro(x: Extraction, node: Node) -> Expr:
    macro = node.child_by_field_name("macro")
    word = x.text(macro) if macro is not None else ""
    if word in _STRING_MACROS:
        return ("k", "str", "")
    return ("k", "bool", "") if word == "matches" else x.call_at(node)


def _struct(x: Extraction, node: Node) -> Expr:
    """`Foo { a, b: 1, ..c }`; a variant with fields has its enum's type."""
    type_ = x.lower(node.child_by_field_name("name"))
    body = node.child_by_field_name("body")
    pairs: list[tuple[Expr, Expr]] = []
    for child in body.named_children if body else ():
        if child.type == "shorthand_field_initializer":
            field = named_part(child, -1)
            if field is not None:
                pairs.append((("k", "str", x.text(field)), x.lower(field)))
        elif child.type == "field_initializer":
            named = child.child_by_field_name("field")
            if named is not None:
                pairs.append((("k", "str", x.text(named)), x.lower(child.child_by_field_name("value"))))
    return ("t", type_[1] if is_variant(type_) else type_, ("d", tuple(pairs)))


def tail(x: Extraction, node: Node | None) -> Expr:
    """The value of a block: its last expression without a semicolon."""
    if node is None or node.type != "block":
        return x.lower(node)
    last = None
    for child in reversed(node.named_children):
        if child.type not in COMMENTS:
            last = child
            break
    if last is not None and last.type == "expression_statement":
        if last.children and last.children[-1].type == ";":
            return UNKNOWN
        last = named_part(last)
    return x.lower(last)


def _block(x: Extraction, node: Node) -> Expr:
    """`unsafe { … }`, `async { … }`, `const { … }`."""
    return x.lower(next((c for c in reversed(node.named_children) if c.type == "block"), None))


def _if(x: Extraction, node: Node) -> Expr:
    options: list[Expr] = []
    current: Node | None = node
    for _ in range(100):
        if current is None or current.type != "if_expression":
            break
        options.append(x.lower(current.child_by_field_name("consequence")))
        otherwise = current.child_by_field_name("alternative")
        current = next((c for c in otherwise.named_children if c.type not in COMMENTS), None) if otherwise else None
    if current is not None:
        options.append(x.lower(current))
    known = tuple(o for o in options if o != UNKNOWN)
    return ("u", known) if known else UNKNOWN


def _match(x: Extraction, node: Node) -> Expr:
    if node.start_byte in x.memo.get("matches", ()):  # a macro's arms: see `macros.matched`
        return UNKNOWN
    body = node.child_by_field_name("body")
    values = (
        [x.lower(a.child_by_field_name("value")) for a in body.named_children if a.type == "match_arm"] if body else []
    )
    known = tuple(v for v in values if v != UNKNOWN)
    return ("u", known) if known else UNKNOWN


def _cast(x: Extraction, node: Node) -> Expr:
    return ("t", x.lower(node.child_by_field_name("type")), x.lower(node.child_by_field_name("value")))


def _index(x: Extraction, node: Node) -> Expr:
    parts = [c for c in node.named_children if c.type not in COMMENTS]
    return ("s", x.lower(parts[0]), x.lower(parts[1])) if len(parts) == 2 else UNKNOWN


def _value(x: Extraction, node: Node) -> Expr:
    return x.lower(node.child_by_field_name("value"))


def _await(x: Extraction, node: Node) -> Expr:
    return ("w", inner(x, node))


def _unary(x: Extraction, node: Node) -> Expr:
    operator = node.children[0].type if node.children else ""
    if operator == "!":
        return ("k", "bool", "")
    return inner(x, node) if operator == "*" else ("b", operator, inner(x, node), None)


def _binary(x: Extraction, node: Node) -> Expr:
    operator = node.child_by_field_name("operator")
    text = operator.type if operator else ""
    if text in _BOOLEAN_OPERATORS:
        return ("k", "bool", "")
    return ("b", text, x.lower(node.child_by_field_name("left")), x.lower(node.child_by_field_name("right")))


def _array(x: Extraction, node: Node) -> Expr:
    items = tuple(x.lower(c) for c in node.named_children if c.type not in COMMENTS and c.type != "attribute_item")
    if node.child_by_field_name("length") is not None:  # `[value; count]`
        return ("l", (("*", ("l", items[:1])),))
    return ("l", items)


def _tuple(x: Extraction, node: Node) -> Expr:
    return ("l", tuple(x.lower(c) for c in node.named_children if c.type not in COMMENTS))


def _function(x: Extraction, node: Node) -> Expr:
    return x.definition_at(node)


def _generic_function(x: Extraction, node: Node) -> Expr:
    return x.lower(node.child_by_field_name("function"))


def _string(x: Extraction, node: Node) -> Expr:
    content = next((c for c in node.named_children if c.type == "string_content"), None)
    text = x.text(content) if content is not None and content.end_byte - content.start_byte <= MAX_LITERAL else ""
    return ("k", "bytes" if x.source[node.start_byte : node.start_byte + 1] == b"b" else "str", text)


def _literal(kind: str) -> Lowering:
    def lowering(x: Extraction, node: Node) -> Expr:
        return ("k", kind, x.text(node)[:MAX_LITERAL] if kind == "int" else "")

    return lowering


def _character(x: Extraction, node: Node) -> Expr:
    return ("t", ("n", "char"), UNKNOWN)


# Types


def generic(base: Expr, arguments: list[Expr]) -> Expr:
    """`base` with type arguments; lifetimes are none."""
    if not arguments:
        return base
    return ("s", base, arguments[0] if len(arguments) == 1 else ("l", tuple(arguments)))


def _generic_type(x: Extraction, node: Node) -> Expr:
    arguments = node.child_by_field_name("type_arguments")
    items = [
        x.lower(c.child_by_field_name("type") if c.type == "type_binding" else c)
        for c in (arguments.named_children if arguments else ())
        if c.type not in COMMENTS and c.type != "lifetime"
    ]
    return generic(x.lower(node.child_by_field_name("type")), items)


def _type(x: Extraction, node: Node) -> Expr:
    return x.lower(node.child_by_field_name("type"))


def _trait(x: Extraction, node: Node) -> Expr:
    return x.lower(node.child_by_field_name("trait"))


def _bounds(x: Extraction, node: Node) -> Expr:
    """`A + B + 'static`: something that is both; `?Sized` and lifetimes say nothing."""
    options = tuple(
        e
        for e in (x.lower(c) for c in node.named_children if c.type not in COMMENTS and c.type != "lifetime")
        if e != UNKNOWN
    )
    if not options:
        return UNKNOWN
    return options[0] if len(options) == 1 else ("u", options)


def _first_bound(x: Extraction, node: Node) -> Expr:
    return next((x.lower(c) for c in node.named_children if c.type not in COMMENTS and c.type != "lifetime"), UNKNOWN)


def _array_type(x: Extraction, node: Node) -> Expr:
    return ("s", ("n", "[]"), x.lower(node.child_by_field_name("element")))


def _qualified(x: Extraction, node: Node) -> Expr:
    """`<T as Trait>`: the type."""
    return x.lower(node.child_by_field_name("type"))


EXPRESSIONS: dict[str, Lowering] = {
    "identifier": name,
    "self": this,
    "crate": lambda x, node: ("m", "crate"),
    "super": lambda x, node: ("m", "::".join(from_file(node, ("super",)))),
    "scoped_identifier": path,
    "field_expression": _field,
    "call_expression": _call,
    "generic_function": _generic_function,
    "macro_invocation": _macro,
    "struct_expression": _struct,
    "block": tail,
    "unsafe_block": _block,
    "async_block": _block,
    "const_block": _block,
    "try_block": _block,
    "if_expression": _if,
    "match_expression": _match,
    "type_cast_expression": _cast,
    "index_expression": _index,
    "reference_expression": _value,
    "try_expression": inner,
    "await_expression": _await,
    "unary_expression": _unary,
    "binary_expression": _binary,
    "parenthesized_expression": inner,
    "array_expression": _array,
    "tuple_expression": _tuple,
    "closure_expression": _function,
    "let_condition": _literal("bool"),
    "boolean_literal": _literal("bool"),
    "integer_literal": _literal("int"),
    "negative_literal": _literal("int"),
    "float_literal": _literal("float"),
    "unit_expression": _literal("none"),
    "char_literal": _character,
    "string_literal": _string,
    "raw_string_literal": _string,
    "type_identifier": name,
    "primitive_type": name,
    "metavariable": name,
    "scoped_type_identifier": path,
    "generic_type": _generic_type,
    "generic_type_with_turbofish": _generic_type,
    "reference_type": _type,
    "pointer_type": _type,
    "dynamic_type": _trait,
    "abstract_type": _trait,
    "bounded_type": _first_bound,
    "trait_bounds": _bounds,
    "higher_ranked_trait_bound": _type,
    "tuple_type": _tuple,
    "array_type": _array_type,
    "unit_type": _literal("none"),
    "qualified_type": _qualified,
    "bracketed_type": inner,
}
