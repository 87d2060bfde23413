"""Type parameters and what bounds them, for languages that write `T: Bound`, `T extends Bound`, `[T Bound]`."""

from __future__ import annotations

from collections.abc import Mapping

from loregraph.indexer.facts import Expr


def bounded(type_: Expr, bounds: Mapping[str, Expr]) -> Expr:
    """`type_` in which each bounded parameter may also be read as its bound: `("u", (T, Bound))`."""
    if not bounds:
        return type_
    op = type_[0]
    if op == "n":
        bound = bounds.get(type_[1])
        return type_ if bound is None else ("u", (type_, bound))
    if op == "s":
        return ("s", bounded(type_[1], bounds), bounded(type_[2], bounds))
    if op in ("l", "u"):
        return (op, tuple(bounded(item, bounds) for item in type_[1]))
    return type_
