"""Recommendations for copies: which one to keep, who calls the others, and how to merge them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from loregraph.analysis.component_lookup import around, ends, supertypes
from loregraph.analysis.duplicates.results import (
    ALIKE,
    EDITED,
    EXAMPLES,
    FILE,
    FRAGMENT,
    LOOSE,
    PRESCRIBED,
    RENAMED,
    SEMANTIC,
    SHORT,
    TESTS,
    TWINS,
)
from loregraph.graph.columns import GraphColumns

_SHOWN: Final = 3


MANY: Final = 6
"""With so many copies whose similarity is below LOOSE, they share a shape rather than code."""


class Kin(NamedTuple):
    """A family: the node to `keep` and the `others`, the lowest similarity of two, their role."""

    keep: int
    others: Sequence[int]
    clone_type: str
    scope: str
    similarity: float
    role: str


class Standing(NamedTuple):
    """How established a function is in its project: criteria in order of importance."""

    is_production: bool
    callers: int
    is_tested: bool
    is_documented: bool
    centrality: int

    def words(self) -> str:
        said = [_count(self.callers, "caller")]
        said += ["tested"] if self.is_tested else []
        said += ["documented"] if self.is_documented else []
        return ", ".join(said)


def standing(columns: GraphColumns, node: int, family: Sequence[int] = ()) -> Standing:
    """`family` do not count as callers."""
    if columns.label(node) != "Function":
        return Standing(True, len(columns.into(node, "IMPORTS")), False, False, 0)
    callers = set(ends(columns, [node], "CALLS", outward=False)) - {node, *family}
    tests = len(columns.into(node, "TESTS"))
    component = next((one for one in around(columns, node) if columns.label(one) == "Component"), None)
    return Standing(
        not columns.own(node, "is_test"),
        len(callers),
        tests > 0,
        bool(columns.docstring(node)),
        0 if component is None else len(columns.into(component, "DEPENDS_ON")),
    )


def one_to_keep(columns: GraphColumns, nodes: Sequence[int]) -> int:
    """The index in `nodes` of the most established one; of equals the first by id."""
    firm = [standing(columns, node, nodes) for node in nodes]
    return min(range(len(nodes)), key=lambda at: (tuple(-int(value) for value in firm[at]), nodes[at]))


def recommendation(columns: GraphColumns, family: Kin) -> str:
    """A recommendation for a family of copies, in sentences."""
    keep, others, clone_type, scope = family.keep, family.others, family.clone_type, family.scope
    nodes = [keep, *others]
    if family.role == TWINS:
        return "One with async, one without: keep them in step, or make one of the other by a script."
    if family.role == SHORT:
        return "A statement or two each: nothing to share but the habit."
    if family.role == ALIKE:
        return (
            "Alike in part or in shape only: see whether a table, or a function for what they share, can stand for it."
        )
    if family.role == PRESCRIBED:
        return "What their types prescribe looks alike: worth a helper only where they change together."
    if family.role == EXAMPLES:
        return "Examples are read one by one: nothing to do unless they are kept in step by hand."
    if scope == FRAGMENT:
        return f"Move the shared lines to a function of their own and call it{_from(columns, nodes)}."
    if scope == FILE:
        return f"Keep {columns.path(keep)} and use it where the others are used."
    if clone_type == SEMANTIC:
        return f"See whether {_name(columns, keep)} can do the work of the other: the code differs."
    if family.role == TESTS:
        if clone_type == EDITED:
            return "Tests: move what they share to a helper or a fixture."
        return "Tests: make one of them with the differing values as parameters."
    if clone_type == EDITED and family.similarity < LOOSE and len(nodes) >= MANY:
        return f"One shape {len(nodes)} times: see whether a table, or one function with parameters, can stand for all."
    if clone_type == EDITED and all(len(columns.out(node, "OVERRIDES")) for node in nodes):
        return "Each overrides another method: move what they share to one function that all of them call."
    said = [f"Keep {_name(columns, keep)} ({standing(columns, keep, nodes).words()})"]
    base = _shared_base(columns, nodes)
    if base is not None:
        said.append(f"in {_name(columns, base)}, which their classes have in common")
    sentences = [" ".join(said) + "."]
    elsewhere = _callers(columns, keep, others)
    move = {
        RENAMED: "make what differs a parameter, and ",
        EDITED: "see which edits are meant, make these parameters, and ",
    }
    first = move.get(clone_type, "")
    if elsewhere:
        sentences.append(_sentence(f"{first}let the callers of the {_others(others)} call it: {elsewhere}"))
    else:
        sentences.append(_sentence(f"{first}take it for the {_others(others)} too: no calls of these are known"))
    return " ".join(sentences)


def _others(others: Sequence[int]) -> str:
    return "other" if len(others) == 1 else f"other {len(others)}"


def _sentence(text: str) -> str:
    return f"{text[0].upper()}{text[1:]}."


def _name(columns: GraphColumns, node: int) -> str:
    return columns.id(node)


def _from(columns: GraphColumns, nodes: Sequence[int]) -> str:
    owners = list(dict.fromkeys(columns.id(node) for node in nodes))
    if len(owners) > _SHOWN:
        return f" from all {len(owners)}"
    return f" from {' and '.join(owners)}"


def _callers(columns: GraphColumns, keep: int, others: Sequence[int]) -> str:
    """The files that call `others`, most calls first."""
    calls: dict[str, int] = {}
    family = {keep, *others}
    for node in others:
        for caller in ends(columns, [node], "CALLS", outward=False):
            if caller not in family:
                calls[columns.path(caller)] = calls.get(columns.path(caller), 0) + 1
    ordered = sorted(calls, key=lambda path: (-calls[path], path))
    if not ordered:
        return ""
    more = f" and {len(ordered) - _SHOWN} more files" if len(ordered) > _SHOWN else ""
    return ", ".join(f"{path} ({calls[path]})" for path in ordered[:_SHOWN]) + more


def _shared_base(columns: GraphColumns, nodes: Sequence[int]) -> int | None:
    """The common base class of the classes of all these methods, where there are two or more classes."""
    classes = []
    for node in nodes:
        inside = around(columns, node)
        if not inside or columns.label(inside[0]) != "Class":
            return None
        classes.append(inside[0])
    if len(set(classes)) < 2:
        return None
    shared = None
    for one in dict.fromkeys(classes):
        bases = [base for base in (one, *supertypes(columns, one, ("EXTENDS",))) if columns.label(base) == "Class"]
        shared = bases if shared is None else [base for base in shared if base in bases]
    return shared[0] if shared else None


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"
