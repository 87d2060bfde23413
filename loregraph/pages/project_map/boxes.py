"""The tree of a project's folders, components and files, with their sizes: what the boxes of the map stand for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from loregraph.graph.columns import GraphColumns
from loregraph.graph.model import LABELS

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

ROOT: Final = 0
"""The number of the box of the whole project."""
FILE, FUNCTION, CLASS, COMPONENT = (LABELS.index(label) for label in ("File", "Function", "Class", "Component"))


@dataclass(frozen=True)
class Boxes:
    """Boxes are numbered in depth-first order, siblings by path, so that what is inside a box has the numbers behind
    its own, up to `ends`. Folders that hold nothing but one folder are one box with it.

    `paths` are relative to the root, "" for the root; `nodes` are numbers in the graph of the component or file, -1 for
    a plain folder. `of_node` is the box of each node of the graph: its file's, a component's own; -1 for others.
    """

    paths: list[str]
    parents: list[int]
    depths: list[int]
    ends: list[int]
    children: list[list[int]]
    nodes: list[int]
    is_file: list[bool]
    of_node: Ints
    by_path: dict[str, int]
    lines: Ints
    files: Ints
    symbols: Ints

    def name(self, box: int) -> str:
        """The path below the box around it."""
        around = self.paths[self.parents[box]] if box else ""
        return self.paths[box][len(around) + 1 if around else 0 :]

    def holds(self, box: int, other: int) -> bool:
        """Whether `other` is `box` or inside it."""
        return box <= other < self.ends[box]

    def around(self, box: int) -> list[int]:
        """The boxes around `box`, nearest first, without the root."""
        found = []
        while (box := self.parents[box]) > ROOT:
            found.append(box)
        return found


def boxes_of(columns: GraphColumns) -> Boxes:
    """The boxes of a graph's files and components; only the root where there are none."""
    files = columns.nodes("File")
    components = columns.nodes("Component")
    node_of = {_path(columns, node): node for node in components.tolist()}
    is_file = {columns.path(node): node for node in files.tolist()}
    inner: dict[str, set[str]] = {"": set()}
    for path in (*is_file, *(path for path in node_of if path)):
        _add(inner, path)
    paths: list[str] = []
    parents: list[int] = []
    depths: list[int] = []
    children: list[list[int]] = []
    nodes: list[int] = []
    waiting = [("", -1, 0)]
    while waiting:
        path, parent, depth = waiting.pop()
        here = len(paths)
        paths.append(path)
        parents.append(max(parent, 0))
        depths.append(depth)
        children.append([])
        nodes.append(is_file.get(path, node_of.get(path, -1)))
        if parent >= 0:
            children[parent].append(here)
        below = sorted(_without_chains(inner, node_of, one) for one in inner.get(path, ()))
        waiting.extend((one, here, depth + 1) for one in reversed(below))
    ends = [0] * len(paths)
    for box in range(len(paths) - 1, -1, -1):
        ends[box] = ends[children[box][-1]] if children[box] else box + 1
    by_path = {path: box for box, path in enumerate(paths)}
    of_node = _boxes_of_nodes(columns, by_path)
    count = len(paths)
    lines = np.bincount(of_node[files], np.asarray(columns.column("File", "lines")[0]), count)
    own_files = np.bincount(of_node[files], minlength=count)
    symbols = np.bincount(of_node[columns.symbols()], minlength=count)
    sums = [held(values, ends).astype(np.int64) for values in (lines, own_files, symbols)]
    kinds = [path in is_file for path in paths]
    return Boxes(paths, parents, depths, ends, children, nodes, kinds, of_node, by_path, *sums)


def held(values: Floats | Ints, ends: Sequence[int]) -> Floats:
    """The sum of `values`, by box, over what each box holds; `ends` as in `Boxes`."""
    sums = np.concatenate(([0.0], np.cumsum(values)))
    total: Floats = sums[np.array(ends)] - sums[: len(ends)]
    return total


def _path(columns: GraphColumns, component: int) -> str:
    path = columns.path(component)
    return "" if path == "." else path


def _add(inner: dict[str, set[str]], path: str) -> None:
    """Adds a path and the folders around it; `inner` are the paths directly in each folder."""
    while path:
        folder = path.rpartition("/")[0]
        known = inner.get(folder)
        if known is None:
            inner[folder] = {path}
        else:
            if path in known:
                return
            known.add(path)
        path = folder


def _without_chains(inner: dict[str, set[str]], node_of: dict[str, int], path: str) -> str:
    """The path, or that of the one folder in it, and so on: `src/main/java` is one box. A component stays one."""
    while path not in node_of and len(inner.get(path, ())) == 1:
        (only,) = inner[path]
        if only not in inner:  # a file
            break
        path = only
    return path


def _boxes_of_nodes(columns: GraphColumns, by_path: dict[str, int]) -> Ints:
    """The box of each node: by its path, if it is code or a component."""
    of_path = np.array([by_path.get("" if path == "." else path, -1) for path in columns.paths.values], np.int64)
    labels = np.asarray(columns.labels)
    is_code = (labels == FILE) | (labels == FUNCTION) | (labels == CLASS) | (labels == COMPONENT)
    return np.where(is_code, of_path[columns.paths.codes] if len(of_path) else -1, -1).astype(np.int64)
