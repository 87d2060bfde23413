"""Jobs on a real Ray cluster of a head and two nodes, all on this machine."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from loregraph.batch import ray_cluster
from loregraph.batch.job import PRESENT, PUBLISHED, Job, Outcome
from loregraph.batch.listing import listed
from loregraph.batch.naming import named
from loregraph.errors import BackendError
from tests.conftest import Repository

pytestmark = pytest.mark.integration("ray")

MEMORY = 80 << 20
"""Bytes of each node's object store: outcomes are small."""


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    """A head without processors of its own, and two nodes with one each."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RAY_DEDUP_LOGS", "0")
        patch.setenv("RAY_USAGE_STATS_ENABLED", "0")
        patch.setenv("LOREGRAPH_CACHE", "false")
        from ray.cluster_utils import Cluster

        made = Cluster(
            initialize_head=True,
            head_node_args={"num_cpus": 0, "include_dashboard": False, "object_store_memory": MEMORY},
        )
        for _ in range(2):
            made.add_node(num_cpus=1, object_store_memory=MEMORY)
        yield made
        made.shutdown()


def jobs(three: list[Repository], url: Path) -> list[Job]:
    lines = [f"{one.root} as {one.root.name}" for one in three]
    return [Job(one, str(url), embed=False) for one in named(listed(lines, Path()))]


# Verifies REQ-MNY-006.
def test_the_installed_command_runs_on_a_cluster(cluster: Any, three: list[Repository], tmp_path: Path) -> None:
    (tmp_path / "list.txt").write_text("web\napi\njobs\n", encoding="utf-8")
    command = [sys.executable, "-m", "loregraph", "index-many", "list.txt", "--publish", "graphs", "--no-embed"]
    done = subprocess.run(
        [*command, "--json", "--ray", cluster.address], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    rows = json.loads(done.stdout)
    assert [(row["repository"], row["status"]) for row in rows] == [
        ("web", PUBLISHED),
        ("api", PUBLISHED),
        ("jobs", PUBLISHED),
    ]
    assert (tmp_path / "graphs" / "web").is_dir()


# Verifies REQ-MNY-006. The last: a node is gone afterwards.
def test_a_node_that_dies_costs_only_a_second_attempt(cluster: Any, three: list[Repository], tmp_path: Path) -> None:
    for one in three:
        for number in range(3):
            one.write(f"more{number}.py", f"def more{number}():\n    return {number}\n")
        one.commit("more")
    node = next(one for one in cluster.worker_nodes)
    found: dict[int, Outcome] = {}
    work = jobs(three, tmp_path / "graphs") * 2  # the second time they are there already
    for index, outcome in ray_cluster.run(work, cluster.address):
        if not found:
            cluster.remove_node(node, allow_graceful=False)
        found[index] = outcome
    assert sorted(found) == list(range(6))
    assert {outcome.status for outcome in found.values()} <= {PUBLISHED, PRESENT}
    published = sorted(path.name.split(".")[0] for path in (tmp_path / "graphs").glob("*/_commits/*"))
    assert published == sorted(one.git("rev-parse", "HEAD") for one in three)


# Verifies REQ-MNY-006.
def test_no_cluster_is_said(three: list[Repository], tmp_path: Path) -> None:
    with pytest.raises(BackendError, match=r"no Ray cluster answers at 127\.0\.0\.1:1"):
        list(ray_cluster.run(jobs(three, tmp_path), "127.0.0.1:1"))
