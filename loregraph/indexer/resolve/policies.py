"""The policies of all languages that have one."""

from __future__ import annotations

from collections.abc import Iterable

from loregraph.indexer.languages.policies import family_of, policy_of
from loregraph.indexer.languages.registry import FOLDERS

__all__ = ["are_replayed", "family_of", "is_summarized", "policy_of"]


def are_replayed(languages: Iterable[str]) -> bool:
    """Whether files of all these languages are replayed after an edit."""
    return all(policy_of(language).replayed for language in languages)


def is_summarized(family: str) -> bool:
    """Whether what others need of the files of a family is kept as a summary."""
    return family in FOLDERS and policy_of(family).summarized
