"""Code of one repository that implements requirements of another: markers that name a requirement which their own
repository does not define, where exactly one other defines it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from loregraph.graph.columns import GraphColumns
from loregraph.graph.joined_columns import prefix_of
from loregraph.graph.model import Edge

CONFIDENCE: Final = 0.9
"""A marker that says what it is for counts 1.0 in its own repository; ids are less unique among several."""
LINES_ABOVE: Final = 5
"""A marker belongs to a definition that begins at most so many lines below, in the same container."""
_CODE: Final = ("Class", "Function")


# Implements REQ-WSP-009.
def implementing(members: Mapping[str, GraphColumns]) -> Iterator[Edge]:
    """IMPLEMENTS_REQ edges from the code of one repository to the requirements of another."""
    defined: dict[str, list[tuple[str, str]]] = {}
    for name, columns in members.items():
        for node in columns.nodes("Requirement").tolist():
            defined.setdefault(columns.name(node), []).append((name, columns.id(node)))
    if not defined:
        return
    seen = set()
    for name, columns in members.items():
        for file in columns.nodes("File").tolist():
            for marker in columns.own(file, "orphan_markers") or ():
                line, _, identity = marker.partition(": ")
                owners = defined.get(identity, ())
                if len(owners) != 1 or owners[0][0] == name or not line.isdigit():
                    continue
                source = prefix_of(name) + columns.id(marked(columns, file, int(line)))
                target = prefix_of(owners[0][0]) + owners[0][1]
                if (source, target) not in seen:
                    seen.add((source, target))
                    evidence = f"{prefix_of(name)}{columns.id(file)}:{line}"
                    yield Edge("IMPLEMENTS_REQ", source, target, confidence=CONFIDENCE, how="marker", evidence=evidence)


def marked(columns: GraphColumns, file: int, line: int) -> int:
    """The definition that a marker in a line is about: the next one where it stands right above, else the innermost
    around it, else the file."""
    around = file
    while True:
        inner = [
            node for node in columns.target[columns.out(around, "CONTAINS")].tolist() if columns.label(node) in _CODE
        ]
        within = [node for node in inner if columns.start_line[node] <= line <= columns.end_line[node]]
        if not within:
            break
        around = within[0]
    below = [node for node in inner if line < columns.start_line[node] <= line + LINES_ABOVE]
    return min(below, key=lambda node: int(columns.start_line[node]), default=around)
