"""Why a call has no edge: the first unknown thing in the chain of values that leads to the callee."""

from __future__ import annotations

from typing import Any, Final

from loregraph.indexer.facts import Expr
from loregraph.indexer.resolve.calls import CallCell
from loregraph.indexer.resolve.dispatch import evaluate
from loregraph.indexer.resolve.engine import Engine
from loregraph.indexer.resolve.functions import is_receiver
from loregraph.indexer.resolve.model import (
    DEFINITION,
    IMPORT,
    PARAMETER,
    VALUE,
    External,
    ExternalInstance,
    FileIndex,
)
from loregraph.indexer.resolve.scoping import find

MAX_FOLLOWED: Final = 8
"""How many variables and members are followed from a call back to what is unknown; beyond that, the last one followed
is reported."""

NO_TARGET: Final = "no-project-target"
PARAMETER_UNTYPED: Final = "untyped-parameter"
PARAMETER_UNKNOWN: Final = "parameter-of-unknown-type"
MEMBER: Final = "unknown-member"
FIELD: Final = "untyped-field"
OUTSIDE: Final = "outside-without-types"
RESULT: Final = "result-not-known"
COMPUTED: Final = "computed"
IMPORTED: Final = "import-not-found"
NAME: Final = "unknown-name"
MACRO: Final = "macro"
VALUE_UNKNOWN: Final = "unknown-value"


def reason(engine: Engine, file: FileIndex, cell: CallCell) -> str:
    """The reason why `cell` has no edge, a key of `unresolved_calls.REASONS`."""
    if cell.values:
        return NO_TARGET
    if cell.call.kind == "macro":
        return MACRO
    return _cause(engine, file, cell.call, cell.call.function, set())


def _cause(engine: Engine, file: FileIndex, site: Any, expr: Expr, seen: set[int]) -> str:
    """The unknown part of `expr`, read at `site`."""
    while id(expr) not in seen and len(seen) < MAX_FOLLOWED:
        seen.add(id(expr))
        op = expr[0]
        if op in ("w", "y", "e", "i", "*"):
            expr = expr[1]
        elif op == "a":
            base = evaluate(engine, file, site, expr[1])
            if base:
                if any(isinstance(value, External | ExternalInstance) for value in base):
                    return OUTSIDE
                own = is_receiver(file, site.scope, expr[1])
                return FIELD if own and expr[2] in engine.project.stored_names else MEMBER
            expr = expr[1]
        elif op == "s":
            if evaluate(engine, file, site, expr[1]):
                return COMPUTED
            expr = expr[1]
        elif op == "c":
            called = file.calls[expr[1]]
            if called.values:
                outside = all(isinstance(value, External | ExternalInstance) for value in called.values)
                return OUTSIDE if outside else RESULT
            site, expr = called.call, called.call.function
        elif op == "n":
            owner = find(file.scopes[site.scope], expr[1])
            if owner is None:
                return NAME
            binding = owner.bindings[expr[1]][-1]
            if binding.kind == IMPORT:
                return IMPORTED
            if binding.kind == PARAMETER:
                _, function, number = binding.payload
                return PARAMETER_UNTYPED if function.parameters[number].type is None else PARAMETER_UNKNOWN
            if binding.kind != VALUE or binding.site is None:
                return RESULT if binding.kind == DEFINITION else VALUE_UNKNOWN
            site, expr = binding.site, binding.payload
        else:
            break
    return VALUE_UNKNOWN
