"""New generations from the current one with other memories, accepted links or copies, without extraction or
resolution."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

import msgspec

from loregraph.errors import StoreBusyError
from loregraph.gc_control import without_collector
from loregraph.graph.authored import Authored, with_authored
from loregraph.graph.generation import Current, StoreFolder
from loregraph.graph.model import Edge
from loregraph.graph.similar import with_similar

CATCH_UP_SECONDS: Final = 1.0
"""How long a question waits for a writer before it is answered without the newest memories."""


def catch_up(folder: StoreFolder, authored: Callable[[], Authored], timeout: float = CATCH_UP_SECONDS) -> bool:
    """Brings the memories in the current graph up to date, and nothing else; False where another process is writing.

    Raises NotIndexedError where there is no graph.
    """
    try:
        with folder.writer(timeout), without_collector():
            current = folder.sound()
            found = authored()
            if current is not None and current.journal_offsets != found.offsets:
                publish_authored(folder, current, found)
            return True
    except StoreBusyError:
        return False


def publish_authored(folder: StoreFolder, current: Current, authored: Authored) -> int:
    """Publishes the current generation with other memories. Returns the new number."""
    with folder.lease() as lease:
        building = folder.new_generation()
        engine = with_authored(lease.path, building, authored)
    return folder.publish(
        building,
        msgspec.structs.replace(
            current,
            engine=engine.engine,
            engine_storage_version=engine.storage_version,
            journal_offsets=dict(authored.offsets),
        ),
    ).generation


def add_similar(folder: StoreFolder, generation: int, edges: Iterable[Edge], timeout: float = CATCH_UP_SECONDS) -> bool:
    """Publishes `generation` with `edges` as its SIMILAR_TO edges; False where it is no longer the current one.

    Raises StoreBusyError where another process is writing.
    """
    with folder.writer(timeout), without_collector():
        current = folder.sound()
        if current is None or current.generation != generation:
            return False
        with folder.lease() as lease:
            building = folder.new_generation()
            engine = with_similar(lease.path, building, edges)
        folder.publish(
            building,
            msgspec.structs.replace(
                current, engine=engine.engine, engine_storage_version=engine.storage_version, similar=True
            ),
        )
        return True
