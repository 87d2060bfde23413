"""Overloads declared as signatures above one implementation: Python's `@overload`, TypeScript's declarations.

The signature is chosen by a call's literal arguments alone, in order of declaration (following PEP 484); where they do
not decide, the implementation gives the result.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from loregraph.indexer.facts import Expr
from loregraph.indexer.resolve.dispatch import evaluate
from loregraph.indexer.resolve.engine import Engine
from loregraph.indexer.resolve.functions import outer_site
from loregraph.indexer.resolve.model import Class, External, Function, Instance, Values
from loregraph.indexer.resolve.types import closed, instances

_ANY: Final = frozenset({"object", "Any", "unknown", "any", "Literal"})
"""Types that do not distinguish literals by kind."""


def chosen_result(engine: Engine, function: Function, arguments: Sequence[Expr], skip: int) -> Values | None:
    """The result of the signature that `arguments` choose; None where `function` has no signatures or they do not
    decide.

    `skip` is 1 where the first parameter is the receiver, which is not among the arguments.
    """
    for signature in function.signatures:
        fits = _fits(engine, signature, arguments, skip)
        if fits is None:
            return None
        if fits:
            returns = signature.definition.returns
            if returns is None:
                return None
            site = outer_site(signature)
            if closed(returns):
                return ()
            values = instances(engine, signature.file, site, returns, function.owner)
            # For a callable, a container or an alias, the implementation is more precise.
            return values if any(isinstance(value, Instance) for value in values) else None
    return None


def _fits(engine: Engine, signature: Function, arguments: Sequence[Expr], skip: int) -> bool | None:
    """Whether a call with these arguments may mean a signature; None where that is uncertain."""
    taken = signature.parameters[skip:]
    if any(argument[0] == "*" for argument in arguments):
        return None
    if any(p.kind in ("*", "**") for p in taken):
        return None
    positional = [p for p in taken if p.kind == ""]
    if len(arguments) > len(positional) or any(p.default is None for p in positional[len(arguments) :]):
        return False
    answer: bool | None = True
    for parameter, argument in zip(positional, arguments, strict=False):
        fits = _is_of(engine, signature, _kind(argument), parameter.type)
        if fits is False:
            return False
        if fits is None:
            answer = None
    return answer


def _kind(argument: Expr) -> str:
    """The type of a literal, `slice` for `a:b`; "" for anything else."""
    if argument[0] == "k":
        return str(argument[1])
    return "slice" if argument[0] == "b" and argument[1] == ":" else ""


def _is_of(engine: Engine, signature: Function, kind: str, written: Expr | None) -> bool | None:
    if written is None:
        return True
    if not kind:
        return None
    if written[0] == "u":
        answers = [_is_of(engine, signature, kind, option) for option in written[1]]
        return True if True in answers else None if None in answers else False
    if written[0] == "k":
        return bool(written[1] == kind) if not written[2] else None
    base = written[1] if written[0] == "s" else written
    if base[-1] in _ANY or base[0] not in ("n", "a"):
        return None
    if base[0] == "n" and base[1] == kind:
        return True
    meant = evaluate(engine, signature.file, outer_site(signature), base)
    # A literal is never an instance of a class of the project; for anything but a class (a type variable, an alias) the
    # answer is unknown.
    return False if meant and all(isinstance(value, Class | External) for value in meant) else None
