"""Cobertura's XML (`coverage.xml`), as coverage.py, gcovr, coverlet, PHPUnit, cargo-tarpaulin and Istanbul write it:
`coverage > packages > package > classes > class[filename] > lines > line[number, hits]`.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from loregraph.runs.line_reports import LineReport, read_report
from loregraph.runs.record import Fact, TextOf

FORMAT: Final = "cobertura"
_MILLISECONDS: Final = 1e11
"""Larger times are in milliseconds: as seconds they would be in the year 5138."""


def recognises(head: bytes, name: str) -> bool:
    return b"<coverage" in head and b"<project" not in head


def read(path: Path, text_of: TextOf) -> Iterator[Fact]:
    """The lines of methods are among those of their class in some tools' files and not in others': both count."""
    return read_report(path, FORMAT, _Report("coverage"), headers_run=True)


class _Report(LineReport):
    def __init__(self, root: str) -> None:
        super().__init__(root)
        self._roots: list[str] = []
        self._folder: list[str] | None = None
        """The text so far of the <source> that is read."""

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        super().start(tag, attributes)
        if tag == "coverage":
            self.time = _seconds(attributes.get("timestamp", ""))
        elif tag == "source":
            self._folder = []
        elif tag == "class":
            self.begin_file(attributes.get("filename", ""))
        elif tag == "line" and self.file:
            self.count(attributes, "number", "hits")

    def text(self, text: str) -> None:
        if self._folder is not None:
            self._folder.append(text)

    def end(self, tag: str) -> None:
        super().end(tag)
        if tag == "source" and self._folder is not None:
            folder = "".join(self._folder).strip().rstrip("/\\")
            self._roots += [folder] if folder else []
            self._folder = None
        elif tag == "class" and self.file:
            self.end_file(*(f"{folder}/{self.file}" for folder in self._roots), self.file)


def _seconds(text: str) -> float:
    """Tools write seconds or milliseconds since 1970; 0 for what is neither."""
    try:
        value = float(text)
    except ValueError:
        return 0.0
    if not 0 <= value < _MILLISECONDS * 1000:
        return 0.0
    return value / 1000 if value > _MILLISECONDS else value
