"""The pytest plugin, in runs of pytest of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from loregraph.runs import observed
from loregraph.runs.record import LeftOut, Observed, Outcome

CODE = """
import asyncio


def net(price):
    return price / 1.25


class Cart:
    def __init__(self, prices):
        self.prices = prices

    @property
    def total(self):
        return sum([net(price) for price in self.prices])

    def __len__(self):
        return len(self.prices)

    def lines(self):
        for price in self.prices:
            yield net(price)

    async def fetch(self):
        await asyncio.sleep(0)
        return self.total

    async def both(self):
        return await asyncio.gather(self.fetch(), self.fetch())


def unused():
    return 1
"""


def run(folder: Path, test: str, *options: str, ok: bool = True) -> tuple[dict[str, Observed], dict[str, Outcome]]:
    """(test → what was seen, test → outcome) of a file `test_it.py` with `test`; ids without the path."""
    (folder / "shop.py").write_text(CODE, encoding="utf-8")
    (folder / "test_it.py").write_text("import shop\n\n" + test, encoding="utf-8")
    (folder / "pytest.ini").write_text("[pytest]\npythonpath = .\n", encoding="utf-8")
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:cacheprovider",
        "-p",
        "loregraph.pytest_plugin",
        *options,
    ]
    environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}
    for name in ("PYTEST_ADDOPTS", "LOREGRAPH_RECORDING", "COVERAGE_PROCESS_START", "COVERAGE_PROCESS_CONFIG"):
        environment.pop(name, None)
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=90, check=False)
    assert (done.returncode == 0) == ok, done.stdout + done.stderr
    files = [path for path in folder.iterdir() if path.suffix == ".jsonl"]
    if not files:
        return {}, {}
    facts = list(observed.read(files[0], lambda _: None))
    assert not [one for one in facts if isinstance(one, LeftOut)]
    return (
        {one.test.rpartition("::")[2]: one for one in facts if isinstance(one, Observed)},
        {one.test.rpartition("::")[2]: one for one in facts if isinstance(one, Outcome)},
    )


def names(seen: Observed) -> set[str]:
    return {place.name for place in seen.functions if place.path == "shop.py"}


def calls(seen: Observed) -> set[tuple[str, str, str]]:
    return {(call.caller.name, call.callee.name, call.kind) for call in seen.calls}


# Verifies REQ-RUN-004.
def test_who_called_whom_in_which_test(tmp_path: Path) -> None:
    test = """
def test_total():
    cart = shop.Cart([5])
    assert cart.total == 4

def test_length():
    assert shop.Cart([])  is not None and not shop.Cart([])

def test_lines():
    assert sorted(shop.Cart([5]).lines(), key=lambda line: -line) == [4]

def test_fails():
    assert shop.net(5) == 5
"""
    seen, outcomes = run(tmp_path, test, "--loregraph", ok=False)
    assert names(seen["test_total"]) == {"Cart.__init__", "Cart.total", "net"}
    assert calls(seen["test_total"]) == {
        ("test_total", "Cart.__init__", "call"),
        ("test_total", "Cart.total", "attribute"),
        ("Cart.total", "net", "call"),
    }
    assert ("test_length", "Cart.__len__", "operator") in calls(seen["test_length"])
    assert names(seen["test_lines"]) == {"Cart.__init__", "Cart.lines", "net"}
    assert ("test_lines", "test_lines.<lambda>", "call") in calls(seen["test_lines"])
    assert ("test_lines", "Cart.lines", "iteration") in calls(seen["test_lines"])
    assert {name: one.outcome for name, one in outcomes.items()} == {
        "test_total": "passed",
        "test_length": "passed",
        "test_lines": "passed",
        "test_fails": "failed",
    }
    assert outcomes["test_fails"].failed_when == "call"
    assert (outcomes["test_total"].seconds or 0) > 0
    (line,) = {call.line for call in seen["test_total"].calls if call.callee.name == "Cart.total"}
    assert (tmp_path / "test_it.py").read_text().splitlines()[line - 1].strip() == "assert cart.total == 4"


# Verifies REQ-RUN-004.
def test_threads_and_tasks_are_part_of_the_test(tmp_path: Path) -> None:
    test = """
import asyncio
import threading

def test_thread():
    thread = threading.Thread(target=shop.net, args=(5,))
    thread.start()
    thread.join()

def test_tasks():
    assert asyncio.run(shop.Cart([5]).both()) == [4, 4]

def test_nothing():
    pass
"""
    seen, _ = run(tmp_path, test, "--loregraph")
    assert names(seen["test_thread"]) == {"net"}
    assert names(seen["test_tasks"]) == {"Cart.__init__", "Cart.both", "Cart.fetch", "Cart.total", "net"}
    assert names(seen["test_nothing"]) == set()


# Verifies REQ-RUN-004.
@pytest.mark.skipif(not hasattr(os, "fork"), reason="processes are copied on POSIX systems only")
def test_processes_are_part_of_the_test(tmp_path: Path) -> None:
    test = """
import multiprocessing
import os
import subprocess
import sys

def work(price):
    return shop.net(price)

def test_forked():
    process = multiprocessing.get_context("fork").Process(target=work, args=(5,))
    process.start()
    process.join()

def test_spawned():
    process = multiprocessing.get_context("spawn").Process(target=work, args=(5,))
    process.start()
    process.join()
    assert process.exitcode == 0

def test_started():
    subprocess.run([sys.executable, "-c", "import shop; shop.unused()"], check=True)
"""
    seen, _ = run(tmp_path, test, "--loregraph=out.jsonl")
    assert (tmp_path / "out.jsonl").is_file()
    assert names(seen["test_forked"]) == {"net"}
    assert names(seen["test_spawned"]) == {"net"}
    assert names(seen["test_started"]) == {"unused"}


# Verifies REQ-RUN-004.
def test_workers_of_xdist_are_joined(tmp_path: Path) -> None:
    test = "import pytest\n\n@pytest.mark.parametrize('n', range(6))\ndef test_it(n):\n    assert shop.net(5) == 4\n"
    seen, outcomes = run(tmp_path, test, "--loregraph", "-n", "2")
    assert {f"test_it[{n}]" for n in range(6)} <= seen.keys()
    assert all(names(seen[f"test_it[{n}]"]) == {"net"} for n in range(6))
    assert {one.outcome for one in outcomes.values()} == {"passed"}


# Verifies REQ-RUN-004.
def test_xdist_is_not_needed(tmp_path: Path) -> None:
    seen, _ = run(tmp_path, "def test_it():\n    shop.net(5)\n", "--loregraph", "-p", "no:xdist")
    assert names(seen["test_it"]) == {"net"}


def test_the_same_run_writes_the_same_but_for_times(tmp_path: Path) -> None:
    def lines(folder: Path) -> list[dict[str, Any]]:
        folder.mkdir()
        run(folder, "def test_it():\n    assert shop.Cart([5]).total == 4\n", "--loregraph")
        found = [json.loads(line) for line in (folder / ".loregraph-run.jsonl").read_text().splitlines()]
        return [{name: value for name, value in one.items() if name not in ("time", "seconds")} for one in found]

    assert lines(tmp_path / "a") == lines(tmp_path / "b")


def test_nothing_is_recorded_unasked(tmp_path: Path) -> None:
    assert run(tmp_path, "def test_it():\n    shop.net(5)\n") == ({}, {})
    assert not list(tmp_path.glob("*.jsonl"))


def test_a_file_that_is_no_record_is_not_replaced(tmp_path: Path) -> None:
    test = "def test_it():\n    shop.net(5)\n"
    assert run(tmp_path, test, "--loregraph", "test_it.py", ok=False) == ({}, {})
    assert "def test_it" in (tmp_path / "test_it.py").read_text()
    run(tmp_path, test, "--loregraph=a.jsonl")
    run(tmp_path, test, "--loregraph=a.jsonl")


@pytest.mark.skipif(sys.version_info >= (3, 12), reason="sys.monitoring has room for several tools")
def test_another_profiler_is_left_in_its_place(tmp_path: Path) -> None:
    (tmp_path / "conftest.py").write_text("import sys\nsys.setprofile(lambda *_: None)\n")
    (tmp_path / "test_it.py").write_text("import sys\ndef test_it():\n    assert sys.getprofile() is not None\n")
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "loregraph.pytest_plugin", "--loregraph", "-p", "conftest"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False)
    assert "nothing was recorded, since another profiler is at work" in done.stdout
