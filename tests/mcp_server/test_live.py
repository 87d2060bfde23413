"""Answers are up to date, or say what of them is not."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import msgspec
import pytest
from anyio.from_thread import start_blocking_portal
from mcp import Client

from loregraph import doctor
from loregraph.graph.generation import StoreFolder
from loregraph.graph.state import with_state
from loregraph.graph.watch_turn import WatchNote, WatchTurn
from loregraph.indexer.discover.files import discover
from loregraph.mcp_server import index_worker, live, staleness
from loregraph.mcp_server.index_worker import Indexed, Opening
from loregraph.mcp_server.live import IndexWorker
from loregraph.mcp_server.server import Service
from loregraph.mcp_server.workspace import Workspace
from loregraph.project import Project
from loregraph.worker_process import GoneError

from .conftest import Answer, Asker, Connect

CONVERT = "shop/abroad.py::convert"
SECONDS = 30.0


class InThisProcess:
    """Stands in for the worker: the same run, without the start of a process."""

    pid = None

    def __init__(self, opening: bytes) -> None:
        self._opening = msgspec.msgpack.decode(opening, type=Opening)

    def index(self) -> Indexed:
        return index_worker.index(self._opening)

    def close(self) -> None:
        pass


def until(condition: Callable[[], object]) -> None:
    end = time.monotonic() + SECONDS
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.01)


@contextmanager
def served(root: Path, *, seconds: float = SECONDS) -> Iterator[Asker]:
    """A server that follows the changes, and answers when it has caught up; `seconds` is how long it may wait."""
    with ExitStack() as stack:
        portal = stack.enter_context(start_blocking_portal())
        service = Service(Workspace(root, jobs=1, embedder="none"), watch=True)
        service.live.wait_seconds = seconds
        stack.callback(service.close)
        client = stack.enter_context(portal.wrap_async_context_manager(Client(service.server)))
        service.live.start()
        ask = Asker(portal, client, service)
        until(lambda: (note := service.live.note()) is not None and note.last_indexed)
        yield ask


@pytest.fixture
def follow(root: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Asker]:
    monkeypatch.setattr(live, "IndexWorker", InThisProcess)
    with served(root) as ask:
        yield ask


def edit(root: Path, path: str, old: str, new: str) -> None:
    file = root / path
    text = file.read_text(encoding="utf-8")
    assert old in text
    file.write_text(text.replace(old, new), encoding="utf-8")


def callers(ask: Asker, symbol: str) -> Answer:
    return ask("get_related", entity_id=symbol, relationship_types=["CALLS"], direction="INCOMING")


# Verifies REQ-MCP-012, REQ-MCP-013.
def test_an_edit_a_new_file_a_deletion_and_a_rename_are_answered_rightly(follow: Asker, root: Path) -> None:
    edit(root, "shop/abroad.py", "cost: float", "cost: float, tax: float")
    hit = follow.ok("code_search", query="convert currency factor", path="shop/abroad.py")["results"][0]
    assert "tax: float" in hit["signature"]
    (root / "shop" / "later.py").write_text(
        "from shop.abroad import convert\n\n\ndef later():\n    return convert(1, 2, 3, 4)\n", encoding="utf-8"
    )
    found = follow.ok("get_related", entity_id="shop/later.py::later")
    assert "stale" not in found
    assert "later.py::later" in callers(follow, CONVERT).text
    (root / "shop" / "later.py").rename(root / "shop" / "moved.py")
    assert not follow("get_related", entity_id="shop/moved.py::later").is_error
    assert follow("get_related", entity_id="shop/later.py::later").code == "NOT_FOUND"
    (root / "shop" / "moved.py").unlink()
    assert "moved.py" not in callers(follow, CONVERT).text


def test_the_status_says_who_follows(follow: Asker, root: Path) -> None:
    found = follow.ok("index_status")["index"]["watch"]
    assert (found["by"], found["pid"], found["mode"], found["error"]) == ("serve", os.getpid(), "events", "")
    assert found["pending_files"] == found["behind_seconds"] == 0
    assert found["since"] <= found["last_indexed"]
    with Project(root) as project:
        assert project.status().watch.by == "serve"
        said = doctor.watched(root, project.settings, project.store)
    assert (said.status, said.detail.partition(",")[0]) == (doctor.OK, "by serve")


def test_a_memory_about_edited_code_is_stale_at_once(follow: Asker, root: Path) -> None:
    link = [{"type": "ABOUT", "target_id": CONVERT}]
    follow.ok("memory_add", memory_type="architecture", content="convert takes a factor", relationships=link)
    assert not follow.ok("memory_search", query="convert factor")["results"][0]["stale"]
    edit(root, "shop/abroad.py", "cost: float", "cost: float, tax: float")
    found = follow.ok("memory_search", query="convert factor")
    assert found["results"][0]["stale"]
    assert "stale" not in found


def test_two_servers_answer_from_what_one_indexes(follow: Asker, root: Path) -> None:
    with ExitStack() as stack:
        portal = stack.enter_context(start_blocking_portal())
        service = Service(Workspace(root), watch=True)
        service.live.wait_seconds = SECONDS
        stack.callback(service.close)
        service.live.start()
        other = Asker(portal, stack.enter_context(portal.wrap_async_context_manager(Client(service.server))), service)
        edit(root, "shop/abroad.py", "cost: float", "cost: float, tax: float")
        assert (
            "tax"
            in other.ok("code_search", query="convert currency factor", path="shop/abroad.py")["results"][0][
                "signature"
            ]
        )
        assert service.live._watching is not None
        assert service.live._watching.note() is None
        follow.service.close()
        until(service.live._watching.note)


def test_where_there_is_no_time_to_wait_the_answer_says_what_is_old(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    going = threading.Event()
    indexed = InThisProcess.index

    class Slow(InThisProcess):
        def index(self) -> Indexed:
            if going.is_set():
                time.sleep(0.5)
            return indexed(self)

    monkeypatch.setattr(live, "IndexWorker", Slow)
    with served(root, seconds=0.05) as ask:
        link = [{"type": "ABOUT", "target_id": CONVERT}]
        ask.ok("memory_add", memory_type="architecture", content="convert takes a factor", relationships=link)
        going.set()
        edit(root, "shop/abroad.py", "cost: float", "cost: float, tax: float")
        started = time.monotonic()
        found = ask.ok("code_search", query="convert currency factor", path="shop/abroad.py")
        assert found["stale"] == ["shop/abroad.py"]
        assert "ask again" in found["stale_note"]
        remembered = ask.ok("memory_search", query="convert factor")
        assert remembered["stale"] == ["shop/abroad.py"]
        assert remembered["results"][0]["stale"]
        missing = ask("get_related", entity_id="no_such_thing")
        assert missing.body["error"]["details"]["stale"] == ["shop/abroad.py"]
        assert time.monotonic() - started < 20


# Verifies REQ-MCP-012.
def test_an_answer_from_unchanged_files_has_no_word_of_it(ask: Asker) -> None:
    for body in (
        ask.ok("code_search", query="convert"),
        ask.ok("get_related", entity_id=CONVERT),
        ask.ok("graph_query", cypher="MATCH (f:Function) RETURN f.id"),
        ask.ok("get_design_context", component_id=CONVERT),
    ):
        assert not body.keys() & {"stale", "stale_note"}


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("code_search", {"query": "convert currency"}),
        ("get_related", {"entity_id": CONVERT}),
        ("graph_query", {"cypher": "MATCH (f:Function {name: 'convert'}) RETURN f.file_path, f.start_line"}),
        ("get_design_context", {"component_id": CONVERT}),
        ("check_consistency", {"component_id": CONVERT}),
        ("find_duplicates", {"id": CONVERT}),
    ],
)
def test_where_nobody_follows_every_answer_says_what_is_old(
    ask: Asker, root: Path, tool: str, arguments: dict[str, Any]
) -> None:
    edit(root, "shop/abroad.py", "cost: float", "cost: float, tax: float")
    body = ask.ok(tool, **arguments)
    assert body["stale"] == ["shop/abroad.py"]
    assert "reindex" in body["stale_note"]


def test_touching_a_file_makes_nothing_old(ask: Asker, root: Path) -> None:
    os.utime(root / "shop" / "abroad.py")
    assert "stale" not in ask.ok("get_related", entity_id=CONVERT)


def test_a_deleted_file_never_answers(ask: Asker, root: Path) -> None:
    (root / "shop" / "abroad.py").unlink()
    found = ask.ok("code_search", query="convert currency")
    assert found["stale"] == ["shop/abroad.py"]
    assert found["results"]
    assert "abroad" not in str(found["results"])
    rows = ask.ok("graph_query", cypher="MATCH (f:Function) RETURN f.id, f.name")
    assert rows["rows"]
    assert "abroad" not in str(rows["rows"])
    assert ask("get_related", entity_id=CONVERT).code == "NOT_FOUND"
    copies = ask.ok("find_duplicates", id="shop/money.py::exchange")
    assert (copies["duplicates"], copies["has_duplicates"], copies["stale"]) == ([], False, ["shop/abroad.py"])


def test_an_answer_without_results_says_that_files_changed(ask: Asker, root: Path) -> None:
    edit(root, "shop/abroad.py", "def convert", "def renamed_in_the_meantime")
    found = ask.ok("graph_query", cypher="MATCH (f:Function {name: 'renamed_in_the_meantime'}) RETURN f.id")
    assert (found["rows"], found["stale"]) == ([], ["shop/abroad.py"])
    missing = ask("get_related", entity_id="renamed_in_the_meantime")
    assert missing.body["error"]["details"]["stale"] == ["shop/abroad.py"]


def test_a_state_that_is_ahead_of_the_graph_is_no_proof(ask: Asker, root: Path) -> None:
    """While a run resolves, the state already has the new stamps."""
    edit(root, "shop/abroad.py", "cost: float", "cost: float, tax: float")
    store = StoreFolder(root / ".loregraph", root)
    with Project(root, embedder="none") as project, store.writer():
        stamps = {file.path: file.stamp for file in discover(root, project.settings).files}

        def ahead(state: Any) -> None:
            file = state.files()["shop/abroad.py"]
            state.put_files([msgspec.structs.replace(file, stamp=stamps["shop/abroad.py"], content_hash="0" * 32)])
            state.commit()

        with_state(store.state_path, ahead)
    assert ask.ok("get_related", entity_id=CONVERT)["stale"] == ["shop/abroad.py"]


def test_the_settings_switch_it_off(root: Path, connect: Connect) -> None:
    service = Service(Workspace(root), watch=False)
    service.live.start()
    assert service.live.note() is None
    service.close()
    assert connect().ok("index_status")["index"]["watch"]["by"] == ""


def test_the_home_folder_is_not_followed(home: Path) -> None:
    service = Service(Workspace(home), watch=True)
    service.live.start()
    assert not service.live.wanted
    service.close()


def test_what_another_process_has_pending_is_known(ask: Asker, root: Path) -> None:
    turn = WatchTurn(StoreFolder(root / ".loregraph", root), lambda: False)
    now = time.time()
    turn.note(
        WatchNote(pid=1, by="watch", since=now, mode="events", pending=("shop/cart.py",), pending_files=1, oldest=now)
    )
    ask.service.live.wait_seconds = 0.0
    edit(root, "shop/cart.py", "class Cart", "class Basket")
    found = ask.ok("graph_query", cypher="MATCH (c:Class {name: 'Basket'}) RETURN c.id")
    assert found["stale"] == ["shop/cart.py"]
    assert "shop/cart.py" in ask.ok("get_related", entity_id=CONVERT)["stale_note"]
    assert ask.ok("index_status")["index"]["watch"]["by"] == "watch"
    turn.release()


def test_the_worker_stays_until_it_is_idle_and_survives_being_killed(root: Path) -> None:
    opening = Opening(str(root), None, {"jobs": 1, "embedder": "none"}, str(root / ".loregraph"))
    worker = IndexWorker(msgspec.msgpack.encode(opening), idle_seconds=0.05)
    try:
        first = worker.index()
        assert (first.error, first.indexed) == ("", 0)
        until(lambda: worker.pid is None)
        edit(root, "shop/abroad.py", "cost: float", "cost: float, tax: float")
        assert worker.index().indexed == 1
    finally:
        worker.close()
    with pytest.raises(GoneError):
        worker.index()


def test_another_store_than_the_one_that_is_followed_is_not_written(root: Path) -> None:
    opening = Opening(str(root), None, {"embedder": "none"}, str(root / "other"))
    assert "another store" in index_worker.index(opening).error


@pytest.mark.parametrize(
    ("value", "files"),
    [
        ({"id": "a.py::f", "file_path": "b.py", "score": 1.0, "docstring": "c.py"}, {"a.py", "b.py"}),
        ({"rows": [["a.py::C.m", 3, None], ["b c.py"]]}, {"a.py", "b c.py"}),
        ({"evidence": "a.py:3", "results": ["x\ny", "", "::f"]}, set()),
        (["a.py", {"callers": ("b.py::f",)}], {"a.py", "b.py"}),
    ],
)
def test_files_of_an_answer(value: Any, files: set[str]) -> None:
    assert set(staleness.files_named(value)) == files


def test_rows_of_deleted_files_are_left_out_and_memories_stay() -> None:
    body = {
        "component": {"id": "gone.py::f", "name": "f"},
        "dependents": [{"id": "gone.py::g"}, {"id": "kept.py::h", "tests": ["gone.py::t", "kept.py::t"]}],
        "results": [{"memory_id": "m", "content": "gone.py", "file": "gone.py"}],
    }
    assert staleness.without(body, {"gone.py"}) == {
        "component": None,
        "dependents": [{"id": "kept.py::h", "tests": ["kept.py::t"]}],
        "results": [{"memory_id": "m", "content": "gone.py", "file": "gone.py"}],
    }
