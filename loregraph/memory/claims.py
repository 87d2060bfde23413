"""Whose a project id is: so that a repository which only has another's name does not open its journal.

`projects.json` in the user's data folder maps each id that was used to the repositories that use it. The first to use
an id claims it; another with the same name gets one with a few characters of its own. A repository is known by its
origin (`host/path`, however that is written), and without one by the folder of its main worktree:

- A claim by an origin holds wherever a clone lies, and only for that origin. Another repository at the same place is
  another project, also one without an origin.
- A claim by a folder becomes one by its origin when the repository there gets one.

Everything else needs the user's word (`loregraph trust --memories`). Nothing here renames or removes a journal.
"""

from __future__ import annotations

import os
import posixpath
import re
from collections.abc import Callable
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

import msgspec

from loregraph.errors import StoreBusyError, StoreError
from loregraph.user_files import blake2b, changing, data_folder, read, replace

CLAIMS_FILE: Final = "projects.json"
_FORMAT: Final = "loregraph-projects-1"
_DIGITS: Final = (8, 16, 32)
"""How many characters of a repository's own an id gets: more where somebody else has taken the shorter one."""
_LONGEST: Final = 63
_PORTS: Final = {"ssh": 22, "git+ssh": 22, "https": 443, "http": 80, "git": 9418}
_SCP: Final = re.compile(r"(?:[^@/\\]*@)?(\[[^\]]*\]|[^:/\\\[]{2,}):(?!//)(.*)", re.DOTALL)
"""`user@host:path`; one letter before the colon is a drive of Windows."""


class Repository(msgspec.Struct, frozen=True):
    """Who uses an id. `origin` is the normalised URL, "" without one; `path` the main worktree's folder."""

    origin: str = ""
    path: str = ""

    @property
    def name(self) -> str:
        """What tells it from any other."""
        return self.origin or self.path


class Claim(msgspec.Struct, frozen=True):
    """The repositories that use an id. `derived`: it was made from the name of one, nobody has written it down."""

    owners: tuple[Repository, ...]
    derived: bool = True


class Claims(msgspec.Struct, frozen=True):
    format: str = _FORMAT
    projects: dict[str, Claim] = {}


Decision = tuple[str, Claims]
"""The id that a repository has, and the claims after it has got it."""


# Implements REQ-SEC-004.
def derived_id(known: Claims, slug: str, own: Repository) -> Decision:
    """The id of a repository whose name makes `slug`."""
    mine = sorted(name for name, claim in known.projects.items() if claim.derived and _is_of(claim, own))
    if own_claim := known.projects.get(slug):
        if _is_of(own_claim, own):
            return slug, _with(known, slug, own)
    elif not mine:
        return slug, _with(known, slug, own)
    if mine:
        # It had another name when it was first used, or another project had this one.
        return mine[0], _with(known, mine[0], own)
    for candidate in suffixed(slug, own):
        if candidate not in known.projects:
            return candidate, _with(known, candidate, own)
    raise StoreError(f"no project id can be made of {slug!r}", "name one with --project-id or LOREGRAPH_PROJECT_ID")


def suffixed(slug: str, own: Repository) -> list[str]:
    """Ids for a repository whose slug is another's, shortest first."""
    digits = blake2b(own.name.encode("utf-8", "surrogateescape"), digest_size=16).hexdigest()
    return [f"{slug[: _LONGEST - 1 - count]}-{digits[:count]}" for count in _DIGITS]


# Implements REQ-SEC-004.
def may_use(known: Claims, project_id: str, own: Repository) -> bool:
    """Whether a repository may name this id as its own: nobody's, or its own."""
    claim = known.projects.get(project_id)
    return claim is None or _is_of(claim, own)


def claimed(known: Claims, project_id: str, own: Repository) -> Claims:
    """The claims after a repository has used an id that was written down for it."""
    return _with(known, project_id, own, derived=False) if may_use(known, project_id, own) else known


def has_claimed(known: Claims, project_id: str, origin: str) -> bool:
    """Whether the repository of that origin uses the id: what can be told without asking git where it lies."""
    claim = known.projects.get(project_id)
    return claim is not None and any(owner.origin == origin for owner in claim.owners)


def granted(known: Claims, project_id: str, own: Repository) -> Claims:
    """The claims after the user has said that this repository, too, uses the id."""
    return _with(known, project_id, own)


def released(known: Claims, own: Repository) -> Claims:
    """The claims without what was granted to a repository: it leaves every id that another one uses, too."""
    projects = {}
    for name, claim in known.projects.items():
        others = tuple(owner for owner in claim.owners if not _same(owner, own))
        projects[name] = msgspec.structs.replace(claim, owners=others or claim.owners)
    return Claims(projects=projects)


def owners_of(known: Claims, project_id: str) -> tuple[str, ...]:
    claim = known.projects.get(project_id)
    return tuple(owner.name for owner in claim.owners) if claim is not None else ()


def _is_of(claim: Claim, own: Repository) -> bool:
    return any(_same(owner, own) for owner in claim.owners)


def _same(owner: Repository, own: Repository) -> bool:
    if owner.origin:
        return owner.origin == own.origin
    return owner.path == own.path


def _with(known: Claims, project_id: str, own: Repository, *, derived: bool = True) -> Claims:
    """`known` with `own` among those who use the id; one that had no origin and has one now is kept by that alone, so
    that what comes to lie at its place later does not inherit."""
    claim = known.projects.get(project_id) or Claim((), derived)
    if own in claim.owners or (own.origin and any(owner.origin == own.origin for owner in claim.owners)):
        return known
    others = tuple(owner for owner in claim.owners if owner.origin or owner.path != own.path)
    changed = msgspec.structs.replace(claim, owners=(*others, own))
    return Claims(projects={**known.projects, project_id: changed})


# the file


def load() -> Claims:
    """What is claimed. Raises StoreError where the file cannot be read: who is whose would be anybody's guess."""
    path = data_folder() / CLAIMS_FILE
    try:
        content = read(path)
        known = Claims() if content is None else msgspec.json.decode(content, type=Claims)
    except (OSError, msgspec.DecodeError, RecursionError) as error:
        raise _unreadable(path, str(error)) from error
    if known.format != _FORMAT:
        raise _unreadable(path, "another version of loregraph wrote it")
    return known


def decide(work: Callable[[Claims], Decision]) -> tuple[str, bool]:
    """The id that `work` decides on, and whether that was new and is kept now.

    Nothing is written, and no lock taken, where nothing changes. Where the folder cannot be written what is decided
    holds for this process. Raises StoreError as `load` does.
    """
    known = load()
    project_id, after = work(known)
    if after == known:
        return project_id, False
    path = data_folder() / CLAIMS_FILE
    try:
        with changing(path):
            known = load()
            project_id, after = work(known)
            if after != known:
                replace(path, msgspec.json.format(msgspec.json.encode(after), indent=2))
    except (OSError, StoreBusyError):
        return project_id, False
    return project_id, True


def _unreadable(path: Path, why: str) -> StoreError:
    return StoreError(
        f"{path} cannot be read ({why}), so nobody knows which project's memories are whose",
        "restore it, or remove it: then the next to use a project's name claims it",
    )


# origins


def normalised(url: str, base: Callable[[], Path]) -> str:
    """A remote's URL as `host/path`, the same for all ways to write it; "" for none. `base` says which folder a path
    that is not absolute is seen from."""
    url = url.strip()
    if not url:
        return ""
    if "://" in url:
        try:
            parts = urlsplit(url)
            host, port = (parts.hostname or "").lower(), parts.port
        except ValueError:
            return f"url:{url}"
        scheme = parts.scheme.lower()
        if scheme == "file" or not host:
            return f"file:{os.path.realpath(parts.path)}"
        shown = f"{host}:{port}" if port is not None and port != _PORTS.get(scheme) else host
        return f"{shown}/{_path(parts.path)}"
    if match := _SCP.fullmatch(url):
        return f"{match[1].strip('[]').lower()}/{_path(match[2])}"
    path = Path(url)
    return f"file:{os.path.realpath(path if path.is_absolute() else base() / path)}"


def _path(path: str) -> str:
    return posixpath.normpath("/" + path.strip("/")).strip("/").removesuffix(".git")
