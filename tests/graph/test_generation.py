from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from loregraph.errors import DamagedStoreError, NotIndexedError, SchemaTooNewError, StoreBusyError, StoreError
from loregraph.graph import generation
from loregraph.graph.generation import CURRENT, Current, StoreFolder, hold, sealed
from loregraph.graph.model import SCHEMA_VERSION
from loregraph.graph.sections import write_sections

ROOT = str(Path(__file__).parents[2])


def publish(folder: StoreFolder, content: str = "x", **fields: object) -> Current:
    with folder.writer(timeout=5):
        built = folder.new_generation()
        (built / "data").write_text(content)
        return folder.publish(built, Current(**fields))  # type: ignore[arg-type]


def generations(path: Path) -> list[str]:
    return sorted(entry.name for entry in path.iterdir() if entry.is_dir())


def run(code: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", code, *arguments],
        env={**os.environ, "PYTHONPATH": ROOT},
        capture_output=True,
        text=True,
        check=False,
    )


def test_before_the_first_index_there_is_nothing_and_nothing_is_made(tmp_path: Path) -> None:
    folder = StoreFolder(tmp_path / "store")
    assert folder.current() is None
    with pytest.raises(NotIndexedError) as caught:
        folder.lease()
    assert "loregraph index" in caught.value.suggestion
    assert folder.sizes() == {}
    assert not folder.path.exists()


def test_what_is_published_is_read(tmp_path: Path) -> None:
    folder = StoreFolder(tmp_path / "store")
    embedder = {"model_id": "m", "dim": 256}
    published = publish(folder, "first", engine="kuzu", embedder=embedder, journal_offsets={"project": 7})
    assert published.generation == 1
    assert StoreFolder(folder.path).current() == published
    with folder.lease() as lease:
        assert lease.generation == 1 and lease.current.embedder == embedder
        assert (lease.path / "data").read_text() == "first"
    assert (folder.path / ".gitignore").read_text() == "*\n"
    assert folder.sizes()["generation-1"] == len("first")


def test_a_reader_sees_a_new_generation_at_its_next_look(tmp_path: Path) -> None:
    folder, reader = StoreFolder(tmp_path / "s"), StoreFolder(tmp_path / "s")
    for n in range(1, 4):
        publish(folder, str(n))
        current = reader.current()
        assert current is not None and current.generation == n


def test_looking_again_reads_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = StoreFolder(tmp_path / "s")
    publish(folder)
    first = folder.current()
    monkeypatch.setattr(Path, "read_bytes", lambda self: pytest.fail("read"))
    assert folder.current() is first


# Verifies REQ-STO-008.
def test_a_generation_goes_when_its_last_reader_lets_it_go(tmp_path: Path) -> None:
    folder = StoreFolder(tmp_path / "s")
    publish(folder, "old")
    one, two = folder.lease(), StoreFolder(folder.path).lease()
    publish(folder, "new")
    assert generations(folder.path) == ["generation-1", "generation-2"]
    one.close()
    publish(folder)
    assert generations(folder.path) == ["generation-1", "generation-3"]
    assert (two.path / "data").read_text() == "old"
    two.close()
    two.close()
    publish(folder)
    assert generations(folder.path) == ["generation-4"]


def test_a_lease_ends_with_the_process_that_held_it(tmp_path: Path) -> None:
    folder = StoreFolder(tmp_path / "s")
    publish(folder)
    code = (
        "import os, signal, sys; from loregraph.graph.generation import *\n"
        "lease = StoreFolder(sys.argv[1]).lease(); os.kill(os.getpid(), signal.SIGKILL)"
    )
    assert run(code, str(folder.path)).returncode == -9
    publish(folder)
    assert generations(folder.path) == ["generation-2"]


# Verifies REQ-STO-005.
def test_a_second_writer_waits_and_then_gives_up(tmp_path: Path) -> None:
    folder = StoreFolder(tmp_path / "s")
    with folder.writer():
        with pytest.raises(StoreBusyError), StoreFolder(folder.path).writer(timeout=0.05):
            pass
        code = (
            "import sys; from loregraph.graph.generation import *; from loregraph.errors import *\n"
            "try:\n    StoreFolder(sys.argv[1]).writer(0.05).__enter__()\nexcept StoreBusyError: print('busy')"
        )
        assert run(code, str(folder.path)).stdout == "busy\n"
    with StoreFolder(folder.path).writer(timeout=1):
        pass


def test_building_and_publishing_need_the_lock(tmp_path: Path) -> None:
    folder = StoreFolder(tmp_path / "s")
    with pytest.raises(RuntimeError):
        folder.new_generation()
    with folder.writer():
        built = folder.new_generation()
    with pytest.raises(RuntimeError):
        folder.publish(built, Current())
    with folder.writer(), pytest.raises(ValueError, match="new_generation"):
        folder.publish(tmp_path, Current())


def test_a_build_that_fails_leaves_the_old_generation_and_is_removed_by_the_next(tmp_path: Path) -> None:
    folder = StoreFolder(tmp_path / "s")
    publish(folder, "good")
    with pytest.raises(KeyError), folder.writer():
        (folder.new_generation() / "half").write_text("half")
        raise KeyError
    with folder.lease() as lease:
        assert (lease.path / "data").read_text() == "good"
    with folder.writer():
        assert generations(folder.path) == ["generation-1"]


@pytest.mark.parametrize("moment", ["build", "rename", "current", "sweep"])
def test_a_writer_killed_at_any_moment_leaves_a_whole_generation(tmp_path: Path, moment: str) -> None:
    folder = StoreFolder(tmp_path / "s")
    publish(folder, "old")
    code = """
import os, signal, sys
from pathlib import Path
from loregraph.graph import generation
from loregraph.graph.generation import *
def die(*_): os.kill(os.getpid(), signal.SIGKILL)
folder = StoreFolder(sys.argv[1])
with folder.writer():
    built = folder.new_generation()
    (built / "data").write_text("new")
    moment = sys.argv[2]
    if moment == "build": die()
    renames = []
    original = os.replace
    def replaced(source, target, **folders):
        if moment == "current" and target == "current": die()
        original(source, target, **folders)
        if moment == "rename" and "generation" in target or "trash" in target: die()
    os.replace = replaced
    folder.publish(built, Current())
"""
    assert run(code, str(folder.path), moment).returncode == -9
    expected = "new" if moment == "sweep" else "old"
    with StoreFolder(folder.path).lease() as lease:
        assert (lease.path / "data").read_text() == expected
    publish(folder, "next")
    left = generations(folder.path)
    assert len(left) == 1 and left[0].startswith("generation-")
    assert not (folder.path / "current.new").exists()
    with folder.lease() as lease:
        assert (lease.path / "data").read_text() == "next"


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b'{"format": 1}', b"\x00" * 20])
def test_a_damaged_current_file_says_what_to_do_and_the_next_writer_replaces_it(tmp_path: Path, content: bytes) -> None:
    folder = StoreFolder(tmp_path / "s")
    publish(folder)
    (folder.path / CURRENT).write_bytes(content)
    for attempt in (StoreFolder(folder.path).current, StoreFolder(folder.path).lease):
        with pytest.raises(DamagedStoreError, match="damaged") as caught:
            attempt()
        assert "loregraph index" in caught.value.suggestion
    assert StoreFolder(folder.path).sound() is None
    publish(folder)
    folder.lease().close()


@pytest.mark.parametrize("content", ["", "[7]", '{"generation": 3}', '{"format": "other", "schema_version": 1}'])
def test_a_file_called_current_does_not_make_a_store(tmp_path: Path, content: str) -> None:
    (tmp_path / CURRENT).write_text(content)
    with pytest.raises(StoreError, match="not a loregraph store") as caught, StoreFolder(tmp_path).writer():
        pass
    assert "--store" in caught.value.suggestion
    assert [(p.name, p.read_text()) for p in tmp_path.iterdir()] == [(CURRENT, content)]


def test_arrays_that_are_not_what_was_written_are_told(tmp_path: Path) -> None:
    folder = StoreFolder(tmp_path / "s")
    with folder.writer():
        built = folder.new_generation()
        write_sections(built / "columns.bin", [("a", "|u1", 3, b"abc")], {})
        write_sections(built / "other.bin", [("b", "|u1", 3, b"def")], {})
        folder.publish(built, Current())
    with folder.lease() as lease:
        lease.require()
        file = lease.path / "columns.bin"
        os.utime(file, (1, 1))
        lease.require()  # copied or restored: another time stamp, the same content
        written = file.read_bytes()
        write_sections(file, [("a", "|u1", 3, b"abd")], {})  # whole, and another
        lease.require("other.bin", "of no array")
        for names in ((), ("columns.bin",)):
            with pytest.raises(DamagedStoreError, match=r"columns\.bin is not what was written"):
                lease.require(*names)
    assert folder.sound() is None
    file.write_bytes(written)
    assert folder.sound() == folder.current()
    file.write_bytes(written.replace(b"abc", b"abd"))
    with folder.lease() as lease:
        lease.require()
        with pytest.raises(DamagedStoreError, match=r"columns\.bin: a is not what was written"):
            lease.verify()
    assert folder.sound() is None
    file.unlink()
    assert folder.sound() is None


def test_a_missing_generation_says_what_to_do(tmp_path: Path) -> None:
    folder = StoreFolder(tmp_path / "s")
    publish(folder)
    (folder.path / "generation-1").rename(tmp_path / "elsewhere")
    with pytest.raises(StoreError, match="generation 1 is missing"):
        folder.lease()
    publish(folder)
    folder.lease().close()


def test_a_generation_that_goes_between_two_reads_leads_to_the_next_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, reader = StoreFolder(tmp_path / "s"), StoreFolder(tmp_path / "s")
    publish(folder, "first")

    def overtaken(path: Path, base: Path) -> int | None:
        monkeypatch.setattr(generation, "hold", hold)
        publish(folder, "second")  # which removes the first one, held by nobody
        return hold(path, base)

    monkeypatch.setattr(generation, "hold", overtaken)
    with reader.lease() as lease:
        assert (lease.generation, (lease.path / "data").read_text()) == (2, "second")


def test_a_newer_schema_is_refused_by_readers_and_writers(tmp_path: Path) -> None:
    folder = StoreFolder(tmp_path / "s")
    publish(folder)
    file = folder.path / CURRENT
    content = json.loads(file.read_text())
    newer = {**content, "schema_version": SCHEMA_VERSION + 1, "engine": ["another", "form"]}
    file.write_bytes(sealed(json.dumps(newer).encode()))
    for attempt in (folder.current, folder.lease, folder.writer().__enter__):
        with pytest.raises(SchemaTooNewError) as caught:
            attempt()
        assert "upgrade" in caught.value.suggestion
    assert generations(folder.path) == ["generation-1"]


def test_an_older_schema_is_not_read_and_can_be_replaced(tmp_path: Path) -> None:
    folder = StoreFolder(tmp_path / "s")
    publish(folder)
    file = folder.path / CURRENT
    content = json.loads(file.read_text())
    file.write_bytes(sealed(json.dumps({**content, "schema_version": SCHEMA_VERSION - 1}).encode()))
    with pytest.raises(NotIndexedError, match="older"):
        folder.lease()
    publish(folder)
    folder.lease().close()


def test_a_folder_of_somebody_else_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "main.py").write_text("x")
    (tmp_path / "generation-1").mkdir()
    folder = StoreFolder(tmp_path)
    with pytest.raises(StoreError, match="not loregraph's") as caught, folder.writer():
        pass
    assert "--store" in caught.value.suggestion
    assert sorted(p.name for p in tmp_path.iterdir()) == ["generation-1", "main.py"]
    (tmp_path / CURRENT).write_text('{"format": "other", "schema_version": 1}')
    with pytest.raises(StoreError, match="not a loregraph store"), folder.writer():
        pass
    with pytest.raises(StoreError, match="not a loregraph store"):
        folder.lease()


def test_a_file_in_place_of_the_folder(tmp_path: Path) -> None:
    (tmp_path / "store").write_text("x")
    folder = StoreFolder(tmp_path / "store")
    for attempt in (folder.current, folder.lease, folder.writer().__enter__):
        with pytest.raises(StoreError, match="is a file"):
            attempt()


def test_an_empty_folder_and_one_with_a_lock_only_may_be_used(tmp_path: Path) -> None:
    folder = StoreFolder(tmp_path)
    with folder.writer():
        pass
    (tmp_path / "notes.txt").write_text("added later")
    publish(folder)
    folder.lease().close()


# Verifies REQ-STO-007.
@pytest.mark.skipif(os.name == "nt", reason="rights of folders")
def test_a_folder_that_cannot_be_written_can_be_read(tmp_path: Path) -> None:
    folder = StoreFolder(tmp_path / "s")
    publish(folder, "content")
    code = """
import os, sys
import filelock
from loregraph.graph.generation import *
from loregraph.errors import *
os.chdir("/")
if len(sys.argv) > 2:
    os.setgid(int(sys.argv[2])); os.setuid(int(sys.argv[2]))
    os.environ["LOREGRAPH_TRUST"] = "1"
folder = StoreFolder(sys.argv[1])
with folder.lease() as lease:
    print((lease.path / "data").read_text())
try:
    folder.writer(timeout=1).__enter__()
except StoreError as error:
    print(error.suggestion)
"""
    paths = [folder.path, *folder.path.rglob("*")]
    for path in paths:
        path.chmod(0o555 if path.is_dir() else 0o444)
    for parent in folder.path.parents:
        if os.geteuid() == 0 and parent.is_relative_to(tempfile.gettempdir()) and parent != Path(tempfile.gettempdir()):
            parent.chmod(0o755)
    try:
        # Root may write anywhere: be somebody else then.
        done = run(code, str(folder.path), *(["65534"] if os.geteuid() == 0 else []))
    finally:
        for path in paths:
            path.chmod(0o755 if path.is_dir() else 0o644)
    assert done.stderr == ""
    assert done.stdout.splitlines()[0] == "content"
    assert "--store DIR or LOREGRAPH_STORE" in done.stdout


def test_a_lock_on_a_generation_that_was_moved_away_does_not_count(tmp_path: Path) -> None:
    assert hold(tmp_path / "nowhere") is None
    (tmp_path / "generation-1").write_text("a file")
    assert hold(tmp_path / "generation-1") is None
