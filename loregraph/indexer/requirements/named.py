"""Files configured as sources of requirements. Every index run needs this, so it loads no reader."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from loregraph import patterns
from loregraph.config import RequirementSettings
from loregraph.errors import ConfigError


def language_of(path: str, settings: RequirementSettings) -> str | None:
    """The language of a document that is one only by configuration: its extension is that of data, or missing."""
    if not is_source(path, settings):
        return None
    return "csv" if path.lower().endswith((".csv", ".tsv")) else "text"


def is_source(path: str, settings: RequirementSettings) -> bool:
    """Whether the configuration names `path` as a source of requirements."""
    return bool(settings.sources) and _sources(settings.sources)(path)


@lru_cache(maxsize=8)
def _sources(names: tuple[str, ...]) -> Callable[[str], bool]:
    # A leading slash anchors a pattern at the root, as is meant by paths in a configuration.
    tied = [name if name.startswith(("/", "!")) else f"/{name}" for name in names]
    try:
        return patterns.paths(tied)
    except patterns.PatternError as error:
        raise ConfigError(f"requirements.sources: {error}", "use patterns as in .gitignore") from error
