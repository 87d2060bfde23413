"""A repository puts links, FIFOs and second names where loregraph writes: nothing outside changes and nothing hangs."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from loregraph.cli.main import run as run_command

pytestmark = pytest.mark.skipif(os.name == "nt", reason="links and FIFOs as POSIX has them")

PAYLOAD = "[core]\n\tfsmonitor = touch pwned\n"
GOOD = (
    '{"id":"3f2504e0-4f89-41d3-9a0c-0305e82c3301","kind":"learning","content":"theirs","user_id":"a@example.org",'
    '"project_id":"shop","created_at":"2026-01-01T00:00:00.000000Z","updated_at":"2026-01-01T00:00:00.000000Z"}\n'
)
JOURNAL = [["memory", "list"], ["memory", "add", "a fact"], ["memory", "normalize"], ["index", "--no-embed"]]
STORE = [["index", "--no-embed"], ["callers", "helper"], ["index", "--no-embed", "--full"]]

Run = Callable[..., tuple[int, str]]
Contents = dict[str, bytes | str]


@pytest.fixture(autouse=True)
def surroundings(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    """Folders of the test's own, and an end to a command that waits at a FIFO."""
    monkeypatch.setenv("LOREGRAPH_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")

    def hangs(*_: object) -> None:
        raise AssertionError("the command hangs")

    before = signal.signal(signal.SIGALRM, hangs)
    signal.alarm(120)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A clone with a journal of its own, in which some lines are no memories."""
    folder = tmp_path / "shop"
    (folder / "mem").mkdir(parents=True)
    (folder / ".git").mkdir()
    (folder / "app.py").write_text("def helper():\n    return 1\n\n\ndef main():\n    return helper()\n")
    (folder / "loregraph.toml").write_text('memory_dir = "mem"\nproject_id = "shop"\n')
    (folder / "mem" / "shop.jsonl").write_text(GOOD + PAYLOAD)
    return folder


@pytest.fixture
def outside(tmp_path: Path) -> Path:
    folder = tmp_path / "outside"
    (folder / "folder" / "deep").mkdir(parents=True)
    (folder / "folder" / "deep" / "file").write_bytes(b"deep\n")
    (folder / "folder" / "lease").write_bytes(b"")
    (folder / "config").write_bytes(b"[user]\n\tname = Ann\n")
    return folder


@pytest.fixture
def run(root: Path, capsys: pytest.CaptureFixture[str]) -> Run:
    def call(*words: str) -> tuple[int, str]:
        code = run_command(["--root", str(root), *words])
        return code, capsys.readouterr().err

    return call


def contents(folder: Path) -> Contents:
    """All that is below a folder: names, what files hold, where links lead, modes."""
    found: Contents = {}
    for path in sorted(folder.rglob("*")):
        name = f"{path.relative_to(folder).as_posix()} {path.lstat().st_mode:o}"
        found[name] = path.read_bytes() if path.is_file() else str(path.lstat().st_mode)
    return found


def puts(root: Path, entry: str) -> Path:
    path = root / entry
    path.parent.mkdir(exist_ok=True)
    path.unlink(missing_ok=True)
    return path


def is_clear(code: int, text: str) -> bool:
    """It worked, or ended with one error that says what to do."""
    return code == 0 or (code in (2, 3) and text.count("error:") == 1 and "unexpected" not in text and "hint:" in text)


FILES = {
    "mem/shop.jsonl": JOURNAL,
    "mem/shop.jsonl.rejected": JOURNAL,
    "mem/shop.jsonl.new": JOURNAL,
    "mem/shop.jsonl.lock": JOURNAL,
    "mem/shop.jsonl.access": JOURNAL,
    "mem/shop.jsonl.access.new": JOURNAL,
    "mem/shop.jsonl.access.lock": JOURNAL,
    "mem/shop.jsonl.vectors": JOURNAL,
    "mem/.gitignore": JOURNAL,
    "mem/.gitattributes": JOURNAL,
    ".loregraph/current": STORE,
    ".loregraph/current.new": STORE,
    ".loregraph/.gitignore": STORE,
    ".loregraph/write.lock": STORE,
    ".loregraph/state.sqlite": STORE,
    ".loregraph/state.sqlite-wal": STORE,
    ".loregraph/state.sqlite-journal": STORE,
}
FOLDERS = {
    "mem/snapshots": JOURNAL,
    ".loregraph": STORE,
    ".loregraph/generation-1": STORE,
    ".loregraph/building-1": STORE,
    ".loregraph/trash-1": STORE,
}


# Verifies REQ-SEC-001.
@pytest.mark.parametrize("target", ["config", "missing"])
@pytest.mark.parametrize("entry", FILES)
def test_nothing_is_written_through_a_linked_file(entry: str, target: str, root: Path, outside: Path, run: Run) -> None:
    puts(root, entry).symlink_to(outside / target)
    before = contents(outside)
    for words in FILES[entry]:
        code, text = run(*words)
        assert is_clear(code, text), (words, code, text)
        assert contents(outside) == before, words


# Verifies REQ-SEC-001.
@pytest.mark.parametrize("entry", FOLDERS)
def test_nothing_is_written_or_removed_through_a_linked_folder(entry: str, root: Path, outside: Path, run: Run) -> None:
    puts(root, entry).symlink_to(outside / "folder")
    before = contents(outside)
    for words in FOLDERS[entry]:
        code, text = run(*words)
        assert is_clear(code, text), (words, code, text)
        assert contents(outside) == before, words


@pytest.mark.parametrize("entry", FILES)
def test_a_fifo_stops_nothing(entry: str, root: Path, run: Run) -> None:
    os.mkfifo(puts(root, entry))
    for words in FILES[entry]:
        code, text = run(*words)
        assert is_clear(code, text), (words, code, text)


@pytest.mark.parametrize("entry", ["mem/shop.jsonl", "mem/shop.jsonl.rejected", ".loregraph/state.sqlite"])
def test_a_second_name_of_a_file_outside_is_not_changed(entry: str, root: Path, outside: Path, run: Run) -> None:
    puts(root, entry).hardlink_to(outside / "config")
    before = contents(outside)
    for words in FILES[entry]:
        code, text = run(*words)
        assert is_clear(code, text), (words, code, text)
        assert contents(outside) == before, words


def test_the_folder_of_the_journal_as_a_link_is_ignored(root: Path, outside: Path, run: Run) -> None:
    (root / "mem" / "shop.jsonl").unlink()
    (root / "mem").rmdir()
    (root / "mem").symlink_to(outside / "folder")
    before = contents(outside)
    for words in JOURNAL:
        code, text = run(*words)
        assert is_clear(code, text), (words, code, text)
        assert contents(outside) == before, words
    code, text = run("memory", "add", "a fact")
    assert code == 0 and "memory_dir" in text and "is ignored" in text
    assert contents(outside) == before


def test_a_linked_store_is_refused_by_name_and_its_own_path_is_not(root: Path, tmp_path: Path, run: Run) -> None:
    (tmp_path / "elsewhere").mkdir()
    (root / ".loregraph").symlink_to(tmp_path / "elsewhere")
    code, text = run("index", "--no-embed")
    assert code == 3
    assert ".loregraph is a link" in text
    assert "--store" in text
    (tmp_path / "linked").symlink_to(tmp_path / "elsewhere")
    assert run("--store", str(tmp_path / "linked"), "index", "--no-embed")[0] == 0
    assert (tmp_path / "elsewhere" / "current").is_file()


@pytest.mark.parametrize("name", ["columns.bin", "lexical.bin", "lease"])
@pytest.mark.parametrize("kind", ["link", "fifo"])
def test_a_part_of_a_generation_that_is_no_file_is_built_again(
    name: str, kind: str, root: Path, outside: Path, run: Run
) -> None:
    assert run("index", "--no-embed")[0] == 0
    part = next((root / ".loregraph").glob("generation-*")) / name
    part.unlink()
    if kind == "link":
        part.symlink_to(outside / "config")
    else:
        os.mkfifo(part)
    before = contents(outside)
    for words in (["search", "helper"], ["callers", "helper"]):
        assert is_clear(*run(*words))
    assert run("index", "--no-embed")[0] == 0
    assert run("callers", "helper")[0] == 0
    assert run("search", "helper")[0] == 0
    assert contents(outside) == before


# Verifies REQ-SEC-001.
@pytest.mark.parametrize(
    "words",
    [["export", "--output"], ["check", "--write-baseline"], ["duplicates", "--write-baseline"], ["memory", "export"]],
)
@pytest.mark.parametrize("entry", ["out.json", "reports"])
def test_outputs_follow_no_link_of_the_project(
    words: list[str], entry: str, root: Path, outside: Path, run: Run
) -> None:
    assert run("index", "--no-embed")[0] == 0
    (root / entry).symlink_to(outside / ("config" if entry == "out.json" else "folder"))
    before = contents(outside)
    named = root / entry if entry == "out.json" else root / entry / "out.json"
    code, text = run(*words, str(named))
    assert code == (2 if (words[0], entry) == ("memory", "out.json") else 3)
    assert is_clear(code, text), text
    assert contents(outside) == before
    assert run(*words, str(root / "good.json"))[0] == 0


# Verifies REQ-SEC-005.
@pytest.mark.parametrize(
    "words",
    [["export", "--output"], ["check", "--write-baseline"], ["duplicates", "--write-baseline"], ["memory", "export"]],
)
@pytest.mark.parametrize(
    "entry", [".loregraph/current", ".git/config", "mem/shop.jsonl", "mem/shop.jsonl.backup-1", "mem/snapshots/x.json"]
)
def test_outputs_take_no_place_of_the_stores_the_journals_or_gits(
    words: list[str], entry: str, root: Path, run: Run
) -> None:
    assert run("index", "--no-embed")[0] == 0
    there = (root / entry).read_bytes() if (root / entry).exists() else None
    code, text = run(*words, str(root / entry))
    assert code == 2, text
    assert "is not for outputs" in text
    assert ((root / entry).read_bytes() if (root / entry).exists() else None) == there


# Verifies REQ-SEC-005.
def test_an_export_of_memories_replaces_an_export_and_nothing_else(root: Path, run: Run) -> None:
    out = root / "memories.jsonl"
    assert run("memory", "export", str(out))[0] == 0
    assert run("memory", "add", "another")[0] == 0
    assert run("memory", "export", str(out))[0] == 0
    assert len(out.read_text().splitlines()) == 2
    out.write_text(out.read_text() + GOOD)  # by hand: what is there is nobody's export now
    code, text = run("memory", "export", str(out))
    assert (code, "no export" in text) == (2, True)
    assert out.read_text().endswith(GOOD)
    assert run("memory", "export", str(out), "--replace")[0] == 0
    assert len(out.read_text().splitlines()) == 2
