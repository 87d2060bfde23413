"""What a function without a name of its own is assigned to: `name = lambda: 0`, `$a = fn () => 0`, `var f = func() {}`.

Such a function keeps the number in its id (`<lambda1>`), as the contract has it and as tracebacks say it; its name is
what the code calls it by. Which nodes assign is the language's `LanguageSpec.assigned`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from tree_sitter import Node

    from loregraph.indexer.languages.extraction import Extraction

_ADD_NOTHING: Final = frozenset({"parenthesized_expression", "cast_expression"})
"""What may stand between an assignment and its function."""
_LISTS: Final = frozenset({"expression_list", "pattern_list"})
"""Several values, or places, of one assignment."""
_SHARED: Final = frozenset({"instance_variable", "class_variable", "global_variable"})
_NAMES: Final = _SHARED | {"identifier", "simple_identifier", "field_identifier", "constant", "name", "variable_name"}
_HOLD_A_NAME: Final = frozenset({"pattern", "variable_declaration", "value_pattern", "directly_assignable_expression"})
"""What adds nothing, or a type, to the name that it begins with."""
_MEMBERS: Final = frozenset(
    {
        "attribute",
        "member_access_expression",
        "scoped_property_access_expression",
        "field_access",
        "selector_expression",
    }
    | {"field_expression"}
)
"""A member of something: its last part is the name."""
_SIGILS: Final = "$@`"
_STEPS: Final = 6
"""Nodes between an assignment and its function, or its name, that are gone through."""


# Implements REQ-IDX-022.
def assigned_name(x: Extraction, node: Node, *, in_function: bool) -> str:
    """The name of the variable, field or constant that the function at `node` is assigned to, "" for none.

    With `in_function` a plain variable gives none: it is nobody else's.
    """
    value, around = node, node.parent
    if node.type in ("block", "do_block") and around is not None:
        value, around = around, around.parent  # `lambda { }`: the call is what is assigned
    position = -1
    for _ in range(_STEPS):
        if around is None:
            return ""
        if around.type in _LISTS:
            position = next((n for n, part in enumerate(_parts(x, around)) if part == value), -1)
        elif around.type not in _ADD_NOTHING:
            break
        value, around = around, around.parent
    fields = x.spec.assigned.get(around.type) if around is not None else None
    if around is None or fields is None:
        return ""
    place_field, value_field = fields
    inside = _parts(x, around)
    given = around.child_by_field_name(value_field) if value_field else inside[-1]
    if given != value or not _is_plain(around):
        return ""
    if place_field:
        places = around.children_by_field_name(place_field)
    else:
        places = [part for part in inside if part.type in _NAMES | _HOLD_A_NAME][:1]
    if len(places) == 1 and places[0].type in _LISTS:
        places = _parts(x, places[0])
    if not places or (len(places) > 1 and not 0 <= position < len(places)):
        return ""
    place = places[position] if len(places) > 1 else places[0]
    if in_function and place.type not in _MEMBERS | _SHARED:
        return ""
    name = _last_name(x, place)
    return name if name.strip("_") else ""


def _is_plain(assignment: Node) -> bool:
    """Whether the operator, where there is one, is no other than `=` or `:=`: binary operators may look alike."""
    operator = assignment.child_by_field_name("operator")
    return operator is None or operator.type in ("=", ":=", "assignment_operator")


def _last_name(x: Extraction, place: Node) -> str:
    for _ in range(_STEPS):
        if place.type in _NAMES:
            return x.text(place).strip(_SIGILS)
        inside = _parts(x, place)
        if not inside or place.type not in _MEMBERS | _HOLD_A_NAME:
            return ""
        place = inside[-1] if place.type in _MEMBERS else inside[0]
    return ""


def _parts(x: Extraction, node: Node) -> list[Node]:
    return [part for part in node.named_children if part.type not in x.spec.comments]
