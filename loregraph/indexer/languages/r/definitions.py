"""What R's functions are called, which is what they are assigned to; methods of S3 and S4; roxygen's comments."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, Final

from msgspec.structs import force_setattr

from loregraph.indexer.facts import (
    ATTRIBUTE,
    DEFINED,
    FILE_SCOPE,
    MODULE,
    NAME,
    RESULT,
    UNION,
    Assignment,
    Expr,
    Parameter,
)
from loregraph.indexer.languages.comments import comment_above
from loregraph.indexer.languages.extraction import Extraction, Header
from loregraph.indexer.languages.heads import head_text
from loregraph.indexer.languages.r.classes import argument, called, class_around
from loregraph.indexer.languages.r.classes import header as class_header
from loregraph.indexer.languages.r.expressions import ASSIGNING, text_in, unquoted

if TYPE_CHECKING:
    from tree_sitter import Node

_SETTING: Final = frozenset({"setMethod", "setGeneric", "setReplaceMethod"})
_EXPORT: Final = re.compile(r"^@export\b", re.MULTILINE)
_MARK: Final = re.compile(r"^'[ \t]?", re.MULTILINE)
_MAX_NAME: Final = 120
_OWN: Final = re.compile(r"(?:^|/)(R|tests?|inst|demo|data-raw|vignettes|man|bench|examples|revdep)/")
"""Folders of a package; what is in `R/` is the package."""
DISPATCHED: Final = ".*"
"""End of the name of what a generic function dispatches to, which no code can write without quotes."""


def package_of(path: str) -> str:
    """The package that a file sees the names of: that of `R/` for what is there, one below it for a test, and for a
    script its own. Each part ends with a slash, so that no name of the code is one."""
    match = _OWN.search(path)
    if match is None:
        return _dotted(path.rpartition(".")[0])
    own = _dotted(f"{path[: match.start()].strip('/')}/R")
    if match[1] == "R":
        return own
    folder, _, name = path[match.start(1) :].rpartition("/")
    stem = name.rpartition(".")[0]
    return f"{own}.{_dotted(folder if stem.startswith(('helper', 'setup')) else f'{folder}/{stem}')}"


def _dotted(path: str) -> str:
    return ".".join(f"{part.replace('.', '_')}/" for part in path.split("/") if part)


def _outer(node: Node) -> Node:
    """What a function or class belongs to with its documentation: the assignment or call that names it."""
    return node.parent if node.parent is not None and node.parent.type == "binary_operator" else node


def _place(node: Node) -> Node | None:
    """What a function or class is assigned to at once."""
    around = node.parent
    if around is None or around.type != "binary_operator":
        return None
    operator = around.child_by_field_name("operator")
    if operator is None or operator.type not in ASSIGNING:
        return None
    place = around.child_by_field_name("rhs" if operator.type.startswith("-") else "lhs")
    return place if place != node else None


def read_header(x: Extraction, node: Node, kind: str) -> Header | None:
    place = _place(node)
    plain = place is not None and place.type in ("identifier", "string")
    name = unquoted(x, place) if plain else ""
    if node.type == "call":
        if kind == "class":
            found = class_header(x, node, name)
            if found is not None and place is not None:
                found.outer = _outer(node)
            return found
        title = text_in(x, argument(x, node, "desc", 0))
        return Header(name=" ".join(title.split())[:_MAX_NAME] or "test", flags=("expression", "test"),
                      signature=f'{called(x, node)}("{title}")'[:_MAX_NAME])  # fmt: skip
    head = head_text(x, _outer(node).start_byte if plain else node.start_byte, _end_of_head(node))
    if plain:
        flags = ["private"] if name.startswith(".") else []
        if _EXPORT.search(docstring(x, node)) or ("R/" not in x.package.split(".") and not flags):
            flags.append("exported")
        return Header(name=name, flags=tuple(flags), outer=_outer(node), signature=head)
    if place is not None and place.type == "extract_operator":
        name = unquoted(x, place.child_by_field_name("rhs"))
        return Header(name=name, flags=("expression",), outer=_outer(node), signature=head)
    if place is not None and place.type == "call" and called(x, place) == "method":  # S7
        owner = argument(x, place, "class", 1)
        return _method(x, unquoted(x, argument(x, place, "generic", 0)), x.text(owner) if owner else "", node, head)
    return _given_away(x, node, head)


def _given_away(x: Extraction, node: Node, head: str) -> Header:
    """A function that is an argument: a method in a class, what `setMethod` sets, a function without a name."""
    around = node.parent
    if around is not None and around.type == "argument":
        name = unquoted(x, around.child_by_field_name("name"))
        held = class_around(x, around)
        if held is not None and name:
            flags = {"active": ("property",), "private": ("private",)}.get(held[1], ("exported",))
            return Header(name=name, kind="getter" if held[1] == "active" else "method", flags=flags, signature=head)
        call = around.parent.parent if around.parent is not None else None
        if call is not None and call.type == "call" and called(x, call) in _SETTING:
            generic = text_in(x, argument(x, call, "f", 0)) or text_in(x, argument(x, call, "name", 0))
            if called(x, call) == "setGeneric" and generic:
                return Header(name=generic, outer=call, signature=head)
            if generic:
                return _method(x, generic, _signature_of(x, call), node, head)
    return Header(kind="lambda", flags=("expression",), signature=head)


def _signature_of(x: Extraction, call: Node) -> str:
    """The class of the first argument that `setMethod` sets a method for."""
    given = argument(x, call, "signature", 1)
    if given is not None and given.type == "call":
        given = argument(x, given, "x", 0) or next(
            (held.child_by_field_name("value") for held in given.named_children[-1].named_children), None
        )
    return text_in(x, given)


def _method(x: Extraction, generic: str, owner: str, node: Node, head: str) -> Header:
    x.memo.setdefault("methods", {})[node.id] = generic
    return Header(name=generic, kind="method", owner_name=owner, flags=("expression",), signature=head)


def _end_of_head(node: Node) -> int:
    body = node.child_by_field_name("body")
    return body.start_byte if body is not None else node.end_byte


def docstring(x: Extraction, node: Node) -> str:
    """Roxygen's comment, or any other that stands above."""
    around = node.parent
    if around is not None and around.type == "argument" and around.start_byte <= node.start_byte:
        call = around.parent.parent if around.parent is not None else None
        node = call if call is not None and called(x, call) in _SETTING else around
    return _MARK.sub("", comment_above(x, _outer(node))).strip()


def parameters(x: Extraction, node: Node) -> tuple[Parameter, ...]:
    held = node.child_by_field_name("parameters")
    found = []
    for part in held.children_by_field_name("parameter") if held is not None else ():
        name = part.child_by_field_name("name")
        default = part.child_by_field_name("default")
        rest = name is not None and name.type == "dots"
        found.append(
            Parameter(
                unquoted(x, name), default=x.lower(default) if default is not None else None, kind="*" if rest else ""
            )
        )
    return tuple(found)


def finish(x: Extraction) -> None:
    _bind_methods(x)
    _skip_own_results(x)


def _skip_own_results(x: Extraction) -> None:
    """`total <- total(lines)` calls the function of the package: a variable that holds no function hides none."""
    bound = Counter((fact.scope, fact.target[1]) for fact in x.assignments if fact.target[0] == NAME)
    for fact in x.assignments:
        if fact.value[0] != RESULT or fact.scope == FILE_SCOPE or fact.target[0] != NAME:
            continue
        call, name = x.calls[fact.value[1]], fact.target[1]
        taken = any(parameter.name == name for parameter in x.definitions[fact.scope].parameters)
        if call is not None and call.function == fact.target and bound[fact.scope, name] == 1 and not taken:
            force_setattr(call, "function", (ATTRIBUTE, (MODULE, ""), name))


def _bind_methods(x: Extraction) -> None:
    """Binds what generic functions dispatch to: `print.shop` is one of `print.*`, and so is what `setMethod` sets."""
    set_by_call = {x.definition_index[node]: name for node, name in x.memo.get("methods", {}).items()}
    found: dict[str, list[Expr]] = {}
    for number, definition in enumerate(x.definitions):
        if number in set_by_call:
            found.setdefault(set_by_call[number], []).append((DEFINED, number))
        elif definition.kind == "function" and definition.parent == FILE_SCOPE and "test" not in definition.flags:
            name = definition.name
            for place in [place for place, sign in enumerate(name) if sign == "." and 0 < place < len(name) - 1][:4]:
                found.setdefault(name[:place], []).append((DEFINED, number))
    for generic, functions in found.items():
        value = functions[0] if len(functions) == 1 else (UNION, tuple(functions))
        x.assignments.append(Assignment(FILE_SCOPE, 1, 0, -1, (NAME, generic + DISPATCHED), value))
