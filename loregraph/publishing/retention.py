"""Removing what is published and not wanted any more."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

import msgspec

from loregraph.errors import DamagedArchiveError, PlaceError, UsageError
from loregraph.publishing.catalogue import REMOVED, Catalogue, Published
from loregraph.publishing.history import tips
from loregraph.publishing.names import repository_name
from loregraph.publishing.places import place_of


class Collected(msgspec.Struct, frozen=True):
    """What was removed: the commits, and the archives with their bytes. `kept` is the number of commits left."""

    url: str
    repository: str
    commits: tuple[str, ...]
    archives: int
    bytes: int
    kept: int


# Implements REQ-PUB-010.
def collect(root: Path, url: str, *, newest: int = 0, refs: bool = False, name: str = "") -> Collected:
    """Removes the graphs of a repository at `url` that are not kept, and every archive that no manifest names.

    Kept are those of the `newest` commits, by the dates that git has of them, and with `refs` those that a branch or
    tag of the clone at `root` points at. Safe beside publishers: see `catalogue`. Raises UsageError where neither is
    given, and SchemaTooNewError where a newer version has published, whose archives this one does not know.
    """
    if newest < 1 and not refs:
        raise UsageError("nothing would be kept", "say what to keep: --keep N, or --keep-refs")
    catalogue = Catalogue(place_of(url), repository_name(root, name))
    if not catalogue.place.lists:
        raise PlaceError(f"{catalogue.place.address.shown} can only be read", "collect where it is published to")
    there = catalogue.commits()
    kept = set(catalogue.newest(there, newest)) if newest else set()
    if refs:
        kept |= tips(root)
    gone = [one for one in there if one.commit not in kept]
    for one in gone:
        catalogue.remove_manifest(one)
    archives, freed = _remove_unnamed(catalogue)
    left = {one.commit for one in there} & kept
    commits = tuple(sorted({one.commit for one in gone}))
    return Collected(catalogue.place.address.shown, catalogue.repository, commits, archives, freed, len(left))


def _remove_unnamed(catalogue: Catalogue) -> tuple[int, int]:
    """Removes archives that no manifest names; returns their number and bytes."""
    archives = catalogue.archives()
    for mark in set(catalogue.archives(REMOVED)).difference(archives):
        catalogue.unmark(mark)
    unnamed = sorted(set(archives) - _named(catalogue, catalogue.commits()))
    for archive in unnamed:
        catalogue.mark_removed(archive)
    named = _named(catalogue, catalogue.commits()) if unnamed else set()
    freed = removed = 0
    for archive in unnamed:
        if archive not in named:
            freed += catalogue.place.size(catalogue.archive_name(archive)) or 0
            catalogue.place.remove(catalogue.archive_name(archive))
            removed += 1
    return removed, freed


def _named(catalogue: Catalogue, published: Collection[Published]) -> set[str]:
    """The archives that manifests name."""
    found = set()
    for one in published:
        try:
            manifest = catalogue.manifest(one.commit, one.code_version)
        except DamagedArchiveError:
            continue  # nobody can pull by it
        if manifest is not None:
            found.add(manifest.archive)
    return found
