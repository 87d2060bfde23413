"""How chosen tests are named to `mix test`."""

from __future__ import annotations

from typing import Final

from loregraph.indexer.languages.running import TestRunner, line_words

RUNNERS: Final = (TestRunner("mix", "mix test", ("--exclude", "test"), line_words),)
