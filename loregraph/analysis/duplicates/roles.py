"""What copies are there for: most are worth a look, some are as they are for a reason.

Tests repeat what they set up; examples are read one by one; what an interface, a language or a framework prescribes
looks alike in every class that has it; a library offered with and without `async` has everything twice; a body of a
statement or two has nothing to share; lists of settings are alike in shape, whatever they set. Each has its place apart
from the rest, and of these only tests can fail a build.
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
"""Tokens of a body under which there is too little in it to be shared: the 50 that benchmarks of clones begin with
(Bellon et al. 2007; Svajlenko and Roy 2015; SourcererCC), less a head of ten."""
SHORT_LINES: Final = 5
"""The same in lines: their six, less the head. What is the same to the letter is short only by both."""
MOSTLY: Final = 0.7
"""What edited copies have in common at least to be findings: the default of SourcererCC, and of NiCad, which lets 30
lines of 100 differ. Below it lie copies too, and more that is alike in no more than shape."""
NEARLY: Final = 0.85
"""The same for tests, which are alike by nature."""
STRAIGHT: Final = 0.9
"""The same for code that decides nothing: settings, forms and tables are lists of calls, alike whatever they set."""
STRAIGHT_LINES: Final = 10
"""Lines of a body that decides nothing and is no test from which on a renamed or edited copy is a finding: NiCad's."""
_FIXTURES: Final = (
    r"(^|/)(testdata|test[-_]?data|[fF]ixtures?|__fixtures__|snapshots?|__snapshots__"
    r"|[tT]ests?/(data|resources|cases))/"
)
_EXAMPLE: Final = re.compile(
    r"(^|/)_?(examples?|samples?|demos?|tutorials?|docs?_src|playgrounds?|benches|benchmarks?)/|" + _FIXTURES
)
_DATA: Final = re.compile(_FIXTURES)
_PACKAGES: Final = re.compile(r"(^|/)src/\w+/(java|kotlin|scala|groovy)/.*")
"""Below these, folders are names of packages: `org.springframework.samples` is no folder of samples."""
_SHORT_METHOD: Final = 8
"""Lines up to which a method that an interface prescribes has nothing in it that could be shared."""
_EDITED_METHOD: Final = 20
"""The same for methods that are alike only in part."""
_MOST: Final = 0.8
"""Part of the methods whose classes have a type in common: the graph does not know every type of every class."""
_MANDATED: Final = re.compile(
    r"__\w+__|equals?|hashCode|hash|toString|to_s|inspect|compareTo|compare|clone|copy|"
    r"Equals?|GetHashCode|ToString|CompareTo|String|Clone|"
    r"fmt|eq|cmp|partial_cmp|deref|deref_mut|drop|from|into|as_ref|next|size_hint|poll|default"
)
"""Methods that a language itself asks of a class."""
_ASYNC: Final = frozenset({"async", "suspend"})
_ASYNC_WORD: Final = re.compile(r"async|^_*a(?=(?:read|iter|close|enter|exit|open|next|send|sync)(?:_|$))")
_SYNC_WORD: Final = re.compile(r"(?<![a-z])sync")
_TYPES: Final = ("EXTENDS", "IMPLEMENTS")


class Likeness(NamedTuple):
    """How the members of a family are alike: the least alike two of them, and what the least of them has in it."""

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
    """Whether something is a test, stands in one, or helps those of its file."""
    path = columns.path(node)
    if _DATA.search(path):
        return False
    if roles.is_test(node):
        return True
    return any(columns.label(one) == "Function" and roles.is_test(one) for one in around(columns, node))


def _place(columns: GraphColumns, nodes: Sequence[int], tests: int) -> str:
    """TESTS or EXAMPLES where most copies stand there, empty where they stand in the product's own code."""
    paths = [columns.path(node) for node in nodes]
    data = sum(bool(_DATA.search(path)) for path in paths)
    examples = sum(bool(_EXAMPLE.search(_PACKAGES.sub("/", path))) for path in paths)
    if len(nodes) - data < 2:
        return EXAMPLES  # a copy in the data of tests is none that anybody calls
    if (tests + examples) * 2 <= len(nodes):
        return ""
    return TESTS if tests >= examples else EXAMPLES


def _are_short(alike: Likeness) -> bool:
    """Whether there is too little in these to be shared. One call on many lines is one statement."""
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
    # Within a function, where a call follows another of the same, a run that differs in names is a table.
    return alike.scope == FRAGMENT and is_straight


def _longest(columns: GraphColumns, nodes: Sequence[int]) -> int:
    return max(int(columns.end_line[node]) - int(columns.start_line[node]) + 1 for node in nodes)


def _are_prescribed(columns: GraphColumns, nodes: Sequence[int], alike: Likeness) -> bool:
    """Whether these are methods that each class has to have, and too short or too unlike to be shared: one method of
    each class, which a type that they have in common or the language asks for, or methods no more than alike in shape.
    """
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
    plain = (_SYNC_WORD.sub("", _ASYNC_WORD.sub("", part)) for part in _names(columns, node))
    return ".".join(part.replace("_", "") for part in plain)


def _names(columns: GraphColumns, node: int) -> list[str]:
    """The names of a function and of what it stands in, in lower case."""
    return columns.id(node).rpartition("::")[2].lower().split(".")[-2:]
