"""What a run takes of the user's cache (`graph/snapshots.py`), and what it gives to it.

Three ways, each where the one before did not answer:

- The same files, settings and code as in a snapshot have the same token: its graph is this project's graph.
- The same paths with other content in a few of them: the snapshot's graph is edited, as a store's own is.
- Files with the same path and content: their facts are this project's, and only resolution has to be done.

All that a run takes is of files that the project has, by path and by the hash of the content that was just read. Only
an edit needs more, the facts and traces of files that differ: a tenth of the files at most, of a project whose other
files are all here. Of those nothing is left in the store once the graph is published.

A graph is kept after it was resolved as a whole, which is what takes long; edits of it are not kept. Keeping Django's
takes 0.1 s of processor time after 31, and taking it again 1.1 in place of them.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, Final

import msgspec

from loregraph import rooted
from loregraph.config import Settings
from loregraph.errors import DamagedStoreError, StoreError, UnsafePathError
from loregraph.graph.authored import Authored
from loregraph.graph.generation import Current
from loregraph.graph.snapshots import Snapshot, Snapshots, key_of
from loregraph.graph.state import FileState, State
from loregraph.indexer.build.assemble import FileEntry
from loregraph.indexer.build.edits import Published, as_published
from loregraph.indexer.build.freshness import MadeOf, token_of
from loregraph.indexer.build.plan import code_version, facts_version, serves
from loregraph.indexer.build.run import Run
from loregraph.indexer.build.tasks import Task
from loregraph.indexer.source import ARCHIVE, REMARKS, content_hash, read_source

LEAST_FILES: Final = 50
"""With fewer files to read or resolve the cache is not asked, nor given anything: indexing them takes a second."""
MOST_SOURCES: Final = 4
"""Maximum number of snapshots that facts are taken of."""
_SAMPLE: Final = 64
"""Files that are read to see whether any snapshot has files of this project."""
_WORTH: Final = 8
"""A snapshot is used for facts if it has one of so many files that are still to be read."""
_EDIT: Final = 10
"""A snapshot is edited if at most one of so many files differs; beyond that everything is solved again anyway."""
_KINDS: Final = ("facts", "texts", "text_hashes", "terms", "requirements", "endpoints")
_RESOLUTION: Final = ("cuts", "endpoints", "layout", "layout_problems", "resolved_files", "totals", "unresolved")
_SUMMARY: Final = "summary"
"""Keys of the state's metadata that belong to a resolution, and the beginning of those of language families."""
_META: Final = "cache"
"""The key under which the state stores what the last run had of the cache."""
_DAMAGE: Final = (DamagedStoreError, StoreError, UnsafePathError, OSError, msgspec.DecodeError)


class Record(msgspec.Struct, frozen=True):
    """What the last run that asked the cache had of it: the number of `files` whose facts it took, of `read` ones;
    whether the graph was the `same` or an `edit` of one; whether it `kept` the graph; and what went wrong."""

    read: int = 0
    files: int = 0
    graph: str = ""
    kept: bool = False
    problem: str = ""


class Found(msgspec.Struct, frozen=True):
    """The facts of one file in a snapshot: its row, its entry and its other blobs as stored."""

    file: FileState
    entry: FileEntry
    blobs: dict[str, bytes]


class Base(msgspec.Struct, frozen=True):
    """A snapshot to edit: its generation, and the files that differ as they were in it."""

    snapshot: Snapshot
    current: Current
    before: dict[str, Published]


# Implements REQ-STO-012.
class Reuse:
    """The cache for one run with these settings; `is_read` is False where earlier results are not wanted. Close it."""

    def __init__(self, root: Path, settings: Settings, state: State, *, is_read: bool) -> None:
        self._root = root
        self._settings = settings
        self._state = state
        self._snapshots = Snapshots(code_version(), settings.cache_max_bytes)
        self._is_read = is_read
        self._held: list[Snapshot] = []
        self._known: dict[str, frozenset[bytes]] | None = None
        self._record = Record()

    # facts

    def facts(self, tasks: Sequence[tuple[Task, int]]) -> Iterator[Found]:
        """The files among `tasks` whose content is in a snapshot, with their facts; the present content is read."""
        if not self._is_read or len(tasks) < LEAST_FILES:
            return
        self._note(read=len(tasks))
        known = self._all()
        if not known:
            return
        step = -(-len(tasks) // _SAMPLE)
        sample = set(self._keys([task for task, _ in tasks[::step]]))
        if not sample or max(len(keys & sample) for keys in known.values()) * _WORTH < len(sample):
            return
        left = self._keys([task for task, _ in tasks])
        for _ in range(MOST_SOURCES):
            token, keys = max(known.items(), key=lambda one: len(one[1].intersection(left)))
            if len(keys.intersection(left)) * _WORTH < len(left) or not left:
                return
            snapshot = self._hold(token)
            taken = []
            for found in self._of(snapshot, {key: left[key] for key in left.keys() & keys}) if snapshot else ():
                taken.append(found.file.path)
                yield found
            self._note(files=self._record.files + len(taken))
            gone = set(taken)
            left = {key: own for key, own in left.items() if own[0].path not in gone}
            known = {other: own for other, own in known.items() if other != token}
            if not known:
                return

    def _keys(self, tasks: Sequence[Task]) -> dict[bytes, tuple[Task, str, tuple[tuple[int, str], ...]]]:
        """Key → the file's task, the hash of its present content, and the problems of reading it."""
        found = {}
        for task in tasks:
            if task.path.endswith(ARCHIVE):
                continue
            name = os.path.join(self._root, task.path)  # noqa: PTH118 - bytes of the name survive
            source, problems = read_source(name, self._settings.max_file_bytes)
            if source is not None and (digest := content_hash(source)) != task.known_hash:
                told = tuple((problem.line, problem.message) for problem in problems)
                found[key_of(task.path, digest)] = task, digest, told
        return found

    def _of(
        self, snapshot: Snapshot, wanted: Mapping[bytes, tuple[Task, str, tuple[tuple[int, str], ...]]]
    ) -> list[Found]:
        """The facts of `wanted` in a snapshot; stores the vectors of their texts. Nothing where it is damaged."""
        by_path = {task.path: (task, digest, told) for task, digest, told in wanted.values()}
        found: list[Found] = []
        hashes: set[bytes] = set()
        decoder = msgspec.msgpack.Decoder(FileEntry)
        try:
            with closing(snapshot.state()) as state:
                files = state.files(by_path)
                entries = {path: decoder.decode(blob) for path, blob in state.blobs("entries", by_path)}
                blobs = {kind: dict(state.blobs(kind, by_path)) for kind in _KINDS}
                for path, (task, digest, told) in by_path.items():
                    file, entry = files.get(path), entries.get(path)
                    if file is None or entry is None or not self._is_of(file, task, digest):
                        continue
                    if told != tuple(problem for problem in entry.problems if problem[1] in REMARKS):
                        continue
                    own = {kind: blobs[kind][path] for kind in _KINDS if path in blobs[kind]}
                    found.append(Found(file, entry, own))
                    packed = own.get("text_hashes", b"")
                    hashes.update(packed[at : at + 16] for at in range(0, len(packed), 16))
                vectors = state.vectors(snapshot.about.space) if snapshot.about.space and hashes else {}
        except _DAMAGE as error:
            self._is_damaged(snapshot, error)
            return []
        self._state.put_vectors(snapshot.about.space, ((key, vectors[key]) for key in sorted(hashes & vectors.keys())))
        return found

    def _is_of(self, file: FileState, task: Task, digest: str) -> bool:
        version = facts_version(task.language, self._settings.requirements, task.origin)
        return (
            file.content_hash == digest
            and file.language == task.language
            and file.status != "failed"
            and serves(file.facts_version, version, texts=task.texts)
        )

    # graphs

    def adopt(self, run: Run, token: str, made_of: MadeOf) -> tuple[Path, Current] | None:
        """Makes the next generation of the snapshot with the same token, with its resolution in the state; returns the
        folder and identity of what is to be published. None where there is no such snapshot, or it is damaged."""
        if not self._is_read or len(made_of.files) < LEAST_FILES:
            return None
        snapshot = self._hold(token)
        if snapshot is None:
            return None
        building = run.folder.new_generation()
        try:
            kept = _resolution_of(snapshot, made_of.files)
            snapshot.copy_arrays(building)
        except _DAMAGE as error:
            rooted.remove_tree(run.folder.path, building)
            self._is_damaged(snapshot, error)
            return None
        kept(run.state)
        self._note(graph="same")
        return building, _current_of(snapshot, run.authored)

    def base(self, run: Run, made_of: MadeOf, refused: Collection[str]) -> Base | None:
        """The snapshot of a project that differs from this one by the content of few files, with its resolution in the
        state; None where there is none. `refused` are the files of an edit that could not be made of the store's own
        graph: one of as many will not be made of another either."""
        files = made_of.files
        if not self._is_read or len(files) < LEAST_FILES:
            return None
        keys = {key_of(path, file.content_hash) for path, file in files.items()}
        known = self._all()
        token = max(known, key=lambda one: len(known[one] & keys), default="")
        if not token or len(known[token] ^ keys) * _EDIT > 2 * len(keys):
            return None
        snapshot = self._hold(token)
        if snapshot is None:
            return None
        try:
            before = _differing(snapshot, files)
            if not before or (refused and len(before) >= len(refused)) or token_of(run, made_of, before) != token:
                return None
            snapshot.check()
            kept = _resolution_of(snapshot, files)
        except _DAMAGE as error:
            self._is_damaged(snapshot, error)
            return None
        run.state.overwrite_removed()
        kept(run.state)
        self._note(graph="edit")
        return Base(snapshot, _current_of(snapshot, run.authored), before)

    # Implements REQ-SEC-017.
    def keep(self, run: Run, current: Current, resolved: int) -> None:
        """Gives the generation `current`, which was just published, to the cache, if so many `resolved` files make it
        worth that."""
        if resolved < LEAST_FILES:
            return
        files = self._state.files()
        keys = [key_of(path, file.content_hash) for path, file in files.items()]
        space = ""
        if current.embedder is not None:
            from loregraph.graph.vectors import EmbedderIdentity
            from loregraph.indexer.build.store_graph import space_key

            space = space_key(msgspec.convert(current.embedder, EmbedderIdentity))
        generation = run.folder.path / f"generation-{current.generation}"
        has_authored = bool(run.authored.nodes or run.authored.edges)
        problem = self._snapshots.save(current, space, generation, self._state, keys, has_authored=has_authored)
        self._note(graph="", kept=not problem, problem=problem or self._record.problem)

    def note(self) -> None:
        """Stores what the run had of the cache, if it asked it. Commits."""
        if self._record == Record():
            return
        self._state.put_meta(_META, msgspec.msgpack.encode(self._record))
        self._state.commit()

    def close(self) -> None:
        """Releases all snapshots."""
        for snapshot in self._held:
            snapshot.close()

    def _all(self) -> dict[str, frozenset[bytes]]:
        if self._known is None:
            self._known = self._snapshots.all()
        return self._known

    def _hold(self, token: str) -> Snapshot | None:
        found = self._snapshots.exact(token)
        if found is not None:
            self._held.append(found)
        return found

    def _is_damaged(self, snapshot: Snapshot, error: Exception) -> None:
        self._snapshots.discard(snapshot)
        self._note(problem=str(error))

    def _note(self, **values: Any) -> None:
        self._record = msgspec.structs.replace(self._record, **values)


def last_use(state: State) -> Record | None:
    """What the last run that asked the cache had of it; None where none did."""
    saved = state.meta(_META)
    return msgspec.msgpack.decode(saved, type=Record) if saved else None


def _current_of(snapshot: Snapshot, authored: Authored) -> Current:
    """The identity of a snapshot's generation, which has nothing authored: that is up to date where there is nothing
    to add, whatever the journals' lengths."""
    about = snapshot.about
    return Current(
        engine=about.engine,
        engine_storage_version=about.engine_storage_version,
        loregraph_version=about.loregraph_version,
        embedder=about.embedder,
        journal_offsets={} if authored.nodes or authored.edges else dict(authored.offsets),
        state_token=about.token,
    )


def _resolution_of(snapshot: Snapshot, files: Collection[str]) -> Callable[[State], None]:
    """Reads what a snapshot's resolution left in its state; the result writes it to another. Raises DamagedStoreError
    where it is incomplete or of other files."""
    with closing(snapshot.state()) as state:
        traces = dict(state.blobs("traces"))
        keys = [*_RESOLUTION, *(key for key in state.meta_keys() if key.startswith(_SUMMARY))]
        metas = {key: state.meta(key) for key in keys}
    if not traces.keys() <= set(files) or metas["totals"] is None:
        raise DamagedStoreError(f"the snapshot {snapshot.path} is of other files", "run `loregraph index`")

    def write(own: State) -> None:
        own.drop_blobs("traces")
        own.put_blobs("traces", traces)
        for key, value in metas.items():
            own.put_meta(key, value)

    return write


def _differing(snapshot: Snapshot, files: Mapping[str, FileState]) -> dict[str, Published]:
    """The files that differ from those of a snapshot, as they are in it; empty where files were added or removed."""
    with closing(snapshot.state()) as state:
        theirs = state.files()
        if theirs.keys() != files.keys():
            return {}
        changed = [
            file
            for path, file in theirs.items()
            if (file.content_hash, file.language, file.facts_version)
            != (files[path].content_hash, files[path].language, files[path].facts_version)
        ]
        return as_published(state, changed)
