"""Who is asking and about which project: what git and the configuration say where a call says nothing."""

from __future__ import annotations

import getpass
import os
import re
from functools import cached_property
from pathlib import Path
from typing import Final

from loregraph.config import Settings
from loregraph.errors import UsageError
from loregraph.git import run_git
from loregraph.memory.scopes import check_project_id

USER_JOURNAL: Final = "_user.jsonl"
_TIMEOUT_SECONDS: Final = 10


# Implements REQ-MEM-011.
class Identity:
    """The user and the project at `root`. git is asked once, and only when something is wanted from it."""

    def __init__(self, root: Path, settings: Settings) -> None:
        self.root = root
        self._settings = settings

    @cached_property
    def user_id(self) -> str:
        """git's e-mail, else the name of the account."""
        return self._git.get("user.email") or _account()

    @cached_property
    def author(self) -> str:
        """`Name <e-mail>` as git writes it, as far as git knows them; else the name of the account."""
        name, email = self._git.get("user.name", ""), self._git.get("user.email", "")
        return f"{name} <{email}>" if name and email else name or email or _account()

    @cached_property
    def project_id(self) -> str:
        """The configured one, else a slug of the origin remote's name, else of the folder's.

        Worktrees of one repository have one id: without a remote it is named after the folder of the main worktree.
        Raises UsageError with the reason where none of these can name a project.
        """
        if self._settings.project_id:
            return check_project_id(self._settings.project_id)
        name = remote_name(self._git.get("remote.origin.url", "")) or self._main_folder().name
        slug = slug_of(name)
        if not slug:
            raise UsageError(
                f"project_id: no id can be made of the name {name!r}: it has no letter from a to z",
                "set project_id in loregraph.toml: a letter, then letters, digits, _ and -, at most 63",
            )
        return check_project_id(slug)

    @cached_property
    def _git(self) -> dict[str, str]:
        text = _git(self.root, "config", "--null", "--get-regexp", r"^(user\.(name|email)|remote\.origin\.url)$")
        pairs = (entry.partition("\n") for entry in text.split("\0") if entry)
        return {key: value.strip() for key, _, value in pairs}

    def _main_folder(self) -> Path:
        common = _git(self.root, "rev-parse", "--path-format=absolute", "--git-common-dir").strip()
        if common and Path(common).name == ".git":
            return Path(common).parent
        # A bare repository, a submodule (its git folder lies elsewhere), or none at all.
        return self.root

    # where journals lie

    @cached_property
    def folder(self) -> Path:
        """The folder of the journals outside the repository."""
        return data_folder() / "memory"

    def journal_of(self, project_id: str) -> Path:
        """The journal of a project: of this one in the folder that `memory_dir` names, else in the user's data."""
        if (shared := self.shared_folder) is not None and project_id == self.project_id:
            return shared / f"{project_id}.jsonl"
        return self.folder / f"{project_id}.jsonl"

    @property
    def shared_folder(self) -> Path | None:
        """The folder that `memory_dir` names, None without one."""
        if not self._settings.memory_dir:
            return None
        return Path(os.path.normpath(self.root / Path(self._settings.memory_dir).expanduser()))

    @property
    def user_journal(self) -> Path:
        """The journal of what belongs to no single project."""
        return self.folder / USER_JOURNAL

    @property
    def is_shared(self) -> bool:
        """Whether the project's journal lies in the repository."""
        return bool(self._settings.memory_dir)


# Implements REQ-MEM-010.
def data_folder() -> Path:
    """`LOREGRAPH_HOME`, else the platform's folder for a user's data."""
    if home := os.environ.get("LOREGRAPH_HOME"):
        return Path(home).expanduser().absolute()
    import platformdirs

    return platformdirs.user_data_path("loregraph", appauthor=False)


def remote_name(url: str) -> str:
    """The repository's name in a remote's URL or path: `git@host:org/Name.git` → `Name`."""
    return re.split(r"[/:\\]", url.strip().rstrip("/\\"))[-1].removesuffix(".git")


def slug_of(name: str) -> str:
    """`name` as a project id: lower case, what is not allowed as a dash; "" where no letter is left to begin with."""
    slug = re.sub(r"[^a-z0-9_-]+", "-", name.lower())
    return re.sub(r"^[^a-z]+", "", slug)[:63].rstrip("-")


def _git(root: Path, *words: str) -> str:
    """What git prints; "" where it refuses or is not there."""
    return (run_git(root, *words, timeout=_TIMEOUT_SECONDS) or b"").decode("utf-8", "replace")


def _account() -> str:
    try:
        return getpass.getuser()
    except (OSError, KeyError):
        return "unknown"
