"""Jobs: work that takes longer than a call, in separate processes, so that all tools keep answering.

Jobs of the same kind (two runs of the indexer, two of normalising) run one after the other; a job's process has low
priority. Killing it at any moment is safe: the graph and the journals are replaced by renames.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import threading
import time
import uuid
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import msgspec

from loregraph import orphans
from loregraph.errors import NotFoundError
from loregraph.mcp_server import log
from loregraph.mcp_server.errors import without_paths
from loregraph.worker_process import command

QUEUED: Final = "queued"
RUNNING: Final = "running"
COMPLETED: Final = "completed"
FAILED: Final = "failed"
CANCELLED: Final = "cancelled"
OVER: Final = (COMPLETED, FAILED, CANCELLED)

KEPT: Final = 100
"""Maximum finished jobs whose state is kept."""
KILL_AFTER: Final = 3.0
"""Seconds that a cancelled process has to end by itself."""


class JobState(msgspec.Struct, frozen=True):
    """A snapshot of a job. `progress` is 0…1, `counts` are those of the phase, and in the end the result's."""

    job_id: str
    status: str = QUEUED
    phase: str = ""
    progress: float = 0.0
    counts: dict[str, Any] = {}
    error: dict[str, Any] | None = None


class Job:
    """One job. Thread-safe. `result` is what a completed one of its kind says beyond its counts."""

    def __init__(self, kind: str, request: dict[str, Any]) -> None:
        self.kind = kind
        self.request = request
        self.result: Any = None
        self.changed = threading.Condition()
        self.state = JobState(str(uuid.uuid4()))
        self.process: subprocess.Popen[bytes] | None = None

    @property
    def over(self) -> bool:
        return self.state.status in OVER

    def update(self, **fields: Any) -> None:
        """Changes the state, unless the job is over, and wakes waiting threads."""
        with self.changed:
            if not self.over:
                self.state = msgspec.structs.replace(self.state, **fields)
                self.changed.notify_all()

    def wait(self, seconds: float) -> JobState:
        """The state after a change, or after `seconds`."""
        with self.changed:
            if not self.over:
                self.changed.wait(seconds)
            return self.state


# Implements REQ-MCP-006.
class Jobs:
    """The jobs of one server. `close` ends the running ones."""

    def __init__(self, root: Path, after: Callable[[], None] = lambda: None) -> None:
        """`after` is called, in the jobs' thread, when a job has completed."""
        self._root = root
        self._after = after
        self._lock = threading.Lock()
        self._jobs: dict[str, Job] = {}
        self._queues: dict[str, list[Job]] = {}
        self._working: set[str] = set()
        self._closed = False

    def start(self, kind: str, request: dict[str, Any]) -> Job:
        """Starts a job of `kind`, index or normalize, or queues it. Returns at once."""
        job = Job(kind, {"kind": kind, **request})
        with self._lock:
            over = [job_id for job_id, other in self._jobs.items() if other.over]
            for job_id in over[: max(0, len(over) - KEPT + 1)]:
                del self._jobs[job_id]
            self._jobs[job.state.job_id] = job
            self._queues.setdefault(kind, []).append(job)
            if kind not in self._working:
                self._working.add(kind)
                threading.Thread(target=self._work, args=(kind,), name=f"{kind} jobs", daemon=True).start()
        return job

    def get(self, job_id: str, kind: str) -> Job:
        """The job with that id. Raises NotFoundError where this server has none of that kind."""
        with self._lock:
            job = self._jobs.get(job_id)
        if job is None or job.kind != kind:
            raise NotFoundError(
                f"job_id: this server has no {kind} job {job_id!r}", "pass the job_id that the starting tool returned"
            )
        return job

    def latest(self, kind: str) -> Job | None:
        with self._lock:
            return next((job for job in reversed(self._jobs.values()) if job.kind == kind), None)

    def cancel(self, job: Job) -> None:
        """Ends the job: at once where it is still queued, else by ending its process."""
        job.update(status=CANCELLED)
        process = job.process
        if process is not None:
            end(process)

    def close(self) -> None:
        with self._lock:
            self._closed = True
            jobs = [job for job in self._jobs.values() if not job.over]
        for job in jobs:
            self.cancel(job)

    def _work(self, kind: str) -> None:
        """Runs the queued jobs of a kind until none is left."""
        while True:
            with self._lock:
                queue = self._queues[kind]
                if not queue or self._closed:
                    self._working.discard(kind)
                    return
                job, last = queue.pop(0), not queue
            if job.over:  # cancelled while queued
                continue
            started = time.monotonic()
            try:
                run(job)
            except (OSError, ValueError) as error:
                job.update(status=FAILED, error=failure(f"the job could not be run: {type(error).__name__}"))
            if not job.over:
                job.update(status=FAILED, error=failure("the job's process ended without an answer"))
            state = job.state
            said = without_paths((state.error or {}).get("message", ""), self._root)
            log.write(
                "INFO" if state.status != FAILED else "ERROR",
                "job over",
                job_id=state.job_id,
                kind=job.kind,
                outcome=state.status,
                duration_ms=round((time.monotonic() - started) * 1000, 1),
                **({"error": said} if said else {}),
            )
            if state.status == COMPLETED and last and not self._closed:
                self._after()


def failure(message: str) -> dict[str, Any]:
    return {"code": "INTERNAL_ERROR", "message": message, "suggestion": "start it again", "details": {}}


def run(job: Job) -> None:
    """Runs a job in a separate process and follows its output."""
    process = orphans.start(
        command("loregraph.mcp_server.job_worker"),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        start_new_session=os.name == "posix",
    )
    assert process.stdin is not None
    assert process.stdout is not None
    with process:
        job.process = process
        if job.over:  # cancelled while it was started
            end(process)
            return
        job.update(status=RUNNING)
        process.stdin.write(json.dumps(job.request).encode() + b"\n")
        process.stdin.flush()  # stays open: its end tells the process that the server is gone
        for line in process.stdout:
            follow(job, msgspec.json.decode(line))
        process.wait()
    job.process = None


def follow(job: Job, said: dict[str, Any]) -> None:
    """Processes one line of output of a job's process."""
    match said:
        case {"phase": str(phase), "progress": float(progress) | int(progress), "counts": dict(counts)}:
            job.update(phase=phase, progress=max(job.state.progress, round(progress, 3)), counts=counts)
        case {"error": dict(error)}:
            job.update(status=FAILED, error=error)
        case {"result": result, "counts": dict(counts)}:
            job.result = result
            job.update(status=COMPLETED, phase="", progress=1.0, counts=counts)


def end(process: subprocess.Popen[bytes]) -> None:
    """Asks the process and its children to end, and kills them if they do not."""
    send: Callable[[int], None] = (
        (lambda number: os.killpg(process.pid, number)) if os.name == "posix" else process.send_signal
    )

    def kill() -> None:
        if process.poll() is None:
            try:
                send(getattr(signal, "SIGKILL", signal.SIGTERM))
            except OSError:
                return

    try:
        send(signal.SIGTERM)
    except OSError:
        return
    timer = threading.Timer(KILL_AFTER, kill)
    timer.daemon = True
    timer.start()
