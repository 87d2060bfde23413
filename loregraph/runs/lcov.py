"""LCOV's tracefiles (`lcov.info`), as geninfo, c8, nyc, coverage.py, cargo-llvm-cov, simplecov and genhtml write and
read them: geninfo(1) describes the records. Read as a stream, a section (`SF:` to `end_of_record`) at a time.

No library is used: those on PyPI read a whole file into objects, and the format is a dozen prefixes.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from loregraph.runs import reading
from loregraph.runs.lines import LineSet
from loregraph.runs.record import Covered, Fact, FunctionHit, TextOf

FORMAT: Final = "lcov"


def recognises(head: bytes, name: str) -> bool:
    first = head.lstrip().partition(b"\n")[0]
    return first.startswith((b"TN:", b"SF:"))


def read(path: Path, text_of: TextOf) -> Iterator[Fact]:
    """`TN:` before a section names its test; many tools write it empty. `FN` and `FNL` records give functions.

    Functions of a file without any `TN:` are not believed: coverage.py, which writes none, derives them from lines and
    says of a `def` with its body in the same line that it ran once it was defined.
    """
    yield reading.source(path, FORMAT)
    section: _Section | None = None
    test, number, counts_functions = "", 0, False
    for first, lines in reading.lines_of(path):
        number = first
        try:
            for number, line in enumerate(lines, first):  # noqa: B007 - named where one is wrong
                if line[:3] == b"DA:" and section is not None:
                    place, _, hits = line[3:].partition(b",")
                    section.line(int(place), hits)
                    continue
                tag, _, value = line.rstrip().partition(b":")
                if tag == b"SF":
                    if section is not None:
                        raise ValueError("a section begins in another, without end_of_record")
                    section = _Section(value.decode("utf-8", "replace"))
                elif tag == b"TN":
                    test, counts_functions = value.decode("utf-8", "replace").strip(), True
                elif tag == b"end_of_record":
                    if section is None:
                        raise ValueError("end_of_record without a section")
                    yield section.covered(test, counts_functions)
                    section = None
                elif tag in _FUNCTIONS:
                    if section is None:
                        raise ValueError(f"{tag.decode()} outside of a section")
                    section.function(tag, value.decode("utf-8", "replace"))
                elif tag not in _KNOWN and not line.lstrip().startswith(b"#") and line.strip():
                    raise ValueError(f"{line[:40].decode('utf-8', 'replace')!r} is no record of LCOV")
        except ValueError as error:
            raise reading.refused(path, _told(error), number) from error
    if section is not None:
        raise reading.refused(path, f"it ends within the section of {section.path}, without end_of_record", number)


_FUNCTIONS = frozenset((b"FN", b"FNDA", b"FNL", b"FNA"))
_KNOWN = frozenset((b"FNF", b"FNH", b"BRDA", b"BRF", b"BRH", b"LF", b"LH", b"VER", b"MCDC", b"MCF", b"MCH", b"DA"))
"""Records that say nothing of which lines ran; `DA` outside of a section is one of no file."""


def _told(error: ValueError) -> str:
    text = str(error)
    return "not a number where one belongs" if text.startswith("invalid literal") else text


class _Section:
    """One file's records."""

    def __init__(self, path: str) -> None:
        self.path = path
        self._executed = LineSet()
        self._measured = LineSet()
        self._lines: dict[str, int] = {}
        """Name of a function → its first line."""
        self._hits: dict[str, int] = {}
        self._by_index: dict[str, int] = {}

    def line(self, number: int, hits: bytes) -> None:
        self._measured.add(number)
        count, _, _ = hits.partition(b",")
        # lcov 2 writes what overflowed as negative or with an exponent.
        if count.strip() not in (b"0", b"") and float(count) > 0:
            self._executed.add(number)

    def function(self, tag: bytes, value: str) -> None:
        """`FN:line[,end],name`, `FNDA:hits,name`, and lcov 2's `FNL:index,line[,end]`, `FNA:index,hits,name`."""
        first, _, rest = value.partition(",")
        if tag == b"FN":
            end, _, name = rest.partition(",")
            self._lines.setdefault(name if name and end.strip().isdigit() else rest, int(first))
        elif tag == b"FNDA":
            self._hits[rest] = max(self._hits.get(rest, 0), int(float(first)))
        elif tag == b"FNL":
            self._by_index[first] = int(rest.partition(",")[0])
        else:
            hits, _, name = rest.partition(",")
            if first in self._by_index:
                self._lines.setdefault(name, self._by_index[first])
                self._hits[name] = max(self._hits.get(name, 0), int(float(hits)))

    def covered(self, test: str, counts_functions: bool) -> Covered:
        lines = self._lines.items() if counts_functions else ()
        functions = [FunctionHit(line, name, self._hits.get(name, 0)) for name, line in lines]
        return Covered(
            test=test,
            paths=(self.path,),
            executed=self._executed.lines,
            measured=self._measured.lines,
            functions=tuple(sorted(functions, key=lambda one: (one.line, one.name))),
        )
