"""A folder of this machine, or one that is mounted, as a place: links below it are not followed."""

from __future__ import annotations

import errno
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import BinaryIO, Final

from loregraph import rooted
from loregraph.errors import PlaceError, UnsafePathError
from loregraph.publishing.address import Address
from loregraph.publishing.container import damaged

_CHUNK: Final = 1 << 20
_PART: Final = ".part"


class FolderPlace:
    """See `places.Place`. Files are written under another name and renamed, after they are on disk."""

    lists = True

    def __init__(self, address: Address) -> None:
        self.address = address
        self._folder = Path(address.path)

    def read(self, name: str, most: int) -> bytes | None:
        opened = self.open(name)
        if opened is None:
            return None
        with opened as file:
            content = file.read(most + 1)
        if len(content) > most:
            raise damaged(f"{name} has more than {most:,} bytes")
        return content

    def open(self, name: str) -> AbstractContextManager[BinaryIO] | None:
        with self._explained("read"):
            try:
                return rooted.open_read(self._folder, name)
            except (FileNotFoundError, NotADirectoryError):
                return None

    def size(self, name: str) -> int | None:
        with self._explained("read"):
            try:
                return rooted.status(self._folder, name).st_size
            except (FileNotFoundError, NotADirectoryError):
                return None

    def names(self, folder: str) -> list[str]:
        with self._explained("read"):
            try:
                if not rooted.is_folder(self._folder, folder):
                    return []
                return sorted(entry.name for entry in (self._folder / folder).iterdir() if entry.suffix != _PART)
            except (FileNotFoundError, NotADirectoryError):
                return []

    def put(self, name: str, source: Path) -> None:
        with rooted.open_read(source.parent, source.name) as file, self._made(name) as target:
            while piece := file.read(_CHUNK):
                target.write(piece)

    def write(self, name: str, content: bytes) -> None:
        with self._made(name) as target:
            target.write(content)

    def remove(self, name: str) -> None:
        with self._explained("change"):
            rooted.remove(self._folder, name)

    @contextmanager
    def _made(self, name: str) -> Iterator[BinaryIO]:
        import uuid

        with self._explained("write to"):
            rooted.make_base(self._folder)
            rooted.make_folder(self._folder, Path(name).parent)
            fresh = f".{uuid.uuid4().hex}{_PART}"  # several machines may share the folder
            with rooted.replacing(self._folder, name, sync=True, fresh=fresh) as file:
                yield file

    @contextmanager
    def _explained(self, doing: str) -> Iterator[None]:
        try:
            yield
        except UnsafePathError as error:
            raise PlaceError(error.message, "publish to a folder without links in it") from None
        except OSError as error:
            hint = "see that the folder exists and is yours to read and write"
            if error.errno in rooted.FULL:
                hint = "make room there, or `loregraph gc` it"
            elif error.errno in (errno.EROFS, errno.EACCES, errno.EPERM):
                hint = "publishing needs the right to write there, pulling the right to read"
            what = error.strerror or str(error)
            raise PlaceError(f"cannot {doing} {self.address.shown}: {what}", hint) from error
