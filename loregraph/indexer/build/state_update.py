"""Writes the results of extraction into the state, in groups of files.

All of it is one transaction: a run that is killed on the way leaves the state as it was.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Final

import msgspec

from loregraph.config import Settings
from loregraph.graph.state import FileState, State
from loregraph.indexer.build.assemble import FileEntry
from loregraph.indexer.build.edits import keep_published
from loregraph.indexer.build.plan import Plan, kept_version
from loregraph.indexer.build.report import Progress
from loregraph.indexer.build.workers import Extracted, extract_all
from loregraph.indexer.discover.files import Discovery, SourceFile

if TYPE_CHECKING:
    from loregraph.indexer.build.reuse import Reuse

KINDS: Final = ("facts", "texts", "text_hashes", "terms", "requirements", "endpoints")
"""Fields of `Extracted` that are stored as blobs, under their own names; empty ones are not stored."""
BATCH_FILES: Final = 200
BATCH_BYTES: Final = 2_000_000
"""Files, and their bytes, that are buffered and written together: writing single rows costs three times as much."""


def update_state(
    state: State,
    root: Path,
    settings: Settings,
    discovery: Discovery,
    todo: Plan,
    known: Mapping[str, FileState],
    jobs: int,
    tell: Callable[[Progress], None],
    *,
    texts: bool,
    reuse: Reuse | None = None,
) -> set[str]:
    """Updates `state`, which has the files `known`, as planned in `todo`; returns the paths with new content or kind.
    `texts`: whether the tasks want texts for embedding; `reuse`: where facts may be taken of instead of extracting."""
    sources = {file.path: file for file in discovery.files}
    now = time.time_ns()
    done, total = 0, len(todo.tasks)
    read: list[str] = []
    rows = _Rows(state, known)
    state.remove_files(todo.removed)

    def stated(file: SourceFile, content_hash: str, status: str) -> FileState:
        version = kept_version(file.language, settings.requirements, file.origin, texts=texts)
        return FileState(file.path, file.stamp, content_hash, file.language, status, version)

    def receive(answer: Extracted) -> None:
        nonlocal done
        done += 1
        if done % 16 == 0 or done == total:
            tell(Progress("extract", done, total))
        file = sources[answer.path]
        read.append(answer.path)
        if answer.status == "same":
            rows.put_same(msgspec.structs.replace(known[answer.path], stamp=file.stamp))
            return
        entry = FileEntry(
            answer.path,
            answer.language,
            answer.content_hash,
            answer.lines,
            answer.status,
            answer.problems,
            answer.constants,
            answer.generated,
        )
        blobs = {kind: getattr(answer, kind) for kind in KINDS}
        rows.put(stated(file, answer.content_hash, answer.status), entry, blobs)

    there: set[str] = set()
    for found in reuse.facts(todo.tasks) if reuse is not None else ():
        path = found.file.path
        there.add(path)
        read.append(path)
        rows.put(msgspec.structs.replace(found.file, stamp=sources[path].stamp), found.entry, found.blobs)
    done = len(there)
    tasks = [task for task in todo.tasks if task[0].path not in there]
    extract_all(root, tasks, settings.max_file_bytes, jobs, receive, requirements=settings.requirements)
    for file in todo.unsupported:
        entry = FileEntry(file.path, file.language, "", 0, "unsupported")
        rows.put(stated(file, "", "unsupported"), entry, {})
    rows.flush()
    _note_read_times(state, discovery, read, now)
    return rows.changed


class _Rows:
    """Buffered rows of files."""

    def __init__(self, state: State, known: Mapping[str, FileState]) -> None:
        self._state = state
        self._known = known
        self._files: list[FileState] = []
        self._replaced: list[FileState] = []
        self._blobs: dict[str, dict[str, bytes]] = {}
        self._bytes = 0
        self.changed: set[str] = set()

    def put_same(self, file: FileState) -> None:
        """Adds a file with unchanged content."""
        self._files.append(file)
        self._flush_if_full()

    def put(self, file: FileState, entry: FileEntry, blobs: Mapping[str, bytes]) -> None:
        """Adds a file with new content or kind; blobs missing from `blobs` are removed."""
        self.changed.add(file.path)
        self._files.append(file)
        if file.path in self._known:
            self._replaced.append(self._known[file.path])
        for kind, data in {"entries": msgspec.msgpack.encode(entry), **blobs}.items():
            if data:
                self._blobs.setdefault(kind, {})[file.path] = data
                self._bytes += len(data)
        self._flush_if_full()

    def _flush_if_full(self) -> None:
        if len(self._files) >= BATCH_FILES or self._bytes >= BATCH_BYTES:
            self.flush()

    def flush(self) -> None:
        """Writes the buffered rows."""
        keep_published(self._state, self._replaced)
        self._state.put_files(self._files)
        for kind in ("entries", *KINDS):
            own = self._blobs.get(kind, {})
            self._state.drop_blobs(kind, [file.path for file in self._replaced if file.path not in own])
            self._state.put_blobs(kind, own)
        self._files, self._replaced, self._blobs, self._bytes = [], [], {}, 0


def _note_read_times(state: State, discovery: Discovery, read: list[str], now: int) -> None:
    """Stores the time of reading only where it matters: for files whose time stamp is close to it."""
    stamps = {file.path: file.stamp for file in discovery.files}
    young = state.racy()
    for path in read:
        young.pop(path, None)
        if not stamps[path].is_settled(now):
            young[path] = now
    state.put_meta("racy", msgspec.msgpack.encode({p: t for p, t in sorted(young.items()) if p in stamps}))
