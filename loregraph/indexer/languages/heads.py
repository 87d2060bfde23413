"""What the heads of definitions say, where a row can say it: parameters, signatures, modifiers, decorators, supertypes,
names of type parameters. Each function here makes one that a `header` or `parameters` hook is, or calls."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from msgspec.structs import replace

from loregraph.indexer.facts import NAME, Base, Expr, Parameter
from loregraph.indexer.languages.comments import comment_above
from loregraph.indexer.languages.extraction import MAX_SIGNATURE
from loregraph.indexer.languages.hooks import written
from loregraph.indexer.languages.lowering import child
from loregraph.indexer.languages.rows import Reading, Row, compiled
from loregraph.indexer.languages.selectors import many, mentioning, one

if TYPE_CHECKING:
    from tree_sitter import Node

    from loregraph.indexer.languages.extraction import Extraction

ReadText = Callable[["Extraction", "Node"], str]


@dataclass(frozen=True, slots=True)
class ParameterRow:
    """One way to write a parameter: rows (see `rows`) that are read at its node.

    `names` is a selector where one declaration has several names (`a, b int`): a parameter each, one without a name
    where there are none. `kind` as in `facts.Parameter`, or a function that says it.
    """

    name: Row = "$name"
    type: Row = None
    default: Row = None
    kind: str | Reading = ""
    pattern: Row = None
    names: str = ""


def parameters(
    listed: str, rows: Mapping[str, ParameterRow], *, behind: bool = False
) -> Callable[[Extraction, Node], tuple[Parameter, ...]]:
    """Reads the parameters of a definition from the children of the node that the selector `listed` is, by their types;
    children of other types are none. With `behind` a default stands behind the parameter, with `=` between them."""
    select = one(listed)
    by_type = {kind: _parameter(row) for kind, row in rows.items()}

    def read(x: Extraction, node: Node) -> tuple[Parameter, ...]:
        held = select(x, node)
        found: list[Parameter] = []
        for part in () if held is None else held.named_children:
            row = by_type.get(part.type)
            if row is not None:
                found += row(x, part)
        return tuple(found)

    def read_defaults_too(x: Extraction, node: Node) -> tuple[Parameter, ...]:
        held = select(x, node)
        found: list[Parameter] = []
        has_default = False
        for part in () if held is None else held.children:
            row = by_type.get(part.type)
            if row is not None:
                found += row(x, part)
            elif has_default and found and part.type not in x.spec.comments:
                found[-1] = replace(found[-1], default=x.lower(part))
            has_default = part.type == "="
        return tuple(found)

    made = read_defaults_too if behind else read
    mentioning(made, listed, *by_type.values(), *(f":{kind}" for kind in rows))
    return made


def _parameter(row: ParameterRow) -> Callable[[Extraction, Node], list[Parameter]]:
    name, kind = compiled(row.name), row.kind
    type_, default, pattern = written(row.type), written(row.default), written(row.pattern)
    names = many(row.names) if row.names else None

    if names is None and isinstance(kind, str) and row.default is None and row.pattern is None:
        constant = kind

        def read_plain(x: Extraction, node: Node) -> list[Parameter]:
            return [Parameter(name(x, node), type_(x, node), None, constant)]

        mentioning(read_plain, name, type_)
        return read_plain

    def read(x: Extraction, node: Node) -> list[Parameter]:
        rest = (type_(x, node), default(x, node), kind if isinstance(kind, str) else kind(x, node), pattern(x, node))
        if names is None:
            return [Parameter(name(x, node), *rest)]
        return [Parameter(x.text(held), *rest) for held in names(x, node) if held.is_named] or [Parameter("", *rest)]

    mentioning(read, name, type_, default, pattern, row.names)
    return read


def head_text(x: Extraction, start: int, end: int, signs: str = "{=;") -> str:
    """The source between two bytes as a signature: white space folded, without `signs` at its end."""
    text = x.source[start : min(end, start + 4 * MAX_SIGNATURE)].decode("utf-8", "ignore")
    return " ".join(text.split()).rstrip(signs).strip()[:MAX_SIGNATURE]


def signature(*, without: str, ends: str = "body", modifiers: str = "", signs: str = "{=;") -> ReadText:
    """Reads the head of a definition without what is a decorator.

    `without` are the node types of those (words; comments are to be listed, too), which stand among the modifiers (the
    first child of that type) where the grammar has such a node. `ends` is a selector of what is no part of the head.
    """
    decorators, body = frozenset(without.split()), one(ends)
    held = one(f":{modifiers}") if modifiers else None

    def read(x: Extraction, node: Node) -> str:
        around = node if held is None else held(x, node)
        start = node.start_byte if around is None or around is node else around.end_byte
        for part in around.children if around is not None else ():
            if part.type not in decorators:
                start = part.start_byte
                break
        end = body(x, node)
        return head_text(x, start, node.end_byte if end is None else end.start_byte, signs)

    mentioning(read, ends, *(f":{kind}" for kind in decorators), f":{modifiers}" if modifiers else "")
    return read


def texts(selector: str, read: ReadText | None = None) -> Callable[[Extraction, Node], tuple[str, ...]]:
    """Reads the texts of all nodes that a selector is: names of type parameters, modifiers' words."""
    select = many(selector)

    def found(x: Extraction, node: Node) -> tuple[str, ...]:
        return tuple([x.text(held) if read is None else read(x, held) for held in select(x, node)])

    mentioning(found, selector)
    return found


def decorators(
    selector: str, name: Row = "@name", *, marks: str = "@"
) -> Callable[[Extraction, Node], tuple[tuple[Expr, ...], tuple[str, ...]]]:
    """Reads `Header.decorators` and `Header.decorator_names` from all nodes that a selector is: the row `name` is read
    at each, and its text kept without `marks`. One without a name is none."""
    select, read = many(selector), written(name)

    def found(x: Extraction, node: Node) -> tuple[tuple[Expr, ...], tuple[str, ...]]:
        exprs: list[Expr] = []
        names: list[str] = []
        for held in select(x, node):
            expr = read(x, held)
            if expr is not None:
                exprs.append(expr)
                names.append(x.folded(held, 120).lstrip(marks))
        return tuple(exprs), tuple(names)

    mentioning(found, selector, read)
    return found


def modifiers(x: Extraction, node: Node) -> set[str]:
    """The words of a `modifiers` node, in grammars that call each a kind of modifier."""
    listed = child(node, "modifiers")
    return {x.text(c) for c in listed.named_children if c.type.endswith("_modifier")} if listed is not None else set()


def documented(without: str) -> ReadText:
    """Reads the comment above a definition, "" for nodes of the types `without` (words)."""
    types = frozenset(without.split())

    def read(x: Extraction, node: Node) -> str:
        return "" if node.type in types else comment_above(x, node)

    mentioning(read, *(f":{kind}" for kind in types))
    return read


def bases(**relations: str) -> Callable[[Extraction, Node], tuple[Base, ...]]:
    """Reads supertypes: a relation (EXTENDS, IMPLEMENTS), and the selector of all types that stand in it."""
    rows = [(relation, many(selector)) for relation, selector in relations.items()]

    def found(x: Extraction, node: Node) -> tuple[Base, ...]:
        return tuple([base(x, held, relation) for relation, select in rows for held in select(x, node)])

    mentioning(found, *relations.values())
    return found


def bases_of_constant(owner: str, node: Node) -> tuple[Base, ...]:
    """The supertypes of an enum's constant that is a type of its own: the enum, by its name."""
    return (Base((NAME, owner), "EXTENDS", node.start_point[0] + 1),) if owner else ()


def base(x: Extraction, type_: Node, relation: str) -> Base:
    """A supertype as written at a node."""
    return Base(x.lower(type_), relation, type_.start_point[0] + 1)
