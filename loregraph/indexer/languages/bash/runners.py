"""How the files of chosen tests are named to bats."""

from __future__ import annotations

from typing import Final

from loregraph.indexer.languages.running import TestPlace, TestRunner, file_words


def _is_bats(place: TestPlace) -> bool:
    return place.path.endswith(".bats")


RUNNERS: Final = (TestRunner("bats", "bats", ("--version",), file_words, claims=_is_bats),)
