"""The runs of a project: the files that are read, and those whose facts are kept."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from contextlib import closing
from pathlib import Path

import msgspec

from loregraph.config import ProjectSettings
from loregraph.errors import UsageError, unknown_name
from loregraph.graph import imported
from loregraph.graph.generation import StoreFolder
from loregraph.requirement_links import result_files


class Run(msgspec.Struct, frozen=True, kw_only=True):
    """What is kept of one file: its key, hash and revision, and how many tests, functions and edges it has facts of.
    These are as they were imported; which of them still hold depends on the code."""

    key: str
    digest: str
    revision: str
    tests: int
    functions: int
    edges: int


def files_of_runs(root: Path, settings: ProjectSettings, named: Sequence[Path]) -> list[Path]:
    """The files `named`, else those of the configuration. Raises UsageError where there are none."""
    if named:
        return list(named)
    may_leave = settings.may_leave("runs.sources")
    files, missing = result_files(root, settings.runs.sources, may_leave=may_leave)
    if not files:
        said = f"no file matches {', '.join(missing)}" if missing else "no file of a run was named"
        raise UsageError(said, "name the files that the tests wrote, or set `sources` in [tool.loregraph.runs]")
    return files


def runs_in(folder: StoreFolder) -> list[Run]:
    """The runs whose facts a store keeps, by key."""
    state = folder.open_state(counted=False)
    if state is None:
        return []
    with closing(state):
        known = {one.key: one for one in imported.sources(state) if one.kind in imported.RUNS}
        counts = {key: Counter[str]() for key in known}
        tests: dict[str, set[str]] = {key: set() for key in known}
        for key, own in imported.all_claims(state):
            if key in known:
                tests[key].update(one.test for one in own.tested)
                tests[key].update(claim.source for claim in own.claims if claim.rel == "TESTS")
                counts[key].update(functions=len(own.ran), edges=len(own.claims))
    return [
        Run(
            key=key,
            digest=one.digest,
            revision=one.revision,
            tests=len(tests[key]),
            functions=counts[key]["functions"],
            edges=counts[key]["edges"],
        )
        for key, one in sorted(known.items())
    ]


def keys_of(runs: Iterable[Run], name: str) -> list[str]:
    """The keys of the runs that `name` denotes, a key or a file's name; all for "". Raises UsageError for none."""
    known = [run.key for run in runs]
    if not name:
        return known
    keys = [key for key in known if name in (key, key.partition(":")[2])]
    if not keys:
        raise unknown_name("run", name, known)
    return keys
