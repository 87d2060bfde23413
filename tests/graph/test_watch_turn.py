"""One process at a time follows a project's changes, and says so."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import msgspec
import pytest

from loregraph.errors import UnsafePathError
from loregraph.graph import watch_turn
from loregraph.graph.generation import StoreFolder
from loregraph.graph.watch_turn import WatchNote, WatchReport, WatchTurn, followed_by, reported

HOLD = """
import sys, time
from loregraph.graph.generation import StoreFolder
from loregraph.graph.watch_turn import WatchNote, WatchTurn
turn = WatchTurn(StoreFolder(sys.argv[1]), lambda: False)
turn.note(WatchNote(pid=1, by="serve", since=1.0, mode="events"))
print("held", flush=True)
time.sleep(60)
"""


@pytest.fixture
def store(tmp_path: Path) -> StoreFolder:
    folder = StoreFolder(tmp_path / "store")
    with folder.writer():
        pass
    return folder


def take(store: StoreFolder) -> WatchTurn:
    return WatchTurn(store, lambda: False)


NOTE = WatchNote(pid=7, by="serve", since=1_000_000_000.0, mode="events", pending=("a.py",), pending_files=1)


# Verifies REQ-MCP-013.
def test_the_holder_is_known_as_long_as_it_holds(store: StoreFolder) -> None:
    turn = take(store)
    assert followed_by(store) is None
    turn.note(NOTE)
    assert followed_by(store) == NOTE
    turn.release()
    assert followed_by(store) is None
    assert take(store).is_good


def test_the_next_gets_the_turn_when_it_is_released(store: StoreFolder) -> None:
    first = take(store)
    got: list[WatchTurn] = []
    waiting = threading.Thread(target=lambda: got.append(take(StoreFolder(store.path))))
    waiting.start()
    waiting.join(0.1)
    assert not got
    first.release()
    waiting.join(5)
    assert got[0].is_good
    got[0].release()


@pytest.mark.skipif(os.name != "posix", reason="needs SIGKILL")
def test_a_killed_process_gives_its_turn_away(store: StoreFolder) -> None:
    process = subprocess.Popen([sys.executable, "-c", HOLD, str(store.path)], stdout=subprocess.PIPE)
    with process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"held\n"
        assert followed_by(store) is not None
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
    take(store).release()
    assert followed_by(store) is None


def test_a_store_that_was_replaced_is_noticed(store: StoreFolder) -> None:
    turn = take(store)
    (store.path / watch_turn.WATCH_LOCK).unlink()
    assert not turn.is_good
    turn.note(NOTE)
    turn.release()


@pytest.mark.skipif(os.name != "posix", reason="links need a privilege there")
def test_no_link_is_followed(store: StoreFolder, tmp_path: Path) -> None:
    (tmp_path / "precious").write_text("kept", encoding="utf-8")
    (store.path / watch_turn.WATCH_LOCK).symlink_to(tmp_path / "precious")
    with pytest.raises(UnsafePathError):
        take(store)
    (store.path / watch_turn.WATCH_LOCK).unlink()
    (store.path / watch_turn.WATCH_FILE).symlink_to(tmp_path / "precious")
    turn = take(store)
    assert followed_by(store) is None
    turn.note(NOTE)
    assert (tmp_path / "precious").read_text(encoding="utf-8") == "kept"
    turn.release()


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b'{"pid": "x"}', b"\xff\xfe", b"[" * 100_000])
def test_a_note_that_is_none_is_not_believed(store: StoreFolder, content: bytes) -> None:
    turn = take(store)
    (store.path / watch_turn.WATCH_FILE).write_bytes(content)
    assert followed_by(store) is None
    turn.release()


def test_a_writer_takes_the_files_for_its_own(store: StoreFolder) -> None:
    turn = take(store)
    turn.note(NOTE)
    with store.writer():
        pass
    turn.release()
    with StoreFolder(store.path).writer():
        pass


def test_reports_say_how_far_behind() -> None:
    note = msgspec.structs.replace(NOTE, by="watch", pending_files=2, oldest=time.time() - 5, last_event=1e300)
    report = reported(note)
    assert (report.by, report.since, report.pending_files) == ("watch", "2001-09-09T01:46:40Z", 2)
    assert 4.5 < report.behind_seconds < 60
    assert report.last_event is None
    assert reported(None) == WatchReport()
