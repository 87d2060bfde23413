"""How the files of chosen tests are named to Dart and Flutter."""

from __future__ import annotations

from typing import Final

from loregraph.indexer.languages.running import TestRunner, file_words

RUNNERS: Final = (
    TestRunner("dart", "dart test", ("--version",), file_words),
    TestRunner("flutter", "flutter test", ("--help",), file_words, packages=("dart:flutter", "dart:flutter_test")),
)
