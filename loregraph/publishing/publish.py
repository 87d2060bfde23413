"""Publishing the graph of the commit that is checked out."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Final

import msgspec

from loregraph import __version__, git, rooted
from loregraph.errors import DamagedArchiveError, PlaceError, UncommittedError
from loregraph.graph.generation import StoreFolder
from loregraph.indexer.build.plan import code_version
from loregraph.publishing.archive import Packed, write_archive
from loregraph.publishing.catalogue import Catalogue, Manifest
from loregraph.publishing.history import committed_at
from loregraph.publishing.names import checked_name, repository_name
from loregraph.publishing.places import place_of

LOCK_SECONDS: Final = 600.0
"""How long to wait for another writer of the store."""
_TRIES: Final = 5
"""How often an archive is put under another name because a collection removed it meanwhile."""
_SHOWN: Final = 3
_PACKAGED: Final = "static"
"""The embedder that comes with the package."""


class Transfer(msgspec.Struct, frozen=True):
    """What was published or pulled: the commit, the bytes of its archive, the address without credentials. `is_new`:
    whether something was written."""

    commit: str
    bytes: int
    url: str
    repository: str
    is_new: bool = True


def is_published(root: Path, url: str, *, name: str = "", rev: str = "HEAD") -> Transfer | None:
    """What is published at `url` of the commit `rev` of the repository around `root`, by this version of the code; None
    where nothing is. `name` is that of `names.repository_name`. Raises as `publish`."""
    return is_published_as(url, repository_name(root, name), git.commit_of(root, rev))


def is_published_as(url: str, repository: str, commit: str) -> Transfer | None:
    """As `is_published`, for a commit by its full name of the repository that is called so at `url`, without a
    clone."""
    return _found(Catalogue(place_of(url), checked_name(repository)), commit)


def _found(catalogue: Catalogue, commit: str) -> Transfer | None:
    try:
        manifest = catalogue.manifest(commit, code_version())
    except DamagedArchiveError:  # it is replaced
        return None
    if manifest is None or not catalogue.is_complete(manifest):
        return None
    return Transfer(commit, manifest.bytes, catalogue.place.address.shown, catalogue.repository, is_new=False)


# Implements REQ-PUB-001, REQ-PUB-006.
def publish(
    root: Path,
    store: StoreFolder,
    url: str,
    index: Callable[[], object],
    *,
    name: str = "",
    embedder: str = _PACKAGED,
    again: bool = False,
) -> Transfer:
    """Publishes the graph of the commit that is checked out at `root` to the place `url`; `index` brings the graph in
    `store` up to date and is only called where nothing is published yet, or with `again`.

    `embedder` is the setting. Raises UncommittedError where files differ from the commit, UsageError for an unknown
    form of address or outside of a repository, PlaceError where the place refuses, and as indexing does.
    """
    place = place_of(url)
    catalogue = Catalogue(place, repository_name(root, name))
    commit = git.commit_of(root, "HEAD")
    if not again and (there := _found(catalogue, commit)) is not None:
        return there
    if not place.lists:
        raise PlaceError(f"{place.address.shown} can only be read", "publish by file://, s3://, gs:// or az://")
    _refuse_uncommitted(root)
    index()
    import tempfile

    # Of what is mapped, Windows removes nothing.
    with tempfile.TemporaryDirectory(prefix="loregraph-publish-", ignore_cleanup_errors=True) as made:
        scratch = Path(made)
        file = scratch / "archive"
        with store.writer(LOCK_SECONDS):
            _refuse_uncommitted(root)
            if git.head(root) != commit:
                raise UncommittedError("another commit was checked out meanwhile", "publish again")
            rooted.make_new_folder(scratch, "members")
            with rooted.create(scratch, file) as target:
                packed = write_archive(
                    store, code_version(), scratch / "members", target, has_vectors=embedder != _PACKAGED
                )
        _put(catalogue, commit, committed_at(root, commit), packed, file, again=again)
    return Transfer(commit, packed.bytes, place.address.shown, catalogue.repository)


def _refuse_uncommitted(root: Path) -> None:
    changed = sorted(git.changed_lines(root, "HEAD"))
    if changed:
        more = f" and {len(changed) - _SHOWN:,} more" if len(changed) > _SHOWN else ""
        raise UncommittedError(
            f"the files are not those of the commit: {', '.join(changed[:_SHOWN])}{more}",
            "commit, stash or ignore them, or publish from a clean checkout: what is published is a commit's graph",
        )


def _put(
    catalogue: Catalogue, commit: str, committed: tuple[int, int], packed: Packed, file: Path, *, again: bool
) -> None:
    """Puts the archive unless it is there, and the manifest: see `catalogue` for what holds beside a collection."""
    for _ in range(_TRIES):
        name, is_there = catalogue.name_for(packed)
        if again or not is_there:
            catalogue.place.put(catalogue.archive_name(name), file)
        manifest = Manifest(
            repository=catalogue.repository,
            commit=commit,
            committed=committed[0],
            same_second=committed[1],
            code_version=code_version(),
            loregraph_version=__version__,
            archive=name,
            bytes=packed.bytes,
            content_bytes=packed.content_bytes,
        )
        catalogue.put_manifest(manifest)
        if catalogue.is_complete(manifest):
            return
    raise PlaceError(
        f"what was put to {catalogue.place.address.shown} is not there afterwards, {_TRIES} times",
        "see that nothing else removes files there, then publish again",
    )
