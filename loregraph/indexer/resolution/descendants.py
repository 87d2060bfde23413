"""The classes below a class."""

from __future__ import annotations

from typing import Final

from loregraph.indexer.resolution.model import Class

MAX_ANCESTORS: Final = 500
"""Most types that count in one resolution order, and most levels of subclasses below a type. Deep libraries of widgets
have some thirty."""


def all_subclasses(cls: Class) -> list[Class]:
    """Every class below `cls`, nearest first."""
    found: dict[Class, None] = {}
    level = cls.subclasses
    for _ in range(MAX_ANCESTORS):
        below: list[Class] = []
        for sub in level:
            if sub is not cls and sub not in found:
                found[sub] = None
                below.extend(sub.subclasses)
        level = below
        if not level:
            break
    return list(found)
