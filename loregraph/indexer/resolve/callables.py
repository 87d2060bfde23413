"""Functions given by a string or an array: PHP's `'Shop\\helper'`, `'Item::make'`, `[$this, 'compare']`."""

from __future__ import annotations

import re
from typing import Any

from loregraph.indexer.facts import Expr
from loregraph.indexer.resolve import packages
from loregraph.indexer.resolve.dispatch import evaluate, member_of
from loregraph.indexer.resolve.engine import Engine, union
from loregraph.indexer.resolve.model import VALUE, Container, FileIndex, Values, function_name
from loregraph.indexer.resolve.scoping import find

_NAME = re.compile(r"\\?[A-Za-z_][\w\\]*(::\w+)?")


MAX_STEPS = 3
"""How many variables are followed from a call to the expression that names the function."""


def named(engine: Engine, file: FileIndex, site: Any, expr: Expr, found: Values) -> Values:
    """The functions that `expr` names, for an `expr` whose values (`found`) are not functions themselves."""
    if found and not all(type(value) is Container for value in found):
        return found
    return _named(engine, file, site, expr, MAX_STEPS) or found


def _named(engine: Engine, file: FileIndex, site: Any, expr: Expr, steps: int) -> Values:
    op = expr[0]
    if op == "l" and len(expr[1]) == 2:
        holder, name = expr[1]
        return _method(engine, file, site, holder, name[2]) if name[0] == "k" and name[1] == "str" else ()
    if op == "k" and expr[1] == "str" and _NAME.fullmatch(expr[2]):
        path, _, method = expr[2].lstrip("\\").partition("::")
        package, _, last = path.rpartition("\\")
        family, dotted = file.policy.family, package.replace("\\", ".")
        if method:
            return _members(engine, packages.member(engine, family, dotted, last), method)
        return packages.member(engine, family, dotted, function_name(last))
    if op == "n" and steps:
        owner = find(file.scopes[site.scope], expr[1])
        bindings = owner.bindings[expr[1]] if owner is not None else []
        parts = [
            _named(engine, file, binding.site, binding.payload, steps - 1)
            for binding in bindings
            if binding.kind == VALUE and binding.payload[0] in ("l", "k", "n")
        ]
        return union(parts)
    return ()


def _method(engine: Engine, file: FileIndex, site: Any, holder: Expr, name: str) -> Values:
    if holder[0] == "k" and holder[1] == "str" and _NAME.fullmatch(holder[2]):
        package, _, last = holder[2].lstrip("\\").rpartition("\\")
        family = file.policy.family
        return _members(engine, packages.member(engine, family, package.replace("\\", "."), last), name)
    if holder[0] == "a" and holder[2] == "class":
        holder = holder[1]
    return _members(engine, evaluate(engine, file, site, holder), name)


def _members(engine: Engine, holders: Values, name: str) -> Values:
    return union([member_of(engine, value, function_name(name.rpartition("::")[2])) for value in holders])
