"""Whether an answer is about how files were, asked in milliseconds; `status.stale_files` lists every file instead.

Files that an answer names are always looked at. Of the others at most about `MOST_LOOKED` are, spread evenly; whether
one is new is not asked, since that takes listing every folder and git's word on what is ignored.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Collection
from contextlib import closing
from pathlib import Path
from typing import Final

import msgspec

from loregraph.errors import DamagedStoreError
from loregraph.graph.generation import StoreFolder
from loregraph.stamps import Stamp, stamp

MOST_LOOKED: Final = 2000
"""Files beyond those of the answer whose stamps are compared: about 4 microseconds each. Up to as many all are."""
MOST_COMPARED: Final = 100
"""Files with another stamp whose content is compared: a checkout and back touches thousands."""

_LATE: Final = 1 << 62


class Behind(msgspec.Struct, frozen=True):
    """What a graph is behind, as far as it was looked for.

    `changed` are files with other content, or gone; `unsure` counts those that were touched and not compared; where
    `is_whole` all known files were looked at, and where not `is_known` none could be: what they were is damaged.
    """

    changed: frozenset[str] = frozenset()
    unsure: int = 0
    is_whole: bool = True
    is_known: bool = True


# Implements REQ-CLI-018.
def behind(root: Path, max_bytes: int, store: StoreFolder, paths: Collection[str], most: int = MOST_LOOKED) -> Behind:
    """What the graph in `store` is behind; `paths` are the files that an answer is about, `most` about how many others
    are looked at, `max_bytes` the size from which on a file is not read."""
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
        # Heavier to import, and hardly ever needed.
        from loregraph.status import content_hash_of

        named = set(paths)
        touched.sort(key=lambda path: path not in named)
        compared = touched[:MOST_COMPARED]
        changed.update(path for path in compared if known[path][1] != content_hash_of(root / path, max_bytes))
    return Behind(frozenset(changed), max(0, len(touched) - MOST_COMPARED), len(known) == count)


def _stamp(path: str) -> Stamp | None:
    """The stamp of a regular file, None of anything else."""
    try:
        status = os.lstat(path)
    except OSError:
        return None
    return stamp(status) if stat.S_ISREG(status.st_mode) else None
