"""The context of one indexer run: the project, its store and state, and the progress callback."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

import msgspec

from loregraph.config import Settings
from loregraph.graph.authored import Authored
from loregraph.graph.generation import StoreFolder
from loregraph.graph.state import State
from loregraph.indexer.build.report import Progress, Seconds
from loregraph.indexer.discover.files import Discovery

if TYPE_CHECKING:
    from loregraph.indexer.build.assemble import FileEntry
    from loregraph.indexer.discover.layout import ProjectLayout
    from loregraph.indexer.outside.environment import Environment

_OUTSIDE: Final = "outside"
"""The key for what is stored of the configured stubs."""

Tell = Callable[[Progress], None]


class Clock:
    """Sums up wall-clock seconds by phase."""

    def __init__(self) -> None:
        self.start = time.perf_counter()
        self.seconds: defaultdict[str, float] = defaultdict(float)

    @contextmanager
    def phase(self, name: str) -> Iterator[None]:
        begun = time.perf_counter()
        try:
            yield
        finally:
            self.seconds[name] += time.perf_counter() - begun

    def result(self) -> Seconds:
        rounded = {name: round(value, 4) for name, value in self.seconds.items()}
        return Seconds(**rounded, total=round(time.perf_counter() - self.start, 4))


@dataclass(frozen=True)
class Run:
    """One run on an open state, under the writer's lock. `embedder` is the configured one, "none" for no vectors;
    `outside` the configured stubs, None where none are configured. `builds_engine`: the engine's file is built with the
    first graph."""

    root: Path
    settings: Settings
    folder: StoreFolder
    state: State
    discovery: Discovery
    embedder: str
    authored: Authored
    clock: Clock
    tell: Tell
    outside: Environment | None
    builds_engine: bool = True

    def knowing_outside(self, layout: ProjectLayout) -> ProjectLayout:
        """`layout` with the declarations in the configured stubs."""
        return layout if self.outside is None else layout.with_shapes(self.outside.shapes())

    def keep_outside(self) -> None:
        """Stores what was read of stubs."""
        self.state.put_meta(_OUTSIDE, self.outside.kept() if self.outside is not None else None)


def read_outside(root: Path, settings: Settings, state: State) -> Environment | None:
    """The configured stubs, with what the state has stored of them."""
    if not settings.stubs:
        return None
    from loregraph.indexer.outside.environment import read_environment

    found = read_environment(root, settings.stubs)
    found.keep(state.meta(_OUTSIDE))
    return found


def entries_of(state: State, paths: Collection[str] | None = None) -> list[FileEntry]:
    """Every file of the state, or those of `paths`, sorted by path."""
    from loregraph.indexer.build.assemble import FileEntry

    decoder = msgspec.msgpack.Decoder(FileEntry)
    return sorted((decoder.decode(blob) for _, blob in state.blobs("entries", paths)), key=lambda e: e.path)
