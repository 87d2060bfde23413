"""What boxes of the map depend on: what their code names, counted between the boxes that stand side by side."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from loregraph.graph.columns import GraphColumns
from loregraph.indexer.languages import registry
from loregraph.indexer.languages.policies import policy_of
from loregraph.pages.project_map.boxes import ROOT, Boxes, Ints

Pair = tuple[int, int]
"""What depends, and on what, by number of the box."""

_LOADED: Final = registry.where(lambda language: language.loads_files_in_turn)
"""Languages whose files say which others they need. Elsewhere the files of a package see one another unsaid, and what
they name of each other makes the dependency."""
_NAMED: Final = {
    "CALLS": ("import", "reexport", "constructor", "package", "include", "macro"),
    "REFERENCES": ("declared-type",),
}
"""Ways in which code names what it calls or refers to. A method of a value, or a function that was passed along, makes
nobody depend on the file it stands in: a registry would depend on all that is registered."""


@dataclass(frozen=True)
class Dependencies:
    """`levels`: box → pairs of boxes directly in it → number of uses: how often the first names something of the
    second, as DEPENDS_ON counts it. Every dependency between two files counts in one box, the innermost around both.
    `product` are those pairs that can make a cycle that anybody has to mend: code other than tests makes them, and
    where files are compiled together they are no files, which may need each other as they like.

    `sources` and `targets` are the boxes of the edges of the graph that make them, `edges` their numbers there and
    `counts` the places of each.
    """

    levels: Mapping[int, Mapping[Pair, int]]
    product: Mapping[int, Collection[Pair]]
    sources: Ints
    targets: Ints
    edges: npt.NDArray[np.int32]
    counts: Ints

    def between(self, boxes: Boxes, source: int, target: int) -> npt.NDArray[np.int32]:
        """The edges of the graph from what is in `source` to what is in `target`, ascending."""
        found: npt.NDArray[np.int32] = self.edges[
            (self.sources >= source)
            & (self.sources < boxes.ends[source])
            & (self.targets >= target)
            & (self.targets < boxes.ends[target])
        ]
        return found

    def among(self, boxes: Boxes, shown: Iterable[int]) -> dict[Pair, int]:
        """The number of dependencies between each two of `shown`, wherever they stand; each dependency counts for the
        innermost of them that holds its ends."""
        owner = np.full(len(boxes.paths), -1, np.int64)
        for box in sorted(shown):  # what is inside comes later
            owner[box : boxes.ends[box]] = box
        sources, targets = owner[self.sources], owner[self.targets]
        kept = (sources >= 0) & (targets >= 0) & (sources != targets)
        found = _counted(sources[kept], targets[kept], self.counts[kept], len(boxes.paths))
        return {pair: n for pair, n in found.items() if not _nested(boxes, pair)}


def dependencies_of(columns: GraphColumns, boxes: Boxes) -> Dependencies:
    """The dependencies between the boxes of a graph."""
    edges = np.sort(np.concatenate([columns.edges("IMPORTS"), *_named(columns)]))
    sources, targets = boxes.of_node[columns.source[edges]], boxes.of_node[columns.target[edges]]
    kept = (sources >= 0) & (targets >= 0) & (sources != targets)
    edges, sources, targets = edges[kept], sources[kept], targets[kept]
    levels: dict[int, dict[Pair, int]] = {}
    product: dict[int, set[Pair]] = {}
    is_test = _of_tests(columns, boxes)
    counts = columns.count[edges].astype(np.int64)
    for (source, target), count in _counted(sources, targets, counts, len(boxes.paths)).items():
        around, one, other = side_by_side(boxes, source, target)
        if one != other:
            level = levels.setdefault(around, {})
            level[one, other] = level.get((one, other), 0) + count
            loaded = columns.language(boxes.nodes[source]) in _LOADED
            among_files = boxes.is_file[one] or boxes.is_file[other]
            if not (is_test[source] or is_test[target] or (among_files and not loaded)):
                product.setdefault(around, set()).add((one, other))
    return Dependencies(levels, product, sources, targets, edges, counts)


def _of_tests(columns: GraphColumns, boxes: Boxes) -> list[bool]:
    """Of each box whether it is a file of tests, by its path, or a folder of them."""
    return [
        registry.is_test_path(path, columns.language(node)) if is_file else registry.is_test_path(f"{path}/")
        for path, node, is_file in zip(boxes.paths, boxes.nodes, boxes.is_file, strict=True)
    ]


def _named(columns: GraphColumns) -> Iterator[npt.NDArray[np.int32]]:
    """The edges by which code names other code, of languages that need no import for it."""
    unsaid = np.array([language not in _LOADED for language in columns.languages.values], np.bool_)
    # There a type implements what it never names.
    structural = np.array([policy_of(language).members.structural for language in columns.languages.values], np.bool_)
    for rel in ("CALLS", "REFERENCES", "EXTENDS", "IMPLEMENTS"):
        edges = columns.edges(rel)
        if rel in _NAMED:
            ways = [code for code, how in enumerate(columns.hows.values) if how in _NAMED[rel]]
            edges = edges[np.isin(columns.hows.codes[edges], ways)]
        said = unsaid & ~structural if rel == "IMPLEMENTS" else unsaid
        yield edges[said[columns.languages.codes[columns.source[edges]]]]


def _counted(sources: Ints, targets: Ints, counts: Ints, size: int) -> dict[Pair, int]:
    keys, inverse = np.unique(sources * size + targets, return_inverse=True)
    sums = np.bincount(inverse.ravel(), counts, len(keys)).astype(np.int64)
    return {(key // size, key % size): n for key, n in zip(keys.tolist(), sums.tolist(), strict=True)}


def _nested(boxes: Boxes, pair: Pair) -> bool:
    return boxes.holds(pair[0], pair[1]) or boxes.holds(pair[1], pair[0])


def side_by_side(boxes: Boxes, source: int, target: int) -> tuple[int, int, int]:
    """The box around both, and the two directly in it that hold one each; twice the same where one holds the other."""
    one, other = source, target
    while boxes.depths[one] > boxes.depths[other]:
        one = boxes.parents[one]
    while boxes.depths[other] > boxes.depths[one]:
        other = boxes.parents[other]
    if one == other:
        return ROOT, one, one
    while boxes.parents[one] != boxes.parents[other]:
        one, other = boxes.parents[one], boxes.parents[other]
    return boxes.parents[one], one, other
