"""The languages loregraph extracts: a folder each, which the registry finds. `spec_of` loads one."""

from __future__ import annotations

from functools import cache
from importlib import import_module, resources
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from loregraph.indexer.languages.spec import LanguageSpec


@cache
def spec_of(language: str) -> LanguageSpec:
    """The spec of `language`. Raises KeyError for one that is not extracted."""
    from loregraph.indexer.languages.registry import FOLDERS

    module = import_module(f"{__name__}.{FOLDERS[language]}.spec")
    found: LanguageSpec = module.SPECS[language]
    return found


@cache
def query_of(language: str) -> str:
    """The text of the query that captures the facts of `language`."""
    files = (name.partition("/") for name in spec_of(language).queries)
    return "\n".join(
        (resources.files(f"{__name__}.{folder}") / name).read_text(encoding="utf-8") for folder, _, name in files
    )
