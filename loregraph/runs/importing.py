"""The files of runs joined with the graph: which tests ran which functions, who called whom, what never ran."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from loregraph.graph.columns import GraphColumns
from loregraph.graph.imported import COVERAGE, OBSERVED, Source
from loregraph.runs import formats, observed, placing, reading, record
from loregraph.runs.checkout import Checkout
from loregraph.runs.collecting import AMBIGUOUS, OUTSIDE, Collector, Imported
from loregraph.runs.measured import MeasuredFiles
from loregraph.runs.names_of_tests import NamesOfTests
from loregraph.runs.record import Content, Covered

MOST_FILES: Final = 500_000
"""Files that one file may speak of."""


class Joining:
    """Reads files of runs against the graph in `columns`; `names` finds the functions of tests."""

    def __init__(
        self,
        columns: GraphColumns,
        names: NamesOfTests,
        checkout: Checkout,
    ) -> None:
        self._columns = columns
        self._names = names
        self._checkout = checkout
        self._roots = sorted({str(checkout.root), str(checkout.root.resolve())})
        self._project = [columns.id(node) for node in columns.nodes("File").tolist()]

    # Implements REQ-RUN-005.
    def run(self, path: Path, format: str = "", revision: str = "") -> Imported:
        """What the file claims. `revision` is the commit that was measured, where the file does not say it.

        Raises RunFileError where it cannot be read, UsageError for a revision that git does not know.
        """
        chosen = formats.format_of(path, format)
        placed, source, said = self._placed(path, chosen)
        kind = OBSERVED if chosen.name == observed.FORMAT else COVERAGE
        hashes = {placed.files[name]: digest for name, digest in said.items() if name in placed.files}
        # A copy is later than its run: the text is compared with the lines as well.
        time = max(source.time, path.stat().st_mtime)
        # What names the hashes of its files needs its revision only for those that changed.
        asked = {one for one in placed.files.values() if one not in hashes or revision}
        asked |= {one for one, digest in hashes.items() if digest != self._digest(one)}
        known = revision or (source.revision if source.revision and self._checkout.has(source.revision) else "")
        versions = self._checkout.versions(known, time, asked)
        measured = MeasuredFiles(
            self._columns, self._checkout.now, then=versions.then, said=hashes, unsure=versions.unsure
        )
        facts = Collector(self._columns, self._names, measured, placed.files, source)
        for one in chosen.read(path, facts.text):
            facts.take(one)
        facts.left_out[AMBIGUOUS] += len(placed.ambiguous)
        facts.left_out[OUTSIDE] += len(placed.outside)
        return facts.found(Source(kind, path.name, source.content_hash, revision or source.revision))

    def _digest(self, path: str) -> str:
        node = self._columns.find_id(path)
        return "" if node is None else str(self._columns.own(node, "content_hash"))

    def _placed(self, path: Path, format: formats.Format) -> tuple[placing.Placed, record.Source, dict[str, str]]:
        """The places of a run's files, who it is, and the hashes that it names."""
        given: set[tuple[str, ...]] = set()
        said: dict[str, str] = {}
        source: record.Source | None = None
        for one in format.read(path, lambda _: None):
            if isinstance(one, record.Source):
                source = one
            elif isinstance(one, Covered):
                given.add(one.paths)
            elif isinstance(one, Content):
                given.add((one.path,))
                said[one.path] = one.content_hash
            if len(given) > MOST_FILES:
                raise reading.refused(
                    path, f"it speaks of more than {MOST_FILES:,} files", hint="import parts of the run"
                )
        assert source is not None  # the first record of every reader
        return placing.place(given, self._project, self._roots), source, said


def all_left_out(found: Sequence[Imported]) -> Iterator[tuple[str, int]]:
    """What several files left out, together: (reason, how many)."""
    total: Counter[str] = Counter()
    for one in found:
        total.update(one.left_out)
    return iter(sorted(total.items()))
