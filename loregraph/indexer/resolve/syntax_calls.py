"""The implicit calls in a file: loops, context managers, raised classes, members and operators."""

from __future__ import annotations

from loregraph.indexer.resolve.calls import CallCell
from loregraph.indexer.resolve.engine import Engine
from loregraph.indexer.resolve.model import FileIndex
from loregraph.indexer.resolve.operations import ImplicitCallNames, implicit_calls
from loregraph.indexer.resolve.protocols import implicit_functions


def syntax_calls(engine: Engine, file: FileIndex) -> list[CallCell]:
    """The cells of these calls, one list per file; they are not computed yet."""
    found: list[CallCell] | None = file.syntactic
    if found is None:
        found = file.syntactic = implicit_functions(file)
        policy = file.policy
        if policy.implicit.operators or policy.implicit.text_methods:
            known: ImplicitCallNames | None = engine.operators.get(policy.language)
            if known is None:
                known = engine.operators[policy.language] = ImplicitCallNames(engine, policy)
            if known:
                found += implicit_calls(engine, file, known)
    return found
