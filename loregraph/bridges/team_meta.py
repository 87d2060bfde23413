"""`team-memory-meta.json`: data about entities that the official server's file cannot store.

The server drops fields that it does not know, so they are in a file beside its own. Nothing depends on them: deleting
the side file loses attributions, but no memory.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final

import msgspec
from msgspec import Raw

from loregraph import rooted
from loregraph.errors import UnsafePathError

NAME: Final = "team-memory-meta.json"
VERSION: Final = 1
_LOCK_SECONDS: Final = 10.0
_POLL_SECONDS: Final = 0.002

Objects = dict[str, Raw]


class TeamMeta:
    """The part of the side file about one memory file; the side file is shared by all files in its folder.

    Entries stay unparsed lines: a write costs its changes plus copying the rest.
    """

    def __init__(self, memory_file: Path) -> None:
        self.path = memory_file.with_name(NAME)
        self._folder = memory_file.parent
        self._file = memory_file.name
        self._stat: tuple[int, int, int] | None = None
        self._others: Objects = {}
        self._lines: dict[str, bytes] = {}
        """Stored name → `"name": {…}`."""

    def entities(self) -> dict[str, dict[str, Any]]:
        """The known data, by stored name."""
        self._refresh()
        return {name: self._entry(name) for name in self._lines}

    def record(
        self,
        *,
        created: Iterable[str] = (),
        changed: Iterable[str] = (),
        deleted: Iterable[str] = (),
        by: Mapping[str, str],
    ) -> None:
        """Records the author of a change: `by` has `author`, `at` and `client`. Raises OSError, filelock.Timeout."""
        created, changed, deleted = list(created), list(changed), list(deleted)
        if not (created or changed or deleted):
            return
        from filelock import FileLock

        path = rooted.lock_path(self._folder, NAME + ".lock")
        lock = FileLock(path, timeout=_LOCK_SECONDS, poll_interval=_POLL_SECONDS)
        with lock:
            self._refresh()
            for name in created:
                entry = {"namespace": name.partition(":")[0] if ":" in name else ""}
                entry.update(created_by=by["author"], created_at=by["at"], created_with=by["client"])
                self._lines[name] = _line(name, entry)
            for name in changed:
                known = self._entry(name)
                count = known.get("changes")
                known["changes"] = count + 1 if isinstance(count, int) else 1
                known.update(changed_by=by["author"], changed_at=by["at"], changed_with=by["client"])
                self._lines[name] = _line(name, known)
            for name in deleted:
                self._lines.pop(name, None)
            self._write()

    def _entry(self, name: str) -> dict[str, Any]:
        line = self._lines.get(name)
        entry: dict[str, Any] = msgspec.json.decode(b"{" + line + b"}")[name] if line is not None else {}
        return entry

    def _refresh(self) -> None:
        """Reads what other processes wrote. A damaged file is moved aside and a new one begun."""
        now = self._now()
        if now == self._stat:
            return
        self._others, self._lines, self._stat = {}, {}, now
        try:
            data = rooted.read(self._folder, NAME)
        except (OSError, UnsafePathError):
            return
        try:
            files = _objects(_objects(data).get("files", Raw(b"{}")))
            own = _objects(files.pop(self._file, Raw(b"{}")))
            entities = _objects(own.get("entities", Raw(b"{}")))
            if not all(bytes(entry).startswith(b"{") for entry in entities.values()):
                raise ValueError("an entry is no object")
        except ValueError:  # msgspec's are, too
            rooted.rename(self._folder, NAME, NAME + ".rejected")
            return
        self._others, self._lines = files, {name: _line(name, entry) for name, entry in entities.items()}

    def _now(self) -> tuple[int, int, int] | None:
        try:
            status = self.path.stat()
        except OSError:
            return None
        return status.st_ino, status.st_mtime_ns, status.st_size

    def _write(self) -> None:
        """Writes the whole file, one line per entity, and renames it into place."""
        own = Raw(b'{"entities": {\n' + b",\n".join(self._lines.values()) + b"\n}}")
        files = b",\n".join(_line(name, about) for name, about in {**self._others, self._file: own}.items())
        try:
            rooted.write(self._folder, NAME, b'{"version": %d, "files": {\n%s\n}}\n' % (VERSION, files))
        except OSError:
            self._stat = None
            raise
        self._stat = self._now()


def _objects(data: bytes | Raw) -> Objects:
    return msgspec.json.decode(data, type=Objects)


def _line(name: str, value: Any) -> bytes:
    return msgspec.json.encode(name) + b": " + msgspec.json.encode(value)
