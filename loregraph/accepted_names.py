"""Names that users may give to narrow a query: kinds of code and languages, ignoring case."""

from __future__ import annotations

from loregraph.errors import known_name


def known_kind(name: str | None) -> str | None:
    """A kind of search results, as the graph spells it. Raises UsageError with the nearest for an unknown one."""
    from loregraph.graph.model import FOUND_KINDS

    return None if name is None else known_name("kind", name, FOUND_KINDS)


def known_language(name: str | None) -> str | None:
    """A language, as the registry spells it. Raises UsageError with the nearest for an unknown one."""
    from loregraph.indexer.languages import registry

    return None if name is None else known_name("language", name, sorted(registry.SOURCES))
