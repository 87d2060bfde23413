"""What the files of a run may have held: now, at the revision that was measured, or before the run."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from pathlib import Path

from msgspec import Struct

from loregraph import git
from loregraph.errors import UsageError
from loregraph.indexer.source import normalise
from loregraph.runs.measured import Text


class Versions(Struct, frozen=True):
    """`then` are the contents at the measured revision; `unsure` are files that may have held something else than they
    do now."""

    then: Mapping[str, bytes] = {}
    unsure: frozenset[str] = frozenset()


class Checkout:
    """The project's files below `root`; `now` gives the present text of one."""

    def __init__(self, root: Path, now: Text) -> None:
        self.root = root
        self.now = now

    def versions(self, revision: str, time: float, paths: Collection[str]) -> Versions:
        """What is known of the content of `paths` in a run of `revision`, "" for an unknown one, at `time` (seconds
        since 1970).

        Without a revision, a file that was written later than the run counts as the one that was measured only where
        the last commit before the run has the same text: a fresh checkout is such a case. Raises UsageError for a
        revision that git does not know.
        """
        if revision:
            return Versions(git.files_at(self.root, git.commit_of(self.root, revision), sorted(paths)))
        later = sorted(path for path in paths if self._written(path) > time)
        commit = git.commit_before(self.root, time) if later else None
        before = git.files_at(self.root, commit, later) if commit else {}
        return Versions({}, frozenset(path for path in later if not self._is_now(path, before.get(path))))

    def has(self, revision: str) -> bool:
        """Whether git has a commit of that full name: a shallow clone or another repository need not."""
        if len(revision) not in (40, 64) or not set(revision) <= set("0123456789abcdef"):
            return False
        try:
            git.commit_of(self.root, revision)
        except UsageError:
            return False
        return True

    def _written(self, path: str) -> float:
        try:
            return (self.root / path).stat().st_mtime
        except OSError:
            return float("inf")

    def _is_now(self, path: str, raw: bytes | None) -> bool:
        return raw is not None and normalise(raw)[0] == self.now(path)
