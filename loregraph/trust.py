"""Records of the user's consent: settings of a repository that reach beyond it, files of a proxy, stores.

Stored in `trust.json` in the user's data folder, never in a repository. Consent is for a value, not for a name: another
value, another content, or another repository in the same place needs consent again. `LOREGRAPH_TRUST=1` consents to
everything, for machines dedicated to one repository.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Final

import msgspec

from loregraph.user_files import blake2b, changing, data_folder, read, replace

TRUST_FILE: Final = "trust.json"
TRUST_VARIABLE: Final = "LOREGRAPH_TRUST"
_FORMAT: Final = "loregraph-trust-1"
_NO: Final = ("", "0", "false", "no", "off")
_GIT_SECONDS: Final = 10

_said: set[str] = set()
"""Damaged files already reported: once per process."""


class TrustedRoot(msgspec.Struct, frozen=True):
    """Consented settings of the repository at a root: key → value as JSON. `repository` identifies the repository."""

    repository: str
    settings: dict[str, str]


class Records(msgspec.Struct, frozen=True):
    """All records of consent. Paths are absolute, links resolved; `files` and `stores` → hash of the content."""

    format: str = _FORMAT
    roots: dict[str, TrustedRoot] = {}
    files: dict[str, str] = {}
    stores: dict[str, str] = {}


# Implements REQ-SEC-002.
def trusts_everything() -> bool:
    """Whether the environment consents to everything."""
    return os.environ.get(TRUST_VARIABLE, "").strip().lower() not in _NO


def trusted_settings(root: Path) -> Mapping[str, str]:
    """Key → value, as JSON, of the trusted settings of the repository that is now at `root`."""
    found = records().roots.get(str(root.resolve()))
    return found.settings if found is not None and found.repository == repository_at(root) else {}


def is_trusted_file(path: Path, content: bytes) -> bool:
    return trusts_everything() or records().files.get(str(path.resolve())) == digest(content)


def is_trusted_store(path: Path, current: bytes) -> bool:
    """Whether a store that came with the files was trusted; `current` is the content of its file of that name."""
    return trusts_everything() or records().stores.get(str(path.resolve())) == digest(current)


# Implements REQ-SEC-003.
def grant(
    root: Path,
    settings: Mapping[str, str],
    files: Mapping[Path, bytes] | None = None,
    stores: Mapping[Path, bytes] | None = None,
) -> None:
    """Stores consent to `settings` (key → value as JSON) of the repository at `root`, replacing earlier ones, and to
    the content of files and stores. Raises OSError and StoreBusyError."""
    new_files = {str(path.resolve()): digest(content) for path, content in (files or {}).items()}
    new_stores = {str(path.resolve()): digest(content) for path, content in (stores or {}).items()}
    place = str(root.resolve())
    repository = repository_at(root)

    def granted(known: Records) -> Records:
        roots = {**known.roots, place: TrustedRoot(repository, dict(settings))}
        if not settings:
            del roots[place]
        return Records(roots=roots, files={**known.files, **new_files}, stores={**known.stores, **new_stores})

    _change(granted)


def revoke(root: Path) -> bool:
    """Withdraws all consent for what is at `root` or below it; returns whether there was any. Raises OSError,
    StoreBusyError."""
    place = root.resolve()
    before = records()

    def revoked(known: Records) -> Records:
        return Records(
            roots={k: v for k, v in known.roots.items() if not Path(k).is_relative_to(place)},
            files={k: v for k, v in known.files.items() if not Path(k).is_relative_to(place)},
            stores={k: v for k, v in known.stores.items() if not Path(k).is_relative_to(place)},
        )

    if revoked(before) == before:
        return False
    _change(revoked)
    return True


def records() -> Records:
    """All records; empty where the file is unreadable, which is reported once."""
    path = data_folder() / TRUST_FILE
    try:
        content = read(path)
        known = Records() if content is None else msgspec.json.decode(content, type=Records)
    except (OSError, msgspec.DecodeError, RecursionError) as error:
        return _unreadable(path, str(error))
    return known if known.format == _FORMAT else _unreadable(path, "another version of loregraph wrote it")


def digest(content: bytes) -> str:
    return blake2b(content, digest_size=32).hexdigest()


def repository_at(root: Path) -> str:
    """Identifies the repository at `root`, to distinguish it from a later one: the folder's inode, and its origin."""
    from loregraph.git import run_git  # rarely needed: it loads subprocess

    origin = run_git(root, "config", "--get", "remote.origin.url", timeout=_GIT_SECONDS) or b""
    try:
        inode = root.stat().st_ino
    except OSError:
        inode = 0
    return digest(f"{inode}\0".encode() + origin.strip())


def in_repository(places: Iterable[Path]) -> Path | None:
    """The folder of the git repository around one of the places, None where there is none; only checks names."""
    for place in places:
        for folder in place.parents:
            if os.path.lexists(folder / ".git"):
                return folder
    return None


def _change(work: Callable[[Records], Records]) -> None:
    path = data_folder() / TRUST_FILE
    with changing(path):
        replace(path, msgspec.json.format(msgspec.json.encode(work(records())), indent=2))


def _unreadable(path: Path, why: str) -> Records:
    if str(path) not in _said:
        _said.add(str(path))
        import logging

        logging.getLogger("loregraph.trust").warning(
            "warning: %s cannot be read, so nothing is trusted (%s); `loregraph trust` begins it anew",
            ascii(str(path))[1:-1],
            ascii(why)[1:-1],
        )
    return Records()
