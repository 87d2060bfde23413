"""Classifies a repository's settings by reach: a repository may configure how it is read, but not access anything else.

Every key of `config.Settings` has a function here that returns why a value reaches beyond the repository, "" where it
does not; a test checks that no key is missing.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, Final

import msgspec

from loregraph import rooted
from loregraph.embedder_kinds import kind_of

OWN_FOLDERS: Final = ".loregraph"
"""Prefixes of hidden folders that loregraph may use; other hidden folders belong to other tools."""
MOST_JOBS: Final = 64
MOST_FILE_BYTES: Final = 64 << 20
MOST_QUERY_MS: Final = 600_000
MOST_WAIT_MS: Final = 2_000
MOST_ROWS: Final = 1_000_000
OWN_BACKEND: Final = "journal"

Why = Callable[[Path, Any], str]


class Reaching(msgspec.Struct, frozen=True):
    """A setting of a repository that reaches beyond it: dotted key, value as JSON (ASCII), and the reason."""

    key: str
    value: str
    why: str


def within(root: Path, value: Any) -> str:
    """For settings that can only affect the repository's own files."""
    return ""


def by_its_user(root: Path, value: Any) -> str:
    """For a project's name: conflicts with other projects are detected when memories are opened (memory/claims.py)."""
    return ""


def folder(root: Path, value: str) -> str:
    """For a folder that loregraph writes to."""
    if not value:
        return ""
    if value.startswith("~") or leads_out(root, value):
        return "it is a folder outside the repository"
    base = root.resolve()
    for place in (Path(os.path.normpath(base / value)), rooted.resolved(base / value)):
        parts = place.relative_to(base).parts
        if not parts:
            return "it is the repository's root itself"
        if any(part.startswith(".") and not part.startswith(OWN_FOLDERS) for part in parts):
            return "it is a folder of git's or of another tool"
    return ""


def leads_out(root: Path, path: str) -> bool:
    """Whether `path`, relative to `root`, is outside it, as written or with links resolved."""
    base = root.resolve()
    try:
        places = Path(os.path.normpath(base / path)), rooted.resolved(base / path)
    except (OSError, ValueError):  # a loop of links, a NUL
        return True
    return not all(place.is_relative_to(base) for place in places)


def pattern_leads_out(root: Path, pattern: str) -> bool:
    """Whether a pattern can match files outside `root`; links among its matches are not followed."""
    parts = Path(pattern).parts
    if pattern.startswith("~") or Path(pattern).is_absolute() or Path(pattern).anchor or ".." in parts:
        return True
    fixed: list[str] = []
    for part in parts:
        if any(character in part for character in "*?["):
            break
        fixed.append(part)
    return leads_out(root, str(Path(*fixed)))


def patterns(root: Path, value: Iterable[str]) -> str:
    """For patterns of files that are read."""
    outside = any(pattern_leads_out(root, pattern) for pattern in value)
    return "it means files outside the repository" if outside else ""


def folders_read(root: Path, value: Iterable[str]) -> str:
    """For folders that are read."""
    outside = any(path.startswith("~") or leads_out(root, path) for path in value)
    return "it is a folder outside the repository" if outside else ""


def embedder(root: Path, value: str) -> str:
    kind = kind_of(value)
    return "" if kind is not None and not kind.network else "it uses a network or a model from elsewhere"


def backend(root: Path, value: str) -> str:
    return "" if value == OWN_BACKEND else "it keeps memories with another service"


def at_most(limit: int, what: str) -> Why:
    """For a number: above `limit` it takes more of the machine than any project needs."""
    return lambda root, value: f"it is more than {limit:,} {what}" if value > limit else ""


def cache(root: Path, value: bool) -> str:
    """For the user's cache: a repository may do without it."""
    return "it is for the user to say what is kept outside the repository" if value else ""


def cache_size(root: Path, value: int) -> str:
    """For the size of the user's cache: a large one fills the disk, a small one drops what other projects have."""
    return "it is the limit of the user's cache for all projects"


def server(root: Path, value: str) -> str:
    """For the server that is asked with the user's credentials."""
    return "which server is asked is for the user's own configuration to say" if value else ""


USERS_ALONE: Final = frozenset({"server.url", "server.database"})
"""Settings that no repository may make, trusted or not: the user's password goes where they say."""

# Implements REQ-SEC-002.
REACH: Final[Mapping[str, Why]] = {
    "include": within,
    "exclude": within,
    "languages": within,
    "jobs": at_most(MOST_JOBS, "processes"),
    "max_file_bytes": at_most(MOST_FILE_BYTES, "bytes"),
    "generated": within,
    "stubs": folders_read,
    "embedder": embedder,
    "cache": cache,
    "cache_max_bytes": cache_size,
    "store": folder,
    "project_id": by_its_user,
    "memory_dir": folder,
    "memory_backend": backend,
    "requirements.sources": within,
    "requirements.id_from": within,
    "requirements.pattern": within,
    "requirements.roles": within,
    "requirements.results": patterns,
    "runs.sources": patterns,
    "query.timeout_ms": at_most(MOST_QUERY_MS, "milliseconds"),
    "query.limit": at_most(MOST_ROWS, "rows"),
    "check.enable": within,
    "check.disable": within,
    "check.exclude": within,
    "check.severity": within,
    "check.contracts": within,
    "duplicates.threshold": within,
    "duplicates.min_tokens": within,
    "duplicates.exclude": within,
    "wrap.org_types": within,
    "wrap.org_names": within,
    "server.url": server,
    "server.database": server,
    "serve.watch": within,
    "serve.events": within,
    "serve.wait_ms": at_most(MOST_WAIT_MS, "milliseconds for each answer"),
    "view.editor": within,
}
"""Dotted key → the function that returns why a value reaches further."""


def reaching(root: Path, table: Mapping[str, Any]) -> tuple[Reaching, ...]:
    """A repository's settings (a table with valid types) that reach beyond `root`, by key."""
    found: list[Reaching] = []
    if not table:
        return ()
    for key, why in REACH.items():
        section, _, inner = key.rpartition(".")
        values = table.get(section, {}) if section else table
        if inner in values and (reason := why(root, values[inner])):
            found.append(Reaching(key, as_text(values[inner]), reason))
    return tuple(found)


def as_text(value: Any) -> str:
    """A setting as JSON in ASCII, which cannot affect a terminal."""
    import json

    return json.dumps(value, default=str)


def without(table: Mapping[str, Any], keys: Iterable[str]) -> dict[str, Any]:
    """`table` without the settings `keys`."""
    kept = {key: dict(value) if isinstance(value, dict) else value for key, value in table.items()}
    for key in keys:
        section, _, inner = key.rpartition(".")
        (kept[section] if section else kept).pop(inner, None)
    return kept
