"""How chosen tests are named to RSpec and to the runner of Rails."""

from __future__ import annotations

from typing import Final

from loregraph.indexer.languages.running import TestPlace, TestRunner, line_words


def _is_spec(place: TestPlace) -> bool:
    return place.path.endswith("_spec.rb")


RUNNERS: Final = (
    TestRunner("rspec", "bundle exec rspec", ("--version",), line_words, claims=_is_spec),
    TestRunner("rails", "bin/rails test", ("--name", "/^$/"), line_words),
)
