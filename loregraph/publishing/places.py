"""A place where graphs are published: what it has to be able to do, and the one for an address."""

from __future__ import annotations

from contextlib import AbstractContextManager
from pathlib import Path
from typing import BinaryIO, Protocol

from loregraph.publishing.address import FOLDER, Address, parsed


class Place(Protocol):
    """Files by names relative to the place, with `/`; nothing in it is believed. A file appears whole or not at all.

    All methods raise PlaceError where the place cannot be reached, refuses or has no room.
    """

    address: Address
    lists: bool
    """Whether it can say what it has; those that cannot are only read."""

    def read(self, name: str, most: int) -> bytes | None:
        """The content of a small file; None where there is none. Raises DamagedArchiveError beyond `most` bytes."""

    def open(self, name: str) -> AbstractContextManager[BinaryIO] | None:
        """A file, open for reading; None where there is none."""

    def size(self, name: str) -> int | None:
        """The bytes of a file; None where there is none."""

    def names(self, folder: str) -> list[str]:
        """The names of the files in a folder, sorted; none where there is no such folder."""

    def put(self, name: str, source: Path) -> None:
        """Makes a file of the content of `source`, in place of one with that name."""

    def write(self, name: str, content: bytes) -> None:
        """Makes a small file, in place of one with that name."""

    def remove(self, name: str) -> None:
        """Removes a file; a missing one is no error."""


def place_of(url: str) -> Place:
    """The place at the address `url`. Imports its driver: raises MissingDriverError where it is not installed, and
    UsageError for an address of another form."""
    address = parsed(url)
    if address.protocol == FOLDER:
        from loregraph.publishing.folder_place import FolderPlace

        return FolderPlace(address)
    if address.protocol in ("http", "https"):
        from loregraph.publishing.web_place import WebPlace

        return WebPlace(address)
    from loregraph.publishing.remote_place import RemotePlace

    return RemotePlace(address)
