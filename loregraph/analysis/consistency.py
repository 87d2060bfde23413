"""What most of a component does, and what in it does otherwise.

Each rule learns from the component itself, from the project where that is too small, and keeps still where there is no
clear habit. It knows no language: a habit is whatever the graph shows.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Final

import msgspec

from loregraph.analysis.places import ends, locate, within
from loregraph.errors import UsageError
from loregraph.graph.columns import GraphColumns

FEWEST: Final = 5
"""Members from which a component can have habits of its own."""
CLEAR: Final = 0.8
"""What part of the members has to do the same for it to be a habit."""
EXAMPLES: Final = 3
TALL: Final = 3
"""How many times as complex as most a function is that stands out."""
COMPLEX: Final = 15
WEIGHT: Final = {"high": 1.0, "medium": 0.6, "low": 0.3}

_STYLES: Final = (
    ("snake_case", re.compile(r"_*[a-z0-9]+(_[a-z0-9]+)+_*")),
    ("camelCase", re.compile(r"_*[a-z]+[a-z0-9]*([A-Z][a-z0-9]*)+")),
    ("PascalCase", re.compile(r"_*([A-Z][a-z0-9]+)+([A-Z]*)")),
)


class Habit(msgspec.Struct, frozen=True):
    """What most members do, with ids of some that do."""

    name: str
    examples: tuple[str, ...]


class Deviation(msgspec.Struct, frozen=True):
    """A member that does otherwise."""

    rule: str
    expected: str
    actual: str
    severity: str
    file_path: str
    start_line: int
    evidence: tuple[str, ...]


class Consistency(msgspec.Struct, frozen=True):
    """`score` is 1 where nothing deviates; `habits` are what was learned, by rule."""

    component: str
    habits: dict[str, Habit]
    score: float
    deviations: tuple[Deviation, ...]
    checked: int


Found = tuple[Habit | None, list[Deviation], int]
Rule = Callable[[GraphColumns, Sequence[int], Sequence[int]], Found]


def check(columns: GraphColumns, component: str, rules: Iterable[str] = ()) -> Consistency:
    """The consistency of `component` (see `places.locate`) under `rules`, all if none is named.

    Raises UsageError for a rule that is unknown, NotFoundError and AmbiguousSymbolError for the component.
    """
    chosen = tuple(rules) or tuple(RULES)
    if unknown := [rule for rule in chosen if rule not in RULES]:
        raise UsageError(f"rules: there is no rule {unknown[0]!r}", f"there are {', '.join(RULES)}")
    node = locate(columns, component)
    members = [member for member in within(columns, node) if columns.label(member) in ("Function", "Class")]
    habits: dict[str, Habit] = {}
    deviations: list[Deviation] = []
    checked = 0
    for rule in chosen:
        habit, found, count = RULES[rule](columns, members, peers_of(columns, node, members))
        checked += count
        if habit is not None:
            habits[rule] = habit
        deviations += found
    deviations.sort(key=lambda d: (-WEIGHT[d.severity], d.file_path, d.start_line, d.rule))
    lost = sum(WEIGHT[deviation.severity] for deviation in deviations)
    score = round(max(0.0, 1 - lost / checked), 3) if checked else 1.0
    return Consistency(columns.id(node), habits, score, tuple(deviations), checked)


def peers_of(columns: GraphColumns, node: int, members: Sequence[int]) -> Sequence[int]:
    """What habits are learned from: the members, or all of the project in their language where they are too few."""
    if len(members) >= 2 * FEWEST:
        return members
    language = columns.language(members[0]) if members else columns.language(node)
    all_of = columns.nodes(language=language).tolist()
    return [other for other in all_of if columns.label(other) in ("Function", "Class")]


def naming(columns: GraphColumns, members: Sequence[int], peers: Sequence[int]) -> Found:
    """Names are written the way most of their kind are."""
    habits: list[Habit] = []
    deviations: list[Deviation] = []
    checked = 0
    for label in ("Function", "Class"):
        styled = [
            (peer, style) for peer in peers if columns.label(peer) == label and (style := style_of(columns.name(peer)))
        ]
        common = most(style for _, style in styled)
        if common is None:
            continue
        examples = tuple(columns.id(peer) for peer, style in styled if style == common)[:EXAMPLES]
        habits.append(Habit(f"{label.lower()} names in {common}", examples))
        for member in members:
            style = style_of(columns.name(member)) if columns.label(member) == label else ""
            checked += bool(style)
            if style and style != common:
                share = f"{sum(s == common for _, s in styled)} of {len(styled)} {label.lower()} names are in {common}"
                deviations.append(
                    deviation(
                        columns, member, "naming", common, f"{columns.name(member)} ({style})", "low", share, examples
                    )
                )
    return joined(habits), deviations, checked


def documentation(columns: GraphColumns, members: Sequence[int], peers: Sequence[int]) -> Found:
    """Public definitions are documented where most are."""
    public = [peer for peer in peers if is_public(columns, peer)]
    documented = [peer for peer in public if columns.docstring(peer)]
    if len(public) < FEWEST or len(documented) < CLEAR * len(public):
        return None, [], 0
    examples = tuple(columns.id(peer) for peer in documented[:EXAMPLES])
    own = [member for member in members if is_public(columns, member)]
    share = f"{len(documented)} of {len(public)} public definitions are documented"
    found = [
        deviation(columns, member, "documentation", "a docstring", "none", "low", share, examples)
        for member in own
        if not columns.docstring(member)
    ]
    return Habit("public definitions are documented", examples), found, len(own)


def inheritance(columns: GraphColumns, members: Sequence[int], peers: Sequence[int]) -> Found:
    """Classes derive from what most classes here derive from."""
    classes = [member for member in members if columns.label(member) == "Class"]
    bases = {
        one: set(ends(columns, [one], "EXTENDS", outward=True) + ends(columns, [one], "IMPLEMENTS", outward=True))
        for one in classes
    }
    counted = Counter(base for found in bases.values() for base in found)
    if len(classes) < FEWEST or not counted:
        return None, [], 0
    base, number = min(counted.items(), key=lambda item: (-item[1], item[0]))
    candidates = [one for one in classes if one != base]
    if number < CLEAR * len(candidates):
        return None, [], 0
    examples = tuple(columns.id(one) for one in candidates if base in bases[one])[:EXAMPLES]
    share = f"{number} of {len(candidates)} classes derive from {columns.id(base)}"
    found = [
        deviation(columns, one, "inheritance", columns.id(base), "another or no base", "medium", share, examples)
        for one in candidates
        if base not in bases[one]
    ]
    return Habit(f"classes derive from {columns.name(base)}", examples), found, len(candidates)


def tests(columns: GraphColumns, members: Sequence[int], peers: Sequence[int]) -> Found:
    """Public functions are tested where most are."""
    public = [peer for peer in peers if is_public(columns, peer) and columns.label(peer) == "Function"]
    tested = [peer for peer in public if is_tested(columns, peer)]
    if len(public) < FEWEST or len(tested) < CLEAR * len(public):
        return None, [], 0
    examples = tuple(columns.id(peer) for peer in tested[:EXAMPLES])
    own = [member for member in members if is_public(columns, member) and columns.label(member) == "Function"]
    share = f"{len(tested)} of {len(public)} public functions are tested"
    found = [
        deviation(columns, member, "tests", "a test that calls it", "none is known", "medium", share, examples)
        for member in own
        if not is_tested(columns, member)
    ]
    return Habit("public functions are tested", examples), found, len(own)


def complexity(columns: GraphColumns, members: Sequence[int], peers: Sequence[int]) -> Found:
    """No function is many times as complex as most."""
    values = sorted(int(columns.own(peer, "complexity") or 1) for peer in peers if columns.label(peer) == "Function")
    own = [member for member in members if columns.label(member) == "Function"]
    if len(values) < FEWEST:
        return None, [], 0
    usual = values[int(0.9 * (len(values) - 1))]
    most_allowed = max(COMPLEX, TALL * usual)
    found = [
        deviation(
            columns,
            member,
            "complexity",
            f"at most {most_allowed} branches",
            f"{value} branches",
            "medium",
            f"nine of ten functions here have at most {usual}",
            (),
        )
        for member in own
        if (value := int(columns.own(member, "complexity") or 1)) > most_allowed
    ]
    return Habit(f"nine of ten functions have at most {usual} branches", ()), found, len(own)


RULES: Final[dict[str, Rule]] = {
    "naming": naming,
    "documentation": documentation,
    "inheritance": inheritance,
    "tests": tests,
    "complexity": complexity,
}


def style_of(name: str) -> str:
    """How a name is written, "" where it could be any way (one word) or is the language's own."""
    if name.startswith("__") or not name.isidentifier():
        return ""
    return next((style for style, pattern in _STYLES if pattern.fullmatch(name)), "")


def most(values: Iterable[str]) -> str | None:
    """What nearly all of `values` are, None where there is no such thing."""
    counted = Counter(values)
    if counted.total() < FEWEST:
        return None
    value, number = min(counted.items(), key=lambda item: (-item[1], item[0]))
    return value if number >= CLEAR * counted.total() else None


def is_public(columns: GraphColumns, node: int) -> bool:
    name = columns.name(node)
    return name[:1].isalpha() and not columns.own(node, "is_test") and "test" not in columns.path(node).lower()


def is_tested(columns: GraphColumns, node: int) -> bool:
    return bool(len(columns.into(node, "TESTS")))


def joined(habits: Sequence[Habit]) -> Habit | None:
    if not habits:
        return None
    examples = tuple(example for habit in habits for example in habit.examples)
    return Habit("; ".join(habit.name for habit in habits), examples[:EXAMPLES])


def deviation(
    columns: GraphColumns,
    node: int,
    rule: str,
    expected: str,
    actual: str,
    severity: str,
    share: str,
    examples: Sequence[str],
) -> Deviation:
    evidence = (columns.id(node), share, *(f"as in {example}" for example in examples))
    return Deviation(rule, expected, actual, severity, columns.path(node), int(columns.start_line[node]), evidence)
