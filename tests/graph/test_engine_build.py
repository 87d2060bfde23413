"""The engine's file built in a process of its own."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from loregraph import orphans
from loregraph.errors import StoreError
from loregraph.graph import engine_build, store
from loregraph.graph.model import Graph
from loregraph.graph.store import GRAPH_FILE


@pytest.fixture
def folder(tmp_path: Path, sample: Graph, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A generation without an engine's file, which is large enough for a process of its own."""
    store.write_generation(tmp_path, sample, engine=False)
    monkeypatch.setattr(engine_build, "ALONE_FROM_ROWS", 0)
    return tmp_path


# Verifies REQ-STO-010.
def test_another_process_builds_the_same_file(folder: Path, sample: Graph, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("built in this process")

    with monkeypatch.context() as patched:
        patched.setattr(store, "write_graph", refuse)
        identity = engine_build.build(folder)
    assert identity == store.engine_identity()
    with store.open_read(folder) as connection:
        assert connection.execute("MATCH (n) RETURN count(*)").rows == [[len(sample.nodes)]]


def test_a_small_graph_needs_no_process(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine_build, "ALONE_FROM_ROWS", 1_000)
    monkeypatch.delattr(orphans, "start")
    engine_build.build(folder)
    assert (folder / GRAPH_FILE).exists()


def test_what_the_process_says_is_raised(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LOREGRAPH_ENGINE", "neo4j")
    with pytest.raises(StoreError, match="neo4j"):
        engine_build.build(folder)


def test_a_process_that_was_ended_is_an_error(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine_build, "command", lambda *_: [sys.executable, "-c", "raise SystemExit(9)"])
    with pytest.raises(StoreError, match="ended"):
        engine_build.build(folder)
    assert not (folder / GRAPH_FILE).exists()
