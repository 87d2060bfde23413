"""Chosen tests as JUnit XML that says which they are, before any of them ran."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from typing import Final
from xml.etree import ElementTree

from loregraph.analysis.selection.selected import SelectedTest

_ILLEGAL: Final = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""What no XML document may hold, escaped or not."""


def _legal(text: str) -> str:
    return _ILLEGAL.sub("\N{REPLACEMENT CHARACTER}", text)


# Implements REQ-RUN-014.
def junit(rows: Sequence[SelectedTest]) -> str:
    """A `testsuites` document with a suite for each file and a case for each test, in order; the case's properties say
    why it was chosen. `time` is that of the last known run, left out where none is known. None has run yet: they are
    skipped ones, so that no reader takes them for passed."""
    suites: dict[str, list[SelectedTest]] = defaultdict(list)
    for row in rows:
        suites[row.path].append(row)
    top = ElementTree.Element(
        "testsuites", name="loregraph", tests=str(len(rows)), failures="0", errors="0", skipped=str(len(rows))
    )
    for path, tests in suites.items():
        suite = ElementTree.SubElement(top, "testsuite", name=_legal(path), tests=str(len(tests)))
        suite.attrib.update(failures="0", errors="0", skipped=str(len(tests)))
        known = [test.seconds for test in tests if test.seconds is not None]
        if known:
            suite.set("time", f"{sum(known):.3f}")
        for test in tests:
            _case(suite, test)
    ElementTree.indent(top)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ElementTree.tostring(top, encoding="unicode")


def _case(suite: ElementTree.Element, test: SelectedTest) -> None:
    holder, _, name = test.name.rpartition(".")
    module = test.path.rpartition(".")[0].replace("/", ".") or test.path
    case = ElementTree.SubElement(
        suite, "testcase", classname=_legal(f"{module}.{holder}" if holder else module), name=_legal(name),
        file=_legal(test.path),
    )  # fmt: skip
    if test.seconds is not None:
        case.set("time", f"{test.seconds:.3f}")
    properties = ElementTree.SubElement(case, "properties")
    for key, value in (("id", test.id), ("reason", test.reason), ("how", test.how), ("confidence", test.confidence)):
        text = f"{value:g}" if isinstance(value, float) else str(value)
        ElementTree.SubElement(properties, "property", name=key, value=_legal(text))
    ElementTree.SubElement(case, "skipped", message=_legal(f"to be run: {test.reason}"))
