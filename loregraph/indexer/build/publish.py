"""Publishes the next generation: spliced from the current one where possible, else written whole."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from loregraph.errors import StoreError
from loregraph.graph.generation import Current
from loregraph.indexer.build.freshness import MadeOf, note_token
from loregraph.indexer.build.report import Progress
from loregraph.indexer.build.run import Run

if TYPE_CHECKING:
    from loregraph.graph.columns import GraphColumns
    from loregraph.indexer.build.assemble import FileEntry
    from loregraph.indexer.build.edits import Edited, Published
    from loregraph.indexer.build.whole import Built
    from loregraph.indexer.resolve import Resolution
    from loregraph.indexer.resolve.layout import Layout


class Publisher:
    """Makes the generation with the given `token`, following `current`. `before` are the files that have changed since,
    from `freshness.changed_since`; columns are read once. `folder` has the generation `current` where that is not the
    store's own."""

    def __init__(
        self,
        run: Run,
        token: str,
        current: Current | None,
        before: Mapping[str, Published],
        folder: Path | None = None,
    ) -> None:
        self.run = run
        self.token = token
        self.current = current
        self.before = before
        self._folder = folder
        self._columns: tuple[Path, GraphColumns | None] | None = None

    @contextmanager
    def held(self) -> Iterator[Path]:
        """The folder of `current`, which stays while the context lasts."""
        if self._folder is not None:
            yield self._folder
        else:
            with self.run.folder.lease() as lease:
                yield lease.path

    def intact_columns(self, folder: Path) -> GraphColumns | None:
        """The columns of the generation in `folder`, read and checked once; None where they are damaged."""
        from loregraph.graph.columns import GraphColumns

        if self._columns is None or self._columns[0] != folder:
            try:
                columns = GraphColumns.open(folder)
                self._columns = (folder, columns if columns.is_intact() else None)
            except StoreError:
                self._columns = (folder, None)
        return self._columns[1]

    def unchanged(self, current: Current) -> int:
        """The number of `current`, which has the token; if its memories are outdated, of one with the present ones."""
        if current.journal_offsets == self.run.authored.offsets:
            return current.generation
        from loregraph.indexer.build.republish import publish_authored

        with self.run.clock.phase("store"):
            return publish_authored(self.run.folder, current, self.run.authored)

    def adopt(self, building: Path, made: Current) -> int:
        """Publishes the generation in `building`, which has the token; returns its number."""
        with self.run.clock.phase("store"):
            made = self._made_current(building, msgspec.structs.replace(made, state_token=self.token))
        return self.unchanged(made)

    def moved(self) -> int:
        """Publishes the current generation with new lines, if code only moved since; returns its number, else 0."""
        from loregraph.indexer.build.imported_edges import has_imported
        from loregraph.indexer.build.line_only_edits import only_moved

        if has_imported(self.run.state, self.before):
            return 0
        return self._spliced(lambda columns: only_moved(self.run.state, self.before, columns))

    def edited(self, resolution: Resolution, made_of: MadeOf, keep: Callable[[], None]) -> int:
        """Publishes the current generation with the changes of an edit; returns its number, 0 where the whole graph has
        to be written.

        `resolution` has at least every file of `before` with facts and every other whose edges may have changed, with
        all externals that their edges end at, and the problems of its files. `keep` stores the new generation's traces.
        """
        if self.current is None or not self.before:
            return 0
        from loregraph.indexer.build.edited import Around, edited
        from loregraph.indexer.build.kept_resolution import read_kept

        state = self.run.state
        kept = read_kept(state)
        if kept is None:
            return 0
        around = Around(made_of.commits, made_of.keywords, self.run.authored)

        def compare(columns: GraphColumns) -> Edited | None:
            return edited(state, self.before, columns, resolution, kept, around, self._layout)

        def count(building: Path, found: Edited) -> None:
            from loregraph.graph.columns import GraphColumns
            from loregraph.indexer.build.counts import keep_counts, refuse_nothing

            now = GraphColumns.open(building)
            refuse_nothing(state, keep_counts(state, now, resolution, kept, found.kept or kept))
            keep()

        return self._spliced(compare, count)

    def _layout(self) -> Layout | None:
        """The project's layout as of the current generation, whose packaging files are the present ones."""
        from loregraph.indexer.build.traces import kept_layout
        from loregraph.indexer.discover.layout import remembered_layout

        kept = kept_layout(self.run.state)
        if kept is None:
            return None
        return remembered_layout(self.run.root, self.run.discovery.paths, kept.components, kept.packages)

    def _spliced(
        self,
        compare: Callable[[GraphColumns], Edited | None],
        count: Callable[[Path, Edited], None] | None = None,
    ) -> int:
        """Publishes the current generation with the changes that `compare` finds; returns its number, 0 where they are
        uncertain or cannot be written. `count` updates what is stored beside the graph."""
        run, current = self.run, self.current
        if not self.before or current is None or current.similar or current.history:
            return 0  # with copies or a history: they may come from changed definitions
        from loregraph.indexer.build.store_edit import write_edited

        with self.held() as folder:
            with run.clock.phase("resolve"):
                run.tell(Progress("resolve"))
                columns = self.intact_columns(folder)
                found = compare(columns) if columns is not None else None
            if columns is None or found is None:
                return 0
            building = run.folder.new_generation()
            embedder = (run.embedder, current.embedder)
            if not write_edited(building, found, columns, run.state, embedder, run.clock.phase, run.tell):
                return 0
        with run.clock.phase("store"):
            if count is not None:
                count(building, found)
            made = self._made_current(building, msgspec.structs.replace(current, state_token=self.token))
        return self.unchanged(made)

    def write(self, built: Built, entries: list[FileEntry]) -> tuple[Path, Current]:
        """Writes a new generation from `built`, without the engine's file (see `write_everything`); returns its folder
        and its identity once published."""
        from loregraph import __version__
        from loregraph.indexer.build.store_graph import write_everything

        run = self.run
        with run.clock.phase("store"):
            run.tell(Progress("store"))
            building = run.folder.new_generation()
        embedder, (engine, storage_version) = write_everything(
            building, built, run.state, run.embedder, run.clock.phase, run.tell, entries
        )
        return building, Current(
            engine=engine,
            engine_storage_version=storage_version,
            loregraph_version=__version__,
            embedder=embedder,
            journal_offsets=dict(run.authored.offsets),
            state_token=self.token,
        )

    def whole(self, building: Path, current: Current, *, is_first: bool) -> int:
        """Publishes the result of `write`; returns its number."""
        # Projects are edited far more often than queried in Cypher, the only use of the engine's file. So after the
        # first index it is left to the first query, which takes a second longer for 50,000 nodes.
        if is_first:
            from loregraph.graph import engine_build

            engine_build.build(building)
        return self._made_current(building, current).generation

    def _made_current(self, building: Path, current: Current) -> Current:
        """Publishes the generation in `building`, after which the former content of files is not needed any more."""
        # The data beside the graph is committed before the generation is published: a run that sees the generation sees
        # the data.
        state = self.run.state
        note_token(state, current.state_token)
        self.run.keep_outside()
        state.commit()
        made = self.run.folder.publish(building, current)
        state.drop_blobs("published")
        state.compact()
        return made
