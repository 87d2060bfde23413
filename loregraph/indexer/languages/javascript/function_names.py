"""Where a function or class expression hangs: the name it gets from the variable or property it is assigned to.

JavaScript's engines name functions the same way (`Function.prototype.name`); to that come the objects around a property
(`routes.users.list`), prototypes (`Foo.prototype.bar` is `Foo.bar`) and `this.x = …` (a method of what `this` is).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from loregraph.indexer.facts import ATTRIBUTE, NAME, Expr
from loregraph.indexer.languages.extraction import MAX_EXPRESSION_DEPTH, Extraction
from loregraph.indexer.languages.javascript.expressions import inner, string_text

if TYPE_CHECKING:
    from tree_sitter import Node

MAX_CLIMB: Final = 40
"""Objects in objects that a name is put together from."""

WRAPPERS: Final = frozenset(
    {"parenthesized_expression", "as_expression", "satisfies_expression", "non_null_expression", "type_assertion"}
)
METHODS: Final = frozenset({"method_definition", "method_signature", "abstract_method_signature"})
FIELDS: Final = frozenset({"field_definition", "public_field_definition"})
_FUNCTIONS: Final = frozenset(
    {"function_declaration", "generator_function_declaration", "function_expression", "generator_function"}
)
_SCOPES: Final = _FUNCTIONS | {
    "arrow_function", "method_definition", "class_declaration", "abstract_class_declaration", "class",
    "internal_module", "module", "program",
}  # fmt: skip
_DECLARATIONS: Final = frozenset({"lexical_declaration", "variable_declaration"})
_FUNCTION_EXPRESSIONS: Final = frozenset({"function_expression", "generator_function", "arrow_function"})
_DECORATORS: Final = frozenset(
    {"memo", "forwardRef", "lazy", "useCallback", "debounce", "throttle", "once", "memoize", "promisify", "observer"}
)
_HOOK: Final = re.compile(r"use[A-Z]")
_TIMERS: Final = frozenset(
    {"setTimeout", "setInterval", "setImmediate", "requestAnimationFrame", "requestIdleCallback"}
)
_SELF: Final = frozenset({"this", "self", "that", "_this", "me"})
"""Names under which ES5 code keeps the receiver for its inner functions."""
_SPACE = re.compile(r"\s+")


@dataclass(slots=True)
class Place:
    """Name and surroundings of one function or class expression."""

    name: str = ""
    owner_name: str = ""
    """What stands before the name in the id: the objects around it."""
    owner: Expr | None = None
    """The type whose method it is: the `Foo` of `Foo.prototype.bar`."""
    outer: Node | None = None
    within: Node | None = None
    member: bool = False
    static: bool = False


def unwrapped(node: Node) -> Node:
    """`node` with the parentheses and type assertions around it."""
    parent = node.parent
    while parent is not None and parent.type in WRAPPERS:
        node, parent = parent, parent.parent
    return node


def property_name(x: Extraction, node: Node | None) -> str:
    """The name of a property: `a`, `#a`, `"a"`, `["a"]`, `[Symbol.iterator]`; "" where there is none."""
    if node is None:
        return ""
    if node.type == "computed_property_name":
        key = inner(node)
        if key is not None and key.type == "string":
            node = key
    text = string_text(x, node) if node.type == "string" else x.text(node)
    return _SPACE.sub(" ", text) if len(text) <= 200 else ""


def field_name(x: Extraction, field: Node) -> str:
    """The name of a field of a class."""
    return property_name(x, field.child_by_field_name("property") or field.child_by_field_name("name"))


def place_of(x: Extraction, node: Node) -> Place:
    """The place of a function or class expression, or of a method in an object. An empty name: it is anonymous."""
    if node.type in METHODS:
        place = Place(property_name(x, node.child_by_field_name("name")), member=True)
        holder = node.parent
        if holder is not None and holder.type == "object":
            _objects_around(x, holder, place)
        return place
    value = unwrapped(node)
    around = value.parent
    if around is None:
        return Place()
    kind = around.type
    if kind == "variable_declarator":
        return _declared(x, around)
    if kind == "assignment_expression" or kind == "augmented_assignment_expression":
        return _assigned(x, around)
    if kind == "pair":
        place = Place(property_name(x, around.child_by_field_name("key")), outer=around, member=True)
        holder = around.parent
        if holder is not None and around.child_by_field_name("value") == value:
            _objects_around(x, holder, place)
            return place
        return Place()
    if kind in FIELDS:
        if around.child_by_field_name("value") == value:
            return Place(field_name(x, around), outer=around, member=True, static=has_token(around, "static"))
        return Place()
    if kind in ("assignment_pattern", "object_assignment_pattern"):
        return _default(x, around.child_by_field_name("left"), around)
    if kind == "required_parameter" or kind == "optional_parameter":
        return _default(x, around.child_by_field_name("pattern"), around)
    if kind == "export_statement":
        if any(c.type == "=" for c in around.children[:3]):
            return Place("exports", "module", outer=around)
        return Place("default", outer=around)
    if kind == "arguments":
        return _decorated(x, around, value)
    return Place()


def _decorated(x: Extraction, arguments: Node, value: Node, depth: int = 0) -> Place:
    """`const Button = forwardRef((props, ref) => …)`: the name is the function's, whatever is put around it."""
    given = [c for c in arguments.named_children if c.type != "comment"]
    call = arguments.parent
    if given[0] != value or call is None or call.type != "call_expression":
        return Place()
    if any(c.type in _FUNCTION_EXPRESSIONS for c in given[1:]) or not _decorates(
        x, call.child_by_field_name("function")
    ):
        return Place()
    whole = unwrapped(call)
    around = whole.parent
    if around is None or depth > MAX_CLIMB:
        return Place()
    if around.type == "arguments":
        return _decorated(x, around, whole, depth + 1)
    if around.type != "variable_declarator" or around.parent is None or not has_token(around.parent, "const"):
        return Place()
    return _declared(x, around)


def _decorates(x: Extraction, function: Node | None) -> bool:
    """Whether a call is likely to give what stands for the function that it is given: one by a bare name, or by the
    name of a well-known decorator. Timers give a number."""
    if function is None:
        return False
    if function.type == "member_expression":
        name = function.child_by_field_name("property")
        return name is not None and x.text(name) in _DECORATORS
    if function.type == "call_expression":  # `connect(state)(Component)`
        inner_function = function.child_by_field_name("function")
        return inner_function is not None and inner_function.type == "identifier"
    if function.type != "identifier":
        return False
    called = x.text(function)
    return called in _DECORATORS or (called not in _TIMERS and not _HOOK.match(called))


def has_token(node: Node, token: str) -> bool:
    """Whether a keyword stands directly in `node`."""
    return any(c.type == token for c in node.children)


def _default(x: Extraction, target: Node | None, around: Node) -> Place:
    if target is None or target.type not in ("identifier", "shorthand_property_identifier_pattern"):
        return Place()
    return Place(x.text(target), outer=around)


def _declared(x: Extraction, declarator: Node) -> Place:
    name = declarator.child_by_field_name("name")
    if name is None or name.type != "identifier":
        return Place()
    statement = declarator.parent
    is_only = statement is not None and statement.type in _DECLARATIONS and statement.named_child_count == 1
    return Place(x.text(name), outer=statement if is_only else declarator)


def _assigned(x: Extraction, assignment: Node) -> Place:
    path = path_of(x, assignment.child_by_field_name("left"))
    if not path:
        return Place()
    statement = assignment.parent
    is_statement = statement is not None and statement.type == "expression_statement"
    place = Place(path[-1], outer=statement if is_statement else assignment)
    _own(x, place, path[:-1], assignment)
    place.member = bool(place.owner_name) or place.within is not None
    return place


def path_of(x: Extraction, node: Node | None) -> list[str]:
    """`a.b["c"]` as its parts; empty where it is anything else. Of `f().x` only what follows the call."""
    parts: list[str] = []
    while node is not None and len(parts) < MAX_CLIMB:
        if node.type == "member_expression":
            parts.append(x.text(node.child_by_field_name("property")))  # type: ignore[arg-type]
        elif node.type == "subscript_expression":
            index = node.child_by_field_name("index")
            if index is None or index.type != "string":
                return []
            parts.append(property_name(x, index))
        elif node.type in ("identifier", "this"):
            parts.append(x.text(node))
            break
        elif node.type in WRAPPERS:
            node = inner(node)
            continue
        else:
            break
        node = node.child_by_field_name("object")
    parts.reverse()
    return parts if all(parts) else []


def _own(x: Extraction, place: Place, path: list[str], node: Node) -> None:
    """Sets what stands before the name: `path` is what the value is a member of."""
    if path and path[0] in _SELF:
        _receiver(x, place, path, node)
        return
    if path[:1] == ["exports"]:
        path = path[1:]
    elif path[:2] == ["module", "exports"]:
        path = path[2:]
    if "prototype" in path:
        kept = [part for part in path if part != "prototype"]
        if path[-1] == "prototype":
            place.owner = _expression(kept)
        path = kept
    place.owner_name = ".".join(path)


def _expression(path: list[str]) -> Expr | None:
    if not path:
        return None
    expr: Expr = (NAME, path[0])
    for part in path[1:MAX_EXPRESSION_DEPTH]:
        expr = (ATTRIBUTE, expr, part)
    return expr


def _objects_around(x: Extraction, holder: Node, place: Place) -> None:
    """The variable and properties that the object literal `holder` is the value of."""
    keys: list[str] = []
    path: list[str] = []
    node = holder
    for _ in range(MAX_CLIMB):
        value = unwrapped(node)
        around = value.parent
        if around is None:
            break
        kind = around.type
        if kind == "pair":
            key = property_name(x, around.child_by_field_name("key"))
            if not key or around.parent is None:
                break
            keys.append(key)
            node = around.parent
            continue
        if kind == "variable_declarator":
            name = around.child_by_field_name("name")
            path = [x.text(name)] if name is not None and name.type == "identifier" else []
        elif kind == "assignment_expression":
            path = path_of(x, around.child_by_field_name("left"))
        elif kind in FIELDS:
            path = [field_name(x, around)]
        elif kind == "export_statement":
            path = [] if any(c.type == "=" for c in around.children[:3]) else ["default"]
        elif kind == "arguments":
            path = _extended(x, around, value)
        break
    keys.reverse()
    _own(x, place, [part for part in (*path, *keys) if part], holder)


def _extended(x: Extraction, arguments: Node, value: Node) -> list[str]:
    """What `Object.assign(Foo.prototype, {…})` and its like put an object's members on."""
    first = inner(arguments)
    if first is None or first == value:
        return []
    path = path_of(x, first)
    return path if path[-1:] == ["prototype"] or path in (["exports"], ["module", "exports"]) else []


def _receiver(x: Extraction, place: Place, path: list[str], node: Node) -> None:
    """`this.x = …`: a method of the class around, or of the function that `this` is made by."""
    place.owner_name = ".".join(path[1:])
    function = node.parent
    for _ in range(MAX_CLIMB * 5):
        if function is None or function.type == "program":
            if path[0] != "this":
                place.owner_name = ".".join(path)
            return
        kind = function.type
        if kind in FIELDS or kind == "class_static_block":
            return
        if kind in _FUNCTIONS:
            own = Place() if kind.endswith("declaration") else place_of(x, function)
            # `ns.Foo = function () { this.bar = … }` makes Foos; `ns.open = function () { this.bar = … }` changes `ns`.
            if own.member and not own.name[:1].isupper():
                place.within = own.within or scope_around(function)
                place.owner_name = ".".join(p for p in (own.owner_name, place.owner_name) if p)
            else:
                place.within = function
            return
        if kind == "method_definition":
            place.within = scope_around(function)
            if function.parent is not None and function.parent.type == "object":
                own = place_of(x, function)
                place.within = own.within or place.within
                place.owner_name = ".".join(p for p in (own.owner_name, place.owner_name) if p)
            return
        function = function.parent


def scope_around(node: Node) -> Node | None:
    """The definition, or the root, that `node` stands in."""
    around = node.parent
    while around is not None and around.type not in _SCOPES:
        around = around.parent
    return around
