"""What captured nodes are recorded as, where a row can say it: hooks, made of rows (see `rows`).

    hooks={
        "assignment.short": binds("declare", "@left", "@right"),
        "assignment.for": binds("for", (NAME, "$name!"), (ELEMENT, "@value"), type="@type"),
        "call.new": calls("@type", "*arguments", kind="new"),
    }

A required part (`!`) that is not there means that nothing is recorded. What the extractor does with a capture without a
hook needs none: `@call` by the spec's fields, `@return` of the first part, `@reference.type` of the node itself.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import TYPE_CHECKING, Any

from loregraph.indexer.facts import NAME, TYPED, UNKNOWN, Expr
from loregraph.indexer.languages.rows import Reading, Row, compiled, required
from loregraph.indexer.languages.selectors import many, mentioning, one
from loregraph.indexer.languages.spec import Hook

if TYPE_CHECKING:
    from tree_sitter import Node

    from loregraph.indexer.languages.extraction import Extraction

Typed = Callable[["Extraction", "Node"], "Expr | None"]


def binds(
    kind: Row,
    target: Row,
    value: Row = UNKNOWN,
    *,
    type: Row = None,
    each: str = "",
    own_type: Row = None,
    needs: str = "",
    ignoring: Collection[Expr] = (),
    last: bool = False,
    known: bool = False,
) -> Hook:
    """`value` flows to `target`; `kind` is one of `facts.Assignment`, or a row that gives one.

    With `each` (a selector) rows are read at each of those nodes, but for `type`, which is that of all of them;
    `own_type` is read at each. `needs` is a selector of what must be there, `ignoring` lists targets that are none.
    With `last` it belongs to the definition that was opened last: to what its head declares. With `known` a value that
    is UNKNOWN is none.
    """
    read_kind, read_target, read_value = compiled(kind), compiled(target), compiled(value)
    read_type, read_own = written(type), written(own_type)
    select = many(each)
    needed = [one(selector) for selector in (*required(target), *required(value), *([needs] if needs else []))]
    none = list(ignoring)
    typed, own = type is not None, own_type is not None

    word = kind if isinstance(kind, str) and kind[:1] not in ("$", "%") else None

    def record(x: Extraction, node: Node, declared: Expr | None) -> None:
        for selected in needed:
            if selected(x, node) is None:
                return
        place = read_target(x, node)
        if none and place in none:
            return
        flow = read_kind(x, node) if word is None else word
        given = read_value(x, node)
        if not known or given != UNKNOWN:
            x.assign(node, place, given, flow, read_own(x, node) if own else declared)

    def hook(x: Extraction, node: Node, capture: str) -> None:
        if last:
            if not x.definitions:
                return
            x.scope, x.block = len(x.definitions) - 1, -1
        declared = read_type(x, node) if typed else None
        if not each:
            record(x, node, declared)
            return
        for held in select(x, node):
            record(x, held, declared)

    mentioning(hook, read_kind, read_target, read_value, read_type, read_own, each, needs)
    return hook


def by_sign(plain: str = "=", what: str = "%operator") -> Reading:
    """The kind of an assignment: "=" where the operator is one of `plain`, or there is none, else "+="."""
    read, words = compiled(what), frozenset((*plain.split(), ""))

    def kind(x: Extraction, node: Node) -> str:
        return "=" if read(x, node) in words else "+="

    mentioning(kind, read)
    return kind


def written(row: Row, *, but: str = "") -> Typed:
    """A type that is written: None where it is not, or is one of the node types `but` (`var`)."""
    if row is None or callable(row):
        return row or (lambda x, node: None)
    if not isinstance(row, str) or row[:1] != "@":
        return compiled(row)
    selector, none = row[1:].rstrip("!"), frozenset(but.split())
    select = one(selector)

    def type_of_field(x: Extraction, node: Node) -> Expr | None:
        found = node.child_by_field_name(selector)
        return None if found is None or found.type in none else x.lower(found)

    def type_(x: Extraction, node: Node) -> Expr | None:
        found = select(x, node)
        return None if found is None or found.type in none else x.lower(found)

    made = type_of_field if selector.isidentifier() else type_
    mentioning(made, selector, *(f":{kind}" for kind in none))
    return made


def enumerates(name: Row = (NAME, "$name!"), *, each: str = "", made: bool = False) -> Hook:
    """A constant of the enum around: of its type. With `made` its value is an instance, too; with `each` (a selector)
    there is one at each of those nodes."""
    read, select = compiled(name), many(each)
    needed = [one(selector) for selector in required(name)]

    def hook(x: Extraction, node: Node, capture: str) -> None:
        if x.scope < 0:
            return
        own: Expr = (NAME, x.definitions[x.scope].name)
        for held in select(x, node):
            if all(selected(x, held) is not None for selected in needed):
                x.assign(held, read(x, held), (TYPED, own, UNKNOWN) if made else UNKNOWN, "declare", own)

    mentioning(hook, read, each)
    return hook


Given = tuple[tuple[Expr, ...], tuple[tuple[str, Expr], ...]]
"""Positional and named arguments."""


def arguments(
    name: Row = "$name", value: Row = "@-1", *, each: str = "*"
) -> Callable[[Extraction, Node | None], Given]:
    """Reads an argument list: each of the nodes that a selector is (its parts) is a named argument where the row `name`
    gives a text. For `LanguageSpec.arguments`, too."""
    select, label, read = many(each), compiled(name), compiled(value)
    picked = one(value[1:].rstrip("!")) if isinstance(value, str) and value[:1] == "@" else None
    must_be = bool(required(value))

    def given(x: Extraction, node: Node | None) -> Given:
        positional: list[Expr] = []
        named: list[tuple[str, Expr]] = []
        for held in select(x, node) if node is not None else ():
            if picked is None:
                expr = read(x, held)
            else:
                found = picked(x, held)
                if found is None and must_be:
                    continue
                expr = x.lower(found)
            text = label(x, held)
            if text:
                named.append((text, expr))
            else:
                positional.append(expr)
        return tuple(positional), tuple(named)

    mentioning(given, each, label, read)
    return given


def calls(
    function: Row,
    arguments: Row = (),
    named: Row = (),
    *,
    given: Callable[[Extraction, Node], Given] | None = None,
    kind: str = "call",
) -> Hook:
    """A call, with the arguments that rows say, or that `given` reads at the node."""
    read, positional, keywords = compiled(function), compiled(arguments), compiled(named)
    needed = [one(selector) for selector in required(function)]

    def hook(x: Extraction, node: Node, capture: str) -> None:
        for selected in needed:
            if selected(x, node) is None:
                return
        made = read(x, node)
        held, labelled = (positional(x, node), keywords(x, node)) if given is None else given(x, node)
        x.record_call(node, made, held, labelled, kind)

    mentioning(hook, read, positional, keywords, given)
    return hook


def leaves(value: Row, kind: str = "return", *, known: bool = False) -> Hook:
    """A value that leaves the function; with `known` only where it is not UNKNOWN."""
    return _told(value, lambda x, node, found: x.leave(node, found, kind), known)


def refers(value: Row = "@.", how: str = "type", *, each: str = "", last: bool = False, known: bool = False) -> Hook:
    """A use without a call; with `known` only where it is not UNKNOWN. `each` and `last` as in `binds`."""
    return _told(value, lambda x, node, found: x.refer(node, found, how), known, each, last)


def _told(
    value: Row, record: Callable[[Extraction, Node, Expr], None], known: bool, each: str = "", last: bool = False
) -> Hook:
    read, select = compiled(value), many(each)
    needed = [one(selector) for selector in required(value)]

    def hook(x: Extraction, node: Node, capture: str) -> None:
        if last:
            x.scope = len(x.definitions) - 1
        for held in select(x, node) if each else (node,):
            for selected in needed:
                if selected(x, held) is None:
                    break
            else:
                found = read(x, held)
                if not known or found != UNKNOWN:
                    record(x, held, found)

    mentioning(hook, read, each)
    return hook


def unless(types: str, then: Hook) -> Hook:
    """A hook for nodes that are of none of these types (words)."""
    others = frozenset(types.split())

    def hook(x: Extraction, node: Node, capture: str) -> None:
        if node.type not in others:
            then(x, node, capture)

    mentioning(hook, then, *(f":{kind}" for kind in others))
    return hook


def imports(module: Row, name: Row = "", alias: Row = "", *, kind: str = "", separator: str = "") -> Hook:
    """An import of the module of that text. With `separator` it binds the last part of the module's name, where it has
    no alias."""
    rows = [compiled(row) for row in (module, name, alias)]

    def hook(x: Extraction, node: Node, capture: str) -> None:
        path, member, own = [str(read(x, node)) for read in rows]
        if path:
            x.import_(node, path, member, own or (path.rpartition(separator)[2] if separator else ""), kind)

    mentioning(hook, *rows)
    return hook


def in_turn(*hooks: Hook) -> Hook:
    """Several hooks, one after the other."""

    def hook(x: Extraction, node: Node, capture: str) -> None:
        for one_of_them in hooks:
            one_of_them(x, node, capture)

    mentioning(hook, *hooks)
    return hook


def where(selector: str, then: Hook | None, otherwise: Hook | None = None) -> Hook:
    """One hook where the selected node is there, another where it is not."""
    select = one(selector)

    def hook(x: Extraction, node: Node, capture: str) -> None:
        chosen = otherwise if select(x, node) is None else then
        if chosen is not None:
            chosen(x, node, capture)

    made: list[Any] = [h for h in (then, otherwise) if h is not None]
    mentioning(hook, selector, *made)
    return hook
