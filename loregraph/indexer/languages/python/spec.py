"""Python's row: how its syntax becomes facts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from loregraph.indexer.facts import FILLED, UNKNOWN, Base, Expr, Parameter
from loregraph.indexer.languages.extraction import MAX_EXPRESSION_DEPTH, MAX_LITERAL, Extraction, Header
from loregraph.indexer.languages.lowering import boolean, filled_in, name, named_part
from loregraph.indexer.languages.python.annotations import lower_annotation_text
from loregraph.indexer.languages.python.language import TESTS
from loregraph.indexer.languages.python.narrowing import narrow
from loregraph.indexer.languages.registry import is_test_path
from loregraph.indexer.languages.spec import LanguageSpec

if TYPE_CHECKING:
    from tree_sitter import Node


_QUOTES = (b'"', b"'")

# Expressions


def _attribute(x: Extraction, node: Node) -> Expr:
    name = node.child_by_field_name("attribute")
    return ("a", x.lower(node.child_by_field_name("object")), x.text(name)) if name else UNKNOWN


def _call(x: Extraction, node: Node) -> Expr:
    function = node.child_by_field_name("function")
    if function is not None and function.type == "identifier" and x.text(function) == "super":
        return ("p",)
    return x.call_at(node)


def _string(x: Extraction, node: Node) -> Expr:
    raw = x.source[node.start_byte : node.end_byte]
    if len(raw) > 1 and raw[:1] in _QUOTES and raw[-1:] == raw[:1]:
        # Nearly all strings are plain ones, and need no look at the tree: without a prefix nothing is interpolated.
        quotes = 3 if len(raw) > 5 and raw[:3] == raw[:1] * 3 else 1
        text = raw[quotes:-quotes].decode("utf-8", "replace")
        return ("k", "str", text if len(text) <= MAX_LITERAL else "")
    return _strings(x, node)


def _strings(x: Extraction, node: Node) -> Expr:
    strings = node.named_children if node.type == "concatenated_string" else [node]
    pieces = [c for part in strings for c in part.named_children if c.type in _PIECES]
    if any(c.type == "interpolation" for c in pieces):
        return filled_in("".join([FILLED if c.type == "interpolation" else x.text(c) for c in pieces]))
    text = string_text(x, node)
    kind = "bytes" if x.text(node)[:2].lower().startswith(("b", "rb")) else "str"
    return ("k", kind, text if len(text) <= MAX_LITERAL else "")


_PIECES = frozenset({"string_content", "interpolation"})


def string_text(x: Extraction, node: Node) -> str:
    """What stands between a string's quotes, escapes as written."""
    if node.type == "concatenated_string":
        return "".join(string_text(x, c) for c in node.named_children if c.type == "string")
    return "".join(x.text(c) for c in node.named_children if c.type == "string_content")


def _literal(kind: str) -> object:
    def lowering(x: Extraction, node: Node) -> Expr:
        return ("k", kind, x.text(node)[:MAX_LITERAL] if kind == "int" else "")

    return lowering


def _sequence(x: Extraction, node: Node) -> Expr:
    return ("l", tuple(x.lower(c) for c in node.named_children if c.type != "comment"))


def _dictionary(x: Extraction, node: Node) -> Expr:
    pairs: list[tuple[Expr, Expr]] = []
    for child in node.named_children:
        if child.type == "pair":
            pairs.append((x.lower(child.child_by_field_name("key")), x.lower(child.child_by_field_name("value"))))
        elif child.type == "dictionary_splat":
            pairs.append((UNKNOWN, x.lower(named_part(child))))
    return ("d", tuple(pairs))


def _dictionary_comprehension(x: Extraction, node: Node) -> Expr:
    pair = node.child_by_field_name("body")
    if pair is None or pair.type != "pair":
        return UNKNOWN
    return ("d", ((UNKNOWN, x.lower(pair.child_by_field_name("value"))),))


def _comprehension(x: Extraction, node: Node) -> Expr:
    return ("l", (("*", ("l", (x.lower(node.child_by_field_name("body")),))),))


def _subscript(x: Extraction, node: Node) -> Expr:
    keys = node.children_by_field_name("subscript")
    key: Expr = x.lower(keys[0]) if len(keys) == 1 else ("l", tuple(x.lower(k) for k in keys))
    return ("s", x.lower(node.child_by_field_name("value")), key)


def _slice(x: Extraction, node: Node) -> Expr:
    """`a:b` as a binary operator: subscripting with it gives a part of the same sequence."""
    bounds: list[Expr] = [UNKNOWN, UNKNOWN]
    at = 0
    for child in node.children:
        if child.type == ":":
            at += 1
        elif at < len(bounds) and child.is_named:
            bounds[at] = x.lower(child)
    return ("b", ":", bounds[0], bounds[1])


def _generic_type(x: Extraction, node: Node) -> Expr:
    base = named_part(node)
    arguments = named_part(node, 1)
    items = tuple(x.lower(c) for c in arguments.named_children) if arguments else ()
    return ("s", x.lower(base), items[0] if len(items) == 1 else ("l", items))


def _conditional(x: Extraction, node: Node) -> Expr:
    parts = [c for c in node.named_children if c.type != "comment"]
    return ("u", (x.lower(parts[0]), x.lower(parts[2]))) if len(parts) == 3 else UNKNOWN


def _either(x: Extraction, node: Node) -> Expr:
    return ("u", (x.lower(node.child_by_field_name("left")), x.lower(node.child_by_field_name("right"))))


def _inner(x: Extraction, node: Node) -> Expr:
    inner = next((c for c in node.named_children if c.type != "comment"), None)
    return x.lower(inner)


def _value(x: Extraction, node: Node) -> Expr:
    return x.lower(node.child_by_field_name("value"))


def _right(x: Extraction, node: Node) -> Expr:
    return x.lower(node.child_by_field_name("right"))


def _function(x: Extraction, node: Node) -> Expr:
    return x.definition_at(node)


def _await(x: Extraction, node: Node) -> Expr:
    return ("w", _inner(x, node))


def _yield(x: Extraction, node: Node) -> Expr:
    return ("y", _inner(x, node))


def _splat(x: Extraction, node: Node) -> Expr:
    return ("*", _inner(x, node))


def _binary(x: Extraction, node: Node) -> Expr:
    operator = node.child_by_field_name("operator")
    left, right = x.lower(node.child_by_field_name("left")), x.lower(node.child_by_field_name("right"))
    return ("b", x.text(operator) if operator else "", left, right)


def _as_pattern(x: Extraction, node: Node) -> Expr:
    return x.lower(named_part(node))


def _comparison(x: Extraction, node: Node) -> Expr:
    """`a < b`, and `a < b < c` as what it comes to: its operators, nested to the left."""
    found: Expr | None = None
    operator = ""
    if node.named_child_count > MAX_EXPRESSION_DEPTH:
        return UNKNOWN
    for child in node.children:
        if not child.is_named:
            operator = f"{operator} {child.type}".strip()
        elif child.type != "comment":
            value = x.lower(child)
            found = value if found is None else ("b", operator, found, value)
            operator = ""
    return found or UNKNOWN


def _not(x: Extraction, node: Node) -> Expr:
    return ("b", "not", x.lower(node.child_by_field_name("argument")), None)


EXPRESSIONS = {
    "identifier": name,
    "attribute": _attribute,
    "call": _call,
    "string": _string,
    "concatenated_string": _strings,
    "integer": _literal("int"),
    "float": _literal("float"),
    "true": boolean,
    "false": boolean,
    "none": _literal("none"),
    "comparison_operator": _comparison,
    "not_operator": _not,
    "list": _sequence,
    "tuple": _sequence,
    "set": _sequence,
    "expression_list": _sequence,
    "pattern_list": _sequence,
    "tuple_pattern": _sequence,
    "list_pattern": _sequence,
    "dictionary": _dictionary,
    "list_comprehension": _comprehension,
    "set_comprehension": _comprehension,
    "generator_expression": _comprehension,
    "dictionary_comprehension": _dictionary_comprehension,
    "subscript": _subscript,
    "slice": _slice,
    "generic_type": _generic_type,
    "union_type": lambda x, node: ("u", tuple(x.lower(c) for c in node.named_children)),
    "member_type": lambda x, node: (
        ("a", x.lower(named_part(node)), x.text(node.named_children[-1])) if node.named_children else UNKNOWN
    ),
    "type": lambda x, node: lower_type(x, node),  # noqa: PLW0108 - it is defined below
    "conditional_expression": _conditional,
    "boolean_operator": _either,
    "parenthesized_expression": _inner,
    "named_expression": _value,
    "assignment": _right,
    "lambda": _function,
    "await": _await,
    "yield": _yield,
    "list_splat": _splat,
    "list_splat_pattern": _splat,
    "dictionary_splat": _splat,
    "binary_operator": _binary,
    "as_pattern": _as_pattern,
    "as_pattern_target": _inner,
    "keyword_argument": _value,
}


def lower_type(x: Extraction, node: Node | None) -> Expr | None:
    """An annotation as a type expression: strings are read as annotations, `A | B` as one of several."""
    if node is None:
        return None
    inner = named_part(node) if node.type == "type" else node
    if inner is None:
        return UNKNOWN
    if inner.type in ("string", "concatenated_string"):
        return _with_scalars(lower_annotation_text(string_text(x, inner)))
    return _with_scalars(as_union(x.lower(inner)))


_SCALARS = frozenset({"str", "int", "float", "bool", "bytes"})


def _with_scalars(expr: Expr) -> Expr:
    """`str | None` says that a value is nothing of the project, whatever is assigned: its parts become literals'
    types."""
    if expr[0] == "n" and expr[1] in _SCALARS:
        return ("k", expr[1], "")
    if expr[0] == "u":
        return ("u", tuple(_with_scalars(option) for option in expr[1]))
    return expr


def as_union(expr: Expr) -> Expr:
    """`A | B` read as a type."""
    if expr[0] == "b" and expr[1] == "|":
        left, right = as_union(expr[2]), as_union(expr[3])
        return ("u", (*(left[1] if left[0] == "u" else (left,)), *(right[1] if right[0] == "u" else (right,))))
    return expr


def _arguments(x: Extraction, node: Node) -> tuple[tuple[Expr, ...], tuple[tuple[str, Expr], ...]]:
    if node.type == "generator_expression":
        return (x.lower(node),), ()
    positional: list[Expr] = []
    named: list[tuple[str, Expr]] = []
    for child in node.named_children:
        if child.type == "keyword_argument":
            name = child.child_by_field_name("name")
            named.append((x.text(name) if name else "", x.lower(child.child_by_field_name("value"))))
        elif child.type == "dictionary_splat":
            named.append(("**", x.lower(named_part(child))))
        elif child.type != "comment":
            positional.append(x.lower(child))
    return tuple(positional), tuple(named)


# Definitions


def _parameters(x: Extraction, node: Node) -> tuple[Parameter, ...]:
    listed = node.child_by_field_name("parameters")
    if listed is None:
        return ()
    found: list[Parameter] = []
    keyword_only = False
    for child in listed.named_children:
        kind = "kw" if keyword_only else ""
        if child.type == "identifier":
            found.append(Parameter(x.text(child), kind=kind))
        elif child.type in ("default_parameter", "typed_default_parameter"):
            name = child.child_by_field_name("name")
            found.append(
                Parameter(
                    x.text(name) if name else "",
                    lower_type(x, child.child_by_field_name("type")),
                    x.lower(child.child_by_field_name("value")),
                    kind,
                )
            )
        elif child.type in ("typed_parameter", "list_splat_pattern", "dictionary_splat_pattern"):
            inner = named_part(child) if child.type == "typed_parameter" else child
            if inner is None:
                continue
            if inner.type in ("list_splat_pattern", "dictionary_splat_pattern"):
                kind = "*" if inner.type == "list_splat_pattern" else "**"
                keyword_only = True
                inner = named_part(inner)
            name_text = x.text(inner) if inner else ""
            found.append(Parameter(name_text, lower_type(x, child.child_by_field_name("type")), None, kind))
        elif child.type == "keyword_separator":
            keyword_only = True
    return tuple(found)


_FLAG_DECORATORS = {
    "staticmethod": "static",
    "classmethod": "classmethod",
    "property": "property",
    "cached_property": "property",
    "abstractmethod": "abstract",
    "overload": "declaration",
    "override": "override",
}
_BUILTIN_DECORATORS = frozenset({"staticmethod", "classmethod", "property"})


def _flag_of(decorator: str) -> str:
    """What a decorator makes of a function; modules go by many names (`typing.overload`, `t.overload`)."""
    module, _, name = decorator.rpartition(".")
    return "" if module and name in _BUILTIN_DECORATORS else _FLAG_DECORATORS.get(name, "")


def _header(x: Extraction, node: Node, kind: str) -> Header | None:
    if kind == "lambda":
        return Header()
    name_node = node.child_by_field_name("name")
    name = x.text(name_node) if name_node else ""
    header = Header(name=name)
    flags: list[str] = []
    around = node.parent
    if around is not None and around.type == "decorated_definition":
        header.outer = around
        for child in around.named_children:
            if child.type == "decorator":
                expr = named_part(child)
                text = x.folded(expr, 120) if expr else ""
                header.decorators += (x.lower(expr),)
                header.decorator_names += (text,)
                flag = _flag_of(text)
                if flag:
                    flags.append(flag)
                elif text.endswith((".setter", ".deleter")):
                    flags.append("property")
                    header.kind = "setter"
                    if text.endswith(".deleter"):
                        flags.append("deleter")
        around = around.parent
    if node.child(0) is not None and node.child(0).type == "async":
        flags.append("async")
    in_class = around is not None and around.parent is not None and around.parent.type == "class_definition"
    if kind == "class":
        bases = node.child_by_field_name("superclasses")
        if bases is not None:
            header.bases = tuple(
                Base(x.lower(c), "EXTENDS", c.start_point[0] + 1)
                for c in bases.named_children
                if c.type not in ("keyword_argument", "comment", "dictionary_splat")
            )
    else:
        header.returns = lower_type(x, node.child_by_field_name("return_type"))
        if in_class and not header.kind:
            header.kind = "constructor" if name == "__init__" else "getter" if "property" in flags else "method"
        if name.startswith(TESTS.prefixes) and is_test_path(x.path, "python"):
            flags.append("test")
    parameters = node.child_by_field_name("type_parameters")
    if parameters is not None:
        header.type_parameters = tuple(x.text(c).split(":")[0].strip("* ") for c in parameters.named_children)
    if not name.startswith("_") or (name.startswith("__") and name.endswith("__")):
        flags.append("exported")
    header.flags = tuple(flags)
    return header


def _docstring(x: Extraction, node: Node) -> str:
    body = node.child_by_field_name("body")
    return block_docstring(x, body) if body is not None and body.type == "block" else ""


def block_docstring(x: Extraction, body: Node) -> str:
    """The string that a module, class or function begins with, its indentation removed."""
    for child in body.named_children:
        if child.type == "comment":
            continue
        if child.type in ("string", "concatenated_string"):
            x.docstring_end = child.end_byte
            return "\n".join(line.strip() for line in string_text(x, child).strip().splitlines())
        break
    return ""


# Statements


def _assignment(x: Extraction, node: Node, capture: str) -> None:
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    type_ = lower_type(x, node.child_by_field_name("type"))
    target, value = x.lower(left), x.lower(right)
    if type_ is not None and target[0] == "a":  # `self.owner: Owner = …`: a name says its type itself
        value = ("t", type_, value)
    x.assign(node, target, value, "=" if right is not None else "declare", type_)
    if target == ("n", "__all__") and right is not None and x.scope < 0:
        _record_all(x, right)


def _record_all(x: Extraction, right: Node) -> None:
    names = [string_text(x, c) for c in right.named_children if c.type == "string"]
    x.extras["all"] = x.extras.get("all", []) + names


def _augmented(x: Extraction, node: Node, capture: str) -> None:
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    target, value = x.lower(left), x.lower(right)
    x.assign(node, target, value, "+=")
    operator = node.child_by_field_name("operator")
    if operator is not None and value[0] != "k":  # counting up runs nothing of the project
        x.assign(node, UNKNOWN, ("b", x.text(operator), target, value), "read")
    if target == ("n", "__all__") and right is not None and x.scope < 0:
        _record_all(x, right)


def _named(x: Extraction, node: Node, capture: str) -> None:
    x.assign(node, x.lower(node.child_by_field_name("name")), x.lower(node.child_by_field_name("value")))


def _for(x: Extraction, node: Node, capture: str) -> None:
    x.assign(node, x.lower(node.child_by_field_name("left")), ("i", x.lower(node.child_by_field_name("right"))), "for")


def _with(x: Extraction, node: Node, capture: str) -> None:
    value = node.child_by_field_name("value")
    if value is None:
        return
    if value.type == "as_pattern":
        target = value.child_by_field_name("alias")
        x.assign(node, x.lower(target), ("e", x.lower(named_part(value))), "with")
    else:
        x.assign(node, UNKNOWN, ("e", x.lower(value)), "with")


def _except(x: Extraction, node: Node, capture: str) -> None:
    value = named_part(node)
    if value is None or value.type == "block":
        x.assign(node, UNKNOWN, UNKNOWN, "except")
        return
    named = value.type == "as_pattern"
    caught = x.lower(named_part(value)) if named else x.lower(value)
    type_: Expr = ("u", caught[1]) if caught[0] == "l" else caught
    target = x.lower(value.child_by_field_name("alias")) if named else UNKNOWN
    x.assign(node, target, ("t", type_, UNKNOWN), "except")


def _read(x: Extraction, node: Node, capture: str) -> None:
    """A value that is only looked at: a condition, what a string is formatted with."""
    value = x.lower(node)
    if value[0] not in ("n", "c", "k", "x"):
        x.assign(node, UNKNOWN, value, "read")


def _deleted(x: Extraction, node: Node, capture: str) -> None:
    for child in node.named_children:
        for target in child.named_children if child.type == "expression_list" else (child,):
            x.assign(target, x.lower(target), UNKNOWN, "del")


def _scope_names(x: Extraction, node: Node, capture: str) -> None:
    kind = capture.partition(".")[2]
    for child in node.named_children:
        x.assign(child, x.lower(child), UNKNOWN, kind)


def _alias(x: Extraction, node: Node, capture: str) -> None:
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    value = lower_type(x, right)
    target = lower_type(x, left)
    if target is not None and value is not None:
        x.assign(node, target[1] if target[0] == "s" else target, value)


def _case(x: Extraction, node: Node, capture: str) -> None:
    """Names that a `case` pattern binds: of unknown value, but no longer the outer scope's."""
    stack = [c for c in node.named_children if c.type == "case_pattern"]
    while stack:
        pattern = stack.pop()
        if pattern.type == "dotted_name" and pattern.named_child_count == 1:
            x.assign(pattern, ("n", x.text(pattern)), UNKNOWN, "declare")
        elif pattern.type == "class_pattern":
            stack.extend(pattern.named_children[1:])
        elif pattern.type == "as_pattern" and pattern.named_children:
            alias = pattern.named_children[-1]
            x.assign(alias, ("n", x.text(alias)), UNKNOWN, "declare")
            stack.extend(pattern.named_children[:-1])
        else:
            stack.extend(c for c in pattern.named_children if c.type.endswith("pattern") or c.type == "dotted_name")


def _yielded(x: Extraction, node: Node, capture: str) -> None:
    kind = "yield from" if any(c.type == "from" for c in node.children) else "yield"
    x.leave(node, _inner(x, node), kind)


def _given(x: Extraction, node: Node, capture: str) -> None:
    """What a lambda gives."""
    x.leave(node, x.lower(node))


# Imports


def _import(x: Extraction, node: Node, capture: str) -> None:
    for child in node.children_by_field_name("name"):
        if child.type == "aliased_import":
            name, alias = child.child_by_field_name("name"), child.child_by_field_name("alias")
            if name is not None and alias is not None:
                x.import_(child, x.text(name), alias=x.text(alias))
        else:
            module = x.text(child)
            # `import a.b` binds `a`; the resolver reads `a.b` off the alias being the first part.
            x.import_(child, module, alias=module.partition(".")[0])


def _import_from(x: Extraction, node: Node, capture: str) -> None:
    source = node.child_by_field_name("module_name")
    text = x.text(source).replace(" ", "") if source else ""
    module = text.lstrip(".")
    level = len(text) - len(module)
    for child in node.children_by_field_name("name"):
        if child.type == "aliased_import":
            name, alias = child.child_by_field_name("name"), child.child_by_field_name("alias")
            if name is not None and alias is not None:
                x.import_(child, module, x.text(name), x.text(alias), "from", level)
        else:
            name_text = x.text(child)
            x.import_(child, module, name_text, name_text, "from", level)
    if any(c.type == "wildcard_import" for c in node.named_children):
        x.import_(node, module, "*", "", "from", level)


def _future(x: Extraction, node: Node, capture: str) -> None:
    """`from __future__ import …` changes the compiler, not the names."""


def _file_facts(x: Extraction, root: Node) -> None:
    x.docstring = block_docstring(x, root)


SPECS = {
    "python": LanguageSpec(
        name="python",
        grammar="python",
        queries=("python/query.scm",),
        expressions=EXPRESSIONS,  # type: ignore[arg-type]
        assigned={"assignment": ("left", "right"), "named_expression": ("name", "value")},
        hooks={
            "assignment": _assignment,
            "assignment.augmented": _augmented,
            "assignment.named": _named,
            "assignment.for": _for,
            "assignment.with": _with,
            "assignment.except": _except,
            "assignment.global": _scope_names,
            "assignment.nonlocal": _scope_names,
            "assignment.alias": _alias,
            "assignment.case": _case,
            "assignment.read": _read,
            "assignment.narrow": narrow,
            "assignment.del": _deleted,
            "return.yield": _yielded,
            "return.lambda": _given,
            "import": _import,
            "import.from": _import_from,
            "import.future": _future,
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
