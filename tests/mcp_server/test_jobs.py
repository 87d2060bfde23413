"""Jobs: progress, turns, cancelling, and tools that answer meanwhile."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import anyio
import pytest

from loregraph.graph.generation import StoreFolder
from loregraph.mcp_server import tools_indexing

from .conftest import Asker, Connect

SYMBOL = "shop/money.py::round_price"


@contextmanager
def held_up(ask: Asker) -> Iterator[None]:
    """While this lasts no index job can finish: the lock that a writer needs is taken."""
    with StoreFolder(ask.service.workspace.store_folder.path).writer():
        yield


def until(ask: Asker, job_id: str, status: str) -> dict[str, Any]:
    while True:
        job: dict[str, Any] = ask.ok("index_status", job_id=job_id)["job"]
        if job["status"] == status:
            return job
        assert job["status"] in ("queued", "running"), job
        time.sleep(0.02)


# Verifies REQ-MCP-006.
def test_every_reading_tool_and_the_memory_answer_while_a_job_runs(ask: Asker) -> None:
    with held_up(ask):
        job_id = ask.ok("index_directory", directory_path=".", force=True)["job_id"]
        until(ask, job_id, "running")
        memory = ask.ok("memory_add", memory_type="learning", content="written meanwhile")
        for tool, arguments in (
            ("memory_get", {"memory_id": memory["memory_id"]}),
            ("memory_update", {"memory_id": memory["memory_id"], "tags": ["a"]}),
            ("memory_bulk_add", {"memories": [{"memory_type": "core", "content": "x"}]}),
            ("memory_search", {"query": "meanwhile"}),
            ("code_search", {"query": "round"}),
            ("find_duplicates", {"id": "shop/money.py::exchange"}),
            ("get_related", {"entity_id": SYMBOL}),
            ("graph_query", {"cypher": "RETURN 1"}),
            ("check_consistency", {"component_id": "shop"}),
            ("validate_fix", {"component_id": SYMBOL, "fix_description": "x"}),
            ("get_design_context", {"component_id": SYMBOL}),
            ("memory_statistics", {}),
            ("export_memory", {"output_path": "m.jsonl"}),
            ("import_memory", {"file_path": "m.jsonl"}),
            ("memory_delete", {"memory_id": memory["memory_id"]}),
        ):
            ask.ok(tool, **arguments)
        normalizing = ask.ok("normalize_memory", dry_run=True)
        assert ask.finished(normalizing["job_id"], "normalize_status")["status"] == "completed"
        assert ask.ok("index_status", job_id=job_id)["job"]["status"] == "running"
    assert ask.finished(job_id)["status"] == "completed"


def test_index_jobs_take_turns(ask: Asker) -> None:
    with held_up(ask):
        first = ask.ok("index_directory", directory_path=".")["job_id"]
        second = ask.ok("reindex")["job_id"]
        until(ask, first, "running")
        assert ask.ok("index_status", job_id=second)["job"]["status"] == "queued"
        assert ask.ok("index_status")["job"]["job_id"] == second  # the latest
    assert ask.finished(second)["status"] == "completed"
    assert ask.finished(first)["status"] == "completed"


# Verifies REQ-MCP-006.
def test_a_cancelled_call_cancels_its_job(connect: Connect) -> None:
    ask = connect(mode="legacy")  # in memory, the newest protocol has no notifications to a server
    progress: list[float] = []

    async def told(done: float, total: float | None, message: str | None) -> None:
        progress.append(done)

    async def start_and_leave() -> None:
        async with anyio.create_task_group() as group:

            async def call() -> None:
                await ask.client.call_tool("index_directory", {"directory_path": "."}, progress_callback=told)

            group.start_soon(call)
            while not progress:
                await anyio.sleep(0.01)
            group.cancel_scope.cancel()

    with held_up(ask):
        ask.portal.call(start_and_leave)
        job = ask.service.jobs.latest("index")
        assert job is not None
        while not job.over:
            job.wait(1.0)
        assert job.state.status == "cancelled"
    assert ask.finished(ask.ok("reindex")["job_id"])["status"] == "completed"


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_progress_is_told_to_who_asked(connect: Connect, mode: str) -> None:
    ask = connect(mode=mode)
    told: list[tuple[float, float | None, str | None]] = []

    async def note(done: float, total: float | None, message: str | None) -> None:
        told.append((done, total, message))

    async def call() -> Any:
        return await ask.client.call_tool("reindex", {"scope": "full"}, progress_callback=note)

    answer: Any = ask.portal.call(call)
    assert answer.structured_content["status"] == "started"
    amounts = [done for done, _, _ in told]
    assert amounts == sorted(set(amounts))
    assert told[-1] == (1.0, 1.0, "completed")
    assert {"running", "completed"} & {message for _, _, message in told}


def test_a_call_with_progress_does_not_wait_for_a_long_job(ask: Asker, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tools_indexing, "WATCHED_SECONDS", 0.3)

    async def ignore(done: float, total: float | None, message: str | None) -> None:
        return None

    async def call() -> Any:
        return await ask.client.call_tool("reindex", {}, progress_callback=ignore)

    with held_up(ask):
        answer: Any = ask.portal.call(call)
        job_id = answer.structured_content["job_id"]
        assert ask.ok("index_status", job_id=job_id)["job"]["status"] in ("queued", "running")
    assert ask.finished(job_id)["status"] == "completed"


def test_a_job_that_fails_says_why(ask: Asker) -> None:
    ask.service.workspace.options["languages"] = ["klingon"]
    job = ask.finished(ask.ok("reindex")["job_id"])
    assert job["status"] == "failed"
    assert job["error"]["code"] == "VALIDATION_ERROR"
    assert "klingon" in job["error"]["message"]
    waited_for = ask("index_file", file_path="shop/cart.py")
    assert waited_for.code == "VALIDATION_ERROR"


def test_closing_the_server_ends_its_jobs(ask: Asker) -> None:
    with held_up(ask):
        job_id = ask.ok("reindex")["job_id"]
        until(ask, job_id, "running")
        job = ask.service.jobs.get(job_id, "index")
        process = job.process
        assert process is not None
        ask.service.close()
        assert process.wait(30) != 0
        assert job.state.status == "cancelled"
