"""Extraction in worker processes: answers, and what happens when a file takes its worker down."""

from __future__ import annotations

import os
import signal
import time
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from loregraph.graph.lexical import unpack
from loregraph.indexer.build import workers
from loregraph.indexer.build.workers import (
    Extracted,
    Task,
    batches,
    extract_all,
    inflate_facts,
    inflate_texts,
    text_hash,
)

SOURCE = b'class Shop:\n    """Sells."""\n\n    def sell(self, item):\n        return item\n'


def run(root: Path, names: list[str], jobs: int = 2, **options: Any) -> dict[str, Extracted]:
    found: dict[str, Extracted] = {}

    def receive(answer: Extracted) -> None:
        assert answer.path not in found
        found[answer.path] = answer

    extract_all(root, [(Task(name, "python"), 10) for name in names], 1_000_000, jobs, receive, **options)
    return found


def test_every_file_is_answered_once_with_facts_texts_and_terms(tmp_path: Path) -> None:
    for i in range(7):
        (tmp_path / f"m{i}.py").write_bytes(SOURCE)
    found = run(tmp_path, [f"m{i}.py" for i in range(7)])
    assert sorted(found) == [f"m{i}.py" for i in range(7)]
    one = found["m3.py"]
    assert (one.status, one.functions, one.classes, one.lines) == ("indexed", 1, 1, 5)
    facts = inflate_facts(one.facts)
    assert [d.qualname for d in facts.definitions] == ["Shop", "Shop.sell"]
    texts = inflate_texts(one.texts)
    assert len(texts) == len(unpack(zlib.decompress(one.terms))) == 2
    assert one.text_hashes == b"".join(map(text_hash, texts))
    assert "shop sell" in texts[1].lower()


def test_a_file_with_the_known_content_is_not_extracted_again(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_bytes(SOURCE)
    first = run(tmp_path, ["a.py"])["a.py"]
    again: list[Extracted] = []
    extract_all(tmp_path, [(Task("a.py", "python", first.content_hash), 10)], 1_000_000, 1, again.append)
    assert [(a.status, a.facts) for a in again] == [("same", b"")]


def test_a_file_that_is_gone_or_binary_is_a_failed_file_not_an_error(tmp_path: Path) -> None:
    (tmp_path / "binary.py").write_bytes(b"\x7fELF\0\0\0")
    found = run(tmp_path, ["binary.py", "gone.py"])
    assert {name: answer.status for name, answer in found.items()} == {"binary.py": "failed", "gone.py": "failed"}
    assert all(answer.problems for answer in found.values())


needs_fork = pytest.mark.skipif(
    workers.start_method() != "fork", reason="the worker is replaced by a patched one through fork"
)


def faulty(monkeypatch: pytest.MonkeyPatch, fault: Callable[[Task], None]) -> None:
    """Extraction does `fault` first."""
    real = workers.extract_task

    def extract(root: str, task: Task, *more: Any) -> Extracted:
        fault(task)
        return real(root, task, *more)

    monkeypatch.setattr(workers, "extract_task", extract)
    # Only a forked worker has it. Threads that other tests left would have workers started in another way.
    monkeypatch.setattr(workers, "start_method", lambda: "fork")


# Verifies REQ-IDX-010.
@needs_fork
@pytest.mark.parametrize(
    ("way", "message"),
    [("die", "crashed on it (exit -9)"), ("spin", "given up after 1 s of processor time"), ("eat", "of memory")],
)
def test_a_file_that_takes_its_worker_down_costs_that_file_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, way: str, message: str
) -> None:
    names = [f"m{i}.py" for i in range(6)]
    for name in names:
        (tmp_path / name).write_bytes(SOURCE)

    def fault(task: Task) -> None:
        if task.path == "m2.py":
            if way == "die":
                os.kill(os.getpid(), signal.SIGKILL)
            if way == "eat":
                raise MemoryError
            while True:
                pass

    faulty(monkeypatch, fault)
    found = run(tmp_path, names, cpu_seconds=0.5)
    assert sorted(found) == names
    assert [name for name, answer in found.items() if answer.status == "failed"] == ["m2.py"]
    assert message in found["m2.py"].problems[0][1]


# Verifies REQ-IDX-010.
@needs_fork
def test_a_file_is_not_blamed_for_what_another_did_to_the_worker(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = [f"m{i}.py" for i in range(4)]
    for name in names:
        (tmp_path / name).write_bytes(SOURCE)
    seen: list[str] = []

    def fault(task: Task) -> None:
        seen.append(task.path)
        if task.path == "m2.py" and "m1.py" in seen:
            os.kill(os.getpid(), signal.SIGSEGV)

    faulty(monkeypatch, fault)
    for jobs in (1, 3):
        assert {answer.status for answer in run(tmp_path, names, jobs=jobs).values()} == {"indexed"}


# Verifies REQ-IDX-023.
@needs_fork
def test_waiting_costs_a_file_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.py").write_bytes(SOURCE)
    faulty(monkeypatch, lambda _: time.sleep(0.5))
    assert run(tmp_path, ["a.py"], cpu_seconds=0.2)["a.py"].status == "indexed"


def test_what_a_file_may_take_depends_on_its_size_alone(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_bytes(b"")
    (tmp_path / "b.py").write_bytes(b"#" * 1_000_000)
    allowed = [workers.allowed_seconds(str(tmp_path), Task(name, "python")) for name in ("a.py", "b.py", "gone.py")]
    assert allowed == [workers.CPU_SECONDS, workers.CPU_SECONDS + 60, workers.CPU_SECONDS]
    memory = [workers.allowed_memory(str(tmp_path), Task(name, "python")) for name in ("a.py", "b.py", "gone.py")]
    assert memory == [workers.MEMORY, workers.MEMORY + 500_000_000, workers.MEMORY]


# Verifies REQ-SEC-010.
@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="the platform cannot limit memory")
@needs_fork
def test_memory_ends_what_grows_with_the_square_of_a_text(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Long before processor time would, of which a busy machine needs more for the same work."""
    (tmp_path / "a.py").write_bytes(SOURCE)
    (tmp_path / "b.c").write_bytes(b"a=>" * 2_000)
    monkeypatch.setattr(workers, "MEMORY", 1 << 27)
    found: dict[str, Extracted] = {}
    tasks = [(Task(name, language), 10) for name, language in (("a.py", "python"), ("b.c", "c"))]
    extract_all(tmp_path, tasks, 1_000_000, 1, lambda answer: found.update({answer.path: answer}))
    assert {name: answer.status for name, answer in found.items()} == {"a.py": "indexed", "b.c": "failed"}
    assert "of memory would be needed" in found["b.c"].problems[0][1]


# Verifies REQ-IDX-014.
def test_batches_share_the_work_by_size() -> None:
    tasks = [(Task(f"{i}.py", "python"), 100_000) for i in range(7)]
    assert [len(batch) for batch in batches(tasks)] == [3, 3, 1]
    assert list(batches([])) == []


def test_a_fault_of_ours_costs_one_file_and_is_told_with_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.py").write_bytes(SOURCE)
    (tmp_path / "b.py").write_bytes(SOURCE)
    real = workers.extract_task

    def faulty(root: str, task: Task, *more: Any) -> Extracted:
        if task.path == "a.py":
            raise KeyError("no such\nscope")
        return real(root, task, *more)

    monkeypatch.setattr(workers, "extract_task", faulty)
    monkeypatch.setattr(workers, "start_method", lambda: "fork")
    found = run(tmp_path, ["a.py", "b.py"], jobs=1)
    assert found["a.py"].status == "failed"
    assert "KeyError" in found["a.py"].problems[0][1]
    assert found["b.py"].status == "indexed"
