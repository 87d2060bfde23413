"""Haskell's modules: what a file exports, what its imports bind.

An import with a list is one fact for each name, a bare and a qualified one where both may be used. An import without
one, and the members behind `T(..)`, are known only with the other module at hand: those are star imports whose rows in
`extras["listed"]` say what they let through (see `resolve/module_lists.py`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from loregraph.indexer.languages.extraction import Extraction
from loregraph.indexer.languages.haskell.expressions import constructor_name, named
from loregraph.indexer.languages.lowering import child
from loregraph.indexer.languages.rows import text_of

if TYPE_CHECKING:
    from tree_sitter import Node

_header_module, _module, _alias = text_of(":header/module"), text_of("module"), text_of("alias")


def read_module(x: Extraction, root: Node) -> None:
    """The header: the module's name and its exports."""
    header = child(root, "header")
    x.package = _header_module(x, root) or "Main"
    listed = header.child_by_field_name("exports") if header is not None else None
    if header is None:
        x.memo["exports"] = {"main"}
    if listed is None:
        return
    names: dict[str, None] = {}
    holders: dict[str, None] = {}
    modules: dict[str, None] = {}
    for part in listed.named_children:
        if part.type == "module_export":
            modules[_module(x, part)] = None
        elif part.type == "export":
            name, inner = _entry(x, part)
            names[name] = None
            if inner is not None:
                holders[name.rpartition(".")[2]] = None
                names.update(dict.fromkeys(inner))
    modules.pop("", None)
    own = x.package in modules
    x.memo["exports"] = None if own else {name.rpartition(".")[2] or name for name in names}
    x.extras["exports"] = [list(names), list(holders), list(modules)]


def _entry(x: Extraction, part: Node) -> tuple[str, list[str] | None]:
    """One entry of an import or export list: its name, and the members named in the parentheses behind it (None
    without any, an empty list for `(..)`)."""
    name = ""
    inner: list[str] | None = None
    pattern = False
    for held in part.named_children:
        if held.type == "namespace":
            pattern = x.text(held) == "pattern"
        elif held.type == "children":
            inner = [text for element in held.named_children if (text := named(x, element))]
            if child(held, "all_names") is not None:
                inner = []
        elif not name:
            name = named(x, held)
    return (constructor_name(name) if pattern else name), inner


def record_import(x: Extraction, node: Node, capture: str) -> None:
    """Records an import: its module, what it lists or hides, and the prefixes that its names have."""
    module = _module(x, node)
    if not module:
        return
    words = {c.type for c in node.children}
    prefix = f"{_alias(x, node) or module}."
    prefixes = [prefix] if "qualified" in words else ["", prefix]
    listed = node.child_by_field_name("names")
    rows: list[list[object]] = x.extras.setdefault("listed", [])
    hidden: list[str] = []
    if listed is None or "hiding" in words:
        for part in listed.named_children if listed is not None else ():
            name, inner = _entry(x, part)
            hidden += [name, *(inner or ())]
        x.import_(node, module, "*", kind="listed")
        rows.append([node.start_byte, prefixes, hidden, ""])
        return
    for part in listed.named_children:
        if part.type != "import_name":
            continue
        name, inner = _entry(x, part)
        if not name:
            continue
        if inner == []:
            x.import_(part, module, "*", kind="listed")
            rows.append([part.start_byte, prefixes, [], name])
        for prefix in prefixes:
            for one in (name, *(inner or ())):
                x.import_(part, module, one, prefix + one)
    if not listed.named_children:
        x.import_(node, module)


def note_members(x: Extraction, holder: str, names: list[str]) -> None:
    """Keeps what `holder(..)` stands for in lists."""
    children: dict[str, list[str]] = x.extras.setdefault("children", {})
    children.setdefault(holder, []).extend(name for name in names if name)
