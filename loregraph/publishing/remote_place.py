"""A place that fsspec has a driver for: S3, Google Cloud Storage, Azure Blob Storage; `web_place` has HTTPS.

Credentials are the driver's business: its environment variables and files. Nothing that a driver says is shown before
what may be a credential in it is taken out, and its exceptions are not chained to ours for the same reason.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from importlib import import_module
from pathlib import Path
from typing import Any, BinaryIO, Final

import msgspec

from loregraph import rooted
from loregraph.errors import MissingDriverError, PlaceError
from loregraph.publishing.address import Address, redacted
from loregraph.publishing.container import damaged


class _Driver(msgspec.Struct, frozen=True):
    """What is known of a protocol's driver: the extra that installs it, and its exceptions beside OSError."""

    extra: str
    exceptions: tuple[str, ...]


_AIOHTTP: Final = ("aiohttp.ClientError",)
_DRIVERS: Final[dict[str, _Driver]] = {
    "s3": _Driver("s3", ("botocore.exceptions.BotoCoreError", "botocore.exceptions.ClientError", *_AIOHTTP)),
    "gs": _Driver("gs", ("google.auth.exceptions.GoogleAuthError", "gcsfs.retry.HttpError", *_AIOHTTP)),
    "az": _Driver("az", ("azure.core.exceptions.AzureError", *_AIOHTTP)),
    "https": _Driver("https", _AIOHTTP),
    "http": _Driver("https", _AIOHTTP),
}
_BLOCK: Final = 8 << 20
"""Bytes asked for at a time: an archive is read from its begin to its end."""
_RIGHTS: Final = "see the driver's documentation for where it looks for credentials: docs/publishing.md names them"


class RemotePlace:
    """See `places.Place`. Object stores show a file only when all of it has arrived."""

    lists = True

    def __init__(self, address: Address) -> None:
        self.address = address
        self._driver = _DRIVERS[address.protocol]
        try:
            import fsspec

            kind = fsspec.get_filesystem_class(address.protocol)
        except ImportError:
            raise MissingDriverError(
                f"the driver for {address.protocol}:// is not installed",
                f"pip install 'loregraph[{self._driver.extra}]'",
            ) from None
        self._exceptions: tuple[type[Exception], ...] = (
            OSError,
            ValueError,
            EOFError,
            *_exceptions(self._driver.exceptions),
        )
        with self._explained("open"):
            self._files: Any = kind(skip_instance_cache=True, use_listings_cache=False, **self._options())
        self._root = f"{address.host}/{address.path}".rstrip("/")

    def _options(self) -> dict[str, Any]:
        """What the driver is told beside the address."""
        return {}

    def read(self, name: str, most: int) -> bytes | None:
        opened = self.open(name)
        if opened is None:
            return None
        content = b""
        with opened as file:
            while len(content) <= most and (piece := file.read(most + 1 - len(content))):
                content += piece
        if len(content) > most:
            raise damaged(f"{name} has more than {most:,} bytes")
        return content

    def open(self, name: str) -> AbstractContextManager[BinaryIO] | None:
        with self._explained("read"):
            try:
                file = self._opened(self._path(name))
            except FileNotFoundError:
                return None
        return self._reading(file)

    def _opened(self, path: str) -> Any:
        return self._files.open(path, "rb", block_size=_BLOCK)

    @contextmanager
    def _reading(self, file: BinaryIO) -> Iterator[BinaryIO]:
        """`file`, closed afterwards: an error while it is read is one of the place."""
        with file, self._explained("read"):
            yield file

    def size(self, name: str) -> int | None:
        with self._explained("read"):
            try:
                found = self._files.info(self._path(name))["size"]
            except FileNotFoundError:
                return None
        return -1 if found is None else int(found)

    def names(self, folder: str) -> list[str]:
        with self._explained("list"):
            try:
                rows = self._files.ls(self._path(folder), detail=True, refresh=True)
            except FileNotFoundError:
                return []
        return sorted(row["name"].rpartition("/")[2] for row in rows if row["type"] == "file")

    def put(self, name: str, source: Path) -> None:
        with self._explained("write to"):
            self._files.put_file(str(source), self._path(name))

    def write(self, name: str, content: bytes) -> None:
        with self._explained("write to"):
            self._files.pipe_file(self._path(name), content)

    def remove(self, name: str) -> None:
        with self._explained("change"), suppress(FileNotFoundError):
            self._files.rm_file(self._path(name))

    def _path(self, name: str) -> str:
        return f"{self._root}/{name}"

    @contextmanager
    def _explained(self, doing: str) -> Iterator[None]:
        try:
            yield
        except self._exceptions as error:
            what = redacted(" ".join(str(error).split())) or type(error).__name__
            hint = "see that the address is right and can be reached, then try again"
            if isinstance(error, PermissionError) or "redential" in what:
                hint = _RIGHTS
            elif isinstance(error, OSError) and error.errno in rooted.FULL:
                hint = "make room there, or `loregraph gc` it"
            raise PlaceError(f"cannot {doing} {self.address.shown}: {what}", hint) from None


def _exceptions(names: tuple[str, ...]) -> Iterator[type[Exception]]:
    """The classes among `names` whose modules the driver brought."""
    for name in names:
        module, _, attribute = name.rpartition(".")
        if module in sys.modules or module.partition(".")[0] in sys.modules:
            yield getattr(import_module(module), attribute)
