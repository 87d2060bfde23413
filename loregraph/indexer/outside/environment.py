"""Stubs in configured folders: `typings`, a package of an installed environment.

They are only read if a setting names them, and their contents are part of a generation's token. A folder is either a
package itself (it has an `__init__`), or contains packages and modules. Stubs (`.pyi`) are read, and the code of
packages marked as typed (`py.typed`); nothing is run, no link is followed.
"""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final

import msgspec

from loregraph import rooted
from loregraph.errors import UnsafePathError
from loregraph.indexer.outside.modules import Source
from loregraph.indexer.outside.shapes import Shapes, standard_library
from loregraph.indexer.outside.stubs import Stubs
from loregraph.indexer.outside.types import Symbol
from loregraph.indexer.problems import PathProblem
from loregraph.indexer.source import normalise

MAX_FILES: Final = 4_000
"""Maximum files and folders read: the largest packages have a thousand or two, an environment tens of thousands."""
MAX_BYTES: Final = 32 << 20
MAX_FILE_BYTES: Final = 2 << 20
MAX_DEPTH: Final = 16
"""Maximum nesting of folders."""
_STUBS: Final = "-stubs"
_TYPED: Final = "py.typed"
_INITS: Final = ("__init__.pyi", "__init__.py")
_Read = dict[str, dict[str, Symbol | None]]
"""Module → name in it → its declared symbol."""


class Environment:
    """The modules declared in folders. `digest` is a hash of everything that was read."""

    def __init__(self, sources: Mapping[str, Source], digest: str, problems: tuple[PathProblem, ...]) -> None:
        self._sources = sources
        self.digest = digest
        self.problems = problems
        self._read: _Read = {}

    def kept(self) -> bytes:
        """The symbols that were looked up so far: an edit then needs few stubs again."""
        return msgspec.msgpack.encode((self.digest, self._read))

    def keep(self, saved: bytes | None) -> None:
        """Takes over the symbols looked up earlier in the same stubs."""
        if saved is not None:
            digest, read = msgspec.msgpack.decode(saved, type=tuple[str, _Read])
            self._read = read if digest == self.digest else {}

    def shapes(self) -> Shapes:
        """The declarations in these modules, before those of the standard library."""
        known = standard_library()
        if not self._sources:
            return known
        stubs = Stubs(self._sources.get, known)

        # One name at a time: a module may re-export names of thousands of others, while only one is wanted.
        def symbol(module: str, name: str) -> Symbol | None:
            if module not in self._sources:
                return known.symbol(module, name)
            read = self._read.setdefault(module, {})
            if name not in read:
                read[name] = stubs.symbol(module, name)
            return read[name]

        return Shapes(lambda module: module in self._sources or known.knows(module), symbol)


# Implements REQ-SEC-002, REQ-SEC-010.
def read_environment(root: Path, folders: Iterable[str]) -> Environment:
    """The modules of `folders`, absolute or relative to `root`. Of two with the same name the first counts; stubs come
    before code. A folder that is unreadable or beyond the limits is left out and reported as a problem."""
    sources: dict[str, Source] = {}
    problems: list[PathProblem] = []
    digest = hashlib.blake2b(digest_size=16)
    room = _Room()
    for written in folders:
        folder = Path(os.path.normpath(root / Path(written).expanduser()))
        inside = folder.is_relative_to(root)
        base, start = (root, folder.relative_to(root).as_posix()) if inside else (folder, "")
        try:
            start = "" if start == "." else start
            found = _modules(base, start, _files(base, start, room), folder.name)
        except (OSError, UnsafePathError) as error:
            problems.append(PathProblem(written, 0, f"stubs: {getattr(error, 'strerror', None) or error}"))
            continue
        except _TooMuchError as error:
            problems.append(PathProblem(written, 0, f"stubs: {error}; name the packages in it"))
            continue
        digest.update(f"{written}\0".encode())
        for module, (source, content) in sorted(found.items()):
            digest.update(f"{module}\0{len(content)}\0".encode() + content)
            sources.setdefault(module, source)
    digest.update(repr(problems).encode())
    return Environment(sources, digest.hexdigest(), tuple(problems))


class _TooMuchError(Exception):
    """Raised for more files, or larger ones, than the limits allow."""


class _Room:
    """The remaining budget of files and bytes."""

    def __init__(self) -> None:
        self.files = MAX_FILES
        self.bytes = MAX_BYTES

    def take(self, files: int, size: int) -> None:
        """Raises `_TooMuchError` where the budget is exceeded."""
        self.files -= files
        self.bytes -= size
        if self.files < 0:
            raise _TooMuchError(f"with it there are more than {MAX_FILES:,} files and folders")
        if self.bytes < 0:
            raise _TooMuchError(f"with it there are more than {MAX_BYTES >> 20} MiB")


# Implements REQ-SEC-010.
def _files(base: Path, start: str, room: _Room) -> list[str]:
    """The paths relative to `base` of the files in the folder `start` that may declare something, in order."""
    found: list[str] = []
    waiting = [(start, 0)]
    while waiting:
        folder, depth = waiting.pop()
        if not rooted.is_folder(base, folder or "."):
            raise FileNotFoundError(2, "there is no such folder")
        with os.scandir(base / folder) as scan:
            entries = sorted(scan, key=lambda entry: entry.name)
        for entry in entries:
            path = f"{folder}/{entry.name}" if folder else entry.name
            if entry.is_dir(follow_symlinks=False):
                if depth < MAX_DEPTH and (entry.name.removesuffix(_STUBS).isidentifier()):
                    waiting.append((path, depth + 1))
            elif entry.name.endswith((".pyi", ".py")) or entry.name == _TYPED:
                held = entry.stat(follow_symlinks=False)
                if stat.S_ISREG(held.st_mode) and held.st_size <= MAX_FILE_BYTES:
                    found.append(path)
                    room.take(1, held.st_size)
        room.take(1, 0)
    return sorted(found)


def _modules(base: Path, start: str, files: list[str], name: str) -> dict[str, tuple[Source, bytes]]:
    """Module → its source, and the hashed content."""
    own = {path.rpartition("/")[2] for path in files if path.rpartition("/")[0] == start}
    prefix = (name.removesuffix(_STUBS),) if own.intersection(_INITS) else ()
    typed = [path.rpartition("/")[0] for path in files if path.endswith(f"/{_TYPED}") or path == _TYPED]
    found: dict[str, tuple[Source, bytes]] = {}
    for path in sorted(files, key=lambda path: (not path.endswith(".pyi"), path)):
        if path.endswith(_TYPED) or not (path.endswith(".pyi") or _is_below(path, typed)):
            continue
        below = path.removeprefix(start).strip("/") if start else path
        parts = [*prefix, *below.rpartition(".")[0].split("/")]
        if parts and parts[0].endswith(_STUBS):
            parts[0] = parts[0].removesuffix(_STUBS)
        is_package = parts[-1] == "__init__"
        module = ".".join(parts[:-1] if is_package else parts)
        if not module or module in found:
            continue
        content = rooted.read(base, path)
        text, _ = normalise(content)
        if text is not None:
            found[module] = ((text, is_package), content)
    return found


def _is_below(path: str, folders: Iterable[str]) -> bool:
    return any(not folder or path.startswith(f"{folder}/") for folder in folders)
