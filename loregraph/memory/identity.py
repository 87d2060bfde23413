"""The current user and project: detected from git and the configuration where a call does not name them."""

from __future__ import annotations

import getpass
import os
import re
from functools import cached_property
from pathlib import Path
from typing import Final

from loregraph.config import ProjectSettings, Settings
from loregraph.git import run_git
from loregraph.memory import claims
from loregraph.memory.scopes import check_project_id
from loregraph.trust import trusts_everything
from loregraph.user_files import data_folder

USER_JOURNAL: Final = "_user.jsonl"
NAMELESS: Final = "project"
"""Prefix of the id of a project without any name."""
_TIMEOUT_SECONDS: Final = 10


# Implements REQ-MEM-011.
class Identity:
    """The user and the project at `root`. git is run once, on first use."""

    def __init__(self, root: Path, settings: Settings) -> None:
        self.root = root
        self._settings = settings
        self.remarks: tuple[str, ...] = ()
        """What `project_id` had to leave out of what the repository asked for, a line each."""

    @cached_property
    def user_id(self) -> str:
        """git's e-mail, else the name of the account."""
        return self._git.get("user.email") or _account()

    @cached_property
    def author(self) -> str:
        """`Name <e-mail>` in git's notation, as far as git knows them; else the name of the account."""
        name, email = self._git.get("user.name", ""), self._git.get("user.email", "")
        return f"{name} <{email}>" if name and email else name or email or _account()

    # Implements REQ-SEC-004.
    @cached_property
    def project_id(self) -> str:
        """The configured id, else a slug of the origin remote's name, else of the folder's, else made from a hash.

        Worktrees of one repository share one id: without a remote it is named after the folder of the main worktree. An
        id used by another repository is not this one's, whatever its name and its configuration say (see claims.py);
        resulting changes are in `remarks`. Raises UsageError for a configured id that is invalid, and StoreError where
        the claims cannot be read.
        """
        configured = self._settings.project_id
        if configured:
            check_project_id(configured)
        if self.is_shared and self._settings.memory_backend == "journal":
            # The journal is in the repository, under the name that is shared by all who work on it.
            return self.wanted_id
        if self._origin and claims.has_claimed(claims.load(), self.wanted_id, self._origin):
            return self.wanted_id
        if configured:
            found, _ = claims.decide(lambda known: self._named(known, configured))
            if found:
                return found
            self._remark(
                f"{self._file}: project_id = {configured!a} is ignored: it is the project of "
                f"{self._owners(configured)}; `loregraph trust --memories` allows it"
            )
        slug = self._slug()
        found, new = claims.decide(lambda known: claims.derived_id(known, slug, self.repository))
        if found in claims.suffixed(slug, self.repository):
            self._remark(
                f"the memories of this project are kept as {found}: {slug} is the project of {self._owners(slug)}; "
                "if this is that project, `loregraph trust --memories` says so",
                # Without memories under the name there is no risk of confusion.
                said=new and (self.folder / f"{slug}.jsonl").exists(),
            )
        return found

    def _named(self, known: claims.Claims, configured: str) -> claims.Decision:
        if self._is_users_word or claims.may_use(known, configured, self.repository):
            return configured, claims.claimed(known, configured, self.repository)
        return "", known

    @property
    def _is_users_word(self) -> bool:
        """Whether the configured id comes from the user rather than from the repository."""
        settings = self._settings
        if isinstance(settings, ProjectSettings) and "project_id" in settings.from_repository:
            return trusts_everything()
        return True

    @property
    def _file(self) -> str:
        return self._settings.origin if isinstance(self._settings, ProjectSettings) else "the configuration"

    def _owners(self, project_id: str) -> str:
        owners = claims.owners_of(claims.load(), project_id)
        return ", ".join(ascii(owner)[1:-1] for owner in owners) or "another repository"

    def _remark(self, text: str, *, said: bool = True) -> None:
        import logging

        self.remarks = (*self.remarks, text)
        if said:
            logging.getLogger("loregraph.memory").warning("warning: %s", text)

    # Implements REQ-SEC-003.
    def others_memories(self) -> tuple[str, str]:
        """(the id requested by the configuration or the name, its owner), ("", "") where no other repository has it."""
        wanted = self.wanted_id
        known = claims.load()
        return ("", "") if claims.may_use(known, wanted, self.repository) else (wanted, self._owners(wanted))

    def take_memories(self) -> None:
        """Stores the user's consent to use the requested id, even if another repository uses it, too."""
        claims.decide(lambda known: (self.wanted_id, claims.granted(known, self.wanted_id, self.repository)))

    def give_back_memories(self) -> bool:
        """Withdraws what `take_memories` stored; returns whether there was something."""
        return claims.decide(lambda known: ("", claims.released(known, self.repository)))[1]

    @cached_property
    def wanted_id(self) -> str:
        """The id requested by the configuration or the name, regardless of its owner."""
        return self._settings.project_id or self._slug()

    @cached_property
    def repository(self) -> claims.Repository:
        """The identity of this repository for claims."""
        return claims.Repository(self._origin, str(self._main_folder.resolve()))

    @cached_property
    def _origin(self) -> str:
        return claims.normalised(self._git.get("remote.origin.url", ""), lambda: self._main_folder)

    # Implements REQ-MEM-012.
    def _slug(self) -> str:
        """An id from the first name that contains a letter: the remote's, the folder's, else the digits of a hash."""
        names = [remote_name(self._git.get("remote.origin.url", ""))]
        if not (self.is_shared and self._origin):
            # A journal in the repository has the same name in all clones, whatever their folders.
            names.append(self._main_folder.name)
        slug = next(filter(None, map(slug_of, names)), "")
        return check_project_id(slug or claims.suffixed(NAMELESS, self.repository)[0])

    @cached_property
    def _git(self) -> dict[str, str]:
        text = _git(self.root, "config", "--null", "--get-regexp", r"^(user\.(name|email)|remote\.origin\.url)$")
        pairs = (entry.partition("\n") for entry in text.split("\0") if entry)
        return {key: value.strip() for key, _, value in pairs}

    @cached_property
    def _main_folder(self) -> Path:
        common = _git(self.root, "rev-parse", "--path-format=absolute", "--git-common-dir").strip()
        if common and Path(common).name == ".git":
            return Path(common).parent
        # A bare repository, a submodule (whose git folder is elsewhere), or none at all.
        return self.root

    # locations of journals

    @cached_property
    def folder(self) -> Path:
        """The folder of the journals outside the repository."""
        return data_folder() / "memory"

    def journal_of(self, project_id: str) -> Path:
        """The journal of a project: for this one in the folder set by `memory_dir`, else in the user's data folder."""
        if (shared := self.shared_folder) is not None and project_id == self.project_id:
            return shared / f"{project_id}.jsonl"
        return self.folder / f"{project_id}.jsonl"

    @property
    def shared_folder(self) -> Path | None:
        """The folder set by `memory_dir`, None without one."""
        if not self._settings.memory_dir:
            return None
        return Path(os.path.normpath(self.root / Path(self._settings.memory_dir).expanduser()))

    @property
    def user_journal(self) -> Path:
        """The journal of memories that belong to no single project."""
        return self.folder / USER_JOURNAL

    @property
    def is_shared(self) -> bool:
        """Whether the project's journal is in the repository."""
        return bool(self._settings.memory_dir)


def remote_name(url: str) -> str:
    """The repository's name in a remote's URL or path: `git@host:org/Name.git` → `Name`, `/srv/shop/.` → `shop`; "" for
    a path that only goes up."""
    names = [name for name in re.split(r"[/:\\]", url.strip()) if name not in ("", ".")]
    # A work tree's git folder is named by the work tree.
    while len(names) > 1 and names[-1] == ".git":
        names.pop()
    return names[-1].removesuffix(".git") if names and names[-1] != ".." else ""


def slug_of(name: str) -> str:
    """`name` as a project id: lower case, invalid characters replaced by a dash; "" where no letter is left to begin
    with."""
    slug = re.sub(r"[^a-z0-9_-]+", "-", name.lower())
    return re.sub(r"^[^a-z]+", "", slug)[:63].rstrip("-")


def _git(root: Path, *words: str) -> str:
    """The output of git; "" where it fails or is missing."""
    return (run_git(root, *words, timeout=_TIMEOUT_SECONDS) or b"").decode("utf-8", "replace")


def _account() -> str:
    try:
        return getpass.getuser()
    except (OSError, KeyError):
        return "unknown"
