from __future__ import annotations

import gc
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from loregraph.errors import QueryFailedError, QueryLimitError, QueryRefusedError, StoreError, UsageError
from loregraph.graph import store
from loregraph.graph.cypher_worker import CypherWorker
from loregraph.graph.generation import Current, StoreFolder
from loregraph.graph.model import Edge, Function, Graph
from loregraph.graph.store import GRAPH_FILE

ROOT = str(Path(__file__).parents[2])


@pytest.fixture(scope="module")
def generation(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """3,000 functions that call 30 others each."""
    folder = tmp_path_factory.mktemp("generation-1")
    n = 3000
    nodes = tuple(Function(f"p::f{i:04}", f"f{i}", f"p.f{i}", "function", "p", i, i, "") for i in range(n))
    edges = tuple(
        Edge("CALLS", f"p::f{i:04}", f"p::f{j:04}", line=k)
        for i in range(n)
        for k, j in enumerate(sorted({(i * 7 + k * k * 13 + 1) % n for k in range(30)}))
    )
    store.write_generation(folder, Graph(nodes, edges), strict=True)
    return folder


@pytest.fixture
def worker(generation: Path) -> Iterator[CypherWorker]:
    with CypherWorker(generation) as worker:
        yield worker


def alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def test_rows_come_back_with_names_in_order(worker: CypherWorker) -> None:
    result = worker.run("MATCH (f:Function) RETURN f.id AS id, f.start_line AS line", limit=2)
    assert result.columns == ("id", "line")
    assert result.rows == [["p::f0000", 0], ["p::f0001", 1]]
    assert result.truncated and result.seconds > 0
    assert result.as_dicts()[1] == {"id": "p::f0001", "line": 1}


def test_parameters_are_passed_on(worker: CypherWorker) -> None:
    result = worker.run("MATCH (f:Function {id: $id}) RETURN f.name, $list", {"id": "p::f0007", "list": [1, 2]})
    assert result.rows == [["f7", [1, 2]]] and not result.truncated
    with pytest.raises(QueryFailedError, match=r"\$id"):
        worker.run("MATCH (f:Function {id: $id}) RETURN f")
    with pytest.raises(QueryFailedError, match="parameter"):
        worker.run("RETURN $x", {"x": object()})
    with pytest.raises(QueryFailedError):
        worker.run("RETURN 1", {"unused": 1})


def test_one_process_serves_many_queries(worker: CypherWorker) -> None:
    worker.run("RETURN 1")
    pid = worker.pid
    assert [worker.run(f"RETURN {i}").rows for i in range(5)] == [[[i]] for i in range(5)]
    with pytest.raises(QueryFailedError):
        worker.run("RETURN nope")
    assert worker.run("RETURN 2").rows == [[2]] and worker.pid == pid


def test_a_refused_query_starts_no_process(worker: CypherWorker) -> None:
    with pytest.raises(QueryRefusedError):
        worker.run("MATCH (n) DELETE n")
    with pytest.raises(UsageError):
        worker.run("RETURN 1", limit=0)
    with pytest.raises(UsageError):
        worker.run("RETURN 1", timeout=0)
    assert worker.pid is None


# Verifies REQ-QRY-004.
@pytest.mark.skipif(sys.platform != "linux", reason="the limit of memory is enforced on Linux")
@pytest.mark.parametrize(
    "query",
    [
        "RETURN range(1, 100000000)",
        "UNWIND range(1, 100000000) AS x RETURN collect(x)",
        "RETURN repeat('x', 2000000000)",
        "MATCH (a:Function), (b:Function), (c:Function) RETURN a, b, c ORDER BY a.name, b.name, c.name",
        "MATCH (a:Function)-[r:CALLS*]->(b) RETURN collect(r)",
    ],
)
def test_a_query_that_wants_too_much_costs_its_worker_only(worker: CypherWorker, query: str) -> None:
    with pytest.raises(QueryLimitError) as caught:
        worker.run(query, timeout=5)
    assert caught.value.suggestion
    assert worker.run("RETURN 1").rows == [[1]]


# Verifies REQ-QRY-004.
@pytest.mark.parametrize(
    "query",
    [
        "UNWIND range(1, 10000) AS x UNWIND range(1, 10000) AS y UNWIND range(1, 10000) AS z RETURN sum(x * y * z)",
        "MATCH (a:Function), (b:Function), (c:Function) WHERE a.start_line + b.start_line = c.start_line * 2 + 1 "
        "RETURN count(*)",
        "MATCH (a:Function)-[:CALLS*6..6]->(b:Function)-[:CALLS*6..6]->(c) WHERE c.name = 'no' RETURN count(*)",
    ],
)
def test_a_query_that_takes_too_long_ends(worker: CypherWorker, query: str) -> None:
    worker.run("RETURN 1")
    before = time.monotonic()
    with pytest.raises(QueryLimitError):
        worker.run(query, timeout=0.3)
    assert time.monotonic() - before < 30, "ended long before it would have been done"
    assert worker.run("RETURN 1").rows == [[1]]


def test_a_worker_that_does_not_answer_is_killed(worker: CypherWorker, monkeypatch: pytest.MonkeyPatch) -> None:
    worker.run("RETURN 1")
    pid = worker.pid
    assert pid is not None
    os.kill(pid, signal.SIGSTOP)
    monkeypatch.setattr("loregraph.graph.cypher_worker._GRACE", 0.1)
    with pytest.raises(QueryLimitError, match="longer than"):
        worker.run("RETURN 1", timeout=0.1)
    assert not alive(pid), "killed and reaped"
    assert worker.run("RETURN 2").rows == [[2]]


def test_a_worker_that_died_is_replaced(worker: CypherWorker) -> None:
    worker.run("RETURN 1")
    first = worker.pid
    assert first is not None
    os.kill(first, signal.SIGKILL)
    while worker.pid is not None:
        time.sleep(0.01)
    assert worker.run("RETURN 2").rows == [[2]]
    assert worker.pid != first and not alive(first)


def test_a_query_that_crashes_the_engine_is_an_error(worker: CypherWorker) -> None:
    with pytest.raises((QueryLimitError, QueryFailedError)):
        worker.run("RETURN " + "NOT " * 20_000 + "true", timeout=10)
    assert worker.run("RETURN 1").rows == [[1]]


def test_an_answer_may_not_be_too_large(worker: CypherWorker) -> None:
    with pytest.raises(QueryLimitError, match="larger"):
        worker.run("UNWIND range(1, 100) AS x RETURN repeat('y', 1000000)", timeout=30)


def test_no_process_is_left_behind(generation: Path) -> None:
    worker = CypherWorker(generation)
    worker.run("RETURN 1")
    closed = worker.pid
    worker.close()
    worker.run("RETURN 1")
    dropped = worker.pid
    assert closed is not None and dropped is not None
    del worker
    gc.collect()
    assert not alive(closed) and not alive(dropped)


def test_the_worker_ends_with_its_parent(generation: Path) -> None:
    code = (
        "import os, sys; from pathlib import Path; from loregraph.graph.cypher_worker import CypherWorker\n"
        "w = CypherWorker(Path(sys.argv[1])); w.run('RETURN 1'); print(w.pid, flush=True); os._exit(1)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(generation)],
        env={**os.environ, "PYTHONPATH": ROOT},
        capture_output=True,
        text=True,
        check=False,
    )
    pid = int(done.stdout)
    for _ in range(200):
        if not alive(pid):
            break
        time.sleep(0.05)
    assert not alive(pid)


def test_threads_share_a_worker(worker: CypherWorker) -> None:
    answers: dict[int, list[list[int]]] = {}

    def ask(i: int) -> None:
        answers[i] = worker.run(f"RETURN {i}").rows

    threads = [threading.Thread(target=ask, args=(i,)) for i in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert answers == {i: [[i]] for i in range(16)}


def test_the_working_directory_cannot_stand_in_for_our_modules(
    generation: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("kuzu", "msgspec", "loregraph", "json", "numpy"):
        (tmp_path / f"{name}.py").write_text("raise SystemExit('somebody else\\'s code')")
    monkeypatch.chdir(tmp_path)
    with CypherWorker(generation) as worker:
        assert worker.run("RETURN 1").rows == [[1]]


def test_a_generation_that_is_gone_or_damaged(tmp_path: Path, sample: Graph) -> None:
    with pytest.raises(StoreError, match="no longer"), CypherWorker(tmp_path / "generation-1") as worker:
        worker.run("RETURN 1")
    store.write_generation(tmp_path, sample)
    (tmp_path / "columns.bin").unlink()
    (tmp_path / GRAPH_FILE).unlink()
    with pytest.raises(StoreError, match="damaged"), CypherWorker(tmp_path) as worker:
        worker.run("RETURN 1")


def test_the_first_query_builds_what_the_writer_left_to_it(tmp_path: Path, sample: Graph) -> None:
    store.write_generation(tmp_path, sample, engine=False)
    with CypherWorker(tmp_path) as worker:
        assert worker.run("MATCH (n) RETURN count(*)").rows == [[len(sample.nodes)]]
    assert (tmp_path / GRAPH_FILE).exists()


def test_the_generation_is_not_removed_under_a_worker(tmp_path: Path, sample: Graph) -> None:
    folder = StoreFolder(tmp_path / "s")

    def publish() -> None:
        with folder.writer():
            built = folder.new_generation()
            store.write_generation(built, sample, engine=False)
            folder.publish(built, Current())

    publish()
    with CypherWorker(folder.path / "generation-1") as worker:
        worker.run("RETURN 1")
        publish()
        publish()
        assert worker.run("MATCH (n) RETURN count(*)").rows == [[len(sample.nodes)]]
        assert (folder.path / "generation-1").exists()
    publish()
    assert [p.name for p in folder.path.glob("generation-*")] == ["generation-4"]
