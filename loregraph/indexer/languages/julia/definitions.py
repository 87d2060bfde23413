"""What the heads of Julia's functions, types and modules say, and which module a file belongs to."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from msgspec.structs import force_setattr

from loregraph.indexer.facts import ATTRIBUTE, FILE_SCOPE, MODULE, NAME, UNKNOWN, Base, Expr, Parameter
from loregraph.indexer.languages.comments import comment_above
from loregraph.indexer.languages.extraction import Extraction, Header
from loregraph.indexer.languages.heads import head_text
from loregraph.indexer.languages.julia.expressions import type_name
from loregraph.indexer.languages.julia.language import TESTS
from loregraph.indexer.languages.selectors import parts

if TYPE_CHECKING:
    from tree_sitter import Node

AROUND: Final = frozenset({"macrocall_expression", "macro_argument_list", "const_statement"})
"""What stands around a definition and belongs to it: `@inline f(x) = x`, `Base.@kwdef struct …`."""
_LIBRARY: Final = frozenset(
    "Base Core Random LinearAlgebra Statistics Printf Dates Test Logging Serialization SparseArrays Markdown REPL "
    "Iterators Broadcast Threads Meta Sys Libc Distributed InteractiveUtils Unicode UUIDs Sockets".split()
)
"""Modules of the language: their functions are called everywhere, on anything."""
_OWN: Final = re.compile(r"(?:^|/)(src|test|docs|doc|benchmark|benchmarks|perf|examples?|ext|precompile|gen)/")
"""Folders of a package."""
_UPWARD: Final = re.compile(rb"^[ \t]*(?:using|import)[ \t]+\.\.", re.MULTILINE)


def read_header(x: Extraction, node: Node, kind: str) -> Header | None:
    if node.type == "module_definition":
        named = node.child_by_field_name("name")
        return None if named is None or node == main_module(node.parent) else Header(name=x.text(named))
    if node.type == "macrocall_expression":
        return _test(x, node)
    if kind in ("struct", "class"):
        return _type(x, node, kind)
    if kind == "lambda":
        return Header(flags=("expression",))
    call = _signature_call(node)
    if call is None or not call.named_children:
        return None
    named, end = call.named_children[0], _end_of_head(node)
    flags: tuple[str, ...] = ()
    owner = ""
    while named.type == "parametrized_type_expression" and named.named_children:
        named = named.named_children[0]
    if named.type == "field_expression":
        qualifier = x.text(named.named_children[0])
        if qualifier.partition(".")[0] in _LIBRARY:
            flags = ("expression",)  # a method of a function that is not the project's
        named = named.named_children[-1]
    elif named.type == "parenthesized_expression":  # `(cart::Cart)(x)`: what calling a cart runs
        owner = x.text(named).strip("()").rpartition("::")[2].partition("{")[0].strip()
    elif x.text(named) in _imported_functions(x):
        flags = ("expression",)
    name = "()" if owner else x.text(named).strip(":()") or x.text(named)
    if node.type == "macro_definition":
        name = f"@{name}"
    if not owner and (named.type not in ("identifier", "operator", "quote_expression") or not name):
        return None
    within = node.parent.parent if node.parent is not None else None
    is_inner = within is not None and within.type == "struct_definition"
    if is_inner and within is not None and type_name(x, within) == name:
        kind = "constructor"
    return Header(
        name=name, kind="method" if owner else kind, owner_name=owner, owner=(NAME, owner) if owner else None,
        flags=(*flags, *_shown(node, name)),
        returns=_returned(x, node), type_parameters=_bound_types(x, node),
        signature=head_text(x, node.start_byte, end, "="),
    )  # fmt: skip


def _shown(node: Node, name: str) -> tuple[str, ...]:
    """Every module can name what another has; an underscore says that it should not."""
    around = node.parent
    for _ in range(12):
        if around is None or around.type in ("source_file", "module_definition"):
            break
        if around.type in ("function_definition", "do_clause", "let_statement", "arrow_function_expression"):
            return ()
        around = around.parent
    return ("private",) if name.lstrip("@").startswith("_") else ("exported",)


def main_module(root: Node | None) -> Node | None:
    """The module that all of a file stands in."""
    if root is None or root.type != "source_file":
        return None
    modules = [part for part in root.named_children if part.type == "module_definition"]
    return modules[0] if len(modules) == 1 else None


def _test(x: Extraction, node: Node) -> Header | None:
    """`@testset "totals" begin … end`."""
    word = x.text(node.named_children[0]).rpartition("@")[2] if node.named_children else ""
    listed = next((part for part in node.named_children if part.type == "macro_argument_list"), None)
    if word not in TESTS.callers or listed is None:
        return None
    title = next((x.text(part).strip('"') for part in listed.named_children if part.type == "string_literal"), "")
    return Header(
        name=" ".join(title.split())[:120] or word, kind="function", flags=("expression", "test"),
        signature=f'@{word} "{title}"'[:120],
    )  # fmt: skip


def _type(x: Extraction, node: Node, kind: str) -> Header | None:
    name = type_name(x, node)
    if not name:
        return None
    head = next(part for part in node.named_children if part.type == "type_head")
    held = parts(x, head.named_children[0]) if head.named_children else []
    bases: tuple[Base, ...] = ()
    if len(held) == 3 and x.text(held[1]) == "<:":
        bases = (Base(x.lower(held[2]), "EXTENDS", held[2].start_point[0] + 1),)
    flags = ["private" if name.startswith("_") else "exported"]
    if node.type == "abstract_definition":
        flags.append("abstract")
    return Header(
        name=name, kind=kind, bases=bases, flags=tuple(flags), signature=head_text(x, node.start_byte, head.end_byte),
        type_parameters=tuple(re.findall(r"[{,]\s*(\w+)", x.text(head).partition("<:")[0])),
    )  # fmt: skip


def _head(node: Node) -> Node | None:
    if node.type == "assignment":
        return node.named_children[0] if node.named_children else None
    return next((part for part in node.named_children if part.type == "signature"), None)


def _signature_call(node: Node) -> Node | None:
    """The call that the head of a function is written as, without what it returns and what types are bound."""
    at = _head(node)
    for _ in range(6):
        if at is None or at.type == "call_expression":
            return at
        if at.type not in ("signature", "where_expression", "typed_expression"):
            return None
        at = at.named_children[0] if at.named_children else None
    return None


def _returned(x: Extraction, node: Node) -> Expr | None:
    at = _head(node)
    for _ in range(6):
        if at is None or at.type == "call_expression" or not at.named_children:
            return None
        if at.type == "typed_expression":
            return x.lower(at.named_children[-1])
        at = at.named_children[0]
    return None


def _bound_types(x: Extraction, node: Node) -> tuple[str, ...]:
    """The type parameters that `where` binds."""
    head = _head(node)
    text = x.text(head) if head is not None and head.end_byte - head.start_byte < 2000 else ""
    _, found, bound = text.rpartition(" where ")
    return tuple(re.findall(r"(?:^|[{,])\s*(\w+)", bound)) if found else ()


def _end_of_head(node: Node) -> int:
    head = _head(node)
    return head.end_byte if head is not None else node.end_byte


def parameters(x: Extraction, node: Node) -> tuple[Parameter, ...]:
    call = _signature_call(node) if node.type not in ("arrow_function_expression", "do_clause") else None
    found: list[Parameter] = []
    if call is not None:
        listed = next((part for part in call.children if part.type == "argument_list"), None)
        kind = ""
        for part in listed.children if listed is not None else ():
            if part.type == ";":
                kind = "kw"
            elif part.is_named and part.type not in x.spec.comments:
                found.append(_parameter(x, part, kind))
    elif node.type in ("arrow_function_expression", "do_clause"):
        held = node.named_children[:-1]
        if len(held) == 1 and held[0].type in ("argument_list", "open_tuple"):
            held = held[0].named_children
        found = [_parameter(x, part, "") for part in held if part.type not in x.spec.comments]
    return tuple(found)


def _parameter(x: Extraction, node: Node, kind: str) -> Parameter:
    default: Expr | None = None
    if node.type == "macrocall_expression":  # `@nospecialize(x)`
        inside = node.named_children[-1]
        return _parameter(x, inside.named_children[-1], kind) if inside.named_children else Parameter("", kind=kind)
    if node.type == "assignment" and node.named_children:
        default = x.lower(node.named_children[-1])
        node = node.named_children[0]
    if node.type == "splat_expression" and node.named_children:
        kind = "**" if kind == "kw" else "*"
        node = node.named_children[0]
    type_: Expr | None = None
    if node.type in ("typed_expression", "unary_typed_expression") and node.named_children:
        type_ = x.lower(node.named_children[-1])
        if node.type == "unary_typed_expression":
            return Parameter("", None if type_ == UNKNOWN else type_, default, kind)
        node = node.named_children[0]
    if node.type != "identifier":
        return Parameter("", type_, default, kind, x.lower(node))
    return Parameter(x.text(node), None if type_ == UNKNOWN else type_, default, kind)


def docstring(x: Extraction, node: Node) -> str:
    """The string that stands before a definition, else the comment."""
    while node.parent is not None and node.parent.type in AROUND:
        node = node.parent
    before = node.prev_named_sibling
    if before is not None and before.type == "string_literal" and before.end_point[0] + 1 >= node.start_point[0]:
        content = [x.text(part) for part in before.named_children if part.type == "content"]
        return "\n".join(line.strip() for line in "".join(content).splitlines()).strip()
    return comment_above(x, node)


def package_of(x: Extraction, root: Node) -> str:
    """The module that a file's top level is: the package's for what `src/` holds, one below it for a file that is a
    module, for what lies in a folder that is called like one, and for the files of each folder with tests."""
    match = _OWN.search(x.path)
    module = main_module(root)
    named = module.child_by_field_name("name") if module is not None else None
    name = x.text(named) if named is not None else ""
    if name:
        x.extras["module"] = name
    if match is None:
        return f"{_flat(x.path.rpartition('.')[0])}/" + (f".{name}" if name else "")
    own = f"{_flat(x.path[: match.start(1)] + 'src')}/"
    folder, _, file = x.path[match.end() :].rpartition("/")
    stem = file.removesuffix(".jl")
    if match[1] != "src":
        held = f"{_flat(f'{match[1]}/{folder}'.strip('/'))}/"  # `runtests.jl` includes what lies beside it
        return ".".join([own, held, name] if name else [own, held])
    within = [part for part in folder.split("/") if part[:1].isupper()]
    if name == stem and not folder and not _UPWARD.search(x.source):
        x.extras["main"] = True
        return own
    if name and name not in within[-1:]:
        within.append(name)
    return ".".join([own, *within])


def _flat(path: str) -> str:
    return path.replace(".", "_")


def _imported_functions(x: Extraction) -> frozenset[str]:
    """The functions of the language's own modules that the file takes by name to add methods to."""
    found: frozenset[str] | None = x.memo.get("imported")
    if found is None:
        names: set[str] = set()
        for match in _TAKEN.finditer(x.source.decode("utf-8", "replace")):
            if match[1].partition(".")[0] in _LIBRARY:
                names |= {name.strip() for name in match[2].split(",")}
        found = x.memo["imported"] = frozenset(names)
    return found


_TAKEN: Final = re.compile(r"^[ \t]*import[ \t]+([\w.]+):((?:[^,\n]*+,\n?+)*+[^,\n]*+)", re.MULTILINE)


def share_methods(x: Extraction) -> None:
    """Has calls of a function that this file defines reach the methods that other files of the module add to it."""
    own = {d.name for d in x.definitions if d.parent == FILE_SCOPE and "expression" not in d.flags}
    bound: dict[int, set[str]] = {}
    for number, definition in enumerate(x.definitions):
        bound.setdefault(number, set()).update(parameter.name for parameter in definition.parameters)
        bound.setdefault(definition.parent, set()).add(definition.name)
    for fact in x.assignments:
        if fact.scope != FILE_SCOPE and fact.target[0] == NAME:
            bound.setdefault(fact.scope, set()).add(fact.target[1])
    for call in x.calls:
        if call is None or call.function[0] != NAME or call.function[1] not in own:
            continue
        scope = call.scope
        while scope != FILE_SCOPE and call.function[1] not in bound.get(scope, ()):
            scope = x.definitions[scope].parent
        if scope == FILE_SCOPE:
            force_setattr(call, "function", (ATTRIBUTE, (MODULE, ""), call.function[1]))
