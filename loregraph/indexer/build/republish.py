"""New generations from the current one with other memories, accepted links or copies, without extraction or
resolution."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, Final

import msgspec

from loregraph.errors import StoreBusyError
from loregraph.gc_control import without_collector
from loregraph.graph.authored import Authored, with_authored
from loregraph.graph.generation import Current, StoreFolder
from loregraph.graph.model import Edge
from loregraph.graph.on_demand import Worked, with_history, with_similar
from loregraph.graph.store import EngineIdentity

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
    return _add(folder, generation, lambda old, new: with_similar(old, new, edges), timeout, {"similar": True})


def add_history(
    folder: StoreFolder,
    generation: int,
    commit: str,
    edges: Iterable[Edge],
    worked: Mapping[str, Worked],
    timeout: float = CATCH_UP_SECONDS,
) -> bool:
    """Publishes `generation` with the history up to `commit`: `edges` as its CO_CHANGES edges, and who `worked` on
    what, by id. False where it is no longer the current one.

    Raises StoreBusyError where another process is writing.
    """
    return _add(
        folder, generation, lambda old, new: with_history(old, new, edges, worked), timeout, {"history": commit}
    )


def _add(
    folder: StoreFolder,
    generation: int,
    write: Callable[[Path, Path], EngineIdentity],
    timeout: float,
    told: Mapping[str, Any],
) -> bool:
    """Publishes `generation` as `write` makes it from the first folder in the second; `told` is what its description
    says of that."""
    with folder.writer(timeout), without_collector():
        current = folder.sound()
        if current is None or current.generation != generation:
            return False
        with folder.lease() as lease:
            building = folder.new_generation()
            engine = write(lease.path, building)
        made = msgspec.structs.replace(current, engine=engine.engine, engine_storage_version=engine.storage_version)
        folder.publish(building, msgspec.structs.replace(made, **told))
        return True
