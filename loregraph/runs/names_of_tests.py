"""Which function of the graph a test is, by the name that a runner or a coverage tool gives it."""

from __future__ import annotations

from loregraph.analysis.tracing.junit import PASSED, CaseResult
from loregraph.analysis.tracing.verification import CaseMatcher, Lines
from loregraph.graph.columns import GraphColumns
from loregraph.runs.record import Outcome


class NamesOfTests:
    """Finds tests by names as pytest's (`tests/test_a.py::TestB::test_c[1]`), dotted ones (`tests.test_a.TestB.test_c`)
    and those of JUnit's formats: see `analysis.tracing.verification`."""

    def __init__(self, columns: GraphColumns, lines: Lines) -> None:
        self._columns = columns
        self._matcher = CaseMatcher(columns, lines)
        self._known: dict[str, str] = {}

    def of_context(self, name: str) -> str:
        """The id of the function, "" where none is that test, or not certainly."""
        if name not in self._known:
            path, separator, rest = name.partition("::")
            if separator:
                self._known[name] = self._in_file(path, rest) or self._matched("", path.replace("/", "."), rest)
            else:
                classname, _, last = name.rpartition(".")
                self._known[name] = self._matched("", classname, last)
        return self._known[name]

    def of_case(self, outcome: Outcome) -> str:
        """The same of a test with a result."""
        if not outcome.name:
            return self.of_context(outcome.test)
        return self._matched(outcome.file, outcome.classname, outcome.name, outcome.suites)

    def _in_file(self, path: str, rest: str) -> str:
        """A test by its own file, where that is named as in the project."""
        bare = rest.partition("[")[0].replace("::", ".")
        node = self._columns.find_id(f"{path}::{bare}")
        if node is not None and self._columns.label(node) == "Function":
            return self._columns.id(node)
        classname, _, name = bare.rpartition(".")
        return self._matched(path, classname, name)

    def _matched(self, file: str, classname: str, name: str, suites: tuple[str, ...] = ()) -> str:
        case = CaseResult(name=name, classname=classname, file=file, suites=suites, outcome=PASSED)
        nodes = self._matcher.nodes(case)
        return self._columns.id(nodes[0]) if nodes else ""
