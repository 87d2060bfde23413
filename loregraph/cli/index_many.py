"""`index-many`: indexes and publishes every repository of a list."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

import click

from loregraph.cli.output import as_json, count, echo, print_json, say, size
from loregraph.errors import LoregraphError, UsageError

if TYPE_CHECKING:
    from loregraph.batch.job import Job, Outcome


class SomeFailedError(LoregraphError):
    """Some repositories could not be indexed or published."""


# Implements REQ-MNY-001, REQ-MNY-004, REQ-MNY-006.
@click.command("index-many")
@click.argument("list_", metavar="LIST", type=click.File(encoding="utf-8"))
@click.option("--publish", "url", required=True, metavar="URL", help="Where to publish: a folder, s3://, gs://, az://.")
@click.option("--jobs", type=click.IntRange(min=1), metavar="N", help="Repositories at a time. Default: one a core.")
@click.option("--ray", "address", metavar="ADDRESS", help="Run the jobs on this Ray cluster (auto, HOST:PORT).")
@click.option(
    "--retries",
    type=click.IntRange(0, 10),
    default=2,
    show_default=True,
    metavar="N",
    help="How often a job is tried again.",
)
@click.option(
    "--memory",
    type=click.IntRange(min=512),
    metavar="MIB",
    help="Most address space of each process. Default: no limit.",
)
@click.option("--no-embed", is_flag=True, help="Make no vectors; search then goes by words alone.")
@as_json
def index_many(
    list_: TextIO,
    url: str,
    jobs: int | None,
    address: str | None,
    retries: int,
    memory: int | None,
    no_embed: bool,
    as_json: bool,
) -> None:
    """Index many repositories and publish their graphs.

    LIST has a repository a line: an address or a folder, then what to index of it if not its HEAD, then `as NAME` if it
    is to be published under another name. `-` reads it from standard input. What is published already is skipped, so a
    run that was interrupted goes on where it ended.

    \b
    loregraph index-many repositories.txt --publish s3://graphs/main
    loregraph index-many repositories.txt --publish /srv/graphs --jobs 4
    loregraph index-many repositories.txt --publish s3://graphs/main --ray auto

    JSON: [{"repository", "commit", "status", "seconds", "error", "attempts", "bytes", "cpu_seconds", "peak_bytes"}]
    in the order of LIST; `status` is published, present or failed. Exits with 3 if one failed.
    """
    from loregraph.batch.job import FAILED, Job
    from loregraph.batch.listing import listed
    from loregraph.batch.naming import destination, named

    if address is not None and jobs is not None:
        raise UsageError("--jobs is for this machine", "a cluster runs one job to each of its processors")
    folder = Path() if list_.name == "-" else Path(list_.name).absolute().parent
    place = destination(url)
    work = [Job(one, place, embed=not no_embed, memory=(memory or 0) << 20) for one in named(listed(list_, folder))]
    done: dict[int, Outcome] = {}
    for index, outcome in _outcomes(work, jobs or os.cpu_count() or 1, address, retries):
        done[index] = outcome
        if not as_json:
            print_outcome(outcome)
        elif outcome.error:
            say(f"{outcome.repository}: {outcome.error}")
    found = [done[index] for index in sorted(done)]
    if as_json:
        print_json(found)
    failed = sum(outcome.status == FAILED for outcome in found)
    if failed:
        raise SomeFailedError(
            f"{failed:,} of {count(len(found), 'repository', 'repositories')} failed",
            "the lines above say why; the same command goes on with these",
        )


def _outcomes(work: list[Job], jobs: int, address: str | None, retries: int) -> Iterator[tuple[int, Outcome]]:
    if address is None:
        from loregraph.batch import pool

        return pool.run(work, jobs, retries)
    from loregraph.batch import ray_cluster

    return ray_cluster.run(work, address, retries)


def print_outcome(outcome: Outcome) -> None:
    what = [outcome.commit[:12], size(outcome.bytes) if outcome.bytes else "", f"{outcome.seconds:.1f} s"]
    tried = f"tried {outcome.attempts} times" if outcome.attempts > 1 else ""
    echo(f"{outcome.status:<9}  {outcome.repository}  " + ", ".join(filter(None, (*what, tried, outcome.error))))
