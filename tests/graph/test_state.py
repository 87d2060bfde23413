from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
import zlib
from pathlib import Path

import pytest

from loregraph.errors import StoreError
from loregraph.graph.state import BLOBS, FileState, State, with_state
from loregraph.stamps import Stamp


def file_state(path: str, **more: object) -> FileState:
    values: dict[str, object] = {
        "path": path, "stamp": Stamp(10, 2**62, 7, 2**63 - 1), "content_hash": "ab", "language": "python",
        "status": "indexed", "facts_version": 1,
    }  # fmt: skip
    return FileState(**{**values, **more})  # type: ignore[arg-type]


def test_files_and_their_bytes_are_kept(tmp_path: Path) -> None:
    path = tmp_path / "state.sqlite"
    with State.open(path) as state:
        state.put_files([file_state("b.py"), file_state("a.py", stamp=Stamp(3, 1, 1, 1))])
        state.put_blobs("facts", {"a.py": b"A", "b.py": b"B"})
        state.put_blobs("terms", [("a.py", b"t")])
    with State.open(path) as state:
        assert list(state.files().values()) == [file_state("a.py", stamp=Stamp(3, 1, 1, 1)), file_state("b.py")]
        assert dict(state.blobs("facts")) == {"a.py": b"A", "b.py": b"B"}
        assert dict(state.blobs("facts", ["b.py", "nope"])) == {"b.py": b"B"}
        assert dict(state.blobs("terms")) == {"a.py": b"t"}
        assert dict(state.blobs("published")) == {}
        assert state.problems == ()


def test_a_file_that_is_put_again_keeps_its_bytes_and_its_place(tmp_path: Path) -> None:
    with State.open(tmp_path / "s") as state:
        state.put_files([file_state("b.py"), file_state("a.py")])
        state.put_blobs("facts", {"b.py": b"1", "a.py": b"2"})
        state.put_files([file_state("b.py", content_hash="new")])
        assert state.files()["b.py"].content_hash == "new"
        assert list(state.blobs("facts")) == [("b.py", b"1"), ("a.py", b"2")]
        state.put_blobs("facts", {"b.py": b"3"})
        assert list(state.blobs("facts")) == [("b.py", b"3"), ("a.py", b"2")]


def test_removing_a_file_removes_all_its_bytes(tmp_path: Path) -> None:
    with State.open(tmp_path / "s") as state:
        state.put_files([file_state("a.py"), file_state("b.py")])
        for kind in BLOBS:
            state.put_blobs(kind, {"a.py": b"x", "b.py": b"y"})
        state.remove_files(["a.py", "never.py"])
        assert list(state.files()) == ["b.py"]
        assert [dict(state.blobs(kind)) for kind in BLOBS] == [{"b.py": b"y"}] * len(BLOBS)
        state.remove_files(["b.py"])
        state.put_files([file_state("c.py")])  # whose number may be one that was given before
        assert [dict(state.blobs(kind)) for kind in BLOBS] == [{}] * len(BLOBS)


def test_many_paths_are_asked_for_in_one_call(tmp_path: Path) -> None:
    paths = [f"{i}.py" for i in range(3000)]
    with State.open(tmp_path / "s") as state:
        state.put_files(file_state(path) for path in paths)
        state.put_blobs("texts", ((path, path.encode()) for path in paths))
        assert dict(state.blobs("texts", paths)) == {path: path.encode() for path in paths}


def test_vectors_are_kept_per_embedder_and_text(tmp_path: Path) -> None:
    with State.open(tmp_path / "s") as state:
        state.put_vectors("static", [(b"h1", b"v1"), (b"h2", b"v2"), (b"h3", b"v3")])
        state.put_vectors("other", [(b"h1", b"o1")])
        assert state.vectors("static") == {b"h1": b"v1", b"h2": b"v2", b"h3": b"v3"}
        assert state.vectors("static", [b"h2", b"h9"]) == {b"h2": b"v2"}
        assert state.keep_vectors("static", {b"h1", b"h2"}) == 2
        assert state.vectors("other") == {}
        assert state.vectors("static") == {b"h1": b"v1", b"h2": b"v2"}


def test_meta_and_clear(tmp_path: Path) -> None:
    with State.open(tmp_path / "s") as state:
        assert state.meta("k") is None
        state.put_meta("k", b"1")
        state.put_meta("k", b"2")
        assert state.meta("k") == b"2"
        state.put_meta("k", None)
        assert state.meta("k") is None
        state.put_files([file_state("a.py")])
        state.put_blobs("facts", {"a.py": b"x"})
        state.put_vectors("static", [(b"h", b"v")])
        state.clear()
        assert state.files() == {} and dict(state.blobs("facts")) == {}
        assert state.vectors("static") == {b"h": b"v"}


def test_what_was_not_committed_is_gone(tmp_path: Path) -> None:
    path = tmp_path / "s"
    with State.open(path) as state:
        state.put_files([file_state("a.py")])
    with pytest.raises(KeyError), State.open(path) as state:
        state.put_files([file_state("b.py")])
        raise KeyError
    with State.open(path) as state:
        assert list(state.files()) == ["a.py"]


def test_an_unknown_kind_of_bytes_is_refused(tmp_path: Path) -> None:
    with State.open(tmp_path / "s") as state, pytest.raises(ValueError, match="files"):
        state.put_blobs("files", {})


@pytest.mark.parametrize("damage", ["text", "zeros", "cut", "other tables", "other version", "empty"])
def test_a_damaged_file_is_begun_anew_and_said_so(tmp_path: Path, damage: str) -> None:
    path = tmp_path / "state.sqlite"
    with State.open(path) as state:
        state.put_files([file_state(f"{i}.py") for i in range(2000)])
    if damage == "text":
        path.write_text("not a database at all " * 1000)
    elif damage == "zeros":
        path.write_bytes(path.read_bytes()[:100] + bytes(50_000))
    elif damage == "cut":
        path.write_bytes(path.read_bytes()[:4096])
    elif damage == "empty":
        path.write_bytes(b"")
    else:
        path.unlink()
        connection = sqlite3.connect(path)
        connection.execute("CREATE TABLE unrelated (x)")
        connection.execute("PRAGMA user_version = 1" if damage == "other tables" else "PRAGMA user_version = 99")
        connection.commit()
        connection.close()
    with State.open(path) as state:
        assert state.files() == {}
        assert len(state.problems) == (0 if damage == "empty" else 1)
        state.put_files([file_state("a.py")])
    with State.open(path) as state:
        assert list(state.files()) == ["a.py"] and state.problems == ()


# Verifies REQ-STO-002.
@pytest.mark.parametrize(
    "error",
    [zlib.error("incorrect data check"), sqlite3.DatabaseError("database disk image is malformed")],
    ids=["bytes", "pages"],
)
def test_damage_that_shows_late_costs_the_state_and_not_the_run(tmp_path: Path, error: Exception) -> None:
    path = tmp_path / "state.sqlite"
    with State.open(path) as state:
        state.put_files([file_state("a.py")])
    runs = []

    def work(state: State) -> tuple[str, ...]:
        runs.append(list(state.files()))
        state.put_files([file_state("b.py")])
        if len(runs) == 1:
            raise error
        return state.problems

    [problem] = with_state(path, work)
    assert str(error) in problem and "built again" in problem
    assert runs == [["a.py"], []]
    assert with_state(path, lambda state: (list(state.files()), state.problems)) == (["b.py"], ())


def test_what_is_no_damage_is_not_taken_for_it(tmp_path: Path) -> None:
    def full(_: State) -> None:
        raise sqlite3.OperationalError("database or disk is full")

    with State.open(tmp_path / "s") as state:
        state.put_files([file_state("a.py")])
    with pytest.raises(StoreError, match="disk is full") as caught:
        with_state(tmp_path / "s", full)
    assert "make room" in caught.value.suggestion
    assert with_state(tmp_path / "s", lambda state: list(state.files())) == ["a.py"]


def test_a_folder_that_is_not_there_is_an_error_with_advice(tmp_path: Path) -> None:
    with pytest.raises(StoreError) as caught:
        State.open(tmp_path / "no" / "state.sqlite")
    assert "--store" in caught.value.suggestion


def test_readers_go_on_beside_a_writer(tmp_path: Path) -> None:
    path = tmp_path / "s"
    assert State.open_read_only(path) is None
    with State.open(path) as state:
        state.put_files([file_state("a.py")])
        state.commit()
        reader = State.open_read_only(path)
        assert reader is not None
        state.put_files([file_state("b.py")])
        assert list(reader.files()) == ["a.py"]
        state.commit()
        assert list(reader.files()) == ["a.py", "b.py"]
        with pytest.raises(sqlite3.OperationalError):
            reader.put_meta("k", b"v")
        reader.close()


def test_reading_needs_no_right_to_write(tmp_path: Path) -> None:
    path = tmp_path / "s"
    with State.open(path) as state:
        state.put_files([file_state("a.py")])
    path.chmod(0o444)
    tmp_path.chmod(0o555)
    try:
        reader = State.open_read_only(path)
        assert reader is not None
        assert list(reader.files()) == ["a.py"]
        reader.close()
    finally:
        tmp_path.chmod(0o755)


@pytest.mark.skipif(os.name == "nt", reason="SIGKILL")
def test_a_killed_writer_leaves_what_it_had_committed(tmp_path: Path) -> None:
    path = tmp_path / "s"
    with State.open(path) as state:
        state.put_files([file_state("a.py")])
    code = (
        "import os, signal, sys; from pathlib import Path; from loregraph.graph.state import *\n"
        "s = State.open(Path(sys.argv[1])); s.put_meta('kept', b'1'); s.commit()\n"
        "s.put_meta('lost', b'x' * 10_000_000)\n"
        "os.kill(os.getpid(), signal.SIGKILL)"
    )
    root = str(Path(__file__).parents[2])
    done = subprocess.run([sys.executable, "-c", code, str(path)], env={**os.environ, "PYTHONPATH": root}, check=False)
    assert done.returncode == -9
    with State.open(path) as state:
        assert state.problems == ()
        assert list(state.files()) == ["a.py"]
        assert state.meta("kept") == b"1" and state.meta("lost") is None


def test_compact_gives_space_back(tmp_path: Path) -> None:
    path = tmp_path / "s"
    with State.open(path) as state:
        state.put_meta("big", b"x" * 5_000_000)
        state.commit()
        state.put_meta("big", None)
        state.compact()
    assert path.stat().st_size < 1_000_000
