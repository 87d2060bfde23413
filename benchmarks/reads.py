"""What the latency benchmarks share: an indexed Django, and percentiles."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Sequence

from corpus import django

from loregraph.project import Project


def indexed_django() -> Project:
    """A project over the cached copy of Django, its graph up to date."""
    project = Project(django())
    project.index()
    return project


def time_each(call: Callable[[str], object], arguments: Sequence[str], rounds: int = 3) -> list[float]:
    """Milliseconds of every call after one warm-up round."""
    for argument in arguments:
        call(argument)
    taken = []
    for _ in range(rounds):
        for argument in arguments:
            started = time.perf_counter()
            call(argument)
            taken.append(1000 * (time.perf_counter() - started))
    return taken


def print_times(name: str, taken: Sequence[float], budget: float) -> bool:
    """Prints the median, the 95th percentile and the maximum in ms; True if the median keeps to `budget`."""
    median, p95 = statistics.median(taken), statistics.quantiles(taken, n=20)[-1]
    print(f"{name:24} median {median:7.3f} ms   p95 {p95:7.3f} ms   max {max(taken):7.3f} ms   budget {budget} ms")
    return median <= budget
