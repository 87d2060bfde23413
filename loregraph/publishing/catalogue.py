"""What is published at a place, and where it lies there:

    <repository>/_commits/<commit>.<code>.json     manifest: which archive has the graph of a commit
    <repository>/_archives/<sha256>.tar.gz         an archive, named by its content; `.1`, `.2`… where that is taken
    <repository>/_removed/<sha256>.tar.gz          mark: this name is being, or was, collected, and is not used again

`repository` is a name like `github.com/owner/name`, `commit` a full one, `code` the version of the code that made the
graph: others neither read it nor replace it.

Publishers and collections need no lock, no clock and no conditional write, only that what was written is seen by who
reads later, as object stores and file systems promise:

- A publisher writes the archive, then the manifest, and then looks whether the archive is still there and not marked;
  if not, it starts again with another name.
- A collection marks an archive that no manifest names, then reads the manifests again, and removes the archive if
  still none names it.

Both write before they read, so at least one of them sees the other: a manifest whose publisher has ended names an
archive that stays. A mark is removed by a later collection, when the archive is gone: several collections of one
repository, beside a publisher, could each take away what another's mark was for, so they should take turns.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from contextlib import suppress
from typing import Final

import msgspec

from loregraph.errors import DamagedArchiveError, PlaceError, SchemaTooNewError
from loregraph.publishing.archive import Packed
from loregraph.publishing.container import damaged, most_content
from loregraph.publishing.places import Place

COMMITS: Final = "_commits"
ARCHIVES: Final = "_archives"
REMOVED: Final = "_removed"
_FORMAT: Final = "loregraph-published-1"
_MOST_MANIFEST: Final = 16 << 10
_MOST_NAMES: Final = 10_000
_ARCHIVE: Final = re.compile(r"([0-9a-f]{64})(?:\.([1-9][0-9]{0,3}))?\.tar\.gz")
_MANIFEST: Final = re.compile(r"([0-9a-f]{40}|[0-9a-f]{64})\.([0-9a-f]{12})\.json")


class Manifest(msgspec.Struct, frozen=True, kw_only=True):
    """Which archive has the graph of `commit`: its name, bytes of the file and of its content. The commit was made
    `committed` seconds after 1970, with so many of its ancestors in the `same_second`."""

    format: str = _FORMAT
    repository: str
    commit: str
    committed: int
    same_second: int
    code_version: str
    loregraph_version: str
    archive: str
    bytes: int
    content_bytes: int

    @property
    def packed(self) -> Packed:
        found = _ARCHIVE.fullmatch(self.archive)
        assert found is not None
        return Packed(found[1], self.content_bytes, self.bytes)


class _Format(msgspec.Struct):
    """What manifests of every version have."""

    format: str


class Published(msgspec.Struct, frozen=True):
    """A commit in the catalogue, and the version of the code that made its graph."""

    commit: str
    code_version: str


class Catalogue:
    """What is published of one repository at a place."""

    def __init__(self, place: Place, repository: str) -> None:
        self.place = place
        self.repository = repository

    def manifest(self, commit: str, code_version: str) -> Manifest | None:
        """The manifest of a commit's graph; None where there is none. Raises DamagedArchiveError for one that is not
        what loregraph writes."""
        content = self.place.read(self._manifest_name(commit, code_version), _MOST_MANIFEST)
        if content is None:
            return None
        try:
            if (form := msgspec.json.decode(content, type=_Format).format) != _FORMAT:
                raise SchemaTooNewError(
                    f"{self.place.address.shown} has a manifest of the format {form!a}", "upgrade loregraph"
                )
            found = msgspec.json.decode(content, type=Manifest)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            raise damaged(f"the manifest of {commit} cannot be read") from None
        if (found.commit, found.code_version) != (commit, code_version):
            raise damaged(f"the manifest of {commit} is another's")
        if _ARCHIVE.fullmatch(found.archive) is None:
            raise damaged(f"the manifest of {commit} names {found.archive!a}")
        if found.bytes <= 0 or not 0 < found.content_bytes <= most_content(found.bytes):
            raise damaged(f"{found.content_bytes:,} bytes from {found.bytes:,} are more than any has")
        return found

    def is_complete(self, manifest: Manifest) -> bool:
        """Whether the archive of a manifest is there in its full size, and stays."""
        if self.place.lists and self.place.size(f"{self.repository}/{REMOVED}/{manifest.archive}") is not None:
            return False
        return self.place.size(self.archive_name(manifest.archive)) == manifest.bytes

    def put_manifest(self, manifest: Manifest) -> None:
        content = msgspec.json.format(msgspec.json.encode(manifest, order="sorted"), indent=2)
        self.place.write(self._manifest_name(manifest.commit, manifest.code_version), content + b"\n")

    def commits(self) -> list[Published]:
        """All commits that have a manifest, sorted. For places that can list."""
        names = self.place.names(f"{self.repository}/{COMMITS}")
        found = [match for name in names if (match := _MANIFEST.fullmatch(name))]
        return [Published(match[1], match[2]) for match in found]

    def newest(self, published: Collection[Published], most: int) -> list[str]:
        """Those of the commits that were made last, at most `most`, latest first; a manifest each is read."""
        dates: dict[str, tuple[int, int]] = {}
        for one in published:
            with suppress(DamagedArchiveError):
                manifest = self.manifest(one.commit, one.code_version)
                if manifest is not None:
                    dates[one.commit] = manifest.committed, manifest.same_second
        return sorted(dates, key=lambda commit: (*dates[commit], commit), reverse=True)[:most]

    def archives(self, folder: str = ARCHIVES) -> list[str]:
        """The names of all archives, or of all marks, sorted. For places that can list."""
        return [name for name in self.place.names(f"{self.repository}/{folder}") if _ARCHIVE.fullmatch(name)]

    def name_for(self, packed: Packed) -> tuple[str, bool]:
        """The first name for an archive that no collection has marked and no other file has, and whether it is there.

        One of another size with the same content was deflated by another zlib, or is cut short: manifests that name it
        are right about its size, so it stays.
        """
        for number in range(_MOST_NAMES):
            name = archive_named(packed.digest, number)
            if self.place.size(f"{self.repository}/{REMOVED}/{name}") is None:
                size = self.place.size(self.archive_name(name))
                if size in (None, packed.bytes):
                    return name, size is not None
        raise PlaceError(f"{self.place.address.shown} has too many archives of one content", "run `loregraph gc`")

    def archive_name(self, archive: str) -> str:
        return f"{self.repository}/{ARCHIVES}/{archive}"

    def _manifest_name(self, commit: str, code_version: str) -> str:
        return f"{self.repository}/{COMMITS}/{commit}.{code_version}.json"

    def remove_manifest(self, published: Published) -> None:
        self.place.remove(self._manifest_name(published.commit, published.code_version))

    def mark_removed(self, archive: str) -> None:
        self.place.write(f"{self.repository}/{REMOVED}/{archive}", b"removed\n")

    def unmark(self, archive: str) -> None:
        self.place.remove(f"{self.repository}/{REMOVED}/{archive}")


def archive_named(digest: str, number: int) -> str:
    return f"{digest}.{number}.tar.gz" if number else f"{digest}.tar.gz"


def nearest(published: Sequence[Published], ancestors: Sequence[str], code_version: str) -> str:
    """The first of `ancestors` with a graph by this code; "" where none has one."""
    own = {one.commit for one in published if one.code_version == code_version}
    return next((commit for commit in ancestors if commit in own), "")
