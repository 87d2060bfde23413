"""How the files of chosen tests are named to busted."""

from __future__ import annotations

from typing import Final

from loregraph.indexer.languages.running import TestRunner, file_words

RUNNERS: Final = (TestRunner("busted", "busted", ("--version",), file_words),)
