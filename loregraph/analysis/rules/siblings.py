"""Learns habits: what nearly all of a group do.

A habit needs enough members and a clear majority. That code which deviates from most of its kind is likely a mistake is
the idea of Engler et al., "Bugs as Deviant Behavior" (SOSP 2001).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Hashable, Mapping
from typing import Final, Generic, TypeVar

import msgspec

FEWEST: Final = 6
"""Minimum members of a group with a habit; in a group this small, one member may deviate."""
CLEAR: Final = 0.9
"""Minimum share of members with a habit, where more than one deviates."""

Trait = TypeVar("Trait", bound=Hashable)

_WORD: Final = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z0-9]+|[0-9]+")


class Pattern(msgspec.Struct, Generic[Trait], frozen=True):
    """The trait of nearly all; the members with and without it, in order."""

    trait: Trait
    having: tuple[int, ...]
    others: tuple[int, ...]

    @property
    def share(self) -> str:
        """`9 of 10`."""
        return f"{len(self.having)} of {len(self.having) + len(self.others)}"


def pattern(
    traits: Mapping[int, Trait], fewest: int = FEWEST, clear: float = CLEAR, no: frozenset[Trait] = frozenset()
) -> Pattern[Trait] | None:
    """The trait that nearly all keys of `traits` have in common, None where there is none.

    Traits in `no` denote absence, and are never a habit.
    """
    if len(traits) < fewest:
        return None
    counted = Counter(trait for trait in traits.values() if trait not in no)
    if not counted:
        return None
    trait, number = min(counted.items(), key=lambda item: (-item[1], str(item[0])))
    if number < len(traits) - 1 and number < clear * len(traits):
        return None
    having = tuple(node for node, own in traits.items() if own == trait)
    return Pattern(trait, having, tuple(node for node, own in traits.items() if own != trait))


def words(name: str) -> list[str]:
    """The words in a name, in lower case: `parseHTTPHeader`, `parse_http_header` → parse, http, header."""
    return [word.lower() for word in _WORD.findall(name)]
