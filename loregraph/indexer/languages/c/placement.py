"""Where a definition stands: in a file, a type or a function, and who may see it from there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from tree_sitter import Node

    from loregraph.indexer.languages.extraction import Extraction

IN_FILE: Final = "file"
IN_TYPE: Final = "type"
IN_FUNCTION: Final = "function"

_BODIES: Final = {
    "translation_unit": IN_FILE,
    "declaration_list": IN_FILE,
    "field_declaration_list": IN_TYPE,
    "compound_statement": IN_FUNCTION,
}
_PLACES: Final = "places"


class Place(NamedTuple):
    """The surroundings of a definition. `type_node` is the type whose body it stands in, `access` what each of that
    body's children may be seen by, `hidden` that nobody outside the file (or function) sees it."""

    kind: str
    type_node: Node | None
    access: dict[int, str]
    hidden: bool
    abstract: bool


def place_of(x: Extraction, node: Node) -> tuple[Place, Node]:
    """The place of `node`, and the child of that place's body that `node` stands in."""
    child, around = node, node.parent
    while around is not None and around.type not in _BODIES:
        child, around = around, around.parent
    return body_place(x, around), child


def body_place(x: Extraction, body: Node | None) -> Place:
    """The place that `body` (a namespace's, type's or function's, or the whole file) is to what stands in it."""
    if body is None:
        return Place(IN_FILE, None, {}, False, False)
    places: dict[int, Place] = x.memo.setdefault(_PLACES, {})
    found = places.get(body.id)
    if found is None:
        found = places[body.id] = _body_place(x, places, body)
    return found


def _body_place(x: Extraction, places: dict[int, Place], body: Node) -> Place:
    kind = _BODIES[body.type]
    hidden = kind == IN_FUNCTION
    access: dict[int, str] = {}
    abstract = False
    type_node = None
    around: Node | None = body.parent
    if kind == IN_TYPE and around is not None:
        type_node = around
        access, abstract = _members(x, body, around)
    while around is not None and not hidden:
        outer = places.get(around.id)
        if outer is not None:
            hidden = outer.hidden
            break
        hidden = around.type == "compound_statement" or (
            around.type == "namespace_definition" and around.child_by_field_name("name") is None
        )
        around = around.parent
    return Place(kind, type_node, access, hidden, abstract)


def _members(x: Extraction, body: Node, type_node: Node) -> tuple[dict[int, str], bool]:
    """Who may see each child of a type's body, and whether one of them is a pure virtual function."""
    access = "private" if type_node.type == "class_specifier" else "public"
    found: dict[int, str] = {}
    abstract = False
    for child in body.named_children:
        if child.type == "access_specifier":
            # Qt's `public slots:` is an access too.
            access = next(iter(x.text(child).split()), "").rstrip(":")
        elif access != "public":
            found[child.id] = access
        if not abstract and child.type in ("field_declaration", "function_definition"):
            abstract = is_pure(x, child)
    return found, abstract


def is_pure(x: Extraction, declaration: Node) -> bool:
    """Whether a member function is declared `= 0`."""
    value = declaration.child_by_field_name("default_value")
    if value is not None and value.type == "number_literal" and x.text(value) == "0":
        return _is_function(declaration)
    return any(c.type == "pure_virtual_clause" for c in declaration.named_children)


def _last(node: Node) -> Node | None:
    children = node.named_children
    return children[-1] if children else None


def _is_function(declaration: Node) -> bool:
    node = declaration.child_by_field_name("declarator")
    while node is not None and node.type in ("pointer_declarator", "reference_declarator"):
        node = node.child_by_field_name("declarator") or _last(node)
    if node is None or node.type != "function_declarator":
        return False
    named = node.child_by_field_name("declarator")
    return named is not None and named.type != "parenthesized_declarator"
