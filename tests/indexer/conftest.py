"""Small projects are indexed again and again: without what no test of the indexer reads."""

from __future__ import annotations

import pytest


@pytest.fixture(scope="module", autouse=True)
def _engine_later(engine_later: None) -> None:
    pass
