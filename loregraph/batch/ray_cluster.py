"""Jobs on the nodes of a Ray cluster, one to a processor.

Every node needs the same loregraph, git, the driver of the address that is published to, and the credentials for both
in its own environment: nothing of the kind is sent. Where a node dies Ray runs its jobs on another.
"""

from __future__ import annotations

import socket
from collections.abc import Iterator, Sequence
from typing import Any, Final

from loregraph.batch.job import FAILED, Job, Outcome, attempt
from loregraph.batch.pool import RETRIES, with_retries
from loregraph.errors import BackendError, MissingDriverError

_ANSWER_SECONDS: Final = 10.0


# Implements REQ-MNY-006.
def run(jobs: Sequence[Job], address: str, retries: int = RETRIES) -> Iterator[tuple[int, Outcome]]:
    """As `pool.run`, on the cluster at `address` (`auto`, `HOST:PORT`, `ray://HOST:PORT`).

    Raises MissingDriverError where Ray is not installed, BackendError where there is no such cluster.
    """
    ray = _connected(address)
    try:
        yield from _run(ray, jobs, retries)
    finally:
        ray.shutdown()


def _connected(address: str) -> Any:
    try:
        import ray
    except ImportError as error:
        raise MissingDriverError("Ray is not installed", "pip install 'loregraph[ray]'") from error
    if address != "auto" and not _answers(address):
        raise _no_cluster(address)
    try:
        ray.init(address=address, log_to_driver=False, configure_logging=False)
    except (ConnectionError, ValueError, RuntimeError) as error:
        raise _no_cluster(address) from error
    return ray


def _answers(address: str) -> bool:
    """Whether somebody listens there: Ray itself tries for minutes."""
    host, _, port = address.removeprefix("ray://").rpartition(":")
    if not port.isdigit():
        return False
    try:
        with socket.create_connection((host.strip("[]"), int(port)), _ANSWER_SECONDS):
            return True
    except (OSError, OverflowError):
        return False


def _no_cluster(address: str) -> BackendError:
    return BackendError(f"no Ray cluster answers at {address}", "start one: `ray start --head` prints its address")


def _run(ray: Any, jobs: Sequence[Job], retries: int) -> Iterator[tuple[int, Outcome]]:
    task = ray.remote(_on_node)
    # Ray itself tries again where a node or a worker of its own dies; what fails in a job comes back as an outcome.
    waiting = {
        task.options(num_cpus=1, max_retries=retries, memory=job.memory or None).remote(job, retries): index
        for index, job in enumerate(jobs)
    }
    while waiting:
        done, _ = ray.wait(list(waiting), num_returns=1)
        for reference in done:
            index = waiting.pop(reference)
            try:
                yield index, ray.get(reference)
            except ray.exceptions.RayError as error:
                said = f"its node was lost {retries + 1} times: {type(error).__name__}"
                yield index, Outcome(jobs[index].listed.name, "", FAILED, 0.0, error=said, attempts=retries + 1)


def _on_node(job: Job, retries: int) -> Outcome:
    return with_retries(job, retries=retries, attempt=attempt)
