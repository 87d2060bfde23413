"""Erlang's definitions: the module that a file is, and functions by name and number of parameters.

The clauses of one function are one definition, from the first to the last where nothing stands between them.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from loregraph.indexer.facts import MODULE, NAME, UNKNOWN, Base, Parameter
from loregraph.indexer.languages.comments import comment_above
from loregraph.indexer.languages.erlang.expressions import arity, counted, text, type_of
from loregraph.indexer.languages.extraction import Extraction, Header
from loregraph.indexer.languages.heads import head_text
from loregraph.indexer.languages.selectors import many, one, parts

if TYPE_CHECKING:
    from tree_sitter import Node

_BETWEEN: Final = frozenset({"spec", "wild_attribute", "comment"})
"""What may stand between a function and its documentation."""
_NO_CASES: Final = frozenset({"suite", "init_per_suite", "end_per_suite", "init_per_group", "end_per_group", "group"})
_COMMENT: Final = re.compile(r"^%+[!=-]*[ \t]?|^[-=]{3,}$", re.MULTILINE)
_clauses = many("clauses|clause")
_arguments = one("clauses|clause/args")


def read_module(x: Extraction, root: Node) -> None:
    """Notes what the file says of itself before anything else: its module, what it exports, the types of functions."""
    exported: set[str] = set()
    specs: dict[str, Node] = {}
    defined: set[str] = set()
    wanted: set[str] = set()
    x.memo.update(module="", exported=exported, specs=specs, clauses={}, more={}, bases=[], eunit=False)
    for node in root.named_children:
        kind = node.type
        if kind == "module_attribute":
            x.memo["module"] = text(x, node.child_by_field_name("name"))
            x.memo["head"] = node
        elif kind == "behaviour_attribute":
            name = node.child_by_field_name("name")
            if name is not None and name.type == "atom":
                x.memo["bases"].append(Base((MODULE, text(x, name)), "IMPLEMENTS", node.start_point[0] + 1))
        elif kind == "export_attribute":
            exported.update(counted(x, part) for part in node.children_by_field_name("funs"))
        elif kind == "callback":
            wanted.add(_callback_name(x, node))
        elif kind == "compile_options_attribute" and "export_all" in x.text(node):
            exported.add("*")
        elif kind in ("pp_include_lib", "pp_include") and "eunit.hrl" in x.text(node):
            x.memo["eunit"] = True
        elif kind == "fun_decl":
            defined.add(_counted_name(x, node))
        elif kind == "spec":
            name, sig = node.child_by_field_name("fun"), node.child_by_field_name("sigs")
            if name is not None and sig is not None:
                specs[f"{text(x, name)}/{arity(sig.child_by_field_name('args'))}"] = node
    x.memo["promises"], x.memo["wanted"] = bool(wanted), wanted - defined


def read_header(x: Extraction, node: Node, kind: str) -> Header | None:
    if kind == "lambda":
        return Header(flags=("expression",))
    if kind == "object":
        return _module(x, node)
    if kind == "macro":
        name = node.child_by_field_name("lhs")
        named = name.child_by_field_name("name") if name is not None else None
        return Header(name=f"?{x.text(named)}") if named is not None else None
    if node.type == "fun_decl":
        return _function(x, node)
    if node.type == "callback":
        return _callback(x, node)
    named = node.child_by_field_name("name")
    inner = named.child_by_field_name("name") if named is not None and named.type == "type_name" else named
    if inner is None:
        return None
    sign = "#" if kind == "record" else ""
    return Header(name=f"{sign}{text(x, inner)}", flags=("exported",), signature=x.folded(node).rstrip("."))


def _module(x: Extraction, node: Node) -> Header | None:
    if not x.memo["module"]:
        return None
    header = Header(name=x.memo["module"], kind="interface" if x.memo["promises"] else "object", flags=("exported",))
    header.bases = tuple(x.memo["bases"])
    header.signature = x.folded(x.memo["head"]).rstrip(".")
    return header


def _counted_name(x: Extraction, node: Node) -> str:
    """`total/2`, of a clause's declaration; "" where a macro names it."""
    clause = node.child_by_field_name("clause")
    named = clause.child_by_field_name("name") if clause is not None else None
    if clause is None or named is None or named.type != "atom":
        return ""
    return f"{text(x, named)}/{arity(clause.child_by_field_name('args'))}"


def _callback_name(x: Extraction, node: Node) -> str:
    sig = node.child_by_field_name("sigs")
    return f"{text(x, node.child_by_field_name('fun'))}/{arity(sig.child_by_field_name('args') if sig else None)}"


def _callback(x: Extraction, node: Node) -> Header | None:
    """What a behaviour wants of modules; a function of that name in the behaviour itself stands for it."""
    sig, name = node.child_by_field_name("sigs"), _callback_name(x, node)
    if name not in x.memo["wanted"]:
        return None
    header = Header(name=name, flags=("exported", "declaration", "abstract"), signature=x.folded(node).rstrip("."))
    header.returns = type_of(x, sig.child_by_field_name("ty")) if sig is not None else None
    return header


def _function(x: Extraction, node: Node) -> Header | None:
    """A function, or another clause of one."""
    name = _counted_name(x, node)
    if not name:
        return None
    short, _, count = name.rpartition("/")
    known: dict[str, tuple[Node, Header]] = x.memo["clauses"]
    first = known.get(name)
    if first is not None:
        if x.memo.get("latest") == name:
            first[1].last = node
        x.memo["more"][first[0].id] = x.memo["more"].get(first[0].id, 0) + 1
        return Header(continues=first[0])
    x.memo["latest"] = name
    exported = x.memo["exported"]
    header = Header(name=name)
    is_test = x.memo["eunit"] and count == "0" and short.endswith(("_test", "_test_"))
    header.flags = ("exported",) if name in exported or "*" in exported or is_test else ("private",)
    if is_test or _is_case(x, short, count, header.flags) or (count == "0" and short.startswith("prop_")):
        header.flags += ("test",)
    clause = node.child_by_field_name("clause")
    body = clause.child_by_field_name("body") if clause is not None else None
    header.signature = head_text(x, node.start_byte, body.start_byte if body is not None else node.end_byte, "->. ")
    spec = x.memo["specs"].get(name)
    sig = spec.child_by_field_name("sigs") if spec is not None else None
    if sig is not None:
        given = type_of(x, sig.child_by_field_name("ty"))
        header.returns = None if given == UNKNOWN else given
    known[name] = (node, header)
    return header


def _is_case(x: Extraction, short: str, count: str, flags: tuple[str, ...]) -> bool:
    """Whether a function is a test case of Common Test."""
    return x.path.endswith("_SUITE.erl") and count == "1" and "exported" in flags and short not in _NO_CASES


def read_parameters(x: Extraction, node: Node) -> tuple[Parameter, ...]:
    """The parameters of the first clause, with the types that its `-spec` gives."""
    listed = parts(x, _arguments(x, node))
    types: list[Node] = []
    spec = x.memo["specs"].get(_counted_name(x, node))
    sig = spec.child_by_field_name("sigs") if spec is not None else None
    if sig is not None:
        types = parts(x, sig.child_by_field_name("args"))
    found: list[Parameter] = []
    for place, part in enumerate(listed):
        type_ = type_of(x, types[place]) if place < len(types) else UNKNOWN
        whole = part
        if part.type == "match_expr":  # `#item{price = P} = Item`
            sides = [part.child_by_field_name("lhs"), part.child_by_field_name("rhs")]
            whole = next((side for side in sides if side is not None and side.type == "var"), part)
        pattern = x.lower(whole)
        named_ = pattern[1] if pattern[0] == NAME and whole.type == "var" else ""
        left = None if named_ or pattern == UNKNOWN else pattern
        found.append(Parameter(named_, None if type_ == UNKNOWN else type_, None, "", left))
    return tuple(found)


def read_docstring(x: Extraction, node: Node) -> str:
    """The comment above a definition or its `-spec`, or what `-doc` says."""
    if node.type == "source_file":
        node = x.memo["head"]
    at = node
    while True:
        above = comment_above(x, at)
        if above:
            return "\n".join(line for line in _COMMENT.sub("", above).splitlines() if line.strip()).strip()
        before = at.prev_named_sibling
        if before is None or before.type not in _BETWEEN or before.type == "comment":
            return ""
        value = before.child_by_field_name("value") if before.type == "wild_attribute" else None
        if value is not None and value.type == "string" and "doc" in x.text(before)[:12]:
            return x.text(value).strip('"').strip()
        at = before
