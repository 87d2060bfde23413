"""What a JavaScript module takes in and gives out: ES modules and CommonJS."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from loregraph.indexer.facts import ATTRIBUTE, DEFINED, LITERAL, MAPPING, NAME, SEQUENCE, SPREAD, UNION, Expr
from loregraph.indexer.languages.extraction import Extraction
from loregraph.indexer.languages.javascript.expressions import inner, string_text
from loregraph.indexer.languages.javascript.function_names import has_token

if TYPE_CHECKING:
    from tree_sitter import Node

_EXPORTS: Final[tuple[Expr, ...]] = ((NAME, "exports"), (ATTRIBUTE, (NAME, "module"), "exports"))
_TYPE_PLACES: Final = frozenset({"type_arguments", "type_alias_declaration", "type_query", "implements_clause"})
_MODULE_EXPORTS: Final[Expr] = _EXPORTS[1]


def _module_name(x: Extraction, node: Node) -> str:
    source = node.child_by_field_name("source")
    return string_text(x, source) if source is not None else ""


def _plain(x: Extraction, node: Node | None) -> str:
    """A name in an import or export list; a string there is a name too."""
    if node is None:
        return ""
    return string_text(x, node) if node.type == "string" else x.text(node)


def _listed(x: Extraction, clause: Node, kind: str) -> list[tuple[Node, str, str]]:
    """What `{a, b as c}` lists: the node, the name, and the name that it gets."""
    found: list[tuple[Node, str, str]] = []
    for specifier in clause.named_children:
        if specifier.type == kind:
            name, alias = _plain(x, specifier.child_by_field_name("name")), specifier.child_by_field_name("alias")
            found.append((specifier, name, _plain(x, alias) if alias is not None else name))
    return found


def import_statement(x: Extraction, node: Node, capture: str) -> None:
    """Every form of `import`."""
    clause = next((c for c in node.named_children if c.type in ("import_clause", "import_require_clause")), None)
    if clause is not None and clause.type == "import_require_clause":
        name = inner(clause)
        x.import_(node, _module_name(x, clause), alias=x.text(name) if name else "", kind="require")
        return
    module = _module_name(x, node)
    if clause is None:
        x.import_(node, module)
        return
    typed = has_token(node, "type") or has_token(node, "typeof")
    kind = "type" if typed else "from"
    for child in clause.named_children:
        if child.type == "identifier":
            x.import_(child, module, "default", x.text(child), kind)
        elif child.type == "namespace_import":
            name = inner(child)
            x.import_(child, module, "", x.text(name) if name else "", "type" if typed else "")
        elif child.type == "named_imports":
            for specifier, member, alias in _listed(x, child, "import_specifier"):
                x.import_(specifier, module, member, alias, "type" if has_token(specifier, "type") else kind)


def export_statement(x: Extraction, node: Node, capture: str) -> None:
    """Every form of `export`."""
    if node.child_by_field_name("source") is not None:
        _reexport(x, node)
        return
    declaration = node.child_by_field_name("declaration")
    if declaration is not None:
        _declared(x, node, declaration)
        return
    value = node.child_by_field_name("value")
    if value is not None:
        x.export(node, "default", x.lower(value))
        return
    clause = next((c for c in node.named_children if c.type == "export_clause"), None)
    if clause is not None:
        for specifier, name, alias in _listed(x, clause, "export_specifier"):
            x.export(specifier, alias, (NAME, name))
    elif any(c.type == "=" for c in node.children[:3]):
        x.export(node, "=", x.lower(inner(node)))
    elif has_token(node, "default"):
        x.export(node, "default", x.lower(inner(node)))


def _reexport(x: Extraction, node: Node) -> None:
    module = _module_name(x, node)
    for child in node.named_children:
        if child.type == "namespace_export":
            x.import_(child, module, "", _plain(x, inner(child)), "reexport")
            return
        if child.type == "export_clause":
            for specifier, name, alias in _listed(x, child, "export_specifier"):
                x.import_(specifier, module, name, alias, "reexport")
            return
    x.import_(node, module, "*", "", "reexport")


def _declared(x: Extraction, node: Node, declaration: Node) -> None:
    if declaration.type == "ambient_declaration":
        declaration = inner(declaration) or declaration
    if declaration.type in ("lexical_declaration", "variable_declaration"):
        for declarator in declaration.named_children:
            if declarator.type == "variable_declarator":
                for name in bound_names(x.lower(declarator.child_by_field_name("name"))):
                    x.export(declarator, name, (NAME, name))
        return
    named = declaration.child_by_field_name("name")
    value = x.definition_at(declaration)
    if has_token(node, "default"):
        x.export(node, "default", value if value[0] == DEFINED or named is None else (NAME, x.text(named)))
    elif named is not None:
        text = x.text(named).partition(".")[0]
        x.export(node, text, value if value[0] == DEFINED else (NAME, text))


def bound_names(pattern: Expr) -> list[str]:
    """The names that a pattern binds."""
    found: list[str] = []
    stack = [pattern]
    while stack:
        part = stack.pop()
        operator = part[0]
        if operator == NAME:
            found.append(part[1])
        elif operator == SEQUENCE:
            stack.extend(reversed(part[1]))
        elif operator == MAPPING:
            stack.extend(value for _, value in reversed(part[1]))
        elif operator == UNION:
            stack.append(part[1][0])
        elif operator == SPREAD:
            stack.append(part[1])
    return found


def commonjs_export(x: Extraction, node: Node, target: Expr, value: Expr) -> None:
    """Records `module.exports = …` and `exports.x = …` as exports, and marks the file as CommonJS."""
    if target == _MODULE_EXPORTS:
        x.export(node, "=", value)
    elif target[0] == ATTRIBUTE and target[1] in _EXPORTS:
        x.export(node, target[2], value)


def load(x: Extraction, node: Node, module: str) -> None:
    """Records `require("m")` and `import("m")`; what is taken from the module is said by the assignment around."""
    function = node.child_by_field_name("function")
    kind = "dynamic" if function is not None and function.type == "import" else "require"
    around = node.parent
    if around is not None and around.type == "await_expression":
        around = around.parent
    typed = node.parent
    while typed is not None and typed.type in ("member_expression", "generic_type", "nested_type_identifier"):
        typed = typed.parent
    if typed is not None and (typed.type in _TYPE_PLACES or typed.type.endswith(("_type", "annotation"))):
        kind = "type"
    names: list[str] = []
    if around is not None and around.type == "variable_declarator":
        pattern = around.child_by_field_name("name")
        if pattern is not None and pattern.type == "object_pattern":
            names = [k[2] for k, _ in x.lower(pattern)[1] if k[0] == LITERAL]
    elif around is not None and around.type == "member_expression":
        member = around.child_by_field_name("property")
        if member is not None and kind == "require":
            names = [x.text(member)]
    for name in names or [""]:
        x.import_(node, module, name, "", kind)
