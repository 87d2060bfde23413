"""Queries to git: the changes since a revision, and files at a revision.

Nothing here writes to the repository, runs what the repository configures (pagers, external diffs, text conversions,
filters, signature checks, file-system monitors) or reaches the network. Paths are relative to the given folder, POSIX,
even if the repository's own root is above it.
"""

from __future__ import annotations

import hashlib
import os
import re
import stat
import subprocess
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from loregraph import git_place, git_settings, orphans
from loregraph.errors import GitTooSlowError, UsageError
from loregraph.unified_diff import FilePatch, parse

LineRange = tuple[int, int]
"""First and last line, inclusive. A change without lines on this side is the line after which it is located, (0, 0) at
the start of a file."""

WHOLE_FILE: Final[tuple[LineRange, ...]] = ((1, 2**31 - 1),)
TIMEOUT_SECONDS: Final = 120

_KEPT: Final = re.compile(
    r"GIT_(CONFIG_(GLOBAL|SYSTEM|NOSYSTEM|COUNT|PARAMETERS|(KEY|VALUE)_\d+)|ATTR_NOSYSTEM|EXEC_PATH|TEST_ASSUME_DIFFERENT_OWNER)"
)
"""The user's own variables that only tell where git and the user's settings are. All other variables of git are
removed: while a hook runs some are about that hook's repository, others name commands and files that git writes. The
last one makes git more careful, never less."""

_ENVIRONMENT: Final = {
    "GIT_ALLOW_PROTOCOL": "",  # none, so nothing is fetched, even in a partial clone
    "GIT_ASKPASS": "",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_PAGER": "cat",
    "GIT_TERMINAL_PROMPT": "0",
    "LC_ALL": "C",
}

_DIFF: Final = (
    "diff",
    "--no-color",
    "--ignore-submodules=all",
    "--relative",
    "--src-prefix=a/",
    "--dst-prefix=b/",
    "--unified=0",
    "--inter-hunk-context=0",
    "--diff-algorithm=histogram",
    "--indent-heuristic",
    "--find-renames",
)
"""All options that affect the output and that a user's configuration could change."""


_MAX_POINTER: Final = 1024
_POINTER: Final = re.compile(
    rb"version https://git-lfs\.github\.com/spec/v1\n"
    rb"(?:ext-[^\n]*\n)*oid sha256:(?P<oid>[0-9a-f]{64})\nsize (?P<size>[0-9]{1,18})\n"
)
"""What Git LFS commits in place of a file: github.com/git-lfs/git-lfs/blob/main/docs/spec.md."""


@dataclass(frozen=True, slots=True)
class GitRefusal:
    """A failed query. `reason` is "" without a repository; `late`: git took too long; `long`: its answer is longer than
    the caller takes."""

    reason: str
    late: bool = False
    long: bool = False

    def raise_if_late(self) -> None:
        """For results that must not depend on the machine's load. Raises GitTooSlowError."""
        if self.late:
            raise GitTooSlowError(self.reason, "try again when the machine is less busy; nothing was changed")


@dataclass(frozen=True, slots=True)
class ChangedFile:
    """The difference between a file on disk and at a revision.

    `status`: "A" added (also: not tracked yet), "M" modified, "D" removed, "R" renamed, with or without a change.
    `old_path` is the path at the revision, "" for "A". `old_ranges` are the changed lines in the old version,
    `new_ranges` in the new one; both ascend.
    """

    status: str
    old_path: str
    old_ranges: tuple[LineRange, ...]
    new_ranges: tuple[LineRange, ...]


def in_repository(folder: Path) -> bool:
    """Whether a repository is at `folder` or above it; only checks names."""
    return git_place.holder(folder) is not None


# Implements REQ-SEC-006.
def ask_git(
    folder: Path,
    arguments: Iterable[str],
    *,
    given: bytes = b"",
    timeout: float = TIMEOUT_SECONDS,
    most: int | None = None,
    largest_file: int | None = None,
) -> bytes | GitRefusal:
    """The output of `git ARGUMENTS…` in `folder` within `timeout` seconds; `given` is its standard input.

    An answer of more than `most` bytes is refused; files of more than `largest_file` bytes are compared as binary ones.

    The only place where git is run. The user's own configuration applies; settings of the repository and of the
    environment that run a command, reach the network or change the work tree do not (`git_settings`). Raises ValueError
    for a subcommand that is not in `git_settings.COMMANDS`.
    """
    words = list(arguments)
    if not words or words[0] not in git_settings.COMMANDS:
        raise ValueError(f"git {' '.join(words[:1])} is not among the commands that are asked")
    place = git_place.place_of(folder)
    if isinstance(place, git_place.NoPlace) and place.reason:
        return GitRefusal(place.reason)
    environment = {
        key: value for key, value in os.environ.items() if not key.startswith("GIT_") or _KEPT.fullmatch(key)
    }
    environment.update(_ENVIRONMENT)
    if isinstance(place, git_place.Place):
        environment["GIT_WORK_TREE"] = str(place.top)
        environment["GIT_CEILING_DIRECTORIES"] = str(place.top.parent)
    options = ["--no-pager", *git_settings.pins()]
    if largest_file is not None:
        options += ["-c", f"core.bigFileThreshold={largest_file}"]
    if words[0] == "diff":  # only it reads files of the work tree, through filters named by attributes
        listed = _answer(folder, [*options, "config", "--list", "--name-only", "--null"], environment, b"", timeout)
        if isinstance(listed, GitRefusal):
            return listed
        options += git_settings.override(map(os.fsdecode, listed.split(b"\0")), environment)
    words[1:1] = git_settings.ALWAYS.get(words[0], ())
    return _answer(folder, [*options, *words], environment, given, timeout, most)


def _answer(
    folder: Path,
    words: list[str],
    environment: dict[str, str],
    given: bytes,
    timeout: float,
    most: int | None = None,
) -> bytes | GitRefusal:
    try:
        done = orphans.run(["git", *words], cwd=folder, env=environment, given=given, timeout=timeout, most=most)
    except FileNotFoundError:
        return GitRefusal("git is not installed")
    except subprocess.TimeoutExpired:
        return GitRefusal(f"git timed out after {timeout:g} seconds", late=True)
    except orphans.TooMuchOutputError as error:
        return GitRefusal(f"git answers with {error}", long=True)
    except (OSError, ValueError) as error:
        return GitRefusal(str(error))
    if done.returncode != 0:
        lines = done.stderr.decode("utf-8", "replace").strip().splitlines()
        fatal = next((line for line in lines if line.startswith("fatal: ")), lines[0] if lines else "")
        return GitRefusal(fatal.removeprefix("fatal: ") or f"exit code {done.returncode}")
    return done.stdout


def run_git(root: Path, *args: str, timeout: float = TIMEOUT_SECONDS) -> bytes | None:
    """The output of `git ARGS…` in `root`; None where it fails or git is missing."""
    answer = ask_git(root, args, timeout=timeout)
    return None if isinstance(answer, GitRefusal) else answer


def head(root: Path) -> str | None:
    """The commit that is checked out, None where there is none or no repository."""
    answer = run_git(root, "rev-parse", "--verify", "--quiet", "HEAD^{commit}")
    return None if answer is None else answer.decode("ascii").strip()


def is_shallow(root: Path) -> bool:
    """Whether older commits are missing in the clone."""
    return (run_git(root, "rev-parse", "--is-shallow-repository") or b"").strip() == b"true"


def commit_before(root: Path, seconds: float) -> str | None:
    """The last commit of HEAD's history committed at that time (seconds since 1970) or earlier; None where there is
    none, or no repository."""
    answer = run_git(root, "log", "-1", "--format=%H", f"--before=@{int(seconds)}", "HEAD", "--")
    name = "" if answer is None else answer.decode("ascii", "replace").strip()
    return name or None


def commit_of(root: Path, rev: str) -> str:
    """The full name of the commit denoted by `rev`. `A...` is the merge base of A and HEAD.

    Raises UsageError where there is no repository or no such revision.
    """
    if not in_repository(root):
        raise UsageError(f"{root} is in no git repository", "a revision needs one: run this inside a git checkout")
    base, dots, other = rev.partition("...")
    if dots:
        return _merge_base(root, base or "HEAD", other or "HEAD", rev)
    return _commit(root, rev, rev)


def _commit(root: Path, rev: str, said: str) -> str:
    # A leading dash would make it an option, such as `--output=FILE`.
    if rev and not rev.startswith("-") and not any(ord(character) < 32 for character in rev):
        answer = ask_git(root, ["rev-parse", "--verify", "--quiet", rev + "^{commit}"])
        if isinstance(answer, bytes):
            return answer.decode("ascii").strip()
        if answer.reason and not answer.reason.startswith(("exit code", "Needed a single revision")):
            raise UsageError(f"git cannot look up {said!r}: {answer.reason}", _permission_hint(answer.reason))
    raise UsageError(f"git knows no revision {said!r}", _unknown_hint(root, said))


def _merge_base(root: Path, one: str, other: str, said: str) -> str:
    commits = (_commit(root, one, one), _commit(root, other, other))
    answer = run_git(root, "merge-base", *commits)
    if answer is None:
        raise UsageError(f"git finds no common ancestor for {said!r}", _unknown_hint(root, said))
    return answer.decode("ascii").strip()


def _unknown_hint(root: Path, rev: str) -> str:
    if rev.startswith("-"):
        return "name a commit, a branch or a tag, for instance HEAD~1 or origin/main"
    if ".." in rev.replace("...", ""):
        return "name one revision rather than a range: it is compared with the files as they are"
    if is_shallow(root):
        return (
            "this clone is shallow: fetch its history first (`git fetch --unshallow`; in GitHub Actions, "
            "actions/checkout with `fetch-depth: 0`)"
        )
    if head(root) is None:
        return "this repository has no commit yet"
    return "name a commit, a branch or a tag that `git rev-parse` knows; `git fetch` brings what others pushed"


def _permission_hint(reason: str) -> str:
    if "dubious ownership" in reason:
        return "trust the folder: `git config --global --add safe.directory <folder>`"
    return "see that `git status` works in this folder"


@dataclass(frozen=True, slots=True)
class Revision:
    """A commit that has a name, or one of the last ones. `name` is a branch, a tag or the short name of the commit,
    `kind` branch, remote, tag or commit; `date` is the day of the commit, YYYY-MM-DD."""

    name: str
    kind: str
    date: str
    subject: str


_REFS: Final = {"refs/heads/": "branch", "refs/remotes/": "remote", "refs/tags/": "tag"}
_FIELDS: Final = "--format=%h%x00%cs%x00%D%x00%s%x00"


def tips(root: Path, most: int) -> list[Revision]:
    """The branches and tags of the repository around `root`, those of the `most` latest commits, the latest first."""
    found = []
    for _, date, refs, subject in _logged(
        root, "--no-walk=sorted", "--branches", "--tags", "--remotes", "--decorate=full", f"--max-count={most}"
    ):
        for ref in refs.split(", "):
            full = ref.removeprefix("HEAD -> ").removeprefix("tag: ")
            kind = next((kind for begin, kind in _REFS.items() if full.startswith(begin)), "")
            if kind and not full.endswith("/HEAD"):
                found.append(Revision(full.split("/", 2)[2], kind, date, subject))
    return found


def recent(root: Path, most: int) -> list[Revision]:
    """The last commits before HEAD, the latest first."""
    return [Revision(name, "commit", date, subject) for name, date, _, subject in _logged(root, f"--max-count={most}")]


def _logged(root: Path, *options: str) -> list[tuple[str, str, str, str]]:
    """(short name, day, decoration, subject) of commits; none where git has no answer."""
    answer = run_git(root, "log", "--no-color", *options, _FIELDS, "--")
    fields = [] if answer is None else answer.decode("utf-8", "replace").split("\0")
    rows = [tuple(field.strip("\n") for field in fields[at : at + 4]) for at in range(0, len(fields) - 4, 4)]
    return [(name, date, refs, subject) for name, date, refs, subject in rows]


def changed_lines(root: Path, rev: str) -> dict[str, ChangedFile]:
    """The files under `root` that differ from those at `rev`, by present path (by old path for removed ones).

    Compares the files on disk, whether committed or not, tracked or not, unless git ignores them. Submodules, and names
    that are not UTF-8, are left out. git converts line ends as the user and attributes say and runs no filter: a file
    behind a Git LFS pointer is compared with that here, one behind another filter counts as changed where git has to
    look into it. Raises UsageError as `commit_of` does.
    """
    commit = commit_of(root, rev)
    answer = ask_git(root, [*_DIFF, commit, "--"])
    if isinstance(answer, GitRefusal):
        raise UsageError(f"git cannot compare with {rev!r}: {answer.reason}", _permission_hint(answer.reason))
    changes: dict[str, ChangedFile] = {}
    for patch in parse(answer.decode("utf-8", "replace")):
        _put(changes, patch.path, _changed(patch))
    for path in _same_as_pointer(root, commit, changes):
        del changes[path]
    for raw in (run_git(root, "ls-files", "-z", "--others", "--exclude-standard") or b"").split(b"\0"):
        try:
            path = raw.decode("utf-8")
        except UnicodeDecodeError:
            continue
        if path and not path.endswith("/"):  # another repository
            _put(changes, path, ChangedFile("A", "", (), WHOLE_FILE))
    return dict(sorted(changes.items()))


def _same_as_pointer(root: Path, commit: str, changes: Mapping[str, ChangedFile]) -> list[str]:
    """The files among `changes` whose content is that of their Git LFS pointer at `commit`."""
    asked = [
        path
        for path, change in changes.items()
        if change.status == "M" and change.old_ranges[:1] and change.old_ranges[0][0] == 1 and "\n" not in path
    ]
    if not asked:
        return []
    names = "".join(f"{commit}:./{path}\n" for path in asked).encode()
    answer = ask_git(root, ["cat-file", "--batch-check=%(objectsize)"], given=names)
    sizes = [] if isinstance(answer, GitRefusal) else answer.split(b"\n")
    small = [path for path, size in zip(asked, sizes, strict=False) if size.isdigit() and int(size) <= _MAX_POINTER]
    pointers = files_at(root, commit, small) if small else {}
    return [path for path in small if path in pointers and _stands_for(pointers[path], root / path)]


def _stands_for(pointer: bytes, path: Path) -> bool:
    found = _POINTER.fullmatch(pointer)
    if found is None:
        return False
    digest = hashlib.sha256()
    try:
        here = os.lstat(path)
        if not stat.S_ISREG(here.st_mode) or here.st_size != int(found["size"]):
            return False
        with path.open("rb") as file:
            while chunk := file.read(1 << 20):
                digest.update(chunk)
    except OSError:
        return False
    return digest.hexdigest() == found["oid"].decode("ascii")


def _put(changes: dict[str, ChangedFile], path: str, change: ChangedFile) -> None:
    """A file removed and added, because its type changed or git stopped tracking it, was modified."""
    if path in changes and {changes[path].status, change.status} == {"A", "D"}:
        change = ChangedFile("M", path, WHOLE_FILE, WHOLE_FILE)
    changes[path] = change


def _changed(patch: FilePatch) -> ChangedFile:
    if patch.old_path is None:
        return ChangedFile("A", "", (), WHOLE_FILE)
    if patch.new_path is None:
        return ChangedFile("D", patch.old_path, WHOLE_FILE, ())
    status = "M" if patch.old_path == patch.new_path else "R"
    if patch.is_binary:
        return ChangedFile(status, patch.old_path, WHOLE_FILE, WHOLE_FILE)
    return ChangedFile(
        status,
        patch.old_path,
        tuple(_range(hunk.old_start, hunk.old_count) for hunk in patch.hunks),
        tuple(_range(hunk.new_start, hunk.new_count) for hunk in patch.hunks),
    )


def _range(start: int, count: int) -> LineRange:
    return (start, start + max(count, 1) - 1)


def file_at(root: Path, rev: str, path: str) -> bytes | None:
    """The content of a file at `rev`; None where it did not exist. Raises UsageError as `commit_of` does."""
    return files_at(root, rev, [path]).get(path)


def files_at(root: Path, rev: str, paths: Iterable[str]) -> Mapping[str, bytes]:
    """The contents at `rev` of those of `paths` that were files then. Raises UsageError as `commit_of` does."""
    commit = commit_of(root, rev)
    found: dict[str, bytes] = {}
    asked = []
    for path in paths:
        if "\n" in path:  # a line break separates the names below
            content = run_git(root, "cat-file", "blob", f"{commit}:./{path}")
            if content is not None:
                found[path] = content
        else:
            asked.append(path)
    names = "".join(f"{commit}:./{path}\n" for path in asked).encode()
    answer = ask_git(root, ["cat-file", "--batch"], given=names) if asked else b""
    if isinstance(answer, GitRefusal):
        raise UsageError(f"git cannot read the files of {rev!r}: {answer.reason}", _permission_hint(answer.reason))
    at = 0
    for path in asked:
        end = answer.index(b"\n", at)
        kind, at = answer[at:end].split(b" ")[-2:], end + 1
        if len(kind) == 2 and kind[1].isdigit():
            size = int(kind[1])
            if kind[0] == b"blob":
                found[path] = answer[at : at + size]
            at += size + 1
    return found
