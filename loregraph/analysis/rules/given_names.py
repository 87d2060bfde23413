"""Method names determined by a language or its standard library, which need no uses or documentation."""

from __future__ import annotations

from typing import Final

from loregraph.indexer.languages import registry

CALLED_BY_LANGUAGE: Final = registry.table(lambda language: language.unused.called_by_name)
"""Methods that a language's own syntax or library calls by name, without an interface."""
