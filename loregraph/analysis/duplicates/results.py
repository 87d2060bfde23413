"""The results of the search for copies: pairs, families, and what was left out."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import msgspec

EXACT: Final = "type-1"
RENAMED: Final = "type-2"
EDITED: Final = "type-3"
SEMANTIC: Final = "type-4"
CLONE_TYPES: Final[dict[str, str]] = {
    EXACT: "the same but for layout and comments",
    RENAMED: "the same but for names and literals, renamed consistently",
    EDITED: "copied and edited",
    SEMANTIC: "other code that may do the same (by meaning, only with --semantic)",
}
"""Types by their names in the literature (Bellon et al. 2007; Roy, Cordy and Koschke 2009), the most certain first."""

CODE, TESTS, TWINS, SHORT = "code", "tests", "twins", "short"
ALIKE, PRESCRIBED, EXAMPLES = "alike", "prescribed", "examples"
ROLES: Final[dict[str, str]] = {
    CODE: "code",
    TESTS: "in tests",
    TWINS: "of twins with and without async",
    ALIKE: "of code that is alike in part or in shape only",
    SHORT: "of bodies too short to be shared",
    PRESCRIBED: "of methods that an interface or a framework prescribes",
    EXAMPLES: "in examples",
}
"""The roles of families, in order of priority."""
LOOSE: Final = 0.75
"""Edited copies with a lower similarity may only have their shape in common."""
FINDINGS: Final = frozenset({CODE, TESTS})
"""Roles whose copies fail a build."""

FUNCTION, FILE, FRAGMENT = "function", "file", "fragment"
"""The extent of a pair: whole functions, whole files of a language without known functions, or a part of either."""


class Side(msgspec.Struct, frozen=True, order=True):
    """One of two copies. `id` is that of the function or file; the lines are those of the copy, 1-based, inclusive."""

    id: str
    file_path: str
    start_line: int
    end_line: int

    @property
    def lines(self) -> int:
        return self.end_line - self.start_line + 1


class Pair(msgspec.Struct, frozen=True):
    """Two copies, `a` before `b` by id. `similarity` is 0 to 1, `tokens` those of the smaller one."""

    a: Side
    b: Side
    similarity: float
    clone_type: str
    scope: str
    tokens: int


class Family(msgspec.Struct, frozen=True):
    """Copies of one thing, each similar to each other. `keep`, an id, is the first of `members`.

    `similarity` and `clone_type` are those of the least similar two, `role` is one of ROLES, `recommendation` is in
    sentences. `lines` is the number of removable lines if one is kept: for edited copies those of the common part,
    without lines counted in an earlier family.
    """

    members: tuple[Side, ...]
    keep: str
    similarity: float
    clone_type: str
    scope: str
    lines: int
    role: str
    recommendation: str


class Copy(msgspec.Struct, frozen=True):
    """A function similar to the queried one."""

    id: str
    name: str
    signature: str
    file_path: str
    start_line: int
    end_line: int
    similarity: float
    clone_type: str
    recommendation: str


class CopiesFound(msgspec.Struct, frozen=True):
    """An answer to the question whether something is there already; `duplicates` are best first."""

    duplicates: tuple[Copy, ...]
    has_duplicates: bool

    @classmethod
    def of(cls, copies: Iterable[Copy]) -> CopiesFound:
        found = tuple(copies)
        return cls(found, bool(found))


class Duplicates(msgspec.Struct, frozen=True):
    """All results. `notices` are parts left out, with reasons; `functions` is the number of compared functions."""

    pairs: tuple[Pair, ...]
    families: tuple[Family, ...]
    functions: int
    notices: tuple[str, ...] = ()

    @property
    def findings(self) -> tuple[Family, ...]:
        """The families that fail a build."""
        return tuple(family for family in self.families if family.role in FINDINGS)
