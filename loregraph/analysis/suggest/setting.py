"""Parameters of spreading and normalisation, depending on the length of the requirements.

A use case of a page is implemented by a chain of files that belong together, and another one of the same project may
have no code yet: its matches are judged as they are. A statement of one line is implemented by one or two files, and
the scores of two equally implemented ones differ by wording alone: they are normalised by each one's own best files.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from loregraph.analysis.suggest.requirements import Requirements

_STATEMENT: Final = 25
_USE_CASE: Final = 65
"""Number of different words of a short statement, and of a long story. Between them interpolation is by logarithm."""


@dataclass(frozen=True, slots=True)
class Setting:
    """`distinctive` and `reached` are the weights of these measures relative to shared words. `related`, `alike` and
    `requirements` are the shares taken in a round of spreading; `before` is how strongly a requirement is normalised by
    its own best files before that, and `after` afterwards. `background` is the share of its usual score that is
    subtracted; `broad` is how strongly its best twenty files together raise each of them."""

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
    """By the median number of different words in a requirement; empty ones do not count."""
    said = np.count_nonzero(requirements.table, axis=1)
    said = said[said > 0]
    middle = float(np.median(said)) if len(said) else 0.0
    part = np.log(max(middle, 1.0) / _STATEMENT) / np.log(_USE_CASE / _STATEMENT)
    part = float(np.clip(part, 0, 1))
    short, long = ([getattr(one, name) for name in Setting.__dataclass_fields__] for one in (_SHORT, _LONG))
    return Setting(*(a + (b - a) * part for a, b in zip(short, long, strict=True)))
