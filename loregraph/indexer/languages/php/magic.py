"""Members that PHP's classes have without defining them: what comments announce, and what `__call` hands on.

They become assignments to members that no source can name (`facts.FORWARD` and the like), so that resolution follows
them as it follows any other member.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from loregraph.indexer.facts import (
    ATTRIBUTE,
    DECORATE,
    FORWARD,
    FORWARD_STATIC,
    GIVEN,
    NAME,
    RECEIVER,
    UNKNOWN,
    Expr,
)
from loregraph.indexer.languages.comments import comment_above
from loregraph.indexer.languages.extraction import Extraction
from loregraph.indexer.languages.lowering import named_part, parts
from loregraph.indexer.languages.php.expressions import documented_type

if TYPE_CHECKING:
    from tree_sitter import Node

_TYPE = r"([^\s$<(]++(?:<[^>]{0,500}+>)?[^\s$(]*+)"
_PROPERTY = re.compile(rf"@property(?:-read|-write)?+\s++{_TYPE}\s++\$(\w++)")
_METHOD = re.compile(rf"@method\s++(?:static\s++)?+{_TYPE}\s++(\w++)\s*+\(")
_MIXIN = re.compile(r"@(?:phpstan-|psalm-)?+mixin\s++(\S++)")
_SEE = re.compile(r"@see\s++(\\?[A-Z][\w\\]*+)(?![\w\\]*+(?:::|\())")
_ACCESSOR: Final = "getFacadeAccessor"
_FORWARDING: Final = {"forwardCallTo": FORWARD, "forwardDecoratedCallTo": DECORATE}
MAX_ANNOUNCED: Final = 1000
"""Members that the comment above one class announces."""


def assign_documented(x: Extraction, node: Node, capture: str) -> None:
    """What the comment above a class says that it has: `@property`, `@method`, `@mixin`; a facade's `@see`."""
    cls = node.parent
    if cls is None or x.scope < 0:
        return
    accessor = next((c for c in parts(node) if _is_accessor(x, c)), None)
    comment = comment_above(x, cls) if cls.prev_sibling is not None else ""
    if "@" in comment:
        for type_text, name in _PROPERTY.findall(comment)[:MAX_ANNOUNCED]:
            _declare(x, node, name, documented_type(type_text))
        for type_text, name in _METHOD.findall(comment)[:MAX_ANNOUNCED]:
            _declare(x, node, name + GIVEN, documented_type(type_text))
        for text in _MIXIN.findall(comment)[:MAX_ANNOUNCED]:
            mixed = documented_type(text.partition("<")[0])
            _declare(x, node, FORWARD, mixed)
            _declare(x, node, FORWARD_STATIC, mixed)
        if accessor is not None:
            for text in _SEE.findall(comment)[:MAX_ANNOUNCED]:
                _declare(x, node, FORWARD_STATIC, documented_type(text))
    if accessor is not None:
        _declare(x, node, FORWARD_STATIC, _named_class(x, accessor))


def _declare(x: Extraction, node: Node, name: str, type_: Expr | None) -> None:
    if type_ is not None:
        x.assign(node, (NAME, name), UNKNOWN, "declare", type_)


def _is_accessor(x: Extraction, node: Node) -> bool:
    name = node.child_by_field_name("name")
    return node.type == "method_declaration" and name is not None and x.text(name) == _ACCESSOR


def _named_class(x: Extraction, method: Node) -> Expr | None:
    """The class that a method returns the name of: `return Cache::class;`."""
    for statement in parts(method.child_by_field_name("body")):
        value = named_part(statement) if statement.type == "return_statement" else None
        if value is not None and value.type == "class_constant_access_expression":
            held = parts(value)
            if len(held) == 2 and x.text(held[1]) == "class" and held[0].type in ("name", "qualified_name"):
                return x.lower(held[0])
    return None


def forwarded(x: Extraction, node: Node) -> None:
    """Notes what `__call($method, …)` calls `$method` on: `$this->inner->$method(…)`, `forwardCallTo($this->inner, …)`.

    Where its result is dropped, the caller gets `$this` back.
    """
    definition = x.definitions[x.scope] if x.scope >= 0 else None
    if definition is None or definition.name not in ("__call", "__callStatic") or not definition.parameters:
        return
    name = node.child_by_field_name("name")
    holder, kind = node.child_by_field_name("object"), FORWARD
    if name is not None and name.type == "name":
        known = _FORWARDING.get(x.text(name))
        given = [named_part(a, -1) for a in parts(node.child_by_field_name("arguments")) if a.type == "argument"]
        if known is None or len(given) < 2:
            return
        holder, name, kind = given[0], given[1], known
    if holder is None or name is None or x.text(name) != definition.parameters[0].name:
        return
    if node.parent is not None and node.parent.type == "expression_statement":
        kind = DECORATE
    if definition.name == "__callStatic":
        x.assign(node, (ATTRIBUTE, (NAME, "self"), FORWARD_STATIC), x.lower(holder))
    else:
        x.assign(node, (ATTRIBUTE, (RECEIVER,), kind), x.lower(holder))
