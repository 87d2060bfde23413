"""JaCoCo's XML report: `report > group* > package[name] > sourcefile[name] > line[nr, mi, ci]`, where `ci` and `mi` are
the numbers of instructions of the line that ran and that did not.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from loregraph.runs.line_reports import LineReport, read_report
from loregraph.runs.record import Fact, TextOf
from loregraph.runs.xml_events import number

FORMAT: Final = "jacoco"


def recognises(head: bytes, name: str) -> bool:
    return b"JACOCO" in head or (b"<report" in head and b"<sessioninfo" in head)


def read(path: Path, text_of: TextOf) -> Iterator[Fact]:
    """A declaration has no instructions, so its line counts when code in it ran."""
    return read_report(path, FORMAT, _Report("report"), headers_run=False)


class _Report(LineReport):
    def __init__(self, root: str) -> None:
        super().__init__(root)
        self._package = ""

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        super().start(tag, attributes)
        if tag == "sessioninfo":
            self.time = max(self.time, number(attributes, "dump") / 1000)
        elif tag == "package":
            self._package = attributes.get("name", "")
        elif tag == "sourcefile":
            self.begin_file(attributes.get("name", ""))
        elif tag == "line" and self.file:
            self.count(attributes, "nr", "ci")

    def end(self, tag: str) -> None:
        super().end(tag)
        if tag == "sourcefile" and self.file:
            self.end_file(f"{self._package}/{self.file}" if self._package else self.file)
