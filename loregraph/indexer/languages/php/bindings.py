"""Where PHP puts values: properties, constants, variables."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from loregraph.indexer.facts import ATTRIBUTE, ELEMENT, NAME, TYPED, UNION, UNKNOWN, Expr
from loregraph.indexer.languages.comments import comment_above
from loregraph.indexer.languages.extraction import Extraction
from loregraph.indexer.languages.hooks import binds, by_sign, enumerates
from loregraph.indexer.languages.lowering import parts
from loregraph.indexer.languages.php.definitions import is_vague
from loregraph.indexer.languages.php.expressions import declared_type, documented_type
from loregraph.indexer.languages.php.magic import assign_documented
from loregraph.indexer.languages.rows import choose
from loregraph.indexer.languages.spec import Hook

if TYPE_CHECKING:
    from tree_sitter import Node

_VAR = re.compile(r"@var\s+(\S+)")


def _property_type(x: Extraction, node: Node) -> Expr | None:
    type_ = declared_type(x, node)
    found = _VAR.search(comment_above(x, node)) if is_vague(type_) else None
    return documented_type(found[1]) if found is not None else type_


def _noted_type(x: Extraction, node: Node) -> Expr | None:
    """The type that a `/** @var Foo $x */` above the statement gives."""
    statement = node.parent
    before = statement.prev_sibling if statement is not None and statement.type == "expression_statement" else None
    if before is None or before.type != "comment":
        return None
    found = _VAR.search(x.text(before))
    return documented_type(found[1]) if found is not None else None


def _assign_trait_alias(x: Extraction, node: Node, capture: str) -> None:
    """`use A, B { A::log as write; }`: another name for a trait's method."""
    held = [c for c in parts(node) if c.type in ("name", "class_constant_access_expression")]
    if len(held) != 2 or held[1].type != "name":
        return
    if held[0].type != "name":
        value = x.lower(held[0])
    else:
        use = node.parent.parent if node.parent is not None else None
        traits = [c for c in parts(use) if c.type in ("name", "qualified_name")]
        value = (UNION, tuple((ATTRIBUTE, x.lower(trait), x.text(held[0])) for trait in traits))
    x.assign(node, (NAME, x.text(held[1])), value, "declare")


def _assign_promoted(x: Extraction, node: Node, capture: str) -> None:
    """A constructor's parameter that is a property too."""
    name = node.child_by_field_name("name")
    constructor = x.definitions[-1] if x.definitions else None
    if name is None or constructor is None or constructor.parent < 0:
        return
    x.scope, x.block = constructor.parent, -1
    text = x.text(name)
    type_ = next((p.type for p in constructor.parameters if p.name == text), None)
    x.assign(node, (NAME, text.lstrip("$")), UNKNOWN, "declare", type_)


ASSIGNMENTS: Final[dict[str, Hook]] = {
    "assignment.documented": assign_documented,
    "assignment.property": binds(
        "declare", (NAME, "$name/0!"), "@default_value", each=":property_element", type=_property_type
    ),
    "assignment.trait": _assign_trait_alias,
    "assignment.promoted": _assign_promoted,
    "assignment.constant": binds("declare", "@0!", "@1"),
    "assignment.case": enumerates(),
    "assignment.expression": binds(by_sign("= ??="), "@left", "@right", type=_noted_type),
    "assignment.static": binds("declare", "@name!", "@value"),
    "assignment.for": binds("for", choose("%1", {"pair": "@1/-1"}, "@1"), (ELEMENT, "@0"), needs="1"),
    "assignment.catch": binds("except", (NAME, "$name"), (TYPED, "@type", UNKNOWN), type="@type"),
    "assignment.global": binds("global", (NAME, "$"), each=":variable_name"),
}
