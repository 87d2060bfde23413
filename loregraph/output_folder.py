"""A folder that an export fills: replaced whole, and never with what is not an export's.

The files are written beside their places first, then moved there; a manifest in the folder has the hash of each. So an
export that fails leaves the last one as it was, a second export replaces the first and removes what it no longer has,
and a file that somebody else wrote or changed is refused, not overwritten. The manifest may come with a repository: it
names files of its own folder only, and what it names is removed only if it still has the content that it says.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import msgspec

from loregraph import rooted
from loregraph.errors import InTheWayError, UnsafePathError, UsageError

MANIFEST: Final = "loregraph-export.json"
_SCRATCH: Final = ".loregraph-export-"
_CHUNK: Final = 1 << 20


class _Manifest(msgspec.Struct, omit_defaults=True):
    """Name → SHA-256 of each file. `replaced` has those of the export before while its files are being replaced."""

    files: dict[str, str]
    replaced: dict[str, str] = {}


class OutputFolder:
    """What an export writes to. Names are relative, with `/`."""

    def __init__(self, base: Path, scratch: Path) -> None:
        self._base = base
        self._scratch = scratch
        self.written: dict[str, str] = {}
        """Name → SHA-256 of the files written so far."""
        self.size = 0
        """Bytes written so far."""

    @contextmanager
    def file(self, name: str) -> Iterator[Path]:
        """A path at which a library may write the file `name`: it is part of the export when the context is left."""
        path = self._place(name)
        yield path
        self.size += rooted.status(self._base, path).st_size
        self.written[name] = _hash(self._base, path) or ""

    def write(self, name: str, data: bytes) -> None:
        """Makes `data` the file `name`."""
        with rooted.create(self._base, self._place(name)) as file:
            file.write(data)
        self.size += len(data)
        self.written[name] = hashlib.sha256(data).hexdigest()

    def _place(self, name: str) -> Path:
        if not _is_name(name) or name == MANIFEST or name in self.written:
            raise ValueError(f"{name!r} is no name of a file of an export, or is already written")
        path = self._scratch / name
        if path.parent != self._scratch:
            rooted.make_folder(self._base, path.parent)
        return path


# Implements REQ-SEC-005.
@contextmanager
def filling(path: Path, root: Path) -> Iterator[OutputFolder]:
    """The folder `path` chosen by the user, created if missing, whose content is that of the `OutputFolder` when the
    context is left without an error; else it stays as it was.

    Raises InTheWayError where it has files that no export wrote, or that were changed since, UnsafePathError for links
    in it and, below `root`, in the path to it, UsageError where it cannot be written.
    """
    try:
        base, folder = rooted.named(path, root)
        if base is None:
            rooted.make_base(folder)
            folder = base = folder.resolve()
        rooted.make_folder(base, folder)
        before = _manifest(base, folder)
        if before is None:
            _refuse_content(folder, path)
        for left in sorted(folder.glob(f"{_SCRATCH}*")):  # by an export that was killed
            rooted.remove_tree(base, left)
        with rooted.scratch_folder(folder, _SCRATCH) as scratch:
            output = OutputFolder(base, scratch)
            yield output
            _replace(base, folder, scratch, before or _Manifest({}), output.written)
    except OSError as error:
        raise UsageError(f"{path} cannot be written: {error.strerror or error}", "name another folder") from error


def _refuse_content(folder: Path, path: Path) -> None:
    for entry in sorted(folder.iterdir()):
        # Those are of version control and of pages hosts.
        if not entry.name.startswith("."):
            raise InTheWayError(
                f"{path} has files that are no export of loregraph's: {entry.name}",
                "name a folder that is empty or does not exist",
            )


def _replace(base: Path, folder: Path, scratch: Path, before: _Manifest, written: dict[str, str]) -> None:
    new = []
    for name, digest in written.items():
        found = _hash(base, folder / name)
        if found == digest:
            continue
        if found is not None and found not in (before.files.get(name), before.replaced.get(name)):
            raise InTheWayError(
                f"{folder / name} is there, and is not as an export wrote it",
                "name another folder, or remove this one first",
            )
        new.append(name)
    _write_manifest(base, folder, _Manifest(written, before.files | before.replaced))
    for name in new:
        rooted.make_folder(base, (folder / name).parent)
        rooted.rename(base, scratch / name, folder / name)
    _remove(base, folder, {**before.replaced, **before.files}, written)
    _write_manifest(base, folder, _Manifest(written))


def _remove(base: Path, folder: Path, old: dict[str, str], written: dict[str, str]) -> None:
    """Removes the files of an earlier export that are not `written`, unless they were changed since."""
    gone = [name for name in sorted(old) if name not in written and _hash(base, folder / name) == old[name]]
    for name in gone:
        rooted.remove(base, folder / name)
    for parent in sorted({parent for name in gone for parent in Path(name).parents}, reverse=True):
        if parent.parts:
            rooted.remove_empty_folder(base, folder / parent)


def _manifest(base: Path, folder: Path) -> _Manifest | None:
    try:
        found = msgspec.json.decode(rooted.read(base, folder / MANIFEST), type=_Manifest)
    except (FileNotFoundError, msgspec.DecodeError, UnicodeDecodeError):
        return None
    return found if all(map(_is_name, (*found.files, *found.replaced))) else None


def _write_manifest(base: Path, folder: Path, manifest: _Manifest) -> None:
    manifest = _Manifest(dict(sorted(manifest.files.items())), dict(sorted(manifest.replaced.items())))
    rooted.write(base, folder / MANIFEST, msgspec.json.format(msgspec.json.encode(manifest), indent=1) + b"\n")


def _is_name(name: str) -> bool:
    """Whether `name` is of a file in the folder on every system, and hidden on none."""
    parts = name.split("/")
    return all(part and not part.startswith(".") for part in parts) and not any(c in name for c in '\\:\0*?"<>|')


def _hash(base: Path, path: Path) -> str | None:
    """SHA-256 of the file, None where there is none."""
    try:
        with rooted.open_read(base, path) as file:
            digest = hashlib.sha256()
            while chunk := file.read(_CHUNK):
                digest.update(chunk)
            return digest.hexdigest()
    except (FileNotFoundError, NotADirectoryError):
        return None
    except UnsafePathError as error:
        raise InTheWayError(f"{path} is a link or a folder", "remove it, or name another folder") from error
