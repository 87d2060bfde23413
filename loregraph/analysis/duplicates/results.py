"""What looking for copies comes to: pairs, families of them, and what was left out."""

from __future__ import annotations

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
"""The names of the literature (Bellon et al. 2007; Roy, Cordy and Koschke 2009), the surest first."""

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
"""What the copies of a family are there for, those that are worth the first look first."""
LOOSE: Final = 0.75
"""Edited copies that are less alike may have no more in common than their shape."""
FINDINGS: Final = frozenset({CODE, TESTS})
"""Roles whose copies fail a build."""

FUNCTION, FILE, FRAGMENT = "function", "file", "fragment"
"""What a pair is of: whole functions, whole files of a language whose functions are not known, or a part of either."""


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
    """Copies of one thing, each like each other. `keep`, an id, is the first of `members`.

    `similarity` and `clone_type` are those of the least similar two, `role` one of ROLES, `recommendation` what to do,
    in sentences. `lines` is what would go if one were kept: of copies that were edited the part that is alike, and no
    line that a family before this one counts.
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
    """A function that is like the one in question."""

    id: str
    name: str
    signature: str
    file_path: str
    start_line: int
    end_line: int
    similarity: float
    clone_type: str
    recommendation: str


class Duplicates(msgspec.Struct, frozen=True):
    """Everything found. `notices` say what was not looked at and why; `functions` is how many were compared."""

    pairs: tuple[Pair, ...]
    families: tuple[Family, ...]
    functions: int
    notices: tuple[str, ...] = ()

    @property
    def findings(self) -> tuple[Family, ...]:
        """The families that fail a build."""
        return tuple(family for family in self.families if family.role in FINDINGS)
