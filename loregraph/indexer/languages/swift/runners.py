"""How chosen tests are named to `swift test`."""

from __future__ import annotations

from typing import Final

from loregraph.indexer.languages.running import Asked, TestPlace, TestRunner, Words, as_pattern, unique


# Implements REQ-RUN-011.
def swift_words(asked: Asked) -> Words:
    """`--filter` for each, a pattern of `Target.Class/test` or, of Swift Testing, `Target.Type/test()`."""
    if asked.width > 1:
        return Words(("--filter", "."))
    patterns = unique(_pattern(place, asked.width) for place in asked.places)
    return Words(tuple(word for pattern in patterns for word in ("--filter", pattern)))


def _pattern(place: TestPlace, width: int) -> str:
    types = "/".join(as_pattern(holder.name) for holder in place.holders)
    if width and types:
        return f".{types}/"
    return f"{types}/{as_pattern(place.name)}" if types else f".{as_pattern(place.name)}"


RUNNERS: Final = (TestRunner("swift", "swift test", ("--version",), swift_words),)
