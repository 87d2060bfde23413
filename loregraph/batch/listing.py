"""The list of repositories to index: a line each, `SOURCE [REVISION] [as NAME]`.

SOURCE is the address of a git repository (`https://`, `ssh://`, `user@host:path`) or a folder, relative to the list's.
Without a revision it is what the repository's HEAD names. Lines that begin with `#` are comments.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable
from pathlib import Path
from typing import Final

import msgspec

from loregraph.errors import UsageError

MOST_LINES: Final = 1_000_000
LONGEST_LINE: Final = 4096

_ADDRESS: Final = re.compile(
    r"(?:https|ssh)://[A-Za-z0-9_\[][^\s]*|[A-Za-z0-9_][A-Za-z0-9._-]{0,63}@[A-Za-z0-9][A-Za-z0-9.-]{0,252}:[^\s]+"
)
_WITH_PASSWORD: Final = re.compile(r"https://[^/]*@|ssh://[^/@:]*:[^/@]*@")
_REVISION: Final = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_./+-]{0,250}")


class Listed(msgspec.Struct, frozen=True):
    """One line: where the repository is, what of it is indexed ("" for its HEAD), and its published name ("" for the
    one that follows from the source)."""

    source: str
    revision: str = ""
    name: str = ""


# Implements REQ-MNY-001.
def listed(lines: Iterable[str], folder: Path) -> list[Listed]:
    """The repositories of a list in its order; relative folders are below `folder`.

    Raises UsageError with the line's number for a line of another form, and for a list without repositories.
    """
    found: list[Listed] = []
    for number, line in enumerate(lines, 1):
        if number > MOST_LINES:
            raise UsageError(f"the list has more than {MOST_LINES:,} lines", "split it")
        text = line.strip().removeprefix("\ufeff")
        if text and not text.startswith("#"):
            found.append(_entry(text, folder, number))
    if not found:
        raise UsageError(
            "the list names no repository", "a line is an address or a folder: SOURCE [REVISION] [as NAME]"
        )
    return found


def _entry(text: str, folder: Path, number: int) -> Listed:
    if len(text) > LONGEST_LINE:
        raise _wrong(number, f"is longer than {LONGEST_LINE:,} characters")
    try:
        words = shlex.split(text)
    except ValueError as error:
        raise _wrong(number, f"cannot be read: {error}") from error
    name = ""
    if len(words) > 2 and words[-2] == "as":
        *words, _, name = words
    if len(words) not in (1, 2):
        raise _wrong(number, "is not of the form SOURCE [REVISION] [as NAME]")
    revision = words[1] if len(words) == 2 else ""
    if revision and not _REVISION.fullmatch(revision):
        raise _wrong(number, f"names no revision: {revision!r}")
    return Listed(source=_source(words[0], folder, number), revision=revision, name=name)


def _source(word: str, folder: Path, number: int) -> str:
    if _WITH_PASSWORD.match(word):
        raise UsageError(
            f"line {number} of the list holds a user or a password", "leave them to git's credential helper, or to ssh"
        )
    if _ADDRESS.fullmatch(word):
        return word
    if "://" in word or "::" in word:  # git would run `git-remote-<name>` for others
        raise _wrong(number, f"has an address that is not asked: {word!r}")
    path = folder / Path(word).expanduser()
    if not path.is_dir():
        raise _wrong(number, f"names no folder: {word!r}")
    return str(path.resolve())


def _wrong(number: int, what: str) -> UsageError:
    return UsageError(
        f"line {number} of the list {what}",
        "a line is SOURCE [REVISION] [as NAME]; SOURCE a folder, https:// or ssh://",
    )
