"""What copies are there for: most are worth a look, some are as they are for a reason.

Tests repeat what they set up; examples are read one by one; what an interface or a framework prescribes looks alike in
every class that has it; a library offered with and without `async` has everything twice. Each has its place apart from
the rest, and of these only tests can fail a build.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import Final

from loregraph.analysis.code_roles import CodeRoles
from loregraph.analysis.duplicates.results import (
    CODE,
    EDITED,
    EXACT,
    EXAMPLES,
    FUNCTION,
    LOOSE,
    PRESCRIBED,
    SHORT,
    TESTS,
    TWINS,
)
from loregraph.analysis.places import around, supertypes
from loregraph.graph.columns import GraphColumns

_EXAMPLE: Final = re.compile(
    r"(^|/)_?(examples?|samples?|demos?|tutorials?|docs?_src|playgrounds?|benches|benchmarks?)/"
)
_A_LINE: Final = 3
"""Lines of a function that has one statement: where names or literals differ, there is nothing to share."""
_SHORT: Final = 8
"""Lines up to which a method that an interface prescribes has nothing in it that could be shared."""
_EDITED: Final = 20
"""The same for methods that are alike only in part."""
_MOST: Final = 0.8
"""Part of the methods whose classes have a type in common: the graph does not know every type of every class."""
_ASYNC: Final = frozenset({"async", "suspend"})
_ASYNC_WORD: Final = re.compile(r"async|^_*a(?=(?:read|iter|close|enter|exit|open|next|send|sync)(?:_|$))")
_TYPES: Final = ("EXTENDS", "IMPLEMENTS")


def role_of(
    columns: GraphColumns, roles: CodeRoles, nodes: Sequence[int], clone_type: str, similarity: float, scope: str
) -> str:
    """The role of a family of copies, one of `results.ROLES`."""
    tests = sum(map(roles.is_test, nodes))
    examples = sum(bool(_EXAMPLE.search(columns.path(node))) and not roles.is_test(node) for node in nodes)
    if (tests + examples) * 2 > len(nodes):
        return TESTS if tests >= examples else EXAMPLES
    if scope == FUNCTION and _are_prescribed(columns, nodes, clone_type, similarity):
        return PRESCRIBED
    if _are_twins(columns, nodes):
        return TWINS
    if scope == FUNCTION and clone_type != EXACT and _longest(columns, nodes) <= _A_LINE:
        return SHORT
    return CODE


def _longest(columns: GraphColumns, nodes: Sequence[int]) -> int:
    return max(int(columns.end_line[node]) - int(columns.start_line[node]) + 1 for node in nodes)


def _are_prescribed(columns: GraphColumns, nodes: Sequence[int], clone_type: str, similarity: float) -> bool:
    """Whether these are methods of classes with a type in common, and too short or too unlike to be shared: one method
    of each class, or methods that are no more than alike in shape."""
    if _longest(columns, nodes) > (_EDITED if clone_type == EDITED else _SHORT):
        return False
    if len({columns.name(node) for node in nodes}) > 1 and not (clone_type == EDITED and similarity < LOOSE):
        return False
    types: Counter[int] = Counter()
    classes = set()
    for node in nodes:
        inside = around(columns, node)
        if inside and columns.label(inside[0]) == "Class":
            classes.add(inside[0])
            types.update(supertypes(columns, inside[0], _TYPES))
    return len(classes) > 1 and max(types.values(), default=0) >= _MOST * len(nodes)


def _are_twins(columns: GraphColumns, nodes: Sequence[int]) -> bool:
    """Whether half of these are the other half with `async` before it, or before the name of the class."""
    waiting = [node for node in nodes if _is_async(columns, node)]
    plain = [node for node in nodes if node not in waiting]
    if not waiting or len(waiting) != len(plain):
        return False
    return sorted(_plain(columns, node) for node in waiting) == sorted(_plain(columns, node) for node in plain)


def _is_async(columns: GraphColumns, node: int) -> bool:
    if not _ASYNC.isdisjoint(columns.own(node, "modifiers") or ()):
        return True
    if not _ASYNC.isdisjoint(columns.signature(node).partition("(")[0].split()):
        return True
    return any(_ASYNC_WORD.search(part) for part in _names(columns, node))


def _plain(columns: GraphColumns, node: int) -> str:
    """The name of a function in its class as both twins have it: `AsyncClient.aread`, `Client.read` → client.read."""
    return ".".join(_ASYNC_WORD.sub("", part).replace("_", "") for part in _names(columns, node))


def _names(columns: GraphColumns, node: int) -> list[str]:
    """The names of a function and of what it stands in, in lower case."""
    return columns.id(node).rpartition("::")[2].lower().split(".")[-2:]
