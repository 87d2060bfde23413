"""One repository: fetched into a folder of its own, indexed, published, and nothing of it kept.

A job runs in a process of its own (`perform`), so that what a repository does to it (a crash, all its memory) costs
that job alone, and its memory comes back. `attempt` starts the process, and is the same on this machine and on a node
of a cluster.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from pathlib import Path
from typing import Final

import msgspec

from loregraph import orphans, rooted
from loregraph.batch.listing import Listed
from loregraph.errors import LoregraphError, UsageError
from loregraph.gc_control import never_collect
from loregraph.worker_process import GoneError, TooLateError, WorkerProcess, limit_memory, receive, send, take_output

PUBLISHED: Final = "published"
PRESENT: Final = "present"
FAILED: Final = "failed"

SECONDS: Final = 6 * 3600.0
"""Time after which a job is given up. It decides nothing but that: what is published is whole."""


class Job(msgspec.Struct, frozen=True):
    """What to index, by its name, and where to publish it. `memory`: the most bytes of address space of each of its
    processes, 0 for no limit; `embed`: whether with vectors."""

    listed: Listed
    url: str
    embed: bool = True
    memory: int = 0


class Outcome(msgspec.Struct, frozen=True, omit_defaults=True):
    """What became of a job. `status`: published, present (it was published before) or failed, then with `error`.
    `again`: it may succeed if it is tried again; `attempts`: how often it was tried. `bytes` are those of the archive,
    `cpu_seconds` of the job's processes, `peak_bytes` the most memory that one of them had."""

    repository: str
    commit: str
    status: str
    seconds: float
    error: str = ""
    again: bool = False
    attempts: int = 1
    bytes: int = 0
    cpu_seconds: float = 0.0
    peak_bytes: int = 0


# Implements REQ-MNY-003.
def attempt(job: Job, seconds: float = SECONDS) -> Outcome:
    """Does the job in a process of its own. Never raises for what goes wrong in there."""
    begun = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="loregraph-job-", ignore_cleanup_errors=True) as folder:
        worker = WorkerProcess("loregraph.batch.job", folder)
        try:
            answer = worker.ask(msgspec.json.encode(job), seconds)
            return msgspec.json.decode(answer, type=Outcome)
        except GoneError:
            error = "its process ended without an answer: it crashed, or had no memory"
        except TooLateError:
            error = f"it took more than {seconds:g} seconds"
        finally:
            worker.end()
    return Outcome(job.listed.name, "", FAILED, round(time.monotonic() - begun, 3), error=error, again=True)


def main() -> None:
    """The process: one job from standard input, its outcome to standard output."""
    orphans.end_with_parent()
    never_collect()
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # before numpy loads: see cli.main
    output = take_output()
    message = receive(sys.stdin.buffer)
    if message is None:
        return
    job = msgspec.json.decode(message, type=Job)
    if job.memory:
        limit_memory(job.memory)
    send(output, msgspec.json.encode(perform(job, Path(sys.argv[2]))))


# Implements REQ-MNY-002, REQ-MNY-003.
def perform(job: Job, folder: Path) -> Outcome:
    """Does the job in this process, with its files in `folder`."""
    begun = time.monotonic()
    commit, size, status, error, again = "", 0, FAILED, "", False
    try:
        commit, size, status = _published(job, folder)
    except UsageError as failure:
        error = failure.message
    except LoregraphError as failure:
        error, again = failure.message, True
    except MemoryError:
        error = "it needs more memory than a job may have"
    cpu, peak = _used()
    return Outcome(
        job.listed.name,
        commit,
        status,
        round(time.monotonic() - begun, 3),
        error=error,
        again=again,
        bytes=size,
        cpu_seconds=cpu,
        peak_bytes=peak,
    )


def _published(job: Job, folder: Path) -> tuple[str, int, str]:
    """The commit, the bytes and the status. Raises what fetching, indexing and publishing raise."""
    from loregraph.git_remote import commit_at, fetch_commit
    from loregraph.project import Project
    from loregraph.publishing.publish import is_published_as

    listed = job.listed
    commit = commit_at(listed.source, listed.revision, folder)
    there = is_published_as(job.url, listed.name, commit)
    if there is not None:
        return commit, there.bytes, PRESENT
    root = folder / "repository"
    rooted.make_new_folder(folder, root)
    fetch_commit(listed.source, commit, root)
    # Not the user's cache: many graphs that nobody on this machine asks would push the others out of it.
    with Project(root, store=folder / "store", cache=False) as project:
        made = project.publish(job.url, name=listed.name, embed=job.embed, jobs=1)
    return commit, made.bytes, PUBLISHED if made.is_new else PRESENT


def _used() -> tuple[float, int]:
    """Processor seconds of this process and its children, and the largest resident memory of one of them in bytes."""
    try:
        import resource
    except ImportError:
        return time.process_time(), 0
    unit = 1 if sys.platform == "darwin" else 1024
    both = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    cpu = sum(one.ru_utime + one.ru_stime for one in both)
    return round(cpu, 2), max(one.ru_maxrss for one in both) * unit
