"""Calls that the code seems to make and that no recorded run made."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Final

from msgspec.structs import replace

from loregraph.graph.imported import OBSERVED, Definitions, FileClaims, reasons
from loregraph.graph.model import Edge

SURE: Final = 0.94
"""Confidence from which the target of a call was found by names and declared types, not by following values."""
GUESSED: Final = 0.4
"""Most that an unseen edge below `SURE` has: 17 of 42 read were right (`benchmarks/unseen_calls.py`)."""
ELSEWHERE: Final = 0.5
"""Most that a surer one has where the run saw something else of that name being called in each of its lines: 5 of 10
read were right. Of others 17 of 20 were, and all 10 that are the only target in their line: a branch that no test took
is no sign of a wrong target."""
Watched = Mapping[str, Collection[str]]
"""Key of a source → ids of functions of which it could see every call."""


class Callers:
    """Of the code of one file: how often each function ran, by source, and which lines were seen to call what."""

    def __init__(self, claimed: Iterable[tuple[str, FileClaims]], definitions: Definitions) -> None:
        self._tests: dict[str, dict[str, int]] = {}
        """Function → key of the source → in how many tests it ran."""
        self._called: dict[tuple[str, int], set[str]] = {}
        """(caller, line) → names of what was seen being called there."""
        for key, own in claimed:
            if key.partition(":")[0] != OBSERVED:
                continue
            for ran in own.ran:
                if ran.tests and definitions().get(ran.function, ("", 0))[0] == ran.content_hash:
                    self._tests.setdefault(ran.function, {})[key] = ran.tests
            for claim in own.claims:
                if claim.rel == "CALLS" and claim.source in self._tests:
                    line = claim.line + definitions()[claim.source][1]
                    self._called.setdefault((claim.source, line), set()).add(name_of(claim.target))

    def doubted(self, edges: Iterable[Edge]) -> Iterator[Edge]:
        """The edges that a run could have seen and that none saw, as far as their sources say."""
        for edge in edges:
            if edge.rel == "CALLS" and edge.source in self._tests and OBSERVED not in reasons(edge.how):
                yield edge

    # Implements REQ-RUN-020.
    def marked(self, edges: Sequence[Edge], watched: Watched) -> tuple[Edge, ...]:
        """`edges` with the number of tests in which those that are doubted were not seen."""
        found = {id(edge): self._marked(edge, watched) for edge in self.doubted(edges)}
        return tuple(found.get(id(edge), edge) for edge in edges)

    def _marked(self, edge: Edge, watched: Watched) -> Edge:
        tests = sum(
            count for key, count in self._tests[edge.source].items() if edge.target in watched.get(key, frozenset())
        )
        if not tests:
            return edge
        most = GUESSED if edge.confidence < SURE else ELSEWHERE if self._is_elsewhere(edge) else 1.0
        return replace(edge, unseen=tests, confidence=min(edge.confidence, most))

    def _is_elsewhere(self, edge: Edge) -> bool:
        """Whether something else of the target's name was seen being called in each of the edge's lines."""
        name = name_of(edge.target)
        return all(name in self._called.get((edge.source, line), ()) for line in edge.lines)


def target_file(edge: Edge) -> str:
    """The path of the file with the target of an edge to code."""
    return edge.target.partition("::")[0]


def name_of(identity: str) -> str:
    """The last part of an id of code, without the number that tells definitions of one name apart."""
    return identity.rpartition(".")[2].rpartition("::")[2].partition("#")[0]
