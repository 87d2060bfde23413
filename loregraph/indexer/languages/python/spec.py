"""Python's row: how its syntax becomes facts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from loregraph.indexer.facts import (
    ATTRIBUTE,
    ELEMENT,
    ENTERED,
    LITERAL,
    NAME,
    OPERATION,
    RESULT,
    SEQUENCE,
    SUBSCRIPT,
    TYPED,
    UNION,
    UNKNOWN,
    Expr,
    Parameter,
)
from loregraph.indexer.languages.extraction import Extraction, Header
from loregraph.indexer.languages.heads import bases
from loregraph.indexer.languages.hooks import binds, leaves
from loregraph.indexer.languages.lowering import child, inner, named_part
from loregraph.indexer.languages.python.expressions import EXPRESSIONS, lower_type, string_text
from loregraph.indexer.languages.python.language import TESTS
from loregraph.indexer.languages.python.narrowing import narrow
from loregraph.indexer.languages.registry import is_test_path
from loregraph.indexer.languages.rows import text_of
from loregraph.indexer.languages.selectors import one
from loregraph.indexer.languages.spec import LanguageSpec

if TYPE_CHECKING:
    from tree_sitter import Node

_SPLATS: Final = {"list_splat_pattern": "*", "dictionary_splat_pattern": "**"}
_NOTHING_RUN: Final = frozenset({NAME, RESULT, LITERAL, UNKNOWN[0]})
"""What to look at runs nothing of the project, or is recorded as a call."""
_FLAG_DECORATORS: Final = {
    "staticmethod": "static",
    "classmethod": "classmethod",
    "property": "property",
    "cached_property": "property",
    "abstractmethod": "abstract",
    "overload": "declaration",
    "override": "override",
}
_BUILTIN_DECORATORS: Final = frozenset({"staticmethod", "classmethod", "property"})

_name = text_of("name")
_bases = bases(EXTENDS="superclasses/^keyword_argument,dictionary_splat")
_alias_name = text_of("alias")
_module_name = text_of("module_name")
_first = one("0")


def _arguments(x: Extraction, node: Node) -> tuple[tuple[Expr, ...], tuple[tuple[str, Expr], ...]]:
    if node.type == "generator_expression":
        return (x.lower(node),), ()
    positional: list[Expr] = []
    named: list[tuple[str, Expr]] = []
    for held in node.named_children:
        if held.type == "keyword_argument":
            named.append((_name(x, held), x.lower(held.child_by_field_name("value"))))
        elif held.type == "dictionary_splat":
            named.append(("**", x.lower(named_part(held))))
        elif held.type != "comment":
            positional.append(x.lower(held))
    return tuple(positional), tuple(named)


# Definitions


def _parameters(x: Extraction, node: Node) -> tuple[Parameter, ...]:
    listed = node.child_by_field_name("parameters")
    found: list[Parameter] = []
    plain = ""
    for held in listed.named_children if listed is not None else ():
        if held.type == "identifier":
            found.append(Parameter(x.text(held), kind=plain))
        elif held.type == "keyword_separator":
            plain = "kw"
        elif held.type in ("default_parameter", "typed_default_parameter"):
            type_ = lower_type(x, held.child_by_field_name("type"))
            found.append(Parameter(_name(x, held), type_, x.lower(held.child_by_field_name("value")), plain))
        elif held.type == "typed_parameter" or held.type in _SPLATS:
            named, kind = named_part(held) if held.type == "typed_parameter" else held, plain
            if named is not None and named.type in _SPLATS:
                kind, plain = _SPLATS[named.type], "kw"
                named = named_part(named)
            type_ = lower_type(x, held.child_by_field_name("type"))
            found.append(Parameter(x.text(named) if named is not None else "", type_, None, kind))
    return tuple(found)


def _flag_of(decorator: str) -> str:
    """What a decorator makes of a function; modules go by many names (`typing.overload`, `t.overload`)."""
    module, _, name = decorator.rpartition(".")
    return "" if module and name in _BUILTIN_DECORATORS else _FLAG_DECORATORS.get(name, "")


def _header(x: Extraction, node: Node, kind: str) -> Header | None:
    if kind == "lambda":
        return Header()
    name = _name(x, node)
    header = Header(name=name)
    flags: list[str] = []
    around = node.parent
    if around is not None and around.type == "decorated_definition":
        header.outer = around
        for decorator in around.named_children:
            if decorator.type == "decorator":
                _decorate(x, header, flags, named_part(decorator))
        around = around.parent
    opening = node.child(0)
    if opening is not None and opening.type == "async":
        flags.append("async")
    if kind == "class":
        header.bases = _bases(x, node)
    else:
        header.returns = lower_type(x, node.child_by_field_name("return_type"))
        block = around.parent if around is not None else None
        if block is not None and block.type == "class_definition" and not header.kind:
            header.kind = "constructor" if name == "__init__" else "getter" if "property" in flags else "method"
        if name.startswith(TESTS.prefixes) and is_test_path(x.path, "python"):
            flags.append("test")
    listed = node.child_by_field_name("type_parameters")
    if listed is not None:
        header.type_parameters = tuple(x.text(held).split(":")[0].strip("* ") for held in listed.named_children)
    if not name.startswith("_") or (name.startswith("__") and name.endswith("__")):
        flags.append("exported")
    header.flags = tuple(flags)
    return header


def _decorate(x: Extraction, header: Header, flags: list[str], decorator: Node | None) -> None:
    text = x.folded(decorator, 120) if decorator is not None else ""
    header.decorators += (x.lower(decorator),)
    header.decorator_names += (text,)
    flag = _flag_of(text)
    if flag:
        flags.append(flag)
    elif text.endswith((".setter", ".deleter")):
        flags += ["property", "deleter"] if text.endswith(".deleter") else ["property"]
        header.kind = "setter"


def _docstring(x: Extraction, node: Node) -> str:
    body = node.child_by_field_name("body")
    return _opening_string(x, body) if body is not None and body.type == "block" else ""


def _opening_string(x: Extraction, body: Node) -> str:
    """The string that a module, class or function begins with, its indentation removed."""
    first = _first(x, body)
    if first is None or first.type not in ("string", "concatenated_string"):
        return ""
    x.docstring_end = first.end_byte
    return "\n".join(line.strip() for line in string_text(x, first).strip().splitlines())


def _file_facts(x: Extraction, root: Node) -> None:
    x.docstring = _opening_string(x, root)


# Statements


def _assignment(x: Extraction, node: Node, capture: str) -> None:
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    type_ = lower_type(x, node.child_by_field_name("type"))
    target, value = x.lower(left), x.lower(right)
    if type_ is not None and target[0] == ATTRIBUTE:  # `self.owner: Owner = …`: a name says its type itself
        value = (TYPED, type_, value)
    x.assign(node, target, value, "=" if right is not None else "declare", type_)
    _record_all(x, target, right)


def _record_all(x: Extraction, target: Expr, right: Node | None) -> None:
    """The names that a module lists in `__all__`."""
    if target == (NAME, "__all__") and right is not None and x.scope < 0:
        names = [string_text(x, held) for held in right.named_children if held.type == "string"]
        x.extras["all"] = x.extras.get("all", []) + names


def _augmented(x: Extraction, node: Node, capture: str) -> None:
    right, operator = node.child_by_field_name("right"), node.child_by_field_name("operator")
    target, value = x.lower(node.child_by_field_name("left")), x.lower(right)
    x.assign(node, target, value, "+=")
    if operator is not None and value[0] != LITERAL:  # counting up runs nothing of the project
        x.assign(node, UNKNOWN, (OPERATION, x.text(operator), target, value), "read")
    _record_all(x, target, right)


def _except(x: Extraction, node: Node, capture: str) -> None:
    value = named_part(node)
    if value is None or value.type == "block":
        x.assign(node, UNKNOWN, UNKNOWN, "except")
        return
    caught = x.lower(value)
    type_: Expr = (UNION, caught[1]) if caught[0] == SEQUENCE else caught
    x.assign(node, x.lower(value.child_by_field_name("alias")), (TYPED, type_, UNKNOWN), "except")


def _read(x: Extraction, node: Node, capture: str) -> None:
    """A value that is only looked at: a condition, what a string is formatted with."""
    value = x.lower(node)
    if value[0] not in _NOTHING_RUN:
        x.assign(node, UNKNOWN, value, "read")


def _alias(x: Extraction, node: Node, capture: str) -> None:
    target, value = (lower_type(x, node.child_by_field_name(side)) for side in ("left", "right"))
    if target is not None and value is not None:
        x.assign(node, target[1] if target[0] == SUBSCRIPT else target, value)


def _case(x: Extraction, node: Node, capture: str) -> None:
    """Names that a `case` pattern binds: of unknown value, but no longer the outer scope's."""
    stack = [c for c in node.named_children if c.type == "case_pattern"]
    while stack:
        pattern = stack.pop()
        if pattern.type == "dotted_name" and pattern.named_child_count == 1:
            x.assign(pattern, (NAME, x.text(pattern)), UNKNOWN, "declare")
        elif pattern.type == "class_pattern":
            stack.extend(pattern.named_children[1:])
        elif pattern.type == "as_pattern" and pattern.named_children:
            alias = pattern.named_children[-1]
            x.assign(alias, (NAME, x.text(alias)), UNKNOWN, "declare")
            stack.extend(pattern.named_children[:-1])
        else:
            stack.extend(c for c in pattern.named_children if c.type.endswith("pattern") or c.type == "dotted_name")


def _yielded(x: Extraction, node: Node, capture: str) -> None:
    x.leave(node, inner(x, node), "yield from" if any(part.type == "from" for part in node.children) else "yield")


# Imports


def _listed(x: Extraction, node: Node) -> Iterator[tuple[Node, str, str]]:
    """What an import lists: the node, its name, its alias or ""."""
    for held in node.children_by_field_name("name"):
        if held.type == "aliased_import":
            yield held, _name(x, held), _alias_name(x, held)
        else:
            yield held, x.text(held), ""


def _import(x: Extraction, node: Node, capture: str) -> None:
    for held, module, alias in _listed(x, node):
        # `import a.b` binds `a`; the resolver reads `a.b` off the alias being the first part.
        x.import_(held, module, alias=alias or module.partition(".")[0])


def _import_from(x: Extraction, node: Node, capture: str) -> None:
    source = _module_name(x, node).replace(" ", "")
    module = source.lstrip(".")
    level = len(source) - len(module)
    for held, name, alias in _listed(x, node):
        x.import_(held, module, name, alias or name, "from", level)
    if child(node, "wildcard_import") is not None:
        x.import_(node, module, "*", "", "from", level)


SPECS = {
    "python": LanguageSpec(
        name="python",
        grammar="python",
        queries=("python/query.scm",),
        expressions=EXPRESSIONS,
        called_name={
            "call": "function",
            "attribute": "attribute",
            "subscript": "value",
            "parenthesized_expression": "0",
        },
        assigned={"assignment": ("left", "right"), "named_expression": ("name", "value")},
        hooks={
            "assignment": _assignment,
            "assignment.augmented": _augmented,
            "assignment.named": binds("=", "@name", "@value"),
            "assignment.for": binds("for", "@left", (ELEMENT, "@right")),
            "assignment.with": binds("with", "@value/alias", (ENTERED, "@value"), needs="value"),
            "assignment.except": _except,
            "assignment.global": binds("global", "@.", each="*"),
            "assignment.nonlocal": binds("nonlocal", "@.", each="*"),
            "assignment.alias": _alias,
            "assignment.case": _case,
            "assignment.read": _read,
            "assignment.narrow": narrow,
            "assignment.del": binds("del", "@.", each="?:expression_list/*"),
            "return.yield": _yielded,
            "return.lambda": leaves("@."),
            "import": _import,
            "import.from": _import_from,
        },
        arguments=_arguments,
        parameters=_parameters,
        header=_header,
        docstring=_docstring,
        comments=frozenset({"comment"}),
        trailing_comments=(b"#",),
        docstrings_in=frozenset({"module", "block"}),
        file_facts=_file_facts,
    )
}
