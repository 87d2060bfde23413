"""The languages loregraph extracts. One folder each; `spec_of` loads the one that is asked for."""

from __future__ import annotations

from functools import cache
from importlib import import_module, resources
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from loregraph.indexer.languages.spec import LanguageSpec

FOLDERS = {
    "python": "python",
    "javascript": "javascript",
    "typescript": "typescript",
    "tsx": "typescript",
    "java": "java",
    "go": "go",
    "rust": "rust",
    "c": "c",
    "cpp": "cpp",
    "csharp": "csharp",
    "php": "php",
    "ruby": "ruby",
    "kotlin": "kotlin",
    "swift": "swift",
    "scala": "scala",
    "haskell": "haskell",
    "bash": "bash",
    "lua": "lua",
    "dart": "dart",
    "elixir": "elixir",
    "zig": "zig",
}
"""Language → its folder here. TSX shares TypeScript's: the same language with one more node type."""


@cache
def spec_of(language: str) -> LanguageSpec:
    """The spec of `language`. Raises KeyError for one that is not extracted."""
    module = import_module(f"{__name__}.{FOLDERS[language]}.spec")
    found: LanguageSpec = module.SPECS[language]
    return found


@cache
def query_of(language: str) -> str:
    """The text of the query that captures the facts of `language`."""
    folder = resources.files(__name__)
    return "\n".join((folder / name).read_text(encoding="utf-8") for name in spec_of(language).queries)
