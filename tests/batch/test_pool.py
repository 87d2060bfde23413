"""Jobs at a time, retries and the order of outcomes."""

from __future__ import annotations

import threading

from loregraph.batch.job import FAILED, PUBLISHED, Job, Outcome
from loregraph.batch.listing import Listed
from loregraph.batch.pool import run


def job(name: str) -> Job:
    return Job(Listed(f"/{name}", name=name), "/archive")


# Verifies REQ-MNY-004.
def test_a_failure_that_may_pass_is_tried_again() -> None:
    tries: dict[str, int] = {}

    def attempt(one: Job) -> Outcome:
        name = one.listed.name
        tries[name] = tries.get(name, 0) + 1
        if name == "wrong":
            return Outcome(name, "", FAILED, 0.1, error="no such branch")
        if name == "lost" or (name == "flaky" and tries[name] < 3):
            return Outcome(name, "", FAILED, 0.1, error="connection lost", again=True)
        return Outcome(name, "c" * 40, PUBLISHED, 0.1)

    found = dict(run([job("good"), job("flaky"), job("wrong"), job("lost")], 2, 2, attempt))
    assert [(found[i].status, found[i].attempts) for i in range(4)] == [
        (PUBLISHED, 1),
        (PUBLISHED, 3),
        (FAILED, 1),
        (FAILED, 3),
    ]


# Verifies REQ-MNY-003.
def test_no_more_jobs_run_at_a_time_than_asked_for() -> None:
    lock = threading.Lock()
    running, most = 0, 0
    both = threading.Barrier(2, timeout=30)

    def attempt(one: Job) -> Outcome:
        nonlocal running, most
        with lock:
            running += 1
            most = max(most, running)
        both.wait()  # passes only when two run at once
        with lock:
            running -= 1
        return Outcome(one.listed.name, "", PUBLISHED, 0.0)

    assert len(dict(run([job(str(i)) for i in range(8)], 2, 0, attempt))) == 8
    assert most == 2


# Verifies REQ-MNY-004.
def test_an_interrupted_run_tries_nothing_again() -> None:
    tries: list[str] = []
    failing = threading.Event()

    def attempt(one: Job) -> Outcome:
        tries.append(one.listed.name)
        if one.listed.name == "slow":
            assert failing.wait(30)
            return Outcome("slow", "", FAILED, 0.0, again=True)
        return Outcome(one.listed.name, "", PUBLISHED, 0.0)

    outcomes = run([job("slow"), job("quick"), job("later")], 2, 5, attempt)
    assert next(outcomes)[1].repository == "quick"
    threading.Timer(0.2, failing.set).start()
    outcomes.close()  # type: ignore[attr-defined]
    assert tries.count("slow") == 1
