"""The steps of `loregraph trust`: collect a repository's requests, show them, ask, and store the answer."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from loregraph.cli.output import agreed, echo, print_json
from loregraph.cli.target import Target
from loregraph.errors import ConfigError, LoregraphError, StoreError, UsageError

if TYPE_CHECKING:
    from loregraph.config import ProjectSettings
    from loregraph.reach import Reaching

PROXY_FILE = "tools.json"


@dataclass(frozen=True)
class Asked:
    """A repository's requests: settings that reach beyond it, commands of proxy files, stores that came with it."""

    root: Path
    settings: tuple[Reaching, ...]
    files: Mapping[Path, bytes]
    stores: Mapping[Path, bytes]
    memories: tuple[str, str] = ("", "")
    """The id requested by its name or configuration, and its owner."""

    def rows(self) -> list[dict[str, str]]:
        """The requests, one row each, in ASCII, which cannot affect a terminal."""
        rows = [{"kind": "setting", "name": one.key, "value": one.value, "why": one.why} for one in self.settings]
        rows += [
            {"kind": "file", "name": plain(path), "value": command_of(content), "why": "`loregraph proxy` runs it"}
            for path, content in self.files.items()
        ]
        rows += [
            {"kind": "store", "name": plain(path), "value": "", "why": "it came with the files"} for path in self.stores
        ]
        return rows


def asked_by(target: Target, path: Path | None) -> Asked:
    """The requests of the repository around `path`. Raises UsageError and ConfigError."""
    from loregraph.bridges import proxy_file
    from loregraph.config import find_root, load_settings, repository_settings, store_path
    from loregraph.graph import ownership
    from loregraph.reach import USERS_ALONE, reaching

    files = {}
    if path is not None and path.is_file():
        root = target.root or find_root(path.absolute().parent)
        files[path.resolve()] = proxy_file.read(path)
    else:
        root = target.root or find_root(path or Path())
        if (root / PROXY_FILE).is_file():
            files[(root / PROXY_FILE).resolve()] = proxy_file.read(root / PROXY_FILE)
    root = root.resolve()
    table, _ = repository_settings(root)
    settings = load_settings(root, store=str(target.store.absolute()) if target.store is not None else None)
    store = store_path(root, settings)
    stores = {}
    current = ownership.read_current(store)
    if current is not None and not store.is_symlink() and ownership.examine(store, current).doubt:
        stores[store] = current
    files = {file: content for file, content in files.items() if has_command(content)}
    asked = tuple(one for one in reaching(root, table) if one.key not in USERS_ALONE)
    return Asked(root, asked, files, stores, memories_of(root, settings))


def memories_of(root: Path, settings: ProjectSettings) -> tuple[str, str]:
    from loregraph.memory.identity import Identity

    try:
        return Identity(root, settings).others_memories()
    except (UsageError, StoreError):
        return "", ""


def has_command(content: bytes) -> bool:
    """Whether a file could be run by `loregraph proxy`: other programs have a tools.json, too."""
    from loregraph.bridges import proxy_file

    try:
        proxy_file.parse(content.decode("utf-8-sig"), PROXY_FILE)
    except (ConfigError, UnicodeDecodeError, RecursionError):
        return False
    return True


def command_of(content: bytes) -> str:
    """The command in a proxy file, in ASCII."""
    from loregraph.bridges import proxy_file

    launch = proxy_file.parse(content.decode("utf-8-sig"), PROXY_FILE).launch
    said = json.dumps([*launch.command])
    extras: dict[str, Any] = {"env": dict(launch.env or {}), "cwd": launch.cwd}
    return " ".join([said, *(f"{key}={json.dumps(value)}" for key, value in extras.items() if value)])


def show(asked: Asked, memories: bool) -> None:
    echo(plain(asked.root))
    rows = asked.rows()
    for row in rows:
        value = f" = {row['value']}" if row["value"] else ""
        echo(f"  {row['kind']:<8} {row['name']}{value}")
        echo(f"  {'':<8} {row['why']}")
    project_id, owner = asked.memories
    if project_id:
        echo(f"  memories {project_id}, which are those of {owner}")
        if not memories:
            echo(f"  {'':<8} if it is the same project, `loregraph trust --memories` shares them")
    if not rows and not project_id:
        echo("  asks for nothing beyond its own files")


def confirmed() -> bool:
    """The user's answer. Raises UsageError without an interactive terminal."""
    if not sys.stdin.isatty():
        raise UsageError("nobody is there to ask", "look at what is asked for, then run `loregraph trust --yes`")
    return agreed("Allow this?")


def keep(asked: Asked, memories: bool) -> None:
    from loregraph import trust as kept
    from loregraph.config import load_settings
    from loregraph.memory.identity import Identity

    try:
        kept.grant(asked.root, {one.key: one.value for one in asked.settings}, asked.files, asked.stores)
    except OSError as error:
        raise StoreError(f"the answer cannot be kept: {error}", "set LOREGRAPH_HOME to a folder of yours") from error
    if memories:
        Identity(asked.root, load_settings(asked.root)).take_memories()


def take_back(target: Target, path: Path | None, as_json: bool) -> None:
    from loregraph import trust as kept
    from loregraph.config import find_root, load_settings
    from loregraph.memory.identity import Identity

    start = path or Path()
    place = start.resolve()
    # What was trusted may be gone; its path still identifies it.
    root = target.root or (find_root(start) if start.is_dir() else place)
    try:
        revoked = kept.revoke(root)
    except OSError as error:
        raise StoreError(f"the answer cannot be taken back: {error}", "see `loregraph trust --list`") from error
    if root.is_dir():
        with suppress(LoregraphError):  # an unreadable file was never granted anything
            revoked = Identity(root, load_settings(root)).give_back_memories() or revoked
    if as_json:
        print_json({"root": str(root), "revoked": revoked})
    else:
        echo(f"{plain(root)}: {'not trusted any more' if revoked else 'was not trusted'}")


def show_trusted(as_json: bool) -> None:
    from loregraph import trust as kept

    known = kept.records()
    if as_json:
        roots = {root: dict(found.settings) for root, found in known.roots.items()}
        print_json({"roots": roots, "files": sorted(known.files), "stores": sorted(known.stores)})
        return
    for root, found in sorted(known.roots.items()):
        echo(plain(Path(root)))
        for key, value in sorted(found.settings.items()):
            echo(f"  setting  {plain(Path(key))} = {ascii(value)[1:-1]}")
    for kind, paths in (("file", known.files), ("store", known.stores)):
        for path in sorted(paths):
            echo(f"{kind}: {plain(Path(path))}")
    if not (known.roots or known.files or known.stores):
        echo("nothing is trusted")


def plain(path: Path) -> str:
    """A path in ASCII, which cannot affect a terminal."""
    return ascii(str(path))[1:-1]
