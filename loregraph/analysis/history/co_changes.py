"""Functions that were changed together, how often each file and function was changed, and by whom.

Support and confidence are those of association rules (Agrawal and others 1993), as used on the histories of programs by
Zimmermann and others (2004): the commits that changed both, and the share of those that changed the first.
"""

from __future__ import annotations

from collections import Counter
from typing import Final

from loregraph.analysis.history.functions import Changes
from loregraph.graph.columns import GraphColumns
from loregraph.graph.model import Edge
from loregraph.graph.on_demand import CO_CHANGES, Worked

LEAST_SUPPORT: Final = 2
LEAST_CONFIDENCE: Final = 0.1
"""Pairs below these are left out. On three libraries (click, gin, flask) each function keeps two partners instead of
sixteen, of which two to three times as many change with it again; a support of 3 halves what is found for precision
(`benchmarks/co_changes.py --thresholds`)."""
MOST_AUTHORS: Final = 5
_MOST_NAME: Final = 60


# Implements REQ-HIS-003.
def co_changes(columns: GraphColumns, changes: Changes) -> list[Edge]:
    """The CO_CHANGES edges: one in each direction whose confidence suffices."""
    commits: Counter[int] = Counter()
    pairs: Counter[tuple[int, int]] = Counter()
    for change in changes.commits:
        commits.update(change.functions)
        pairs.update((one, other) for at, one in enumerate(change.functions) for other in change.functions[at + 1 :])
    found = []
    for (one, other), support in sorted(pairs.items()):
        if support < LEAST_SUPPORT:
            continue
        for source, target in ((one, other), (other, one)):
            confidence = round(support / commits[source], 3)
            if confidence >= LEAST_CONFIDENCE:
                ends = columns.id(source), columns.id(target)
                found.append(Edge(CO_CHANGES, *ends, support=support, confidence=confidence))
    return found


# Implements REQ-HIS-004.
def worked_on(columns: GraphColumns, changes: Changes) -> dict[str, Worked]:
    """How many commits changed each file and function, and who did, by id; those that none changed are left out."""
    return {columns.id(node): worked for node, worked in worked_by_node(changes).items()}


def worked_by_node(changes: Changes) -> dict[int, Worked]:
    """The same by number of the node."""
    commits: Counter[int] = Counter()
    authors: dict[int, dict[str, None]] = {}
    for change in changes.commits:
        name = readable(change.author)
        for node in (*change.functions, *change.files):
            commits[node] += 1
            if name:
                authors.setdefault(node, {})[name] = None
    return {node: Worked(count, tuple(authors.get(node, ()))[:MOST_AUTHORS]) for node, count in commits.items()}


# Implements REQ-HIS-005.
def readable(author: str) -> str:
    """An author's name as it may be printed: a single line without control characters and, where a mail address stands
    for the name, without its domain."""
    plain = "".join(character if character.isprintable() else " " for character in author)
    words = (word.strip("<>").partition("@")[0] for word in plain.split())
    return " ".join(filter(None, words))[:_MOST_NAME]
