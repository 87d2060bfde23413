"""Claims on project ids: a repository that merely has the name of another one must not open its journal.

`projects.json` in the user's data folder maps each id in use to its repositories. The first to use an id claims it;
another one with the same name gets an id with a distinguishing suffix. A repository is identified by its origin
(`host/path`, in any notation), or without one by the folder of its main worktree:

- A claim by an origin holds wherever a clone is located, and only for that origin. Another repository in the same place
  is another project, even without an origin.
- A claim by a folder becomes one by an origin when the repository there gets one.

Everything else needs the user's consent (`loregraph trust --memories`). Nothing here renames or removes a journal.
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
"""Lengths of the suffix that makes an id unique: longer ones where a shorter one is taken."""
_LONGEST: Final = 63
_PORTS: Final = {"ssh": 22, "git+ssh": 22, "https": 443, "http": 80, "git": 9418}
_SCP: Final = re.compile(r"(?:[^@/\\]*@)?(\[[^\]]*\]|[^:/\\\[]{2,}):(?!//)(.*)", re.DOTALL)
"""`user@host:path`; a single letter before the colon is a Windows drive."""


class Repository(msgspec.Struct, frozen=True):
    """A repository that uses an id. `origin` is the normalised URL, "" without one; `path` the main worktree's
    folder."""

    origin: str = ""
    path: str = ""

    @property
    def name(self) -> str:
        """Its unique name."""
        return self.origin or self.path


class Claim(msgspec.Struct, frozen=True):
    """The repositories that use an id. `derived`: the id was made from a repository's name and is not configured."""

    owners: tuple[Repository, ...]
    derived: bool = True


class Claims(msgspec.Struct, frozen=True):
    format: str = _FORMAT
    projects: dict[str, Claim] = {}


Decision = tuple[str, Claims]
"""The id of a repository, and the claims afterwards."""


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
    """Ids for a repository whose slug is taken, shortest first."""
    digits = blake2b(own.name.encode("utf-8", "surrogateescape"), digest_size=16).hexdigest()
    return [f"{slug[: _LONGEST - 1 - count]}-{digits[:count]}" for count in _DIGITS]


# Implements REQ-SEC-004.
def may_use(known: Claims, project_id: str, own: Repository) -> bool:
    """Whether a repository may use this id: it is unclaimed, or its own."""
    claim = known.projects.get(project_id)
    return claim is None or _is_of(claim, own)


def claimed(known: Claims, project_id: str, own: Repository) -> Claims:
    """The claims after a repository has used an id configured for it."""
    return _with(known, project_id, own, derived=False) if may_use(known, project_id, own) else known


def has_claimed(known: Claims, project_id: str, origin: str) -> bool:
    """Whether the repository with that origin uses the id: known without asking git for its folder."""
    claim = known.projects.get(project_id)
    return claim is not None and any(owner.origin == origin for owner in claim.owners)


def granted(known: Claims, project_id: str, own: Repository) -> Claims:
    """The claims after the user has allowed this repository to use the id, too."""
    return _with(known, project_id, own)


def released(known: Claims, own: Repository) -> Claims:
    """The claims without what was granted to a repository: it loses every id that another one also uses."""
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
    """`known` with `own` added to the users of the id; a repository that has got an origin is then identified by it
    alone, so that a later repository in its place does not inherit the claim."""
    claim = known.projects.get(project_id) or Claim((), derived)
    if own in claim.owners or (own.origin and any(owner.origin == own.origin for owner in claim.owners)):
        return known
    others = tuple(owner for owner in claim.owners if owner.origin or owner.path != own.path)
    changed = msgspec.structs.replace(claim, owners=(*others, own))
    return Claims(projects={**known.projects, project_id: changed})


# the file


def load() -> Claims:
    """The stored claims. Raises StoreError where the file cannot be read: without it the owners are unknown."""
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
    """The id that `work` decides on, and whether it is new and now stored.

    Nothing is written or locked where nothing changes. Where the folder is read-only the decision holds for this
    process. Raises StoreError as `load` does.
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
    """A remote's URL as `host/path`, the same for all notations; "" for none. `base` is the folder for relative
    paths."""
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
