"""What installing for a host, or undoing that, changes: planned, shown, then written.

A project's files came with the repository: they are reached and written through `loregraph.rooted`, which follows no
link, and nothing that is written is taken from them. A user's files may be links, into a folder of dotfiles for
example; these are followed.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from msgspec import structs

from loregraph import orphans, rooted
from loregraph.errors import ConfigError, InTheWayError, StoreError, UnsafePathError
from loregraph.hosts import texts
from loregraph.hosts.edits import NAME, Edited
from loregraph.hosts.parts import Block, Found, JsonItem, Part, WholeFile
from loregraph.hosts.receipts import Receipt, change, digest, receipt, receipts
from loregraph.hosts.table import Host, Place, place_of

LARGEST: Final = 8 << 20
"""Maximum bytes of a host's file: a larger one is not edited."""
EXTRAS: Final = ("instructions", "skill", "hook")
INSTRUCTIONS: Final = ("AGENTS.md", "CLAUDE.md", "GEMINI.md", "QWEN.md", ".github/copilot-instructions.md")
HOOK_PATH: Final = ("hooks", "PreToolUse")


@dataclass(frozen=True)
class File:
    """A file of a host. `base` exists and is trusted, what is below it is not followed through links."""

    base: Path
    path: Path
    shown: str
    """As it is named to the user."""
    user: bool

    @property
    def key(self) -> str:
        return str(self.path)


@dataclass(frozen=True)
class Change:
    """What becomes of one file. None is no file; with `before` equal to `after` nothing is written."""

    kind: str
    file: File
    before: bytes | None
    after: bytes | None
    record: Receipt | None = None
    """The receipt afterwards, None for none."""
    folders: tuple[str, ...] = ()
    """Folders that are removed with the file, if they are empty."""
    replaces: str = ""
    """The entry that somebody else wrote in our place, as it reads."""
    note: str = ""

    @property
    def action(self) -> str:
        if self.before == self.after:
            return "none"
        return "create" if self.before is None else "remove" if self.after is None else "change"


# Implements REQ-CLI-020.
def installation(host: Host, root: Path, user: bool, extras: Iterable[str], profile: str | None) -> list[Change]:
    """What to change so that `host` starts loregraph for the project, or with `user` for all projects of the user.

    `extras` are further kinds of parts. Raises UsageError for what the host has no place for, ConfigError for a file
    that cannot be edited, UnsafePathError for a link or the like in a project.
    """
    kinds = ("server", *(kind for kind in EXTRAS if kind in extras))
    places = [(kind, place_of(host, kind, user)) for kind in kinds]
    return [
        added(host, part_for(host, kind, place, root, user, profile), file_of(place, root, user, kind))
        for kind, place in places
    ]


def removal(host: Host, root: Path, user: bool) -> list[Change]:
    """What to change so that nothing is left of what was installed. Raises as `installation`."""
    places = {
        False: (host.project, host.instructions, host.skill, host.hook),
        True: (host.user, host.user_instructions, host.user_skill, host.user_hook),
    }[user]
    changes = []
    for kind, place in zip(("server", *EXTRAS), places, strict=True):
        if place is None:
            continue
        file = file_of(place, root, user, kind)
        try:
            changes.append(removed(host, part_for(host, kind, place, root, user, None), file))
        except UnsafePathError as error:
            if kind == "server":
                raise
            # Nothing is written through a link, so nothing of ours is behind it, and the server still has to go.
            changes.append(Change(kind, file, None, None, note=f"left alone: {error.message}"))
    return changes


def part_for(host: Host, kind: str, place: Place, root: Path, user: bool, profile: str | None) -> Part:
    if kind == "instructions":
        return Block(texts.instructions())
    if kind == "skill":
        return WholeFile(texts.skill())
    if kind == "hook":
        return JsonItem(HOOK_PATH, texts.hook())
    command, *first = launch(user)
    inside = ("--root", str(root)) if place.root == ("--root",) else place.root
    return host.server(user, command, [*first, *inside, "serve", *(("--profile", profile) if profile else ())])


# Implements REQ-CLI-020.
def launch(user: bool) -> list[str]:
    """The command that hosts start: its name, which a project's file can hold on every machine.

    Where that is not on PATH, a user's own file gets the path of the script beside this interpreter, or that of both.
    """
    if not user or orphans.program(NAME) is not None:
        return [NAME]
    script = Path(sys.executable).with_name(f"{NAME}.exe" if sys.platform == "win32" else NAME)
    return [str(script)] if script.is_file() else [sys.executable, "-m", NAME]


def file_of(place: Place, root: Path, user: bool, kind: str = "server") -> File:
    """The file of `place` that exists, else the one to make.

    Many projects have one file of instructions, and links to it under the names that other hosts know. A link from one
    of these names to another of the same project leads nowhere else: its file is taken.
    """
    if not user:
        name = next((name for name in place.names if os.path.lexists(root / name)), place.names[0])
        if kind == "instructions" and (root / name).is_symlink():
            with suppress(OSError, ValueError):
                target = rooted.resolved(root / name)
                name = next((other for other in INSTRUCTIONS if root / other == target), name)
        return File(root, root / name, name, False)
    folder = place.folder() if place.folder is not None else Path.home()
    name = next((name for name in place.names if os.path.lexists(folder / name)), place.names[0])
    try:
        path = rooted.resolved(folder / name)
    except (OSError, ValueError) as error:
        raise ConfigError(f"{folder / name} cannot be reached: {error}", "look at the links in its path") from error
    base = next(one for one in path.parents if one.is_dir())
    return File(base, path, str(folder / name), True)


@contextmanager
def about(file: File) -> Iterator[None]:
    """Errors inside name the file."""
    try:
        yield
    except ConfigError as error:
        raise ConfigError(f"{file.shown}: {error.message}", error.suggestion) from None


def read(file: File) -> bytes | None:
    """The file's content, None where there is none."""
    try:
        with rooted.open_read(file.base, file.path) as opened:
            content = opened.read(LARGEST + 1)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise ConfigError(f"{file.shown} cannot be read: {error.strerror}", "look at its permissions") from error
    if len(content) > LARGEST:
        raise ConfigError(f"{file.shown} has more than {LARGEST:,} bytes", "add the entry by hand")
    return content


def text_of(file: File, content: bytes | None) -> str:
    try:
        return (content or b"").decode("utf-8")
    except UnicodeDecodeError as error:
        raise ConfigError(f"{file.shown} is not UTF-8", "save it as UTF-8, or add the entry by hand") from error


def added(host: Host, part: Part, file: File) -> Change:
    before = read(file)
    text = text_of(file, before)
    known = receipts().get(file.key) if before is not None else None
    with about(file):
        state, shown = part.found(text)
        hosts = tuple(sorted({host.name, *(known.hosts if known is not None else ())}))
        if state is Found.SAME:
            record = structs.replace(known, hosts=hosts) if known is not None else None
            return Change(part.kind, file, before, before, record)
        untouched = text
        made, folders = before is None, missing_folders(file)
        if known is not None and before is not None and digest(before) == known.after:
            # Ours in another form: made anew from what was there before it.
            untouched, state = known.before(text), Found.OURS
            made, folders = known.made, known.folders
        elif known is not None and state is Found.OURS:
            untouched = part.drop(Edited(text), known.keep).text
            made, folders = known.made, known.folders
        edited = part.put(Edited(untouched))
        if part.found(edited.text)[0] is not Found.SAME:
            raise ConfigError("its form leaves no safe place for the entry", "add it by hand")
        keep = part.depth(untouched)
    record = receipt(edited, hosts, part.kind, keep, made, folders)
    replaces = shown if state is Found.OTHER else ""
    return Change(part.kind, file, before, edited.text.encode(), record, replaces=replaces)


def removed(host: Host, part: Part, file: File) -> Change:
    before = read(file)
    known = receipts().get(file.key)
    if before is None:
        return Change(part.kind, file, None, None)
    if known is not None and host.name not in known.hosts:
        return Change(part.kind, file, before, before, known)
    others = tuple(name for name in known.hosts if name != host.name) if known is not None else ()
    if known is not None and others:
        note = f"{file.shown} stays as it is, for {', '.join(others)}"
        return Change(part.kind, file, before, before, structs.replace(known, hosts=others), note=note)
    text = text_of(file, before)
    if known is not None and digest(before) == known.after:
        after = None if known.made else known.before(text).encode()
        return Change(part.kind, file, before, after, folders=known.folders if known.made else ())
    with about(file):
        state, shown = part.found(text)
        if state is Found.NOTHING:
            return Change(part.kind, file, before, before)
        if state is Found.OTHER:
            return Change(part.kind, file, before, before, note=f"{file.shown}: not loregraph's, left alone: {shown}")
        keep = known.keep if known is not None else part.depth(text)
        left = part.drop(Edited(text), keep).text
        if part.found(left)[0] is not Found.NOTHING:
            raise ConfigError("the entry cannot be taken out safely", "take it out by hand")
    made = known is not None and known.made
    gone = made and part.is_empty(left)
    return Change(
        part.kind, file, before, None if gone else left.encode(), folders=known.folders if gone and known else ()
    )


def missing_folders(file: File) -> tuple[str, ...]:
    """The folders in the file's path that do not exist, outermost first."""
    inside = [folder for folder in file.path.parents if folder != file.base and folder.is_relative_to(file.base)]
    return tuple(str(folder) for folder in reversed(inside) if not os.path.lexists(folder))


# Implements REQ-CLI-020, REQ-SEC-001.
def apply(changes: Sequence[Change]) -> None:
    """Writes the files and what was recorded of them.

    Raises InTheWayError if a file is no more what the change was made from, StoreError where one cannot be written.
    """
    for one in changes:
        if one.action != "none" and read(one.file) != one.before:
            raise InTheWayError(f"{one.file.shown} was changed meanwhile", "run the command again")
    known = receipts()
    records = {one.file.key: one.record for one in changes if known.get(one.file.key) != one.record}
    if records:
        # Before the files: a record of what was not written does no harm, since the hash tells.
        change(lambda files: keep(files, records))
    for one in changes:
        if one.action == "none":
            continue
        try:
            write(one)
        except OSError as error:
            raise StoreError(
                f"{one.file.shown} cannot be written: {error.strerror}", "look at its permissions"
            ) from error


def keep(files: dict[str, Receipt], records: dict[str, Receipt | None]) -> None:
    for key, record in records.items():
        files.pop(key, None)
        if record is not None:
            files[key] = record


def write(one: Change) -> None:
    base, path = one.file.base, one.file.path
    if one.after is None:
        rooted.remove(base, path)
        for folder in reversed(one.folders):
            # Of a user's file the base is where the folders that exist end, and that has moved.
            rooted.remove_empty_folder(Path(folder).parent if one.file.user else base, folder)
        return
    rooted.make_folder(base, path.parent)
    mode = rooted.PRIVATE if one.file.user and one.before is None else None
    rooted.write(base, path, one.after, mode=mode)


# what is there


def present(host: Host) -> str:
    """Why the host seems to be installed here, "" if it does not."""
    for name in host.programs:
        if (found := orphans.program(name)) is not None:
            return found
    return next((str(folder()) for folder in host.signs if folder().is_dir()), "")


def installed(host: Host, root: Path, user: bool) -> str:
    """The file in which the host has a server that is loregraph, "" for none."""
    place = host.user if user else host.project
    if place is None:
        return ""
    part = part_for(host, "server", place, root, user, None)
    try:
        file = file_of(place, root, user)
        state, _ = part.found(text_of(file, read(file)))
    except (ConfigError, StoreError):
        return ""
    return file.shown if state in (Found.SAME, Found.OURS) else ""
