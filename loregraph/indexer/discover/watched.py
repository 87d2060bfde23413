"""What of a project has to be watched: its folders without ignored ones, and which changes in them matter to the graph.

A change that matters here may still change nothing: the next run of the indexer decides. One that does not matter here
must never change the graph, so in doubt it matters.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Collection
from itertools import islice
from pathlib import Path
from typing import Final

from msgspec import Struct

from loregraph.config import PROJECT_FILE, ProjectSettings, Settings, store_path
from loregraph.errors import LoregraphError, UsageError
from loregraph.ignore_rules import IgnoreRules
from loregraph.indexer.discover.files import is_wanted
from loregraph.indexer.discover.packaging_files import is_packaging
from loregraph.indexer.discover.walk import folders, is_ignored
from loregraph.indexer.languages import registry
from loregraph.indexer.problems import PathProblem
from loregraph.indexer.requirements.named import is_source

MOST_FOLDERS: Final = 65_536
"""Maximum watched folders: the kernel keeps about 1 kB for each."""
RULES: Final = frozenset({".gitignore", ".gitattributes", PROJECT_FILE, "pyproject.toml"})
"""Files that decide which other files belong to the project, or how they are read."""
HEAD_LOG: Final = ".git/logs/HEAD"
"""git appends a line for every commit, checkout and reset; its index changes with every `git status`."""


class TooManyFoldersError(UsageError):
    """A project with more folders than may be watched."""


class WatchedTree(Struct, frozen=True):
    """The watched folders of the project at `root`: path with a trailing slash ("" for the root) → ignore rules, None
    for an ignored folder with files that git tracks, of which only these matter.

    `known` are the files in the graph: they matter even where a rule would ignore them, as git tracks some of those.
    """

    root: str
    settings: Settings
    folders: dict[str, tuple[IgnoreRules, ...] | None]
    known: frozenset[str]

    def absolute(self) -> list[str]:
        """The paths of the folders that exist, and that of git's log of its head."""
        prefix = f"{self.root}{os.sep}"
        log = prefix + HEAD_LOG.rpartition("/")[0]
        found = [prefix + folder.rstrip("/") if folder else self.root for folder in self.folders]
        # Neither may be a link: what is behind one is not the project's.
        git = Path(prefix + ".git")
        if git.is_dir() and not git.is_symlink() and Path(log).is_dir() and not Path(log).is_symlink():
            found.append(log)
        return found

    def relative(self, path: str) -> str | None:
        """A reported path relative to the root, with slashes; None where it is elsewhere or no Unicode."""
        prefix = f"{self.root}{os.sep}"
        if not path.startswith(prefix):
            return None
        found = path[len(prefix) :].replace(os.sep, "/")
        try:
            found.encode()
        except UnicodeEncodeError:
            return None
        return found

    def concerns(self, path: str) -> bool:
        """Whether a change of `path`, a file or folder relative to the root that may be gone, can change the graph."""
        if path in self.known or path == HEAD_LOG or f"{path}/" in self.folders:
            return True
        folder, _, name = path.rpartition("/")
        rules = self.folders.get(f"{folder}/" if folder else "")
        if rules is None:
            return False
        if name in RULES:
            return True
        try:
            mode = os.lstat(f"{self.root}{os.sep}{path}").st_mode
        except OSError:
            return False  # it came and went: what is in the graph is in `known`
        is_folder = stat.S_ISDIR(mode)
        if rules and is_ignored(rules, path, name, is_folder=is_folder):
            return False
        return is_folder or (stat.S_ISREG(mode) and self._is_read(path, mode))

    def _is_read(self, path: str, mode: int) -> bool:
        """Whether the indexer reads a file of that name: see `files.discover`."""
        if is_packaging(path) or is_source(path, self.settings.requirements):
            return True
        if registry.by_path(path) is None:
            # Perhaps a script: by its first line, which only discovery reads.
            return "." not in path[path.rfind("/") + 1 :] and bool(mode & stat.S_IXUSR)
        try:
            return is_wanted(self.settings)(path)
        except LoregraphError:  # the run of the indexer says what is wrong with the settings
            return True

    def decides(self, path: str) -> bool:
        """Whether a change of `path` can change which folders are to be watched."""
        name = path.rpartition("/")[2]
        if name in RULES or f"{path}/" in self.folders:
            return True
        full = Path(f"{self.root}{os.sep}{path}")
        return full.is_dir() and not full.is_symlink()


# Implements REQ-IDX-018.
def watched_tree(root: Path, settings: ProjectSettings, known: Collection[str]) -> WatchedTree:
    """The folders of the project at `root` that have to be watched; `known` are the files in the graph.

    Links are not followed. Raises TooManyFoldersError.
    """
    problems: list[PathProblem] = []
    store = store_path(root, settings)
    inside = f"{store.relative_to(root).as_posix()}/" if store.is_relative_to(root) and store != root else ""
    found: dict[str, tuple[IgnoreRules, ...] | None] = {}
    for folder in islice(folders(root, problems, rules_above=True), MOST_FOLDERS + 1):
        if not (inside and folder.path.startswith(inside)):
            found[folder.path] = folder.rules
    for path in known:
        while (path := path.rpartition("/")[0]) and f"{path}/" not in found:
            found[f"{path}/"] = None
    if len(found) > MOST_FOLDERS:
        raise TooManyFoldersError(
            f"the project has more than {MOST_FOLDERS:,} folders, too many to watch",
            "exclude what is not its own in .gitignore",
        )
    prefix = f"{root}{os.sep}"
    there = {folder: rules for folder, rules in found.items() if _is_own_folder(prefix + folder)}
    return WatchedTree(str(root), settings, there, frozenset(known))


def _is_own_folder(path: str) -> bool:
    try:
        return stat.S_ISDIR(os.lstat(path.rstrip("/")).st_mode)
    except OSError:
        return False
