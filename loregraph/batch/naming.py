"""What the repositories of a list are published as, and where."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from msgspec.structs import replace

from loregraph.batch.listing import Listed
from loregraph.errors import UsageError
from loregraph.publishing.address import FOLDER, parsed
from loregraph.publishing.names import checked_name, name_of_remote, repository_name


# Implements REQ-MNY-001.
def named(repositories: Sequence[Listed]) -> list[Listed]:
    """`repositories`, each with the name that it would have if it were published from a clone.

    Raises UsageError for a name that is not fit to be a path, and for two sources with one name: the graphs of one
    would be taken for those of the other.
    """
    found: list[Listed] = []
    sources: dict[str, str] = {}
    for one in repositories:
        name = _name(one)
        other = sources.setdefault(name, one.source)
        if other != one.source:
            raise UsageError(
                f"{other} and {one.source} would both be published as {name!a}",
                "say in the list what one of them is: SOURCE as NAME",
            )
        found.append(replace(one, name=name))
    return found


def destination(url: str) -> str:
    """`url` for a process with another working folder. Raises UsageError for one that graphs are not published at."""
    place = parsed(url)
    return place.path if place.protocol == FOLDER else url


def _name(one: Listed) -> str:
    if one.name:
        return checked_name(one.name)
    folder = Path(one.source)
    return repository_name(folder) if folder.is_absolute() else name_of_remote(one.source)
