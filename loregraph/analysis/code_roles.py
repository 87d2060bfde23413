"""Distinguishes test code from product code."""

from __future__ import annotations

import re
from functools import cache, cached_property
from typing import Final

import numpy as np
import numpy.typing as npt

from loregraph.graph.columns import GraphColumns, Numbers
from loregraph.graph.queries import within
from loregraph.indexer.languages import registry

_MOSTLY: Final = 0.5
"""Share of tests among a file's functions from which on the whole file is test code outside a folder of tests; a Rust
module with tests at its end is below it."""


@cache
def _modules(language: str) -> re.Pattern[str] | None:
    """Qualified names of what stands in a module of tests within a file; None where the language has no such."""
    known = registry.BY_NAME.get(language)
    if known is None or not known.tests.modules:
        return None
    return re.compile(rf"(?:^|\.)(?:{'|'.join(map(re.escape, known.tests.modules))})\.")


class CodeRoles:
    """Distinguishes tests and their helpers from the product's own code."""

    def __init__(self, columns: GraphColumns) -> None:
        self._columns = columns
        self._files: dict[str, bool] = {}

    def is_test(self, node: int) -> bool:
        """Whether a File, Class or Function is test code; a Component never is."""
        columns = self._columns
        label = columns.label(node)
        if label == "Component":
            return False
        if label == "Function" and columns.own(node, "is_test"):
            return True
        if self._is_in_module(node):
            return True
        if self.is_test_file(columns.path(node)):
            return True
        return label == "Class" and bool(self.tests_within(node))

    def _is_in_module(self, node: int) -> bool:
        """Whether it stands in a module of tests within its file."""
        modules = _modules(self._columns.language(node))
        return modules is not None and modules.search(self._columns.id(node).rpartition("::")[2]) is not None

    def is_test_file(self, path: str) -> bool:
        """Whether the file at `path` has only tests and their helpers."""
        known = self._files.get(path)
        if known is None:
            tests, functions = self._counts.get(path, (0, 0))
            mostly = tests > 0 and tests >= _MOSTLY * functions and path not in self._with_own_tests
            known = self._files[path] = registry.is_test_path(path) or mostly
        return known

    def tests_within(self, node: int) -> list[int]:
        """The test functions in `node`, at any depth, and `node` itself if it is one."""
        return [one for one in within(self._columns, node) if self._columns.own(one, "is_test")]

    @cached_property
    def functions(self) -> list[int]:
        """Every test function, ascending."""
        found: list[int] = self._all[self._are_tests].tolist()
        return found

    @cached_property
    def _with_own_tests(self) -> frozenset[str]:
        """Files of the product that have a test module of their own, however large it is."""
        columns = self._columns
        return frozenset(columns.path(node) for node in self.functions if self._is_in_module(node))

    @cached_property
    def _all(self) -> Numbers:
        return self._columns.nodes("Function")

    @cached_property
    def _are_tests(self) -> npt.NDArray[np.bool_]:
        """Whether each of `_all` is one."""
        values, _ = self._columns.column("Function", "is_test")
        return np.asarray(values, np.bool_)

    @cached_property
    def _counts(self) -> dict[str, tuple[int, int]]:
        """Path → number of tests, number of functions; only for files with tests."""
        paths = self._columns.paths
        codes = paths.codes[self._all]
        size = len(paths.values)
        tests = np.bincount(codes[self._are_tests], minlength=size)
        whole = np.bincount(codes, minlength=size)
        return {paths.values[code]: (int(tests[code]), int(whole[code])) for code in np.flatnonzero(tests).tolist()}
