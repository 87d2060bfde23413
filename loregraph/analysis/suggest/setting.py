"""How far a match is carried on and measured by others, which depends on how much the requirements say.

A use case of a page is met by a chain of files that belong together, and another one of the same project may have no
code yet: its matches are judged as they are. A statement of one line is met by one or two files, and two of them that
are as well met differ in score by their wording alone: it is measured by its own best files.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from loregraph.analysis.suggest.requirements import Requirements

_STATEMENT: Final = 25
_USE_CASE: Final = 65
"""Different words of a requirement that says one thing, and of one that tells a story. Between them the logarithm
decides, as between any two lengths of text."""


@dataclass(frozen=True, slots=True)
class Setting:
    """`distinctive` and `reached` are what these measures count where shared words count 1. `related`, `alike` and
    `requirements` are what is taken in a round of spreading; `before` is how far a requirement is measured by its own
    best files before that, and `after` how far afterwards. `background` is how much of what it scores everywhere is
    taken off; `broad` is how much its best twenty files together lift each of them."""

    distinctive: float
    reached: float
    related: float
    alike: float
    requirements: float
    before: float
    after: float
    background: float
    broad: float


_SHORT: Final = Setting(0.0, 0.07, 0.25, 0.15, 0.12, 0.35, 0.5, 0.6, 0.1)
_LONG: Final = Setting(0.3, 1.2, 0.5, 0.25, 0.25, 0.5, 0.5, 0.1, 0.8)


def setting_for(requirements: Requirements) -> Setting:
    """By the median of how many different words a requirement has; empty ones do not count."""
    said = np.count_nonzero(requirements.table, axis=1)
    said = said[said > 0]
    middle = float(np.median(said)) if len(said) else 0.0
    part = np.log(max(middle, 1.0) / _STATEMENT) / np.log(_USE_CASE / _STATEMENT)
    part = float(np.clip(part, 0, 1))
    short, long = ([getattr(one, name) for name in Setting.__dataclass_fields__] for one in (_SHORT, _LONG))
    return Setting(*(a + (b - a) * part for a, b in zip(short, long, strict=True)))
