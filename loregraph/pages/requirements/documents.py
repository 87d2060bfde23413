"""Documents as a tree: sections in sections, with their requirements."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from loregraph.analysis.tracing.places import Path, Place, Places
from loregraph.analysis.tracing.traces import RequirementTrace
from loregraph.pages.requirements import shown
from loregraph.pages.requirements.matrix import in_order, section_option, title_of
from loregraph.pages.requirements.shown import Badge

MOST_LEAVES: Final = 400
"""Requirements listed in the tree; beyond that many the tree has documents and sections only."""
FEW_LEAVES: Final = 60
MOST_NODES: Final = 800
"""Documents and sections in the tree."""


class Leaf(NamedTuple):
    """A requirement in the tree."""

    id: str
    title: str
    state: Badge


@dataclass
class Branch:
    """A document or a section. `missing` of its `count` requirements count and have no code or no test; `option` is
    its section in an address."""

    title: str
    document: str
    option: str = ""
    count: int = 0
    missing: int = 0
    branches: list[Branch] = field(default_factory=list)
    leaves: list[Leaf] = field(default_factory=list)


class Tree(NamedTuple):
    """`left_out` is the number of sections beyond the limit; `has_leaves`: requirements are in it; `is_small`: they are
    few enough to be printed on every page, not only of the document that is shown."""

    documents: tuple[Branch, ...]
    left_out: int
    has_leaves: bool
    is_small: bool


def tree(traces: Sequence[RequirementTrace], places: Places) -> Tree:
    """Documents by path, sections and requirements in the order of the document."""
    documents: dict[str, Branch] = {}
    branches: dict[tuple[str, Path], Branch] = {}
    left_out: set[tuple[str, Path]] = set()
    has_leaves = len(traces) <= MOST_LEAVES
    for one in in_order(traces, places):
        place = places.get(one.id) or Place(one.path, "", (), (one.line,))
        if place.document not in documents:
            documents[place.document] = Branch(shown.clipped(title_of(place), shown.MOST_NAME), place.document)
        branch = documents[place.document]
        lacks = one.counted and not (one.implemented and one.tested)
        branch.count += 1
        branch.missing += lacks
        for depth in range(1, len(place.section) + 1):
            key = place.document, place.section[:depth]
            if key not in branches:
                if len(branches) >= MOST_NODES:
                    left_out.add(key)
                    break
                title = shown.clipped(place.section[depth - 1], shown.MOST_NAME)
                branches[key] = Branch(title, place.document, section_option(key[1]))
                branch.branches.append(branches[key])
            branch = branches[key]
            branch.count += 1
            branch.missing += lacks
        if has_leaves:
            branch.leaves.append(Leaf(one.id, shown.clipped(one.title, shown.MOST_NAME), shown.state_of(one)))
    return Tree(
        tuple(documents[name] for name in sorted(documents)), len(left_out), has_leaves, len(traces) <= FEW_LEAVES
    )


class Passage(NamedTuple):
    """A requirement within a document that is read, and the headings that open before it, outermost first, with their
    levels from 2."""

    headings: tuple[tuple[int, str], ...]
    one: RequirementTrace


def passages(traces: Sequence[RequirementTrace], places: Places, before: Path = ()) -> list[Passage]:
    """Requirements of one document in its order. `before` is the section that is open already."""
    found = []
    for one in in_order(traces, places):
        place = places.get(one.id)
        section = place.section if place is not None else ()
        same = 0
        while same < min(len(section), len(before)) and section[same] == before[same]:
            same += 1
        opened = tuple((min(depth + 2, 6), section[depth]) for depth in range(same, len(section)))
        found.append(Passage(opened, one))
        before = section
    return found
