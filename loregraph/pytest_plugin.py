"""A pytest plugin that records which functions of the project each test runs, and who calls them.

`pytest -p loregraph.pytest_plugin --loregraph[=FILE]`; `loregraph runs import FILE` puts it into the graph. It is no
entry point: no run of pytest loads it unasked.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Generator
from pathlib import Path
from typing import Any, Final

import pytest

from loregraph import rooted
from loregraph.recording.session import Session, begin
from loregraph.recording.sink import RECORD, join

DEFAULT: Final = ".loregraph-run.jsonl"
_FOLDER: Final = "loregraph_folder"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.getgroup("loregraph").addoption(
        "--loregraph",
        nargs="?",
        const=DEFAULT,
        metavar="FILE",
        help=f"record which functions each test runs, and their calls, in FILE ({DEFAULT} in the root folder)",
    )


def pytest_configure(config: pytest.Config) -> None:
    if config.getoption("--loregraph"):
        worker = getattr(config, "workerinput", None)
        recording: Recording | Worker = Worker(config, worker[_FOLDER]) if worker else Recording(config)
        config.pluginmanager.register(recording, "loregraph-recording")


class Worker:
    """Records in a process of pytest-xdist, whose parts the first process joins."""

    def __init__(self, config: pytest.Config, folder: str) -> None:
        self.session: Session = begin(str(config.rootpath), Path(folder))
        self.session.publish()

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, object, object]:
        """Fixtures are part of the first test that asks for them."""
        self.session.test(item.nodeid)
        try:
            return (yield)
        finally:
            self.session.test("")

    def pytest_unconfigure(self) -> None:
        self.session.stop()


class Recording(Worker):
    """Records in pytest's first process, hears of all outcomes and writes the file."""

    def __init__(self, config: pytest.Config) -> None:
        self._root = config.rootpath
        self._file = Path(config.invocation_params.dir, config.getoption("--loregraph"))
        if config.getoption("--loregraph") == DEFAULT:
            self._file = self._root / DEFAULT
        _refuse_other(self._file)
        # Not one that is removed with its object: copies of this process end before it does.
        self._folder = Path(tempfile.mkdtemp(prefix="loregraph-run-"))
        self._time = time.time()
        self._outcomes: dict[str, dict[str, Any]] = {}
        self._written = ""
        super().__init__(config, str(self._folder))

    @pytest.hookimpl(optionalhook=True)
    def pytest_configure_node(self, node: Any) -> None:
        """pytest-xdist starts a worker."""
        node.workerinput[_FOLDER] = str(self._folder)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        one = self._outcomes.setdefault(report.nodeid, {"outcome": "", "seconds": 0.0, "failed_when": ""})
        one["seconds"] = round(one["seconds"] + report.duration, 6)
        if report.failed and not one["failed_when"]:
            one["outcome"], one["failed_when"] = "failed", report.when
        elif report.skipped and not one["outcome"]:
            one["outcome"] = "skipped"
        elif report.passed and report.when == "call" and not one["outcome"]:
            one["outcome"] = "passed"

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self) -> None:
        from loregraph.git import head

        self.session.stop()
        first = {"revision": head(self._root) or "", "time": round(self._time, 3)}
        lines = join(self._folder, self._outcomes, first)
        base = rooted.base_of(self._file, self._root)
        with rooted.replacing(base, self._file) as file:
            file.writelines(lines)
        rooted.remove_tree(self._folder.parent, self._folder)
        self._written = str(self._file)

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        if not self.session.how:
            terminalreporter.write_line("loregraph: nothing was recorded, since another profiler is at work", red=True)
        elif self._written:
            terminalreporter.write_line(f"loregraph: recorded by {self.session.how} in {self._written}")


def _refuse_other(file: Path) -> None:
    """`--loregraph tests/` names a file, though who wrote it meant the tests: only a record is replaced."""
    if file.is_dir() or (file.is_file() and not _begins_as_record(file)):
        raise pytest.UsageError(f"--loregraph: {file} is no record of a run; name a new file, as --loregraph=FILE")


def _begins_as_record(file: Path) -> bool:
    with file.open("rb") as opened:
        head = opened.read(len(RECORD))
    return head in (b"", RECORD)
