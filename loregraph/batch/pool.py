"""Jobs on this machine: so many at a time, each in a process of its own."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from functools import partial
from typing import Final

from msgspec.structs import replace

from loregraph.batch.job import Job, Outcome, attempt

RETRIES: Final = 2

Attempt = Callable[[Job], Outcome]


# Implements REQ-MNY-003, REQ-MNY-004.
def run(
    jobs: Sequence[Job], at_once: int, retries: int = RETRIES, attempt: Attempt = attempt
) -> Iterator[tuple[int, Outcome]]:
    """The index and the outcome of each job, as they end. A failure that may pass is tried again `retries` times.

    `at_once` jobs run at a time; threads only wait for their processes.
    """
    over = threading.Event()
    tried = partial(with_retries, retries=retries, attempt=attempt, over=over)
    with ThreadPoolExecutor(at_once) as threads:
        waiting = iter(enumerate(jobs))
        running: dict[Future[Outcome], int] = {}

        def fill() -> None:
            while len(running) < at_once and (found := next(waiting, None)) is not None:
                running[threads.submit(tried, found[1])] = found[0]

        try:
            fill()
            while running:
                done, _ = wait(running, return_when=FIRST_COMPLETED)
                for future in done:
                    yield running.pop(future), future.result()
                fill()
        finally:
            over.set()


def with_retries(job: Job, *, retries: int, attempt: Attempt, over: threading.Event | None = None) -> Outcome:
    """The outcome of the last attempt at `job`; `over` ends it after the one that runs."""
    number = 1
    outcome = attempt(job)
    while outcome.again and number <= retries and not (over is not None and over.is_set()):
        number += 1
        outcome = attempt(job)
    return replace(outcome, attempts=number)
