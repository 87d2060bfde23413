"""The file that lists the repositories of a workspace, `loregraph-workspace.toml` by custom:

    [repositories.web]
    path = "../web"

    [repositories.billing]
    url = "s3://graphs/main"

A repository at a `url` may have the name that it was published as, `repository`, by default its name here, and the full
name of a `commit`, by default the newest.

It is read only where the user names it: none is looked for.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from msgspec import Struct

from loregraph.errors import ConfigError
from loregraph.graph.joined_columns import by_prefix

MOST_BYTES: Final = 1 << 20
MOST_MEMBERS: Final = 1_000
_NAME: Final = re.compile(r"[a-z0-9][a-z0-9._-]{0,63}")
_COMMIT: Final = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")
_FIELDS: Final = ("path", "url")
_MORE: Final = {"path": (), "url": ("repository", "commit")}


class Member(Struct, frozen=True):
    """One repository: the folder that it is in, or the address of its published graph with its name there and the
    commit, "" for the newest; the other is None or ""."""

    name: str
    root: Path | None = None
    url: str = ""
    published: str = ""
    commit: str = ""


class WorkspaceFile(Struct, frozen=True):
    """A workspace as written; `members` in the order of the ids that they get."""

    path: Path
    members: tuple[Member, ...]


# Implements REQ-WSP-001.
def read_workspace(path: Path) -> WorkspaceFile:
    """The workspace that the file at `path` describes. Raises ConfigError for a file that does not describe one."""
    try:
        with path.open("rb") as file:
            content = file.read(MOST_BYTES + 1)
    except OSError as error:
        raise ConfigError(
            f"the workspace {path} cannot be read: {error.strerror}", "name a loregraph-workspace.toml"
        ) from error
    if len(content) > MOST_BYTES:
        raise ConfigError(
            f"the workspace {path} is larger than {MOST_BYTES:,} bytes", "name a loregraph-workspace.toml"
        )
    try:
        table = tomllib.loads(content.decode())
    except (ValueError, RecursionError) as error:  # ValueError: UTF-8 as well
        raise ConfigError(f"the workspace {path} is not valid TOML: {error}", "correct the file") from error
    unknown = sorted(table.keys() - {"repositories"})
    if unknown:
        raise ConfigError(f"{path}: unknown key {unknown[0]}", "a workspace has tables [repositories.NAME] only")
    rows = table.get("repositories", {})
    if not isinstance(rows, dict) or not rows:
        raise ConfigError(f"{path} names no repositories", 'add [repositories.NAME] with path = "..." or url = "..."')
    if len(rows) > MOST_MEMBERS:
        raise ConfigError(f"{path} names more than {MOST_MEMBERS:,} repositories", "make several workspaces of them")
    resolved = path.resolve()
    members = {name: _member(resolved, name, row) for name, row in rows.items()}
    return WorkspaceFile(resolved, tuple(members[name] for name in by_prefix(members)))


def _member(file: Path, name: str, row: Any) -> Member:
    if not _NAME.fullmatch(name):
        raise ConfigError(
            f"{file}: {name!r} cannot name a repository", "use lower case letters, digits, '.', '_' and '-', at most 64"
        )
    fields: Mapping[str, Any] = row if isinstance(row, dict) else {}
    given = [field for field in _FIELDS if field in fields]
    if len(given) != 1:
        raise ConfigError(f"{file}: repositories.{name} needs either a path or a url", "give one of them")
    known = (*given, *_MORE[given[0]])
    for field, written in fields.items():
        if field not in known:
            raise ConfigError(f"{file}: unknown key repositories.{name}.{field}", f"known: {', '.join(known)}")
        if not isinstance(written, str) or not written.strip():
            raise ConfigError(f"{file}: repositories.{name}.{field} is no text", "give it as a text")
    value, commit = fields[given[0]], fields.get("commit", "")
    if commit and not _COMMIT.fullmatch(commit):
        raise ConfigError(f"{file}: repositories.{name}.commit is no full name of one", "give all its hex digits")
    if given == ["url"]:
        return Member(name, None, value, fields.get("repository", name), commit)
    if "\0" in value:
        raise ConfigError(f"{file}: the path of repositories.{name} has a NUL", "correct the path")
    return Member(name, (file.parent / Path(value).expanduser()).resolve())
