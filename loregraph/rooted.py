"""All writes below folders with untrusted content, and the reads that must stay in such a folder.

A repository may contain a link where loregraph is about to write, or a FIFO where it is about to read. So nothing here
is opened by its whole path: starting at a `base`, which is trusted and may itself be reached through links, each folder
in the path is opened relative to the one before and none of them may be a link (`openat` with O_NOFOLLOW); a new file
is always created (O_EXCL); an existing one is read or appended to only if it is a regular file. On systems without
directory descriptors (Windows) every step is checked and reparse points are refused.

`path` is always below `base`: relative to it, or absolute with `base` as its prefix. Libraries that open files by path
(SQLite, lock files, the graph engine) get a path that `plain` or `lock_path` has checked just before.

Functions raise UnsafePathError for unsafe files, and otherwise the system's OSError, which the caller, who knows the
file's purpose, has to explain.
"""

from __future__ import annotations

import errno
import os
import stat
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO, Final

from loregraph.errors import UnsafePathError

PRIVATE: Final = 0o600
"""Mode of a file only for its owner."""
_PRIVATE_FOLDER: Final = 0o700
_FILE: Final = 0o666
_FOLDER: Final = 0o777
"""Modes before the umask."""

_AT: Final = os.open in os.supports_dir_fd and os.unlink in os.supports_dir_fd and hasattr(os, "O_NOFOLLOW")
_NOFOLLOW: Final = getattr(os, "O_NOFOLLOW", 0)
_OPEN: Final = _NOFOLLOW | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
"""O_NONBLOCK: opening a FIFO without a peer would block forever."""
_OPEN_FOLDER: Final = os.O_RDONLY | getattr(os, "O_DIRECTORY", 0) | getattr(os, "O_CLOEXEC", 0)
_IS_LINK: Final = (errno.ELOOP, errno.EMLINK, errno.ENOTDIR)
"""Errors of O_NOFOLLOW at a link: Linux and macOS, FreeBSD, and Linux again with O_DIRECTORY."""
_REPARSE_POINT: Final = 0x400
_CHUNK: Final = 1 << 20
_PAUSES: Final = (0.01, 0.03, 0.1, 0.3, 1.0) if os.name == "nt" else ()
"""Seconds before a rename is tried again. Windows refuses it while anybody reads either file, a virus scanner too."""

FULL: Final = (errno.ENOSPC, errno.EFBIG, getattr(errno, "EDQUOT", errno.ENOSPC))
"""Error numbers for a full disk, quota or size limit."""


class _Place:
    """A folder reached without links: its descriptor where the system has them, else its path."""

    __slots__ = ("descriptor", "path")

    def __init__(self, path: Path, descriptor: int | None) -> None:
        self.path = path
        self.descriptor = descriptor

    def entry(self, name: str) -> str:
        """`name` in the form for `dir_fd=descriptor`."""
        return name if self.descriptor is not None else str(self.path / name)

    def status(self, name: str) -> os.stat_result | None:
        """The status of `name`, links not followed; None where it does not exist."""
        try:
            return os.stat(self.entry(name), dir_fd=self.descriptor, follow_symlinks=False)
        except FileNotFoundError:
            return None

    def deeper(self, name: str) -> _Place:
        if self.descriptor is None:
            status = self.status(name)
            if status is not None and _is_link(status):
                raise _refused(self.path / name, "a link")
            if status is None or not stat.S_ISDIR(status.st_mode):
                number = errno.ENOENT if status is None else errno.ENOTDIR
                raise OSError(number, os.strerror(number), str(self.path / name))
            return _Place(self.path / name, None)
        try:
            return _Place(self.path / name, os.open(name, _OPEN_FOLDER | _NOFOLLOW, dir_fd=self.descriptor))
        except OSError as error:
            status = self.status(name) if error.errno in _IS_LINK else None
            if status is not None and _is_link(status):
                raise _refused(self.path / name, "a link") from None
            raise

    def make(self, name: str, mode: int) -> bool:
        """Creates the folder `name` unless something with that name exists; returns whether it did."""
        try:
            os.mkdir(self.entry(name), mode, dir_fd=self.descriptor)
        except FileExistsError:
            return False
        return True

    def open(self, name: str, flags: int, mode: int = PRIVATE) -> int:
        """A descriptor of the regular file `name`. Raises UnsafePathError for anything else."""
        path = self.path / name
        if self.descriptor is None and (status := self.status(name)) is not None and _is_link(status):
            raise _refused(path, "a link")
        try:
            descriptor = os.open(self.entry(name), flags | _OPEN, mode, dir_fd=self.descriptor)
        except OSError as error:
            if error.errno in (errno.ELOOP, errno.EMLINK):
                raise _refused(path, "a link") from None
            if error.errno == errno.ENXIO:
                raise _refused(path, "no regular file") from None
            if error.errno == errno.EISDIR:
                raise _refused(path, "a folder") from None
            raise
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            os.close(descriptor)
            raise _refused(path, "a folder" if stat.S_ISDIR(status.st_mode) else "no regular file")
        return descriptor

    def create(self, name: str, mode: int) -> int:
        """A descriptor of the new file `name`; an existing file with the name is removed without being opened."""
        flags = os.O_RDWR | os.O_CREAT | os.O_EXCL
        try:
            return self.open(name, flags, mode)
        except FileExistsError:
            self.remove(name)
            return self.open(name, flags, mode)

    def remove(self, name: str) -> None:
        try:
            os.unlink(self.entry(name), dir_fd=self.descriptor)
        except OSError as error:
            status = self.status(name)
            if status is not None and stat.S_ISDIR(status.st_mode):
                raise _refused(self.path / name, "a folder") from error
            raise

    def rename(self, name: str, target: _Place, new: str) -> None:
        for pause in (*_PAUSES, None):
            try:
                os.replace(
                    self.entry(name), target.entry(new), src_dir_fd=self.descriptor, dst_dir_fd=target.descriptor
                )
                return
            except PermissionError:
                if pause is None:
                    raise
                time.sleep(pause)

    def sync(self) -> None:
        """Flushes the entries to disk, where the platform can."""
        if self.descriptor is not None:
            with suppress(OSError):
                os.fsync(self.descriptor)

    def close(self) -> None:
        if self.descriptor is not None:
            os.close(self.descriptor)


def _is_link(status: os.stat_result) -> bool:
    return stat.S_ISLNK(status.st_mode) or bool(getattr(status, "st_file_attributes", 0) & _REPARSE_POINT)


def _refused(path: Path, what: str) -> UnsafePathError:
    return UnsafePathError(
        f"{path} is {what}, and is not used: it may lead out of the project, or be there to stop loregraph",
        "remove it; a folder that really is elsewhere is named by its own path, with --store, LOREGRAPH_STORE or "
        "LOREGRAPH_HOME",
    )


def _parts(base: Path, path: Path | str) -> tuple[str, ...]:
    inner = Path(path)
    parts = inner.relative_to(base).parts if inner.is_absolute() else inner.parts
    if ".." in parts:
        raise ValueError(f"{path} is not below {base}")
    return parts


@contextmanager
def _folder(base: Path, parts: tuple[str, ...], make: int | None = None) -> Iterator[_Place]:
    """The folder `parts` below `base`; with `make` missing folders in its path are created, with that mode."""
    place = _Place(base, os.open(base, _OPEN_FOLDER) if _AT else None)
    try:
        for part in parts:
            made = make is not None and place.make(part, make)
            deeper = place.deeper(part)
            place.close()
            place = deeper
            if made and make == _PRIVATE_FOLDER and place.descriptor is not None:
                os.fchmod(place.descriptor, make)  # whatever the umask left of it
        yield place
    finally:
        place.close()


@contextmanager
def _parent(base: Path, path: Path | str) -> Iterator[tuple[_Place, str]]:
    """The folder of `path`, and the name in it."""
    parts = _parts(base, path)
    if not parts:
        raise ValueError(f"{path} is the base itself")
    with _folder(base, parts[:-1]) as place:
        yield place, parts[-1]


def base_of(path: Path, root: Path | None) -> Path:
    """The trusted part of `path`: `root` where it is below it, since everything in there came with the files; else its
    own folder, which the user chose."""
    return root if root is not None and path != root and path.is_relative_to(root) else path.parent


# folders


def make_base(path: Path, *, private: bool = False) -> None:
    """Creates the folder `path`, chosen by the user, with its parents; links in it are the user's."""
    if path.is_dir():
        return
    path.mkdir(parents=True, exist_ok=True, mode=_PRIVATE_FOLDER if private else _FOLDER)
    if private and os.name != "nt":
        path.chmod(_PRIVATE_FOLDER)


def make_folder(base: Path, path: Path | str, *, private: bool = False) -> None:
    """Creates the folder `path`, with those around it; existing ones stay as they are."""
    with _folder(base, _parts(base, path), _PRIVATE_FOLDER if private else _FOLDER):
        pass


def make_new_folder(base: Path, path: Path | str) -> None:
    """Creates a new folder: FileExistsError where the name exists."""
    with _parent(base, path) as (place, name):
        os.mkdir(place.entry(name), _FOLDER, dir_fd=place.descriptor)


def is_folder(base: Path, path: Path | str) -> bool:
    """Whether `path` exists and is a folder. Raises UnsafePathError for a link."""
    try:
        with _folder(base, _parts(base, path)):
            return True
    except (FileNotFoundError, NotADirectoryError):
        return False


def sync_folder(base: Path, path: Path | str = "") -> None:
    """Flushes a folder's entries to disk, where the platform can."""
    with suppress(OSError), _folder(base, _parts(base, path)) as place:
        place.sync()


def sync_file(base: Path, path: Path | str) -> None:
    """Flushes a file to disk, where the platform can."""
    # Windows only flushes files open for writing.
    with _parent(base, path) as (place, name):
        opened = place.open(name, os.O_RDONLY if os.name != "nt" else os.O_RDWR)
        try:
            with suppress(OSError):
                os.fsync(opened)
        finally:
            os.close(opened)


# Implements REQ-SEC-001.
def remove_tree(base: Path, path: Path | str) -> None:
    """Removes a folder with its contents; of a link only the link. What cannot be removed stays."""
    import shutil

    with suppress(OSError), _parent(base, path) as (place, name):
        status = place.status(name)
        if status is None:
            return
        if stat.S_ISDIR(status.st_mode) and not _is_link(status):
            # It also opens every folder relative to the one before, where the system supports it.
            shutil.rmtree(place.entry(name), ignore_errors=True, dir_fd=place.descriptor)
        else:
            os.unlink(place.entry(name), dir_fd=place.descriptor)


def remove_empty_folder(base: Path, path: Path | str) -> None:
    """Removes an empty folder; any other stays."""
    with suppress(OSError, UnsafePathError), _parent(base, path) as (place, name):
        os.rmdir(place.entry(name), dir_fd=place.descriptor)


@contextmanager
def scratch_folder(base: Path, prefix: str) -> Iterator[Path]:
    """A new folder in `base` with an unpredictable name; removed afterwards with its contents."""
    import tempfile

    made = Path(tempfile.mkdtemp(prefix=prefix, dir=base))
    try:
        yield made
    finally:
        remove_tree(base, made)


# reading


def status(base: Path, path: Path | str) -> os.stat_result:
    """The status of `path`. Raises FileNotFoundError where it does not exist, UnsafePathError for a link."""
    with _parent(base, path) as (place, name):
        found = os.stat(place.entry(name), dir_fd=place.descriptor, follow_symlinks=False)
        if _is_link(found):
            raise _refused(place.path / name, "a link")
        return found


def is_file(base: Path, path: Path | str) -> bool:
    """Whether `path` is a regular file; a link is not."""
    try:
        return stat.S_ISREG(status(base, path).st_mode)
    except (FileNotFoundError, NotADirectoryError, UnsafePathError):
        return False


def descriptor(base: Path, path: Path | str) -> int:
    """A descriptor of the regular file at `path`, for reading; to be closed by the caller."""
    with _parent(base, path) as (place, name):
        return place.open(name, os.O_RDONLY)


def open_read(base: Path, path: Path | str) -> BinaryIO:
    """The regular file at `path`, open for reading."""
    return os.fdopen(descriptor(base, path), "rb")


def read(base: Path, path: Path | str) -> bytes:
    """The content of the regular file at `path`."""
    with open_read(base, path) as file:
        return file.read()


def plain(base: Path, path: Path | str, *, writes: bool = True) -> Path:
    """The absolute path of a file that is about to be opened by its path: it does not exist, or is a regular file.

    With `writes`, a file with further hard links (an archive can contain one) is replaced by a copy.
    """
    with _parent(base, path) as (place, name):
        _check(place, name, unshare=writes)
        return place.path / name


def lock_path(base: Path, path: Path | str) -> Path:
    """As `plain`, for a lock file: one with content and further hard links is not a lock file."""
    with _parent(base, path) as (place, name):
        found = _check(place, name, unshare=False)
        if found is not None and found.st_nlink > 1 and found.st_size:
            raise _refused(place.path / name, "another file under a second name")
        return place.path / name


def _check(place: _Place, name: str, *, unshare: bool) -> os.stat_result | None:
    found = place.status(name)
    if found is None:
        return None
    if _is_link(found):
        raise _refused(place.path / name, "a link")
    if not stat.S_ISREG(found.st_mode):
        raise _refused(place.path / name, "a folder" if stat.S_ISDIR(found.st_mode) else "no regular file")
    if unshare and found.st_nlink > 1:
        _unshare(place, name)
    return found


def _unshare(place: _Place, name: str) -> None:
    """Replaces a file with several hard links by a copy, so that changes do not affect the others."""
    fresh = f"{name}.own"
    with os.fdopen(place.open(name, os.O_RDONLY), "rb") as source:
        mode = stat.S_IMODE(os.fstat(source.fileno()).st_mode)
        try:
            with os.fdopen(place.create(fresh, mode), "wb") as target:
                while chunk := source.read(_CHUNK):
                    target.write(chunk)
                target.flush()
                os.fsync(target.fileno())
            place.rename(fresh, place, name)
        except OSError:
            with suppress(OSError):
                place.remove(fresh)
            raise


# writing


# Implements REQ-SEC-001.
def create(base: Path, path: Path | str, mode: int = _FILE) -> BinaryIO:
    """A new file at `path`, open for writing. An existing file or link is removed, not opened."""
    with _parent(base, path) as (place, name):
        return os.fdopen(place.create(name, mode), "w+b")


@contextmanager
def replacing(
    base: Path, path: Path | str, *, mode: int | None = None, sync: bool = False, fresh: str = ""
) -> Iterator[BinaryIO]:
    """A new file that replaces the one at `path` when the context is left without an error.

    It is written under another name, `fresh`, by default unique to this process and thread, and renamed. `mode` None is
    that of the replaced file. With `sync` it is on disk before it is renamed, and the rename before this returns. A
    link at `path` is replaced, not followed.
    """
    with _parent(base, path) as (place, name):
        fresh = fresh or f".{name}.{os.getpid()}-{threading.get_ident():x}.new"
        found = place.status(name)
        if found is not None and stat.S_ISDIR(found.st_mode):
            raise _refused(place.path / name, "a folder")
        if mode is None:
            mode = stat.S_IMODE(found.st_mode) if found is not None and stat.S_ISREG(found.st_mode) else _FILE
        try:
            with os.fdopen(place.create(fresh, mode), "w+b") as file:
                yield file
                file.flush()
                if sync:
                    os.fsync(file.fileno())
            place.rename(fresh, place, name)
        except BaseException:
            with suppress(OSError, UnsafePathError):
                place.remove(fresh)
            raise
        if sync:
            place.sync()


def write(
    base: Path,
    path: Path | str,
    data: bytes | bytearray,
    *,
    mode: int | None = None,
    sync: bool = False,
    fresh: str = "",
) -> None:
    """Replaces the file at `path` by `data`; see `replacing`."""
    with replacing(base, path, mode=mode, sync=sync, fresh=fresh) as file:
        file.write(data)


# Implements REQ-SEC-001.
def open_append(base: Path, path: Path | str, mode: int = PRIVATE) -> tuple[int, bool]:
    """(a descriptor of the regular file at `path` that reads anywhere and writes at its end, whether it is new).

    A file with further hard links is replaced by a copy first.
    """
    flags = os.O_RDWR | os.O_APPEND
    with _parent(base, path) as (place, name):
        try:
            descriptor = place.open(name, flags | os.O_CREAT | os.O_EXCL, mode)
        except FileExistsError:
            descriptor = place.open(name, flags)
        else:
            if os.name != "nt":
                os.fchmod(descriptor, mode)  # whatever the umask left of it
            return descriptor, True
        if os.fstat(descriptor).st_nlink > 1:
            os.close(descriptor)
            _unshare(place, name)
            descriptor = place.open(name, flags)
        return descriptor, False


def write_new(base: Path, path: Path | str, data: bytes) -> bool:
    """Creates a file with `data` unless `path` exists, even as a link; returns whether it did."""
    with _parent(base, path) as (place, name):
        try:
            opened = place.open(name, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _FILE)
        except FileExistsError:
            return False
        with os.fdopen(opened, "wb") as file:
            file.write(data)
        return True


def touch(base: Path, path: Path | str) -> None:
    """Creates an empty file at `path`, unless it is already a regular file."""
    if not is_file(base, path):
        create(base, path).close()


def mark_used(base: Path, path: Path | str) -> None:
    """Sets the times of the file at `path` to the present."""
    with _parent(base, path) as (place, name):
        _check(place, name, unshare=False)
        os.utime(place.entry(name), dir_fd=place.descriptor, follow_symlinks=place.descriptor is None)


def copy(base: Path, source: Path | str, target_base: Path, target: Path | str, mode: int = _FILE) -> None:
    """Copies a regular file to a new file; an existing target is removed."""
    with open_read(base, source) as old, create(target_base, target, mode) as new:
        while chunk := old.read(_CHUNK):
            new.write(chunk)


def link_or_copy(base: Path, source: Path | str, target: Path | str) -> None:
    """A second hard link of a file; a copy where the file system has no hard links."""
    with _parent(base, source) as (place, name), _parent(base, target) as (other, new):
        _check(place, name, unshare=False)
        with suppress(FileNotFoundError):
            other.remove(new)
        try:
            os.link(
                place.entry(name),
                other.entry(new),
                src_dir_fd=place.descriptor,
                dst_dir_fd=other.descriptor,
                follow_symlinks=place.descriptor is None,
            )
        except OSError:
            copy(base, source, base, target, PRIVATE)


def rename(base: Path, source: Path | str, target: Path | str) -> None:
    """Renames a file or folder; an existing target file is replaced."""
    with _parent(base, source) as (place, name), _parent(base, target) as (other, new):
        place.rename(name, other, new)


def remove(base: Path, path: Path | str) -> None:
    """Removes a file or link; a missing one is no error."""
    with suppress(FileNotFoundError), _parent(base, path) as (place, name):
        place.remove(name)


# resolving links


def resolved(path: Path) -> Path:
    """`path` without links. Raises OSError for a loop of links, ValueError for an invalid path.

    For a loop `Path.resolve` raises RuntimeError before Python 3.13, and returns the path with the link in it since.
    """
    try:
        found = path.resolve()
    except RuntimeError:
        found = path
    if any(folder.is_symlink() for folder in (found, *found.parents)):
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), str(path))
    return found


# paths chosen by the user


def named(path: Path, root: Path) -> tuple[Path | None, Path]:
    """(base, absolute path) of a file chosen by the user; the base is None for a path outside the project.

    Folders in the path to the project may be links; those below it came with the files.
    """
    root = Path(os.path.realpath(root))
    absolute = Path(os.path.abspath(path))  # noqa: PTH100 - `..` is taken as written, links are not resolved
    for folder in [*reversed(absolute.parents), absolute]:
        resolved = Path(os.path.realpath(folder))
        if resolved.is_relative_to(root):
            if folder == absolute:
                return resolved.parent, resolved
            return folder, absolute
    return None, absolute


# Implements REQ-SEC-001.
@contextmanager
def writing_named(path: Path, root: Path, *, mode: int | None = None, parents: bool = False) -> Iterator[BinaryIO]:
    """The file chosen by the user, open for writing and replaced whole; with `parents` missing folders are created.

    Below `root` no link is followed. Elsewhere the path is the user's choice, whatever it is: a terminal, a pipe.
    `mode` None is that of the existing file.
    """
    base, absolute = named(path, root)
    if base is None:
        if parents:
            absolute.parent.mkdir(parents=True, exist_ok=True)
        if mode is None or (absolute.exists() and not absolute.is_file()):
            with absolute.open("wb") as file:
                yield file
        else:
            with replacing(absolute.parent, absolute, mode=mode) as file:
                yield file
        return
    if parents:
        make_folder(base, absolute.parent)
    with suppress(FileNotFoundError):
        found = status(base, absolute)
        if not stat.S_ISREG(found.st_mode):
            raise _refused(absolute, "a folder" if stat.S_ISDIR(found.st_mode) else "no regular file")
    with replacing(base, absolute, mode=mode) as file:
        yield file
