"""Throughput of `index-many`: one process, two processes, and a Ray cluster of two nodes on this machine.

    python benchmarks/many.py LIST [--runs 1] [--no-ray]

LIST is the list that `index-many` takes. Each way publishes the same repositories to an empty folder. Prints for each
way the wall-clock seconds, the processor seconds of all jobs, repositories an hour, and the largest job. The start of
Ray is outside the time; the load of the machine stands in the last line.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("list", type=Path)
    parser.add_argument("--runs", type=int, default=1)
    parser.add_argument("--no-ray", action="store_true")
    options = parser.parse_args()
    print(f"{'way':<12}{'seconds':>9}{'CPU':>9}{'per hour':>10}{'peak MB':>9}{'archives MB':>13}  failed")
    for _ in range(options.runs):
        show("1 process", measured(options.list, "--jobs", "1"))
        show("2 processes", measured(options.list, "--jobs", "2"))
        if not options.no_ray:
            with cluster() as address:
                show("Ray, 2 nodes", measured(options.list, "--ray", address))
    print(f"load {os.getloadavg()[0]:.1f} at the end, {os.cpu_count()} processors")


def measured(listed: Path, *how: str) -> tuple[float, list[dict[str, Any]]]:
    """Wall-clock seconds and the rows of one run to an empty folder."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "loregraph", "index-many", str(listed), "--publish", folder, "--json", *how]
        begun = time.monotonic()
        done = subprocess.run(command, stdout=subprocess.PIPE, check=False)
        return time.monotonic() - begun, json.loads(done.stdout)


def show(way: str, found: tuple[float, list[dict[str, Any]]]) -> None:
    seconds, rows = found
    good = [row for row in rows if row["status"] == "published"]
    cpu = sum(row["cpu_seconds"] for row in good)
    peak = max((row["peak_bytes"] for row in good), default=0) / 1e6
    size = sum(row["bytes"] for row in good) / 1e6
    failed = len(rows) - len(good)
    print(f"{way:<12}{seconds:>9.1f}{cpu:>9.1f}{len(good) / seconds * 3600:>10.0f}{peak:>9.0f}{size:>13.1f}  {failed}")


@contextmanager
def cluster() -> Iterator[str]:
    """The address of a head without processors and two nodes with one each."""
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    from ray.cluster_utils import Cluster

    head = {"num_cpus": 0, "include_dashboard": False, "object_store_memory": 80 << 20}
    made = Cluster(initialize_head=True, head_node_args=head)
    try:
        for _ in range(2):
            made.add_node(num_cpus=1, object_store_memory=80 << 20)
        yield made.address
    finally:
        made.shutdown()


if __name__ == "__main__":
    main()
