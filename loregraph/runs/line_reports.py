"""XML reports that list the lines of files with a count: what Cobertura's and JaCoCo's have in common."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from loregraph.runs import reading
from loregraph.runs.lines import LineSet
from loregraph.runs.record import Covered, Fact
from loregraph.runs.xml_events import Events, WrongXmlError, number


class LineReport:
    """Collects the lines of one file after the other. A format says in `start` and `end` where a file begins and ends.

    `root` is the name of the root element; `time` and `in_code`, which says that what comes before the files was read,
    are the format's to set.
    """

    def __init__(self, root: str) -> None:
        self.time = 0.0
        self.in_code = False
        self.file = ""
        """The file whose lines are read; "" between files."""
        self._root = root
        self._depth = 0
        self._executed = LineSet()
        self._measured = LineSet()
        self._done: list[Covered] = []

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        self._depth += 1
        if self._depth == 1 and tag != self._root:
            raise WrongXmlError(f"its root element is <{tag[:40]}>, not <{self._root}>")

    def end(self, tag: str) -> None:
        self._depth -= 1

    def text(self, text: str) -> None:
        """Texts say nothing, where a format does not know better."""

    def begin_file(self, name: str) -> None:
        self.in_code = True
        self.file = name
        self._executed, self._measured = LineSet(), LineSet()

    def count(self, attributes: dict[str, str], line: str, hits: str) -> None:
        """Takes in a line by the names of its attributes. Line 0 is that of code without a place."""
        place = number(attributes, line)
        if place:
            self._measured.add(place)
            if number(attributes, hits):
                self._executed.add(place)

    def end_file(self, *paths: str) -> None:
        self._done.append(
            Covered(test="", paths=paths, executed=self._executed.lines, measured=self._measured.lines),
        )
        self.file = ""

    def taken(self) -> list[Covered]:
        """The files that were read since the last time."""
        done, self._done = self._done, []
        return done


def read_report(path: Path, format: str, report: LineReport, *, headers_run: bool) -> Iterator[Fact]:
    """The records of a report, as it is read. Raises RunFileError where it is none."""
    events = Events(path, report.start, report.end, report.text)
    more, is_named = True, False
    while more:
        more = events.step()
        if not is_named and (report.in_code or not more):
            yield reading.source(path, format, time=report.time, headers_run=headers_run)
            is_named = True
        yield from report.taken()
