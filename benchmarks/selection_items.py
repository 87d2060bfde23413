"""A pytest plugin: which tests were collected, what function each is, how it ended, and how long it took.

`pytest -p selection_items` writes JSON to the file that LOREGRAPH_ITEMS names: {node id: [path of the function, its
qualified name, outcome, seconds]}; the outcome is "" for what was collected and not run. Only tests that are functions.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

WORST = ("", "skipped", "passed", "failed")
"""Of the phases of a test, and of the cases of a parametrised one: the last of these that there is."""
_found: dict[str, list[Any]] = {}


def pytest_collection_finish(session: pytest.Session) -> None:
    for item in session.items:
        function = getattr(item, "function", None)
        while hasattr(function, "__wrapped__"):
            function = function.__wrapped__
        code = getattr(getattr(function, "__func__", function), "__code__", None)
        if not isinstance(item, pytest.Function) or code is None:
            continue
        path = os.path.relpath(os.path.realpath(code.co_filename), os.path.realpath(session.config.rootpath))
        _found[item.nodeid] = [path, code.co_qualname.replace(".<locals>", ""), "", 0.0]


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    if one := _found.get(report.nodeid):
        one[2] = max(one[2], report.outcome, key=WORST.index)
        one[3] += report.duration


def pytest_unconfigure() -> None:
    Path(os.environ["LOREGRAPH_ITEMS"]).write_text(json.dumps(_found), encoding="utf-8")
