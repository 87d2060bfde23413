"""The object that a function is written into: the object literal, or the object whose member is assigned.

Where `this` is the call's receiver and no caller is seen to set it, the holder is used as `this`: `module.exports = {
start() { this.stop() }, … }`.
"""

from __future__ import annotations

from typing import Any, Final

from loregraph.indexer.facts import Expr
from loregraph.indexer.resolve.model import FileIndex

_WITHIN: Final = frozenset({"l", "u"})
Holder = tuple[Any, Expr]
"""The fact that contains the function, and the expression of its holder."""


def holders(file: FileIndex) -> dict[int, Holder]:
    """Index of a function → its holder. Linear in the facts of the file."""
    found: dict[int, Holder] = {}
    for fact in file.facts.assignments:
        value, target = fact.value, fact.target
        if value[0] == "f" and target[0] == "a":
            found.setdefault(value[1], (fact, target[1]))
        _search(fact, value, found)
    for call in file.facts.calls:
        for argument in call.arguments:
            _search(call, argument, found)
        for _, argument in call.keywords:
            _search(call, argument, found)
    for leaving in file.facts.returns:
        _search(leaving, leaving.value, found)
    for bindings in file.exports.values():
        for binding in bindings:
            if type(binding.payload) in (tuple, list):
                _search(binding.site, binding.payload, found)
    return found


def _search(site: Any, expr: Expr, found: dict[int, Holder]) -> None:
    stack = [expr]
    while stack:
        part = stack.pop()
        op = part[0]
        if op == "d":
            for _, held in part[1]:
                if held[0] == "f":
                    found.setdefault(held[1], (site, part))
                else:
                    stack.append(held)
        elif op in _WITHIN:
            stack += part[1]
        elif op == "t":
            stack.append(part[2])
