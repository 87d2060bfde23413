"""Whether the code of a requirement ran, as runs that were imported show.

That a test ran some code says less than that it verifies a requirement: it is shown apart from both tests and results.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import msgspec

from loregraph.graph.columns import GraphColumns
from loregraph.graph.imported import by_run, is_only_of_runs
from loregraph.graph.queries import within

EXECUTED: Final = "executed"
NOT_EXECUTED: Final = "not executed"


class Execution(msgspec.Struct, frozen=True, kw_only=True):
    """`state` is EXECUTED, NOT_EXECUTED where all of the code was measured as it is and nothing of it ran, else "".
    `tests` are the ids of the tests that ran the code, in order, where runs tell them apart."""

    state: str = ""
    tests: tuple[str, ...] = ()


# Implements REQ-RUN-017.
def execution(columns: GraphColumns, implementations: Iterable[int]) -> Execution:
    """What runs say of the code in `implementations`: functions, and types and files with theirs.

    That something in a file ran does not show that the part did which implements the requirement: files count only
    where nothing in them ran.
    """
    nodes = list(implementations)
    tests: dict[str, None] = {}
    executed = False
    idle = bool(nodes)
    for node in nodes:
        functions = functions_of(columns, node)
        said = [columns.own(one, "executed") for one in functions]
        idle = idle and bool(said) and all(one is False for one in said)
        if columns.label(node) == "File":
            continue
        executed = executed or True in said
        for function in functions:
            for edge in columns.into(function, "TESTS").tolist():
                if has_run(columns, edge):
                    tests[columns.id(int(columns.source[edge]))] = None
    if executed or tests:
        return Execution(state=EXECUTED, tests=tuple(sorted(tests)))
    return Execution(state=NOT_EXECUTED if idle else "")


def functions_of(columns: GraphColumns, node: int) -> list[int]:
    """The named functions in a function, type or file, itself included; none of a component."""
    label = columns.label(node)
    if label == "File":
        inside = columns.nodes("Function", path=columns.path(node)).tolist()
    else:
        inside = [one for one in within(columns, node) if columns.label(one) == "Function"]
    return [one for one in inside if not columns.name(one).startswith("<")]


def has_run(columns: GraphColumns, edge: int) -> bool:
    """Whether a run is among the reasons of a TESTS edge."""
    return bool(by_run(columns.how(edge)))


def is_a_call(columns: GraphColumns, edge: int) -> bool:
    """Whether the test of a TESTS edge calls the code itself: as the code says, or as a run saw."""
    if not is_only_of_runs(columns.how(edge)):
        return True
    callers = columns.source[columns.into(int(columns.target[edge]), "CALLS")]
    return bool((callers == columns.source[edge]).any())
