"""The official memory server's file as used by the wrapper: location, content, damage, lock.

Only the server writes it. It reads and rewrites the whole file at each call, so of two concurrent writers one loses its
changes: the wrapper holds the lock, also against other processes, while a server writes.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from loregraph import rooted
from loregraph.errors import StoreBusyError, StoreError, UnsafePathError

VARIABLE: Final = "MEMORY_FILE_PATH"
DEFAULT_NAME: Final = "team-memory.jsonl"
POLL_SECONDS: Final = 0.002
"""Seconds between two tries for the lock, about as long as a write of the server."""

_SHAPES: Final[Mapping[str, tuple[str, ...]]] = {
    "entity": ("name", "entityType"),
    "relation": ("from", "to", "relationType"),
}


@dataclass(frozen=True)
class Fault:
    """Damage that makes the file unreadable for the server: the line, counted from 1, and the reason."""

    path: Path
    line: int
    why: str

    def __str__(self) -> str:
        return f"line {self.line} of {self.path} {self.why}: mend or remove that line"


class Stored:
    """The content of the file when it was read, searchable by names of entities."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        # The server writes no space there; a person who edits the file may.
        self._spaced = b'"name" ' in data or b'"name": ' in data

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and self._place(name) >= 0

    def observations(self, name: str) -> frozenset[str]:
        """The number of an entity's observations; 0 for one that is not stored."""
        place = self._place(name)
        if place < 0:
            return frozenset()
        end = self._data.find(b"\n", place)
        line = self._data[self._data.rfind(b"\n", 0, place) + 1 : end if end >= 0 else None]
        try:
            found = json.loads(line).get("observations")
        except (ValueError, AttributeError, RecursionError):
            return frozenset()
        return frozenset(item for item in found if isinstance(item, str)) if isinstance(found, list) else frozenset()

    def _place(self, name: str) -> int:
        """The position of the entity's name, -1 where there is none."""
        # Quotes in texts are escaped, so `"name":"…"` is always the key and its value.
        escaped = json.dumps(name).encode()
        plain = escaped if name.isascii() else json.dumps(name, ensure_ascii=False).encode("utf-8", "surrogatepass")
        for form in dict.fromkeys((plain, escaped)):
            if (place := self._data.find(b'"name":' + form)) >= 0:
                return place
            if self._spaced and (found := re.search(rb'"name"\s*:\s*' + re.escape(form), self._data)):
                return found.start()
        return -1


class TeamFile:
    """The file at `path`, which need not exist."""

    def __init__(self, path: Path) -> None:
        # Two paths of one file have one lock.
        self.path = Path(os.path.realpath(path))
        self._lock: Any = None

    @property
    def lock_path(self) -> Path:
        return self.path.with_name(self.path.name + ".lock")

    def make_folder(self) -> None:
        """The folder of the file, created: the server does not create it. Raises StoreError."""
        try:
            rooted.make_base(self.path.parent)
        except OSError as error:
            raise self._refused(error) from error

    @contextmanager
    def locked(self, timeout: float) -> Iterator[None]:
        """Be the only one whose server may write. Raises StoreBusyError after `timeout` seconds, StoreError."""
        from filelock import FileLock, Timeout

        try:
            if self._lock is None:
                self.make_folder()
                self._lock = FileLock(
                    rooted.lock_path(self.path.parent, self.lock_path), thread_local=False, poll_interval=POLL_SECONDS
                )
            self._lock.acquire(timeout=timeout)
        except Timeout:
            raise StoreBusyError(
                f"another process has been writing {self.path} for {timeout:g} s", "try again when it is done"
            ) from None
        except OSError as error:
            raise self._refused(error) from error
        try:
            yield
        finally:
            self._lock.release()

    def stored(self) -> Stored:
        return Stored(self._read())

    def fault(self) -> Fault | None:
        """The first line that makes the server fail; None for a readable file."""
        for number, line in enumerate(self._read().decode("utf-8", "replace").split("\n"), start=1):
            if line.strip() and (why := fault_of(line)):
                return Fault(self.path, number, why)
        return None

    def _refused(self, error: OSError) -> StoreError:
        return StoreError(f"{self.path} cannot be written: {error.strerror}", f"name one that can be in {VARIABLE}")

    def _read(self) -> bytes:
        try:
            return rooted.read(self.path.parent, self.path)
        except (OSError, UnsafePathError):
            # Missing or unreadable; the server will report the latter itself.
            return b""


def fault_of(line: str) -> str:
    """Why the server cannot read a line of its file, "" for a valid one."""
    try:
        value = json.loads(line, parse_constant=_refuse)
    except RecursionError:
        return "is nested too deeply"
    except ValueError as error:
        return f"is not JSON ({error})"
    if not isinstance(value, dict):
        # The server ignores numbers and texts, but fails for null.
        return "is null, not an object" if value is None else ""
    kind = value.get("type")
    for field in _SHAPES.get(kind, ()) if isinstance(kind, str) else ():
        if not isinstance(value.get(field), str):
            return f"is {'an' if kind == 'entity' else 'a'} {kind} whose {field!r} is missing or no text"
    if kind == "entity":
        observations = value.get("observations")
        if not isinstance(observations, list) or not all(isinstance(item, str) for item in observations):
            return "is an entity whose 'observations' are missing or no list of texts"
    return ""


def _refuse(text: str) -> None:
    raise ValueError(f"{text} is no JSON value")


def locate(environment: Mapping[str, str], folder: Path, default: Path) -> Path:
    """The file named by `MEMORY_FILE_PATH`, absolute; `default` where it names none.

    The server resolves a relative path in its installation folder, where an update deletes it; here it is relative to
    `folder`, the working one.
    """
    named = environment.get(VARIABLE, "")
    return Path(os.path.normpath(folder / Path(named).expanduser())) if named else default
