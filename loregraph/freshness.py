"""Whether an answer may be outdated, determined in milliseconds; `status.stale_files` lists every file instead.

Files in an answer are always checked. Of the others at most about `MOST_LOOKED` are, spread evenly; new files are not
searched for, since that requires listing every folder and asking git what is ignored.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Collection, Mapping
from contextlib import closing, suppress
from pathlib import Path
from typing import Final

import msgspec

from loregraph.errors import DamagedStoreError
from loregraph.graph.generation import StoreFolder
from loregraph.stamps import Stamp, stamp

MOST_LOOKED: Final = 2000
"""Number of files beyond those of the answer whose stamps are compared, about 4 microseconds each. With fewer, all
are."""
MOST_COMPARED: Final = 100
"""Maximum files with another stamp whose content is compared: a checkout and back touches thousands."""

_LATE: Final = 1 << 62


class Behind(msgspec.Struct, frozen=True):
    """How far a graph is outdated, as far as checked.

    `changed` are files with other content, or gone; `unsure` is the number of touched files that were not compared;
    `is_whole`: all known files were checked; not `is_known`: none could be, since their record is damaged.
    """

    changed: frozenset[str] = frozenset()
    unsure: int = 0
    is_whole: bool = True
    is_known: bool = True


# Implements REQ-CLI-018.
def behind(root: Path, max_bytes: int, store: StoreFolder, paths: Collection[str], most: int = MOST_LOOKED) -> Behind:
    """How far the graph in `store` is outdated; `paths` are the files of an answer, `most` is the approximate number of
    others checked, `max_bytes` the size from which on a file is not read."""
    try:
        state = store.open_state(counted=False)
        if state is None:
            return Behind()
        with closing(state):
            known, count = state.stamps(paths, most)
            racy = state.racy()
    except DamagedStoreError:
        return Behind(is_whole=False, is_known=False)
    prefix = f"{root}{os.sep}"
    changed = set()
    touched: list[str] = []
    for path, (before, _) in known.items():
        now = _stamp(prefix + path)
        if now is None:
            changed.add(path)
        elif now != before or not now.is_settled(racy.get(path, _LATE)):
            touched.append(path)
    if touched:
        # Heavier to import, and rarely needed.
        from loregraph.status import content_hash_of

        named = set(paths)
        touched.sort(key=lambda path: path not in named)
        compared = touched[:MOST_COMPARED]
        changed.update(path for path in compared if known[path][1] != content_hash_of(root / path, max_bytes))
    return Behind(frozenset(changed), max(0, len(touched) - MOST_COMPARED), len(known) == count)


class Outdated(msgspec.Struct, frozen=True):
    """Files of an answer that the graph has with other content: `changed`, and `gone` from the disk."""

    changed: frozenset[str] = frozenset()
    gone: frozenset[str] = frozenset()

    @property
    def paths(self) -> frozenset[str]:
        return self.changed | self.gone


# Implements REQ-MCP-012.
def outdated(root: Path, max_bytes: int, store: StoreFolder, hashes: Mapping[str, str]) -> Outdated:
    """Which files differ from an answer's graph; `hashes` are those of the files' contents in that graph, by path.

    The state that the stamps are from may be ahead of the graph, while an index run is under way: a stamp only counts
    for the content that the graph has. Files beyond `MOST_COMPARED` whose stamp tells nothing count as changed.
    """
    if not hashes:
        return Outdated()
    known: dict[str, tuple[Stamp, str]] = {}
    racy: dict[str, int] = {}
    with suppress(DamagedStoreError):
        state = store.open_state(counted=False)
        if state is not None:
            with closing(state):
                known, _ = state.stamps(hashes, 0)
                racy = state.racy()
    prefix = f"{root}{os.sep}"
    gone: set[str] = set()
    touched: list[str] = []
    for path, digest in hashes.items():
        now = _stamp(prefix + path)
        before, kept = known.get(path, (None, None))
        if now is None:
            gone.add(path)
        elif now != before or kept != digest or not now.is_settled(racy.get(path, _LATE)):
            touched.append(path)
    changed = set(touched[MOST_COMPARED:])
    if touched:
        from loregraph.status import content_hash_of

        compared = touched[:MOST_COMPARED]
        changed.update(path for path in compared if hashes[path] != content_hash_of(root / path, max_bytes))
    return Outdated(frozenset(changed), frozenset(gone))


def _stamp(path: str) -> Stamp | None:
    """The stamp of a regular file, None for anything else."""
    try:
        status = os.lstat(path)
    except OSError:
        return None
    return stamp(status) if stat.S_ISREG(status.st_mode) else None
