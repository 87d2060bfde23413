"""Calls with unknown targets: a work list, by the reason."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import closing
from typing import Final

import msgspec

from loregraph.graph.generation import StoreFolder
from loregraph.indexer.build.kept_resolution import KeptFile, read_kept

REASONS: Final[dict[str, str]] = {
    "untyped-parameter": "begins at a parameter without a type, and no call that hands it something is known",
    "parameter-of-unknown-type": "begins at a parameter whose type is not of the project",
    "outside-without-types": "begins at what something outside the project gives",
    "result-not-known": "begins at what a function of the project gives, and it is not known what that is",
    "untyped-field": "a member of the object itself that nothing known is stored in",
    "unknown-member": "what it is called on is known and has no such member",
    "computed": "an element under a key that is not written out, or of what nobody knows the contents of",
    "macro": "a macro that the project does not define",
    "import-not-found": "begins at an import of what is not in the project, or that has no such name",
    "unknown-name": "nothing of that name is in sight",
    "no-project-target": "it is known what it is, and that runs no code that the graph has",
    "unknown-value": "anything else: what literals, operators and the language itself give",
}
"""Every reason that resolution gives, and its meaning."""


class Example(msgspec.Struct, frozen=True):
    """The location of a call without a target."""

    file_path: str
    line: int


class Reason(msgspec.Struct, frozen=True):
    """The calls of a project with the same reason: how many, in how many files, and some examples."""

    reason: str
    meaning: str
    calls: int
    files: int
    examples: tuple[Example, ...]


def kept_reasons(store: StoreFolder, paths: Iterable[str], limit: int) -> list[Reason] | None:
    """The reasons stored for the files `paths`, in the form of `by_reason`; None where `store` has none."""
    state = store.open_state()
    if state is None:
        return None
    with closing(state):
        kept = read_kept(state)
    return None if kept is None else by_reason({path: kept[path] for path in paths if path in kept}, limit)


# Implements REQ-CLI-007, REQ-RES-011.
def by_reason(kept: Mapping[str, KeptFile], limit: int) -> list[Reason]:
    """The reasons, most frequent first, each with up to `limit` examples: from the files that have most of them, one
    per file before a second of any."""
    found: list[Reason] = []
    for reason, meaning in REASONS.items():
        counts = {path: own.unresolved[reason] for path, own in kept.items() if reason in own.unresolved}
        if not counts:
            continue
        ordered = sorted(counts, key=lambda path: (-counts[path], path))
        places = [
            Example(path, kept[path].examples[reason][place])
            for place in range(limit)
            for path in ordered[:limit]
            if place < len(kept[path].examples.get(reason, ()))
        ]
        found.append(Reason(reason, meaning, sum(counts.values()), len(counts), tuple(places[:limit])))
    return sorted(found, key=lambda one: (-one.calls, one.reason))
