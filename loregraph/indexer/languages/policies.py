"""Finds the policy of each language: see `policy`. Light to import, so that readers of a graph may ask it."""

from __future__ import annotations

from functools import cache
from importlib import import_module

from loregraph.indexer.languages.policy import Policy
from loregraph.indexer.languages.registry import FOLDERS, code_of


@cache
def policy_of(language: str) -> Policy:
    """The policy of a language; a conservative default for a language without one."""
    language = code_of(language)
    folder = FOLDERS.get(language)
    if folder is None:
        return Policy(language)
    module = import_module(f"loregraph.indexer.languages.{folder}.policy")
    found: Policy = module.POLICIES[language]
    return found


@cache
def family_of(language: str) -> str:
    """The family of a language: files of different families are resolved independently."""
    return policy_of(language).family
