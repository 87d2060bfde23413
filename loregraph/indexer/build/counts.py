"""The size of a graph: counted for a new one, updated after an edit, and an error where it is empty."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any, Final, TypeVar

import msgspec
import numpy as np

from loregraph.errors import NothingIndexedError
from loregraph.graph.columns import GraphColumns
from loregraph.graph.model import Class, File, Function, Graph
from loregraph.graph.state import State
from loregraph.indexer.build.kept_resolution import KeptFile
from loregraph.indexer.build.report import ReportedProblem, Totals
from loregraph.indexer.build.run import entries_of
from loregraph.indexer.languages import registry
from loregraph.indexer.problems import PathProblem
from loregraph.indexer.resolve import Resolution
from loregraph.indexer.resolve.policies import family_of

T = TypeVar("T")

NOTHING_FROM_LINES: Final = 200
"""From so many lines of source on, a project without any symbol, call or import is a failure rather than a small
project."""


def keep_counts(
    state: State,
    columns: GraphColumns,
    resolution: Resolution,
    before: Mapping[str, KeptFile],
    kept: Mapping[str, KeptFile],
) -> Totals:
    """Stores and returns the size of the graph in `columns`, and stores what limits on resolution left out.

    `resolution` covers the files that were resolved again; `before` and `kept` cover all files.
    """

    def family(path: str) -> str:
        number = columns.find_id(path)
        return family_of(columns.language(number)) if number is not None else ""

    unresolved = {name: Counter(own) for name, own in _saved(state, "unresolved", dict[str, dict[str, int]]).items()}
    for path in resolution.files:
        old, new = before[path].unresolved, kept[path].unresolved
        if old != new:
            counts = unresolved.setdefault(family(path), Counter())
            counts.update(new)
            counts.subtract(old)
    problems = _saved(state, "layout_problems", tuple[ReportedProblem, ...])
    cut = _saved(state, "cuts", dict[str, tuple[PathProblem, ...]])
    rest = problems[: len(problems) - sum(map(len, cut.values()))]  # their last use
    cuts = {name: [p for p in own if p.path not in resolution.files] for name, own in cut.items()}
    for problem in resolution.problems:
        cuts.setdefault(family(problem.path), []).append(problem)
    now = tuple(ReportedProblem(p.path, p.line, p.message) for own in cuts.values() for p in own)
    unresolved = {name: +own for name, own in unresolved.items()}
    totals = count_columns(columns, unresolved)
    for key, value in (
        ("unresolved", {name: dict(own) for name, own in unresolved.items()}),
        ("cuts", cuts),
        ("layout_problems", rest + now),
        ("totals", totals),
    ):
        state.put_meta(key, msgspec.msgpack.encode(value))
    return totals


def count_columns(columns: GraphColumns, unresolved: Mapping[str, Mapping[str, int]]) -> Totals:
    """The size of `columns`, generated files excluded; `unresolved` is by family and reason."""
    generated = columns.generated
    labels = columns.label_counts()
    if generated:
        codes = [code for code, path in enumerate(columns.paths.values) if path in generated]
        symbols = columns.symbols()
        inside = symbols[np.isin(columns.paths.codes[symbols], codes)]
        for label in ("Function", "Class"):
            labels[label] -= sum(columns.label(node) == label for node in inside.tolist())
    reasons = sum((Counter(own) for own in unresolved.values()), Counter[str]())
    return Totals(
        labels["Function"],
        labels["Class"],
        labels["Component"],
        labels["Requirement"],
        dict(sorted((rel, count) for rel, count in columns.rel_counts().items() if count)),
        dict(sorted(reasons.items())),
        dict(sorted(Counter(generated.values()).items())),
    )


def count_graph(graph: Graph, unresolved: Mapping[str, Mapping[str, int]]) -> Totals:
    """The size of `graph`, generated files excluded; `unresolved` is by family and reason."""
    reasons = sum((Counter(own) for own in unresolved.values()), Counter[str]())
    files = {node.path: node.generated for node in graph.nodes if isinstance(node, File) and node.generated}
    labels = Counter(
        type(node).__name__
        for node in graph.nodes
        if not (isinstance(node, Function | Class) and node.file_path in files)
    )
    relationships = Counter(edge.rel for edge in graph.edges)
    return Totals(
        labels["Function"],
        labels["Class"],
        labels["Component"],
        labels["Requirement"],
        dict(sorted(relationships.items())),
        dict(sorted(reasons.items())),
        dict(sorted(Counter(files.values()).items())),
    )


def refuse_nothing(state: State, totals: Totals) -> None:
    """Raises NothingIndexedError where a source tree gave no facts: a missing parser has this symptom."""
    found = (
        totals.functions
        + totals.classes
        + sum(totals.generated.values())
        + sum(totals.relationships.get(r, 0) for r in ("CALLS", "IMPORTS"))
    )
    if found:
        return
    entries = [e for e in entries_of(state) if e.language in registry.SUPPORTED]
    failed = [e for e in entries if e.status == "failed"]
    lines = sum(e.lines for e in entries)
    if not entries or (len(failed) < len(entries) and lines < NOTHING_FROM_LINES):
        return
    why = next((f" ({e.path}: {e.problems[0][1]})" for e in (failed or entries) if e.problems), "")
    raise NothingIndexedError(
        f"nothing was found in {len(entries)} source files, {len(failed)} of which could not be read{why}; "
        "the graph was left as it was",
        "see what is wrong with them; `loregraph doctor` checks the parsers",
    )


def _saved(state: State, key: str, kind: type[T]) -> T:
    saved: Any = state.meta(key)
    return msgspec.msgpack.decode(saved, type=kind) if saved else kind()
