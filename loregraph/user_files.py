"""Small files of loregraph's own in the user's data folder: consent, owners of journals, the key of stores.

They are accessible only to their owner (folder 0700, files 0600), replaced whole by a rename, and changed under a lock
that other processes respect. None of them is reached through a link.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from loregraph import rooted
from loregraph.errors import StoreBusyError

try:
    # Not through hashlib, which loads OpenSSL: 4 ms for every question.
    from _blake2 import blake2b
except ImportError:
    from hashlib import blake2b

__all__ = ["blake2b", "cache_folder", "changing", "data_folder", "read", "replace"]

LOCK_SECONDS: Final = 10.0
MOST_BYTES: Final = 16 << 20
"""Maximum bytes of such a file: a larger one is not ours."""

_NO_LINK: Final[int] = getattr(os, "O_NOFOLLOW", 0)
_NO_WAIT: Final[int] = getattr(os, "O_NONBLOCK", 0)
_BINARY: Final[int] = getattr(os, "O_BINARY", 0)


# Implements REQ-MEM-010.
def data_folder() -> Path:
    """`LOREGRAPH_HOME`, else the platform's folder for a user's data."""
    if home := os.environ.get("LOREGRAPH_HOME"):
        return Path(home).expanduser().absolute()
    import platformdirs

    return platformdirs.user_data_path("loregraph", appauthor=False)


def cache_folder() -> Path:
    """`LOREGRAPH_CACHE_DIR`, else `cache` in `LOREGRAPH_HOME`, else the platform's folder for a user's cached data."""
    if chosen := os.environ.get("LOREGRAPH_CACHE_DIR"):
        return Path(chosen).expanduser().absolute()
    if home := os.environ.get("LOREGRAPH_HOME"):
        return Path(home).expanduser().absolute() / "cache"
    import platformdirs

    return platformdirs.user_cache_path("loregraph", appauthor=False)


def read(path: Path) -> bytes | None:
    """The content of the file at `path`, None where it does not exist.

    Raises OSError for an unreadable file, a link, anything but a regular file, and one of more than `MOST_BYTES`.
    """
    try:
        descriptor = os.open(path, os.O_RDONLY | _NO_LINK | _NO_WAIT | _BINARY)
    except (FileNotFoundError, NotADirectoryError):
        return None
    with os.fdopen(descriptor, "rb") as file:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode) or status.st_size > MOST_BYTES:
            raise OSError(f"{path} is no file of loregraph's")
        return file.read(MOST_BYTES)


def replace(path: Path, data: bytes) -> None:
    """Writes `data` to `path` by a rename, whole or not at all; creates its folder. One at a time: see `changing`.

    Raises OSError, and UnsafePathError for anything but a file.
    """
    rooted.make_base(path.parent, private=True)
    rooted.write(path.parent, path, data, mode=rooted.PRIVATE, sync=True, fresh=f"{path.name}.new")


@contextmanager
def changing(path: Path) -> Iterator[None]:
    """Be the only one, of all threads and processes, to change the file at `path`.

    Raises StoreBusyError after `LOCK_SECONDS`, OSError where the lock cannot be made. The lock file is never deleted.
    """
    from filelock import FileLock, Timeout  # only writers pay for the import

    rooted.make_base(path.parent, private=True)
    place = rooted.lock_path(path.parent, path.with_name(path.name + ".lock"))
    lock = FileLock(place, mode=rooted.PRIVATE, poll_interval=0.005)
    try:
        lock.acquire(timeout=LOCK_SECONDS)
    except Timeout:
        raise StoreBusyError(
            f"another process has held the lock of {path} for {LOCK_SECONDS:g} s", "try again when it is done"
        ) from None
    try:
        yield
    finally:
        lock.release()
