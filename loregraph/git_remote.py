"""Fetching one commit of a repository that may be hostile, into a folder that is empty.

The user's own settings apply, as they hold the credentials. Nothing that the repository holds is run: its settings and
hooks are not fetched, filters that its attributes could name are switched off, submodules are left alone.
"""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from typing import Final

from loregraph import orphans
from loregraph.errors import FetchError

SECONDS: Final = 3600.0
"""Time after which a fetch is given up. A stalled one over HTTP ends after a minute below a kilobyte a second."""

_PINNED: Final = {
    "core.autocrlf": "false",
    "core.fsmonitor": "false",
    "core.hooksPath": "/dev/null",
    "fetch.recurseSubmodules": "false",
    "filter.lfs.process": "",
    "filter.lfs.required": "false",
    "filter.lfs.smudge": "",
    "gc.auto": "0",
    "http.lowSpeedLimit": "1000",
    "http.lowSpeedTime": "60",
    "maintenance.auto": "false",
    "submodule.recurse": "false",
}
_ENVIRONMENT: Final = {
    "GIT_ALLOW_PROTOCOL": "https:ssh:file",
    "GIT_LFS_SKIP_SMUDGE": "1",
    "GIT_TERMINAL_PROMPT": "0",
    "LC_ALL": "C",
}


# Implements REQ-MNY-002, REQ-MNY-005.
def commit_at(source: str, revision: str, folder: Path) -> str:
    """The commit that `revision` names in the repository at `source`, "" for its HEAD, without fetching it.

    `folder` is in no repository: the settings of the one around it would apply. A full commit hash is its own answer.
    Raises FetchError where the repository cannot be asked or has no such branch or tag.
    """
    if len(revision) == 40 and set(revision) <= set("0123456789abcdef"):
        return revision
    wanted = [f"refs/heads/{revision}", f"refs/tags/{revision}^{{}}", f"refs/tags/{revision}"] if revision else ["HEAD"]
    answer = _git(folder, "ls-remote", "--", source, *wanted)
    rows = [line.split("\t") for line in answer.splitlines() if line.count("\t") == 1]
    found = {name: commit for commit, name in rows}
    for name in wanted:
        if name in found:
            return found[name]
    raise FetchError(f"{source} has no {revision or 'HEAD'}", "name a branch, a tag or a full commit hash")


# Implements REQ-MNY-002.
def fetch_commit(source: str, commit: str, folder: Path) -> None:
    """Checks out `commit` of the repository at `source`, without its history, in the empty `folder`.

    Raises FetchError.
    """
    _git(folder, "init", "--quiet", "--template=")
    _git(folder, "fetch", "--quiet", "--depth=1", "--no-tags", "--no-recurse-submodules", "--", source, commit)
    _git(folder, "checkout", "--quiet", "--detach", commit)


def _git(folder: Path, *words: str) -> str:
    options = [word for key, value in _PINNED.items() for word in ("-c", f"{key}={value}")]
    inherited = {
        key: value for key, value in os.environ.items() if key not in ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE")
    }
    try:
        done = orphans.run(
            ["git", *options, *words], cwd=folder, env=inherited | _ENVIRONMENT, given=b"", timeout=SECONDS
        )
    except FileNotFoundError as error:
        raise FetchError("git is not installed", "install git, and try again") from error
    except subprocess.TimeoutExpired as error:
        raise FetchError(f"git {words[0]} took more than {SECONDS:g} seconds", "try again later") from error
    if done.returncode:
        lines = done.stderr.decode("utf-8", "replace").strip().splitlines()
        said = next((line for line in lines if line.startswith(("fatal: ", "error: "))), "")
        raise FetchError(
            f"git {words[0]} failed: {said or f'exit code {done.returncode}'}",
            "is the address right, and may you read it?",
        )
    return done.stdout.decode("utf-8", "replace")
