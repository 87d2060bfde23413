"""Erlang's row: how its syntax becomes facts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from loregraph.indexer.facts import ATTRIBUTE, ELEMENT, MODULE, NAME, UNKNOWN, Expr
from loregraph.indexer.languages.erlang.definitions import read_docstring, read_header, read_module, read_parameters
from loregraph.indexer.languages.erlang.expressions import EXPRESSIONS, called, counted, module, record_name, text
from loregraph.indexer.languages.extraction import Extraction
from loregraph.indexer.languages.hooks import binds
from loregraph.indexer.languages.selectors import parts
from loregraph.indexer.languages.spec import LanguageSpec

if TYPE_CHECKING:
    from tree_sitter import Node

_SPAWNING: Final = frozenset({"apply", "spawn", "spawn_link", "spawn_monitor", "spawn_opt"})
_STARTING: Final = frozenset({"start", "start_link", "start_monitor"})
_OTP: Final = frozenset(
    {"gen_server", "gen_statem", "gen_event", "supervisor", "gen_fsm", "gen_server2", "supervisor2"}
)


def _call(x: Extraction, node: Node, capture: str) -> None:
    function = node.child_by_field_name("expr")
    listed = parts(x, node.child_by_field_name("args"))
    if function is None:
        return
    given = tuple([x.lower(part) for part in listed])
    x.record_call(node, called(x, function, len(listed)), given)
    held = function.child_by_field_name("fun") if function.type == "remote" else function
    word = text(x, held) if held is not None and held.type == "atom" else ""
    if word in _SPAWNING and len(listed) >= 3:
        place = len(listed) - 4 if len(listed) > 3 and listed[-1].type != "list" else len(listed) - 3
        _run(x, node, listed[place], listed[place + 1], listed[place + 2])
    elif word in _STARTING and function.type == "remote":
        base = module(x, function.child_by_field_name("module"))
        if base[0] == MODULE and base[1] in _OTP:
            _refer_to_callbacks(x, node, listed)


def _run(x: Extraction, node: Node, named: Node, function: Node, arguments: Node) -> None:
    """`apply(Mod, name, [A, B])`."""
    if function.type == "atom" and arguments.type == "list":
        listed = parts(x, arguments)
        if any(part.type == "pipe" for part in listed):
            return
        given: tuple[Expr, ...] = tuple([x.lower(part) for part in listed])
        x.record_call(arguments, (ATTRIBUTE, module(x, named), f"{text(x, function)}/{len(listed)}"), given)


def _refer_to_callbacks(x: Extraction, node: Node, listed: list[Node]) -> None:
    """The module whose callbacks a process runs: behind the name that it is registered by, where it has one."""
    for part in listed[:2]:
        held = module(x, part)
        if held[0] == MODULE and held[1]:
            x.refer(node, held, "value")
            return


def _macro_call(x: Extraction, node: Node, capture: str) -> None:
    named = node.child_by_field_name("name")
    if named is not None:
        listed = parts(x, node.child_by_field_name("args"))
        given = tuple([x.lower(part.child_by_field_name("expr")) for part in listed])
        x.record_call(node, (NAME, f"?{x.text(named)}"), given, (), "macro")


def _start(x: Extraction, node: Node, capture: str) -> None:
    """`{Mod, start_link, [A]}` in the specification of a child, wherever that module has such a function."""
    held = parts(x, node)
    if len(held) == 3 and held[1].type == "atom" and held[2].type == "list" and held[0].type in _MODULES:
        count = len(parts(x, held[2]))
        x.refer(node, (ATTRIBUTE, module(x, held[0]), f"{text(x, held[1])}/{count}"), "value")


_MODULES: Final = frozenset({"atom", "macro_call_expr"})


def _clause(x: Extraction, node: Node, capture: str) -> None:
    """What a further clause calls the parameters."""
    if x.scope < 0:
        return
    first = x.definitions[x.scope]
    if first.start_byte >= node.start_byte or not first.is_function:
        return
    for parameter, part in zip(first.parameters, parts(x, node.child_by_field_name("args")), strict=False):
        bound = x.lower(part)
        value: Expr = (NAME, parameter.name) if parameter.name and bound != (NAME, parameter.name) else UNKNOWN
        if bound[0] in (NAME, "l", "d") and (value != UNKNOWN or bound[0] != NAME):
            x.assign(part, bound, value, "declare")


def _body(x: Extraction, node: Node, capture: str) -> None:
    """A function gives what its last expression gives."""
    owner = node.parent
    if owner is not None and owner.type in ("function_clause", "fun_clause") and x.scope >= 0:
        value = x.lower(node)
        if value != UNKNOWN:
            x.leave(node, value)


def _macro(x: Extraction, node: Node, capture: str) -> None:
    """`-define(SERVER, ?MODULE).`"""
    head = node.child_by_field_name("lhs")
    named = head.child_by_field_name("name") if head is not None else None
    if named is not None:
        x.assign(node, (NAME, f"?{x.text(named)}"), module(x, node.child_by_field_name("replacement")), "declare")


def _import(x: Extraction, node: Node, capture: str) -> None:
    held = node.child_by_field_name("module")
    for part in node.children_by_field_name("funs"):
        name = counted(x, part)
        if name and held is not None:
            x.import_(part, text(x, held), name, name)


def _include(x: Extraction, node: Node, capture: str) -> None:
    file = node.child_by_field_name("file")
    if file is not None and file.type == "string":
        x.import_(node, x.text(file).strip('"'), kind="include")


def _finish(x: Extraction) -> None:
    """Each further clause of a function is one more path through it."""
    for node, count in x.memo["more"].items():
        index = x.definition_index.get(node)
        if index is not None and index < len(x.complexity):
            x.complexity[index] += count


SPECS = {
    "erlang": LanguageSpec(
        name="erlang",
        grammar="erlang",
        queries=("erlang/query.scm",),
        expressions=EXPRESSIONS,
        called_name={"call": "expr", "remote": "fun"},
        hooks={
            "call": _call,
            "call.macro": _macro_call,
            "assignment": binds("=", "@lhs", "@rhs"),
            "assignment.generator": binds("for", "@lhs", (ELEMENT, "@rhs")),
            "assignment.macro": _macro,
            "assignment.clause": _clause,
            "return.body": _body,
            "import": _import,
            "import.include": _include,
            "reference.record": lambda x, node, capture: x.refer(node, record_name(x, node), "type"),
            "reference.start": _start,
        },
        assigned={"match_expr": ("lhs", "rhs")},
        body_field="clause",
        return_type_field="",
        parameters=read_parameters,
        header=read_header,
        docstring=read_docstring,
        anonymous="fun",
        header_scope="inner",
        file_facts=read_module,
        finish=_finish,
    )
}
