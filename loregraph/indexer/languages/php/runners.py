"""How chosen tests are named to PHPUnit."""

from __future__ import annotations

from typing import Final

from loregraph.indexer.languages.running import Asked, TestPlace, TestRunner, Words, as_pattern, unique


# Implements REQ-RUN-011.
def phpunit_words(asked: Asked) -> Words:
    """`--filter` with the beginnings of the full names: those of data sets follow. It begins with a letter, as PHPUnit
    takes another first sign for a delimiter."""
    if asked.width > 1 or not all(place.holders for place in asked.places):
        return Words(("--filter", "::"), ("all tests are selected, as some cannot be named",))
    return Words(("--filter", "|".join(unique(_full_name(place, asked.width) for place in asked.places))))


def _full_name(place: TestPlace, width: int) -> str:
    types = ".".join([*place.prefix.split("."), *(holder.name for holder in place.holders)]).strip(".")
    return f"{as_pattern(types)}::{'' if width else as_pattern(place.name)}"


RUNNERS: Final = (TestRunner("phpunit", "vendor/bin/phpunit", ("--version",), phpunit_words),)
