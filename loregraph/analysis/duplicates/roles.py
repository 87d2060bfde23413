"""The role of copies: most deserve attention, some are repeated for a reason.

Tests repeat their setup; examples are read one by one; methods required by an interface, a language or a framework look
alike in every class; a library offered with and without `async` has everything twice; a body of a statement or two has
nothing to share; lists of settings have the same shape, whatever they set. Each role is reported separately, and of
these only tests can fail a build.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import Final, NamedTuple

from loregraph.analysis.code_roles import CodeRoles
from loregraph.analysis.component_lookup import around, supertypes
from loregraph.analysis.duplicates.results import (
    ALIKE,
    CODE,
    EDITED,
    EXACT,
    EXAMPLES,
    FILE,
    FRAGMENT,
    FUNCTION,
    LOOSE,
    PRESCRIBED,
    SEMANTIC,
    SHORT,
    TESTS,
    TWINS,
)
from loregraph.analysis.duplicates.shapes import Shape
from loregraph.graph.columns import GraphColumns

SHORT_TOKENS: Final = 40
"""Tokens of a body below which there is too little to share: the 50 that clone benchmarks start with (Bellon et al.
2007; Svajlenko and Roy 2015; SourcererCC), minus a head of ten."""
SHORT_LINES: Final = 5
"""The same in lines: their six, minus the head. Identical copies are short only by both."""
MOSTLY: Final = 0.7
"""Minimum similarity of edited copies in findings: the default of SourcererCC, and of NiCad, which lets 30 lines of 100
differ. Below it are some copies, and more that only share a shape."""
NEARLY: Final = 0.85
"""The same for tests, which are similar by nature."""
STRAIGHT: Final = 0.9
"""The same for code without branches: settings, forms and tables are lists of calls, similar whatever they set."""
STRAIGHT_LINES: Final = 10
"""Minimum lines of a body without branches, other than a test, for findings of renamed or edited copies: NiCad's."""
_FIXTURES: Final = (
    r"(^|/)(testdata|test[-_]?data|[fF]ixtures?|__fixtures__|snapshots?|__snapshots__"
    r"|[tT]ests?/(data|resources|cases))/"
)
_EXAMPLE: Final = re.compile(
    r"(^|/)_?(examples?|samples?|demos?|tutorials?|docs?_src|playgrounds?|benches|benchmarks?)/|" + _FIXTURES
)
_DATA: Final = re.compile(_FIXTURES)
_PACKAGES: Final = re.compile(r"(^|/)src/\w+/(java|kotlin|scala|groovy)/.*")
"""Below these, folders are packages: `org.springframework.samples` is no folder of samples."""
_SHORT_METHOD: Final = 8
"""Maximum lines of a method required by an interface that has nothing to share."""
_EDITED_METHOD: Final = 20
"""The same for methods that are only partly similar."""
_MOST: Final = 0.8
"""Required share of methods whose classes have a common type: the graph does not know every supertype."""
_MANDATED: Final = re.compile(
    r"__\w+__|equals?|hashCode|hash|toString|to_s|inspect|compareTo|compare|clone|copy|"
    r"Equals?|GetHashCode|ToString|CompareTo|String|Clone|"
    r"fmt|eq|cmp|partial_cmp|deref|deref_mut|drop|from|into|as_ref|next|size_hint|poll|default"
)
"""Methods that a language itself requires of a class."""
_ASYNC: Final = frozenset({"async", "suspend"})
_ASYNC_WORD: Final = re.compile(r"async|^_*a(?=(?:read|iter|close|enter|exit|open|next|send|sync)(?:_|$))")
_SYNC_WORD: Final = re.compile(r"(?<![a-z])sync")
_TYPES: Final = ("EXTENDS", "IMPLEMENTS")


class Likeness(NamedTuple):
    """The similarity of a family's members: that of the least similar two, and the smallest size."""

    clone_type: str
    scope: str
    similarity: float
    least: Shape


def role_of(columns: GraphColumns, roles: CodeRoles, nodes: Sequence[int], alike: Likeness) -> str:
    """The role of a family of copies, one of `results.ROLES`."""
    tests = sum(is_of_tests(columns, roles, node) for node in nodes)
    apart = _place(columns, nodes, tests)
    if apart == EXAMPLES:
        return EXAMPLES
    if not apart and alike.scope == FUNCTION and _are_prescribed(columns, nodes, alike):
        return PRESCRIBED
    if _are_twins(columns, nodes):
        return TWINS
    if alike.scope == FILE or alike.clone_type == SEMANTIC:
        return apart or CODE
    if _are_short(alike):
        return SHORT
    if _are_no_more_than_alike(alike, is_test=apart == TESTS):
        return ALIKE
    return apart or CODE


def is_of_tests(columns: GraphColumns, roles: CodeRoles, node: int) -> bool:
    """Whether something is a test, is in one, or is a helper in the same file."""
    path = columns.path(node)
    if _DATA.search(path):
        return False
    if roles.is_test(node):
        return True
    return any(columns.label(one) == "Function" and roles.is_test(one) for one in around(columns, node))


def _place(columns: GraphColumns, nodes: Sequence[int], tests: int) -> str:
    """TESTS or EXAMPLES where most copies are there, empty for the product's own code."""
    paths = [columns.path(node) for node in nodes]
    data = sum(bool(_DATA.search(path)) for path in paths)
    examples = sum(bool(_EXAMPLE.search(_PACKAGES.sub("/", path))) for path in paths)
    if len(nodes) - data < 2:
        return EXAMPLES  # a copy in test data is never called
    if (tests + examples) * 2 <= len(nodes):
        return ""
    return TESTS if tests >= examples else EXAMPLES


def _are_short(alike: Likeness) -> bool:
    """Whether there is too little to share. One call on many lines is one statement."""
    least = alike.least
    if least.statements <= 1 and not (alike.clone_type == EXACT and least.tokens >= SHORT_TOKENS):
        return True
    few_tokens, few_lines = least.tokens < SHORT_TOKENS, least.lines < SHORT_LINES
    return few_tokens and few_lines if alike.clone_type == EXACT else few_tokens or few_lines


def _are_no_more_than_alike(alike: Likeness, *, is_test: bool) -> bool:
    if alike.clone_type == EXACT:
        return False
    is_straight = not alike.least.decides
    if is_straight and not is_test and alike.least.lines < STRAIGHT_LINES:
        return True
    if alike.clone_type == EDITED:
        least = NEARLY if is_test else MOSTLY
        return alike.similarity < (STRAIGHT if is_straight else least)
    # Within a function, repeated calls that differ only in names are a table.
    return alike.scope == FRAGMENT and is_straight


def _longest(columns: GraphColumns, nodes: Sequence[int]) -> int:
    return max(int(columns.end_line[node]) - int(columns.start_line[node]) + 1 for node in nodes)


def _are_prescribed(columns: GraphColumns, nodes: Sequence[int], alike: Likeness) -> bool:
    """Whether these are methods that each class must have, and too short or too different to share: one per class,
    required by a common supertype or by the language, or methods that only share a shape."""
    is_edited = alike.clone_type == EDITED
    longest = _longest(columns, nodes)
    if longest > (_EDITED_METHOD if is_edited else _SHORT_METHOD):
        return False
    names = {columns.name(node) for node in nodes}
    if len(names) > 1 and not (is_edited and alike.similarity < LOOSE):
        return False
    types: Counter[int] = Counter()
    classes = set()
    for node in nodes:
        inside = around(columns, node)
        if inside and columns.label(inside[0]) == "Class":
            classes.add(inside[0])
            types.update(supertypes(columns, inside[0], _TYPES))
    if len(classes) < 2:
        return False
    if len(names) == 1 and len(classes) == len(nodes) and _MANDATED.fullmatch(min(names)):
        return is_edited or longest <= _SHORT_METHOD
    return max(types.values(), default=0) >= _MOST * len(nodes)


def _are_twins(columns: GraphColumns, nodes: Sequence[int]) -> bool:
    """Whether half of these are the other half with `async` added to the function or to the name of the class."""
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
    """A function's qualified name as both twins have it: `AsyncClient.aread`, `Client.read` → client.read."""
    plain = (_SYNC_WORD.sub("", _ASYNC_WORD.sub("", part)) for part in _names(columns, node))
    return ".".join(part.replace("_", "") for part in plain)


def _names(columns: GraphColumns, node: int) -> list[str]:
    """The names of a function and of its containers, in lower case."""
    return columns.id(node).rpartition("::")[2].lower().split(".")[-2:]
