"""Which files may be overwritten by an output.

A file named on the command line is the user's choice; one named by a client of the server is not trusted. Neither may
be the store, a journal or a file beside one, or git's. An export may only replace an export: a record beside the user's
journals has the hash of each by path, since a journal looks like an export too.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO, Final

from loregraph import rooted
from loregraph.errors import InTheWayError, NotAllowedError, UnsafePathError, UsageError

RECORD: Final = "exports.json"
EXPORTS: Final = (".json", ".jsonl")
"""Extensions of exports requested by clients of the server."""
_GIT: Final = ".git"
_JOURNALS: Final = re.compile(r".+\.jsonl(\..+)?", re.IGNORECASE | re.DOTALL)
_KEPT: Final = 1000
"""Maximum exports remembered; beyond that, missing ones are forgotten."""

# JSON files that package managers, compilers, editors and agent hosts read automatically; names that begin with a dot
# are always refused.
_CONFIGURATION: Final = re.compile(
    r"(package|npm-shrinkwrap|composer|bower|lerna|nx|turbo|rush|deno|jsr|bun|project|workspace|angular|nest-cli|"
    r"pyrightconfig|tsconfig.*|jsconfig.*|tslint|biome|babel|nodemon|vercel|now|firebase|netlify|app|appsettings.*|"
    r"global|launch|launchsettings|tasks|settings.*|extensions|keybindings|devcontainer|manifest|renovate|components|"
    r"cmakepresets|cmakeuserpresets|vcpkg|conanfile|cypress|serverless|cdk|template|hooks|plugin|marketplace|tools|"
    r"mcp|mcp[-_.].*|.*[-_.]mcp|claude.*|cursor.*|gemini.*|server|.*[-_.]lock|.*[-_.]?config|.*rc|.*[-_.]settings)"
    r"\.jsonc?",
    re.IGNORECASE,
)


# Implements REQ-SEC-005.
def refuse_reserved(path: Path, root: Path, reserved: Iterable[Path], journals: Path | None) -> None:
    """Raises NotAllowedError where an output to `path` would be in git's folder, in one of the folders or files
    `reserved`, or over a journal of the project, or a file beside one, in the folder `journals`."""
    absolute = Path(os.path.abspath(path))  # noqa: PTH100 - `..` is taken as written, links are not resolved
    for place in {absolute, Path(os.path.realpath(absolute))}:
        below = place.relative_to(root).parts if place.is_relative_to(root) else ()
        if _GIT in (part.lower() for part in below):
            raise _refused(path, "git's")
        for folder in reserved:
            if place.is_relative_to(folder) or place.is_relative_to(os.path.realpath(folder)):
                raise _refused(path, "loregraph's own")
        if journals is not None and place.is_relative_to(journals):
            inner = place.relative_to(journals).parts
            beside = inner[:1] == ("snapshots",) or (len(inner) == 1 and inner[0].lower().count(".jsonl.") > 0)
            if beside or (len(inner) == 1 and _JOURNALS.fullmatch(inner[0]) and place.exists()):
                raise _refused(path, "a journal, or what is kept with one")


@contextmanager
def writing(path: Path, root: Path, *, parents: bool = False) -> Iterator[BinaryIO]:
    """The file named by the user, open for writing, from `rooted.writing_named`. Raises UsageError where it cannot be
    written."""
    try:
        with rooted.writing_named(path, root, parents=parents) as file:
            yield file
    except OSError as error:
        raise UsageError(f"{path} cannot be written: {error.strerror or error}", "name another file") from error


# Implements REQ-SEC-005.
def refuse_executed(path: Path, root: Path, *, folder: bool = False) -> None:
    """Raises NotAllowedError where `path`, below `root`, has a name that tools or agent hosts execute or read as
    configuration, or not that of data. `folder`: it is a folder whose files are named by loregraph."""
    parts = path.relative_to(root).parts
    name = parts[-1] if parts else ""
    if not parts or any(part.startswith(".") or part != part.rstrip(". ") or ":" in part for part in parts):
        raise NotAllowedError(f"{name} is no place for an export", "name a file whose folders begin with no dot")
    if not folder and Path(name).suffix.lower() not in EXPORTS:
        raise NotAllowedError(
            f"{name} is no name of an export", f"name a file that ends with {' or '.join(EXPORTS)}, memories.jsonl"
        )
    if _CONFIGURATION.fullmatch(name):
        raise NotAllowedError(f"{name} is a name that tools read as configuration", "name it memories.jsonl")


# Implements REQ-SEC-005.
def refuse_others(path: Path, record: Path) -> None:
    """Raises InTheWayError where `path` exists, is not empty, and is not an unchanged export."""
    try:
        found = rooted.status(path.parent, path.name)
    except (FileNotFoundError, NotADirectoryError):
        return
    except UnsafePathError:
        raise InTheWayError(f"{path} is a link", "name another file") from None
    if found.st_size == 0 and rooted.is_file(path.parent, path.name):
        return
    if _known(record).get(str(path)) != _hash(path):
        raise InTheWayError(
            f"{path} is there, and is no export of loregraph's as it was written",
            "name another file, or remove this one first",
        )


def note_export(path: Path, data: bytes, record: Path) -> None:
    """Remembers an export, so that the next may replace it. If that fails, the next needs another path."""
    import msgspec

    known = _known(record)
    known[str(path)] = hashlib.sha256(data).hexdigest()
    if len(known) > _KEPT:
        known = {name: mark for name, mark in known.items() if Path(name).exists()}
    with suppress(OSError, UnsafePathError):
        rooted.make_base(record.parent, private=True)
        rooted.write(record.parent, record.name, msgspec.json.encode(known), mode=rooted.PRIVATE)


def _known(record: Path) -> dict[str, str]:
    import msgspec

    try:
        return msgspec.json.decode(rooted.read(record.parent, record.name), type=dict[str, str])
    except (OSError, UnsafePathError, msgspec.DecodeError):
        return {}


def _hash(path: Path) -> str:
    try:
        with rooted.open_read(path.parent, path.name) as file:
            return hashlib.sha256(file.read()).hexdigest()
    except (OSError, UnsafePathError):
        return ""


def _refused(path: Path, whose: str) -> NotAllowedError:
    return NotAllowedError(f"{path} is not for outputs: it is {whose}", "name another file")
