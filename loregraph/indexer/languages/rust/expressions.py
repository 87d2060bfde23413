"""Rust's expressions and types, lowered.

References, raw pointers, `dyn` and `impl` stand for what they hold; `Box`, `Rc`, `Option` and their like are ordinary
generic types, which the resolver's policy reads as what they hold. Slices and arrays are subscripts of `[]`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from loregraph.indexer.facts import (
    ATTRIBUTE,
    AWAITED,
    LITERAL,
    MAPPING,
    MODULE,
    NAME,
    OPERATION,
    SEQUENCE,
    SPREAD,
    SUBSCRIPT,
    TYPED,
    UNION,
    UNKNOWN,
    Expr,
)
from loregraph.indexer.languages.extraction import MAX_LITERAL, Extraction
from loregraph.indexer.languages.lowering import (
    call_result,
    child,
    definition,
    inner,
    integer,
    is_read_twice,
    name,
    this,
)
from loregraph.indexer.languages.rows import (
    BOOLEAN,
    COMPARISONS,
    FLOAT,
    NOTHING,
    TEXT,
    choose,
    compiled,
    each,
    generic,
    having,
    lowerings,
    some,
    together,
)
from loregraph.indexer.languages.rust.patterns import is_variant
from loregraph.indexer.languages.selectors import one, parts
from loregraph.indexer.languages.spec import Lowering

if TYPE_CHECKING:
    from tree_sitter import Node

_WRAPPERS = frozenset({"Some", "Ok"})
_POINTERS = frozenset("Box Rc Arc Cell RefCell Mutex RwLock Pin Cow ManuallyDrop OnceCell".split())


def path(x: Extraction, node: Node) -> Expr:
    """`a::b::C`."""
    name_node, before = node.child_by_field_name("name"), node.child_by_field_name("path")
    if name_node is None:
        return UNKNOWN
    text = x.text(name_node)
    if before is None:
        return (NAME, text)
    if name_node.type == "super":  # `super::super`
        return (MODULE, "::".join(from_file(node, tuple(x.text(node).split("::")))))
    if before.type in ("self", "super"):  # in a path `self` is the module, not the receiver
        return (ATTRIBUTE, (MODULE, "::".join(from_file(node, (before.type,)))), text)
    return (ATTRIBUTE, x.lower(before), text)


def from_file(node: Node, segments: tuple[str, ...]) -> tuple[str, ...]:
    """A path that begins with `self` or `super` as the file's own module sees it, for one written in a `mod {}`."""
    if not segments or segments[0] not in ("self", "super"):
        return segments
    inline: list[str] = []
    around = node.parent
    while around is not None:
        if around.type == "mod_item":
            name = around.child_by_field_name("name")
            inline.insert(0, name.text.decode() if name is not None and name.text is not None else "")
        around = around.parent
    rest = list(segments)
    while rest and inline and rest[0] == "super":
        rest.pop(0)
        inline.pop()
    if rest and rest[0] == "super":
        return tuple(rest)
    return ("self", *inline, *(rest[1:] if rest and rest[0] == "self" else rest))


def _position(x: Extraction, node: Node) -> Expr:
    """`pair.0`: a tuple struct's field, or a tuple's element."""
    base, text = _MEMBER(x, node)[1:]
    member = (ATTRIBUTE, base, text)
    return member if is_read_twice(base) else (UNION, (member, (SUBSCRIPT, base, (LITERAL, "int", text))))


_MEMBER = compiled((ATTRIBUTE, "@value", "$field"))


def is_macro(x: Extraction, function: Node) -> bool:
    """Whether what `function` names is a macro that was read as a call."""
    return x.source[function.end_byte : function.end_byte + 1] == b"!"


_FIRST_ARGUMENT: Lowering = compiled("@arguments/^mutable_specifier,attribute_item")
_OF_MACRO: Lowering = choose(
    "$macro|function",
    {
        "format concat stringify line file include_str env": TEXT,
        "matches": BOOLEAN,
        "dbg": having("arguments", _FIRST_ARGUMENT, call_result),
    },
    call_result,
)


def _call(x: Extraction, node: Node) -> Expr:
    """A call's result. Wrapping a value (`Some(v)`, `Box::new(v)`) gives the value, a variant's call its type."""
    function = node.child_by_field_name("function")
    if function is None:
        return UNKNOWN
    if is_macro(x, function):
        return _OF_MACRO(x, node)
    if function.type == "identifier" and x.text(function) in _WRAPPERS:
        return _FIRST_ARGUMENT(x, node)
    if function.type == "scoped_identifier":
        called = path(x, function)
        if called[0] == ATTRIBUTE and called[1][0] == NAME and called[1][1] in _POINTERS and called[2] == "new":
            return _FIRST_ARGUMENT(x, node)
        if is_variant(called) and called[2][:1].isupper():
            return (TYPED, called[1], UNKNOWN)
    return x.call_at(node)


_FIELDS = compiled(
    (
        MAPPING,
        each(
            "body/:shorthand_field_initializer,field_initializer",
            choose(
                "%.",
                {"field_initializer": ((LITERAL, "str", "$field"), "@value")},
                ((LITERAL, "str", "$-1"), "@-1"),
            ),
        ),
    )
)


def _struct(x: Extraction, node: Node) -> Expr:
    """`Foo { a, b: 1, ..c }`; a variant with fields has its enum's type."""
    type_ = x.lower(node.child_by_field_name("name"))
    return (TYPED, type_[1] if is_variant(type_) else type_, _FIELDS(x, node))


def _block(x: Extraction, node: Node) -> Expr:
    """The value of a block: its last expression without a semicolon."""
    last = _LAST(x, node)
    if last is not None and last.type == "expression_statement":
        return UNKNOWN if last.children[-1].type == ";" else inner(x, last)
    return x.lower(last)


_LAST = one("-1")


def _options(x: Extraction, node: Node) -> tuple[Expr, ...]:
    """What the branches of an `if` give."""
    options: list[Expr] = []
    current: Node | None = node
    for _ in range(100):
        if current is None or current.type != "if_expression":
            break
        options.append(x.lower(current.child_by_field_name("consequence")))
        current = _OTHERWISE(x, current)
    return (*options, x.lower(current))


_OTHERWISE = one("alternative/0")
_ARMS = some(UNION, "**body/:match_arm/value", known=True)


def _match(x: Extraction, node: Node) -> Expr:
    # A macro's arms are none: see `macros.matched`.
    return UNKNOWN if node.start_byte in x.memo.get("matches", ()) else _ARMS(x, node)


def _index(x: Extraction, node: Node) -> Expr:
    held = parts(x, node)
    return (SUBSCRIPT, x.lower(held[0]), x.lower(held[1])) if len(held) == 2 else UNKNOWN


def _string(x: Extraction, node: Node) -> Expr:
    content = child(node, "string_content")
    text = x.text(content) if content is not None and content.end_byte - content.start_byte <= MAX_LITERAL else ""
    return (LITERAL, "bytes" if x.source[node.start_byte : node.start_byte + 1] == b"b" else "str", text)


_IN_BLOCK = compiled("@:block")
_GENERIC = generic("@type", "**type_arguments/^lifetime")

EXPRESSIONS: Final = lowerings(
    {
        "identifier": name,
        "self": this,
        "crate": (MODULE, "crate"),
        "super": lambda x, node: (MODULE, "::".join(from_file(node, ("super",)))),
        "scoped_identifier": path,
        "field_expression": choose("%field", {"integer_literal": _position}, _MEMBER),
        "call_expression": _call,
        "generic_function": "@function",
        "macro_invocation": _OF_MACRO,
        "struct_expression": _struct,
        "block": _block,
        "unsafe_block": _IN_BLOCK,
        "async_block": _IN_BLOCK,
        "const_block": _IN_BLOCK,
        "try_block": _IN_BLOCK,
        "if_expression": some(UNION, _options, known=True),
        "match_expression": _match,
        "type_cast_expression": (TYPED, "@type", "@value"),
        "index_expression": _index,
        "reference_expression": "@value",
        "try_expression": inner,
        "await_expression": (AWAITED, "@0"),
        "unary_expression": choose("%", {"!": BOOLEAN, "*": "@0"}, (OPERATION, "%", "@0", None)),
        "binary_expression": choose("%operator", {COMPARISONS: BOOLEAN}, (OPERATION, "%operator", "@left", "@right")),
        "parenthesized_expression": inner,
        "array_expression": having(
            "length",  # `[value; count]`
            (SEQUENCE, ((SPREAD, (SEQUENCE, ("@^attribute_item",))),)),
            (SEQUENCE, "**^attribute_item"),
        ),
        "tuple_expression": (SEQUENCE, "*"),
        "closure_expression": definition,
        "let_condition": BOOLEAN,
        "boolean_literal": BOOLEAN,
        "integer_literal": integer,
        "negative_literal": integer,
        "float_literal": FLOAT,
        "unit_expression": NOTHING,
        "char_literal": (TYPED, (NAME, "char"), UNKNOWN),
        "string_literal": _string,
        "raw_string_literal": _string,
        "type_identifier": name,
        "primitive_type": name,
        "metavariable": name,
        "scoped_type_identifier": path,
        "generic_type": _GENERIC,
        "generic_type_with_turbofish": _GENERIC,
        "type_binding": "@type",
        "reference_type": "@type",
        "pointer_type": "@type",
        "dynamic_type": "@trait",
        "abstract_type": "@trait",
        "bounded_type": "@^lifetime",
        # `A + B + 'static`: something that is both; `?Sized` and lifetimes say nothing.
        "trait_bounds": together(UNION, "**^lifetime", known=True),
        "higher_ranked_trait_bound": "@type",
        "tuple_type": (SEQUENCE, "*"),
        "array_type": (SUBSCRIPT, (NAME, "[]"), "@element"),
        "unit_type": NOTHING,
        "qualified_type": "@type",  # `<T as Trait>`
        "bracketed_type": inner,
    }
)
