"""Processes of a parent that was killed: none outlives it, whatever it was at."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest

import loregraph
from loregraph.graph.generation import StoreFolder
from loregraph.project import Project

PATIENCE = 30.0
"""Seconds until a process that should be gone is called a survivor; a loaded machine takes some."""
COMMAND = "from loregraph.cli.main import process; process()"
PACKAGE = str(Path(loregraph.__file__).parents[1])

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="reads /proc, and the kernel's part is Linux's")


def begun(code: str, *arguments: str) -> subprocess.Popen[bytes]:
    """A process that runs `code`, whose first line of output says that it is where it should be."""
    environment = {**os.environ, "PYTHONPATH": PACKAGE}
    return subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(code), *arguments], stdout=subprocess.PIPE, env=environment
    )


def line(process: subprocess.Popen[bytes]) -> str:
    assert process.stdout is not None
    return process.stdout.readline().decode().strip()


def is_gone(pid: int) -> bool:
    """Whether a process has ended. One that nobody has reaped yet, a zombie, has."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] in "ZX"
    except (FileNotFoundError, ProcessLookupError):
        return True


def survivors(pids: list[int]) -> list[int]:
    end = time.monotonic() + PATIENCE
    while (left := [pid for pid in pids if not is_gone(pid)]) and time.monotonic() < end:
        time.sleep(0.02)
    return left


def killed(process: subprocess.Popen[bytes]) -> None:
    process.kill()
    process.wait()
    assert process.stdout is not None
    process.stdout.close()


# Verifies REQ-SEC-014.
def test_workers_that_are_blocked_in_a_write_end_with_a_killed_index(tmp_path: Path) -> None:
    body = "\n".join(f"    value_{i} = call_{i}({i}, '{i}')" for i in range(400))
    for i in range(60):
        (tmp_path / f"m{i}.py").write_text(f"def function_{i}():\n{body}\n")
    index = begun(
        """
        import os, sys, time
        from pathlib import Path
        from loregraph.indexer.build import workers
        from loregraph.indexer.build.workers import Task, extract_all

        names = sorted(os.listdir(sys.argv[1]))
        def receive(answer):
            # The pipes fill up: from now on every worker waits in a write.
            time.sleep(2)
            pids = [c for c in Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()]
            print(*pids, flush=True)
            time.sleep(600)
        workers.BATCH_BYTES = 1
        extract_all(Path(sys.argv[1]), [(Task(n, "python"), 200_000) for n in names], 10**7, 4, receive)
        """,
        str(tmp_path),
    )
    pids = [int(pid) for pid in line(index).split()]
    assert len(pids) == 4
    killed(index)
    assert survivors(pids) == []


def test_a_forked_worker_holds_nothing_of_its_parent(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("a = 1\n")
    index = begun(
        """
        import os, sqlite3, sys
        from pathlib import Path
        from loregraph.indexer.build.workers import Task, _Worker, start_method
        from loregraph.config import RequirementSettings
        import multiprocessing

        held = sqlite3.connect(sys.argv[1] + "/state.sqlite")
        held.execute("create table t (a)")
        assert start_method() == "fork"
        context = multiprocessing.get_context("fork")
        first, second = (_Worker(context, sys.argv[1], 10**6, RequirementSettings()) for _ in range(2))
        for worker in (first, second):
            worker.give([Task("a.py", "python")])
            worker.connection.recv_bytes()
        for pid in (first.process.pid, second.process.pid):
            for name in os.listdir(f"/proc/{pid}/fd"):
                print(os.readlink(f"/proc/{pid}/fd/{name}"), end=";")
            print(end="|")
        print(flush=True)
        first.end(); second.end()
        """,
        str(tmp_path),
    )
    first, second, _ = line(index).split("|")
    killed(index)
    for own in (first, second):
        assert "state.sqlite" not in own
    sockets = [{name for name in own.split(";") if name.startswith("socket:")} for own in (first, second)]
    assert [len(own) for own in sockets] == [1, 1]
    assert not sockets[0] & sockets[1]


BUSY = "import time; print('up', flush=True); time.sleep(0)\nwhile True: pass"


# Verifies REQ-SEC-014.
def test_a_program_of_others_and_what_it_starts_end_with_a_killed_parent() -> None:
    parent = begun(
        """
        import subprocess, sys
        from loregraph import orphans
        child = (
            "import subprocess, sys; p = subprocess.Popen([sys.executable, '-c', sys.argv[1]]);"
            "print(p.pid, flush=True); p.wait()"
        )
        command = [sys.executable, "-c", child, sys.argv[1]]
        process = orphans.start(command, stdout=subprocess.PIPE, start_new_session=True)
        print(process.pid, process.stdout.readline().decode().strip(), flush=True)
        process.wait()
        """,
        BUSY,
    )
    pids = [int(pid) for pid in line(parent).split()]
    assert len(pids) == 2
    assert not any(map(is_gone, pids))
    killed(parent)
    assert survivors(pids) == []


def test_the_end_of_the_thread_that_started_a_process_does_not_end_the_process() -> None:
    parent = begun(
        """
        import subprocess, sys, threading
        from loregraph import orphans
        found = []
        def begin():
            found.append(orphans.start([sys.executable, "-c", "input()"], stdin=subprocess.PIPE))
        thread = threading.Thread(target=begin)
        thread.start()
        thread.join()
        try:
            found[0].wait(1)
        except subprocess.TimeoutExpired:
            print("lives", flush=True)
        found[0].kill()
        """
    )
    assert line(parent) == "lives"
    assert parent.wait() == 0
    killed(parent)


def test_a_process_that_is_started_leaves_no_descriptor_behind() -> None:
    from loregraph import orphans

    before = len(list(Path("/proc/self/fd").iterdir()))
    for _ in range(3):
        done = orphans.run([sys.executable, "-c", "print(input())"], cwd="/", env=os.environ, given=b"a\n", timeout=60)
        assert (done.returncode, done.stdout, done.stderr) == (0, b"a\n", b"")
        with pytest.raises(subprocess.TimeoutExpired):
            orphans.run([sys.executable, "-c", BUSY], cwd="/", env=os.environ, given=b"", timeout=0.2)
        with pytest.raises(FileNotFoundError):
            orphans.run(["no-such-program"], cwd="/", env=os.environ, given=b"", timeout=1)
    assert len(list(Path("/proc/self/fd").iterdir())) == before


# Verifies REQ-SEC-014.
def test_a_query_ends_with_a_killed_parent(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("def a():\n    pass\n")
    with Project(tmp_path) as project:
        project.index()
    parent = begun(
        """
        import os, sys
        from pathlib import Path
        import loregraph
        project = loregraph.open(sys.argv[1])
        project.query("MATCH (n) RETURN count(n)")
        print(Path(f"/proc/self/task/{os.getpid()}/children").read_text().strip(), flush=True)
        project.query("UNWIND range(1, 100000000) AS a UNWIND range(1, 100000) AS b RETURN count(*)", timeout=600)
        """,
        str(tmp_path),
    )
    pids = [int(pid) for pid in line(parent).split()]
    assert pids
    time.sleep(0.2)
    killed(parent)
    assert survivors(pids) == []


# Verifies REQ-SEC-014.
def test_an_index_that_is_killed_anywhere_leaves_no_process_and_a_whole_store(tmp_path: Path) -> None:
    chance = random.Random(14)
    for i in range(40):
        calls = "\n".join(f"    function_{(i * 7 + j) % 40}()" for j in range(20))
        (tmp_path / f"m{i}.py").write_text(f"def function_{i}():\n{calls}\n")
    with Project(tmp_path) as project:
        project.index()
    for round_ in range(6):
        (tmp_path / f"m{round_}.py").write_text(f"def function_{round_}():\n    function_{round_ + 1}()\n")
        index = subprocess.Popen(
            [sys.executable, "-c", COMMAND, "index", str(tmp_path), "--full", "--jobs", "3"],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "PYTHONPATH": PACKAGE},
            start_new_session=True,
        )
        time.sleep(chance.uniform(0.2, 1.5))
        index.send_signal(signal.SIGKILL)
        assert index.wait() in (0, -signal.SIGKILL)  # 0: it was done before
        end = time.monotonic() + PATIENCE
        while (left := in_session(index.pid)) and time.monotonic() < end:
            time.sleep(0.02)
        assert left == []
        assert StoreFolder(tmp_path / ".loregraph").sound() is not None
    with Project(tmp_path) as project:
        assert project.index().files.failed == 0


def in_session(leader: int) -> list[int]:
    """The processes, ended ones aside, of a session."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                fields = (entry / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            if int(fields[3]) == leader and fields[0] not in "ZX":
                found.append(int(entry.name))
    return found
