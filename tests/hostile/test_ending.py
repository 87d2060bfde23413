"""Analyses that never end, end; and the server goes on meanwhile."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from loregraph.mcp_server import answers, profiles
from loregraph.mcp_server.analyst import AnalysisLimitError, Analyst
from loregraph.mcp_server.call import Call
from loregraph.mcp_server.registry import TOOLS

from ..mcp_server.conftest import Asker, Connect, _indexed, ask, connect, home, root

__all__ = ["_indexed", "ask", "connect", "home", "root"]

SYMBOL = "shop/money.py::exchange"
APART: list[tuple[str, dict[str, Any]]] = [
    ("check_consistency", {"component_id": SYMBOL}),
    ("validate_fix", {"component_id": SYMBOL, "fix_description": "round up"}),
    ("get_design_context", {"component_id": SYMBOL, "include_code": True}),
    ("get_design_context", {"query": "convert an amount"}),
    ("trace_requirements", {"include_suggestions": True}),
    ("find_duplicates", {"id": SYMBOL}),
    ("check_consistency", {"component_id": "no/such.py::thing"}),
]
PATIENCE = 60.0

needs_signals = pytest.mark.skipif(os.name != "posix", reason="a process is stopped by a signal")


def alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def until(holds: Callable[[], bool]) -> None:
    given_up = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < given_up
        time.sleep(0.01)


def warm(ask: Asker) -> int:
    """The process id of a worker that has answered."""
    ask.ok("check_consistency", component_id=SYMBOL)
    pid = ask.service.workspace.analyst.pid
    assert pid is not None
    return pid


# Verifies REQ-SEC-020.
def test_analyses_are_answered_apart_as_they_are_here(ask: Asker) -> None:
    profile = profiles.get("code-memory")
    profiles.load(profile)
    assert {name for name, _ in APART} == {tool.name for tool in TOOLS.values() if tool.apart}
    for name, arguments in APART:
        apart = ask(name, **arguments).body
        ask.service.workspace.in_worker = True
        here = ask(name, **arguments).body
        ask.service.workspace.in_worker = False
        for body in (apart, here):
            body.get("error", {}).get("details", {}).pop("correlation_id", None)
        assert apart == here, name


# Verifies REQ-SEC-020.
@needs_signals
def test_what_takes_too_long_is_ended(ask: Asker) -> None:
    pid = warm(ask)
    os.kill(pid, signal.SIGSTOP)  # as one that holds the interpreter's lock
    analyst = ask.service.workspace.analyst
    analyst._seconds = 0.3
    answer = ask("check_consistency", component_id=SYMBOL)
    assert answer.code == "LIMIT_EXCEEDED"
    assert "smaller component" in answer.body["error"]["suggestion"]
    assert not alive(pid)
    analyst._seconds = PATIENCE
    assert warm(ask) != pid


# Verifies REQ-SEC-020.
@needs_signals
def test_other_tools_answer_meanwhile(ask: Asker) -> None:
    pid = warm(ask)
    os.kill(pid, signal.SIGSTOP)
    arguments = {"component_id": SYMBOL}
    # More than there are threads: those that wait for their turn keep nobody else from a thread.
    hanging = [ask.portal.start_task_soon(ask.client.call_tool, "check_consistency", arguments) for _ in range(40)]
    assert ask.ok("code_search", query="exchange")["results"]
    assert ask.ok("get_related", entity_id=SYMBOL)
    assert ask.ok("graph_query", cypher="RETURN 1 AS one")["rows"] == [[1]]
    assert not any(call.done() for call in hanging)
    os.kill(pid, signal.SIGCONT)
    assert not any(call.result(PATIENCE).is_error for call in hanging)


# Verifies REQ-SEC-020.
@needs_signals
def test_cancelling_the_call_ends_the_work(ask: Asker) -> None:
    pid = warm(ask)
    os.kill(pid, signal.SIGSTOP)
    hanging = ask.portal.start_task_soon(ask.client.call_tool, "check_consistency", {"component_id": SYMBOL})
    until(lambda: ask.service.workspace.analyst._asking is not None)
    hanging.cancel()
    until(lambda: not alive(pid))
    assert warm(ask) != pid


@needs_signals
def test_a_call_that_is_cancelled_before_its_turn_ends_nobody_elses_work(root: Path) -> None:
    analyst = Analyst(root, None, {})
    try:
        analyst.answer("lean", "get_design_context", {"component_id": SYMBOL}, "", threading.Event())
        pid, cancelled = analyst.pid, threading.Event()
        cancelled.set()
        analyst.cancel(cancelled)
        with pytest.raises(AnalysisLimitError):
            analyst.answer("lean", "get_design_context", {"component_id": SYMBOL}, "", cancelled)
        assert analyst.pid == pid
    finally:
        analyst.close()


@needs_signals
def test_the_worker_ends_with_the_server(connect: Connect) -> None:
    ask = connect()
    pid = warm(ask)
    os.kill(pid, signal.SIGSTOP)
    ask.service.close()
    assert not alive(pid)


# Verifies REQ-SEC-013.
def test_the_graph_is_brought_up_to_date_by_the_worker(ask: Asker) -> None:
    ask.ok("memory_add", memory_type="learning", content="a shop has no half cents")
    assert ask.service.workspace.analyst.pid is None
    assert ask.ok("graph_query", cypher="MATCH (m:Memory) RETURN count(m) AS n")["rows"] == [[1]]
    assert ask.service.workspace.analyst.pid is not None
    similar = ask.ok("get_related", entity_id=SYMBOL, relationship_types=["SIMILAR_TO"])["related"]
    assert [one["entity_id"] for one in similar] == ["shop/abroad.py::convert"]


@needs_signals
def test_a_worker_that_dies_costs_one_call(ask: Asker) -> None:
    pid = warm(ask)
    os.kill(pid, signal.SIGSTOP)
    hanging = ask.portal.start_task_soon(ask.client.call_tool, "check_consistency", {"component_id": SYMBOL})
    until(lambda: ask.service.workspace.analyst._asking is not None)
    os.kill(pid, signal.SIGKILL)
    answer: Any = hanging.result(PATIENCE)
    assert answer.structured_content["error"]["code"] == "LIMIT_EXCEEDED"
    assert warm(ask) != pid


# Verifies REQ-SEC-020.
@pytest.mark.skipif(sys.platform != "linux", reason="other platforms do not enforce the limit")
def test_a_workers_memory_is_limited() -> None:
    code = (
        "import mmap; from loregraph.worker_process import memory_limited\n"
        "def taken():\n"
        "    try: return len(mmap.mmap(-1, 2 << 30))\n"
        "    except OSError: return 0\n"
        "with memory_limited(1 << 30):\n"
        "    first = taken()\n"
        "    with memory_limited(None): second = taken()\n"
        "    third = taken()\n"
        "print(first, second, third, taken())\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout.split() == ["0", str(2 << 30), "0", str(2 << 30)]


def test_no_memory_left_is_an_answer(ask: Asker) -> None:
    def work() -> tuple[dict[str, Any], str]:
        raise MemoryError

    body, code = answers.guarded(ask.root, "c", work)
    assert code == "LIMIT_EXCEEDED"
    assert "smaller component" in body["error"]["suggestion"]


def test_a_tool_that_is_not_there_starts_no_worker(ask: Asker) -> None:
    call = Call(ask.service.workspace, ask.service.jobs, "c")
    assert answers.answered(call, ask.service.profile, "none", {})[1] == "NOT_FOUND"
    assert answers.answered(call, ask.service.profile, "check_consistency", {})[1] == "VALIDATION_ERROR"
    assert ask.service.workspace.analyst.pid is None
