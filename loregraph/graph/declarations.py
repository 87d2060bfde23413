"""What a project declares about its requirements at one time: a revision, or now."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from loregraph.graph.model import Edge, Requirement


class Declarations(Struct, frozen=True):
    """`requirements` by id; `links` are declared IMPLEMENTS_REQ and SATISFIES edges, one of a kind for two ends.

    `hashes` are of the content of the linked code and designs by id, absent where it is unknown; `tests` are the ids
    of linked code that is a test. `left_out` is the number of files that were not read because there were too many.
    """

    requirements: Mapping[str, Requirement]
    links: tuple[Edge, ...] = ()
    hashes: Mapping[str, str] = {}
    tests: frozenset[str] = frozenset()
    left_out: int = 0
