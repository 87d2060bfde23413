"""What nearly all of a group do: the one way in which rules learn.

A habit needs enough members and a clear majority; where opinions are divided there is none. The idea that code which
departs from what most of its kind does is likely a mistake is Engler et al., "Bugs as Deviant Behavior" (SOSP 2001).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Hashable, Mapping
from typing import Final, Generic, TypeVar

import msgspec

FEWEST: Final = 6
"""Members from which a group can have a habit; in one so small, one member may be otherwise."""
CLEAR: Final = 0.9
"""What part of the members has to do the same for it to be a habit, where more than one is otherwise."""

Trait = TypeVar("Trait", bound=Hashable)

_WORD: Final = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z0-9]+|[0-9]+")


class Pattern(msgspec.Struct, Generic[Trait], frozen=True):
    """The trait that nearly all have; who has it and who has not, in order."""

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
    """What nearly all of the keys of `traits` have in common, None where there is no such thing.

    Traits in `no` are none: having one of them is never the habit.
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
    """The words a name is made of, in lower case: `parseHTTPHeader`, `parse_http_header` → parse, http, header."""
    return [word.lower() for word in _WORD.findall(name)]
