"""Which files of a checkout are those of a pulled graph: their stamps are stored, and later comparisons are cheap."""

from __future__ import annotations

import os
import stat
import time
from pathlib import Path

import msgspec

from loregraph.graph.state import FileState, State
from loregraph.stamps import stamp
from loregraph.status import content_hash_of


def settle(state: State, root: Path, max_bytes: int) -> None:
    """Stores the stamps of the files below `root` that have the content that `state` has of them; `max_bytes` is the
    size from which on a file is not read. Does not commit."""
    now = time.time_ns()
    same = []
    for path, file in state.files().items():
        try:
            status = os.lstat(root / path)
        except OSError:
            continue
        if stat.S_ISREG(status.st_mode) and _is_same(file, root / path, max_bytes):
            same.append(msgspec.structs.replace(file, stamp=stamp(status)))
    state.put_files(same)
    young = {file.path: now for file in same if not file.stamp.is_settled(now)}
    state.put_meta("racy", msgspec.msgpack.encode(young))


def _is_same(file: FileState, path: Path, max_bytes: int) -> bool:
    if file.status == "unsupported":  # it was not read
        return True
    return bool(file.content_hash) and content_hash_of(path, max_bytes) == file.content_hash
