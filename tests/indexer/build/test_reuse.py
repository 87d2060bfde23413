"""A second worktree takes what the first one computed, and its graph is the one that indexing from nothing makes."""

from __future__ import annotations

import errno
import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from loregraph import rooted
from loregraph.config import load_settings
from loregraph.graph.authored import Authored
from loregraph.graph.generation import StoreFolder
from loregraph.graph.model import Memory
from loregraph.graph.snapshots import Snapshots
from loregraph.graph.state import State
from loregraph.indexer.build import reuse, state_update, store_graph
from loregraph.indexer.build.plan import code_version
from loregraph.indexer.build.reuse import Record, last_use
from loregraph.indexer.pipeline import IndexReport, index

from .test_incremental import BASE, Edit, append, edits, kept_in, move, project_in, remove, write

ARRAYS = ("columns.bin", "lexical.bin", "constants.bin")
FILES = len(BASE) - 1
"""go.mod is read for the layout alone."""
ANOTHER = "def price(x):\n    return other(x)\n\n\ndef other(x):\n    return x\n"


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A cache with the graph of the base project; small projects use it, too."""
    folder = tmp_path_factory.mktemp("filled")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(reuse, "LEAST_FILES", 1)
        patch.setenv("LOREGRAPH_CACHE_DIR", str(folder / "cache"))
        run(project_in(folder / "first"), folder / "store")
        yield folder / "cache"


@pytest.fixture
def cache(filled: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of it, which is the user's."""
    return own_cache(filled, tmp_path, monkeypatch)


def own_cache(filled: Path, folder: Path, patch: pytest.MonkeyPatch) -> Path:
    own = folder / "cache"
    shutil.copytree(filled, own)
    patch.setenv("LOREGRAPH_CACHE_DIR", str(own))
    return own


def run(root: Path, store: Path, *, embed: bool = False, full: bool = False, **options: Any) -> IndexReport:
    authored = options.pop("authored", Authored)
    chosen = load_settings(root, store=str(store), **{"cache": True, **options})
    return index(root, chosen, jobs=1, embed=embed, full=full, authored=authored)


def arrays_in(store: Path) -> dict[str, bytes]:
    with StoreFolder(store).lease() as lease:
        return {file.name: file.read_bytes() for file in sorted(lease.path.glob("*.bin"))}


def had(store: Path) -> Record:
    state = State.open_read_only(store / "state.sqlite")
    assert state is not None
    try:
        return last_use(state) or Record()
    finally:
        state.close()


def snapshots_in(cache: Path) -> list[Path]:
    return sorted(path for path in (cache / "snapshots").iterdir() if path.is_dir())


def extracted(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The paths that workers are given from now on."""
    given: list[str] = []
    really = state_update.extract_all

    def noting(root: Path, tasks: Any, *rest: Any, **more: Any) -> None:
        given.extend(task.path for task, _ in tasks)
        really(root, tasks, *rest, **more)

    monkeypatch.setattr(state_update, "extract_all", noting)
    return given


# Verifies REQ-IDX-013, REQ-STO-012.
def test_the_same_files_are_neither_extracted_nor_resolved(
    cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = project_in(tmp_path)
    given = extracted(monkeypatch)
    report = run(root, tmp_path / "second")
    assert given == []
    assert report.resolved == 0
    assert had(tmp_path / "second") == Record(read=FILES, files=FILES, graph="same")
    fresh = run(root, tmp_path / "fresh", cache=False)
    assert len(given) == FILES
    assert arrays_in(tmp_path / "second") == arrays_in(tmp_path / "fresh")
    assert kept_in(tmp_path / "second") == kept_in(tmp_path / "fresh")
    for same in ("files", "functions", "classes", "relationships", "unresolved", "problems", "languages"):
        assert getattr(report, same) == getattr(fresh, same)


# Verifies REQ-IDX-013.
@settings(max_examples=6, deadline=None)
@given(st.lists(edits, min_size=1, max_size=3), st.lists(edits, max_size=2))
def test_any_other_files_give_the_graph_that_indexing_from_nothing_gives(
    filled: Path, changes: list[Edit], later: list[Edit]
) -> None:
    with tempfile.TemporaryDirectory(prefix="loregraph-") as scratch, pytest.MonkeyPatch.context() as patch:
        folder = Path(scratch)
        own_cache(filled, folder, patch)
        root = project_in(folder)
        for step in (changes, later):
            for edit in step:
                edit(root)
            run(root, folder / "second")
        run(root, folder / "fresh", cache=False)
        assert arrays_in(folder / "second") == arrays_in(folder / "fresh")


# Verifies REQ-IDX-013, REQ-IDX-026.
@pytest.mark.parametrize(
    ("edit", "graph", "extracts"),
    [
        (write("src/shop/money.py", ANOTHER), "edit", ["src/shop/money.py"]),
        (append("src/shop/money.py", "# a comment\n"), "edit", ["src/shop/money.py"]),
        (write("docs/notes.md", "# Notes\n\nOther words.\n"), "edit", ["docs/notes.md"]),
        (write("pyproject.toml", '[project]\nname = "other"\nversion = "1"\n'), "", ["pyproject.toml"]),
        (write("src/shop/new.py", ANOTHER), "", ["src/shop/new.py"]),
        (remove("src/shop/base.py"), "", []),
        (move("src/shop/base.py", "src/shop/bases.py"), "", ["src/shop/bases.py"]),
    ],
)
def test_what_differs_is_all_that_is_extracted(
    cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, edit: Edit, graph: str, extracts: list[str]
) -> None:
    root = project_in(tmp_path)
    edit(root)
    given = extracted(monkeypatch)
    run(root, tmp_path / "second")
    assert given == extracts
    assert had(tmp_path / "second").graph == graph
    assert len(snapshots_in(cache)) == (1 if graph else 2)  # edits are not kept
    run(root, tmp_path / "fresh", cache=False)
    assert arrays_in(tmp_path / "second") == arrays_in(tmp_path / "fresh")


def test_a_branch_that_was_indexed_before_is_taken_back(
    cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = project_in(tmp_path)
    run(root, tmp_path / "store")
    for path in ("more.py", "src/shop/further.py"):
        write(path, ANOTHER)(root)
    assert run(root, tmp_path / "store").resolved > 2
    for path in ("more.py", "src/shop/further.py"):
        remove(path)(root)
    assert run(root, tmp_path / "store").resolved == 0
    assert had(tmp_path / "store").graph == "same"
    run(root, tmp_path / "fresh", cache=False)
    assert arrays_in(tmp_path / "store") == arrays_in(tmp_path / "fresh")


# Verifies REQ-IDX-013.
@pytest.mark.parametrize(
    "settings_of_it",
    [
        'exclude = ["web/"]',
        'languages = ["python"]',
        "max_file_bytes = 120",
        '[requirements]\npattern = "REQ-SHOP-001"',
        '[requirements]\nsources = ["docs/requirements.md"]',
        "generated = true",
    ],
)
def test_other_settings_give_their_own_graph(cache: Path, tmp_path: Path, settings_of_it: str) -> None:
    root = project_in(tmp_path)
    write("loregraph.toml", settings_of_it)(root)
    run(root, tmp_path / "second")
    run(root, tmp_path / "fresh", cache=False)
    assert arrays_in(tmp_path / "second") == arrays_in(tmp_path / "fresh")


# Verifies REQ-SRC-007.
def test_vectors_are_taken_with_the_texts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reuse, "LEAST_FILES", 1)
    monkeypatch.setenv("LOREGRAPH_CACHE_DIR", str(tmp_path / "cache"))
    root = project_in(tmp_path)
    run(root, tmp_path / "first", embed=True)
    missing: list[bytes] = []
    really = store_graph.embedded

    def noting(state: State, embedder: Any, keys: Any, *rest: Any) -> dict[bytes, bytes]:
        missing.extend(keys)
        return really(state, embedder, keys, *rest)

    monkeypatch.setattr(store_graph, "embedded", noting)
    run(root, tmp_path / "second", embed=True)
    assert had(tmp_path / "second").graph == "same"
    assert "vectors.bin" in arrays_in(tmp_path / "second")
    assert arrays_in(tmp_path / "second") == arrays_in(tmp_path / "first")
    write("src/shop/new.py", ANOTHER)(root)
    run(root, tmp_path / "second", embed=True)
    assert 0 < len(missing) <= 2
    run(root, tmp_path / "fresh", embed=True, cache=False)
    assert arrays_in(tmp_path / "second") == arrays_in(tmp_path / "fresh")


def test_a_graph_without_vectors_is_not_one_with_them(cache: Path, tmp_path: Path) -> None:
    root = project_in(tmp_path)
    run(root, tmp_path / "second", embed=True)
    documents = sum(path.endswith((".md", ".json", ".toml", ".yaml")) for path in BASE)
    assert had(tmp_path / "second") == Record(read=FILES, files=documents, kept=True)
    assert "vectors.bin" in arrays_in(tmp_path / "second")


def memories() -> Authored:
    memory = Memory("memory:1", "m", "m", "note", "a secret of the first", (), 0.5, "project", "active", "a", "", "")
    return Authored((memory,), (), {"journal": 10})


def test_what_people_wrote_is_not_in_the_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reuse, "LEAST_FILES", 1)
    monkeypatch.setenv("LOREGRAPH_CACHE_DIR", str(tmp_path / "cache"))
    root = project_in(tmp_path)
    run(root, tmp_path / "first", authored=memories)
    assert b"a secret of the first" in arrays_in(tmp_path / "first")["columns.bin"]
    for file in (tmp_path / "cache").rglob("*"):
        assert file.is_dir() or b"a secret of the first" not in file.read_bytes()
    run(root, tmp_path / "second")
    assert had(tmp_path / "second").graph == "same"
    run(root, tmp_path / "fresh", cache=False)
    assert arrays_in(tmp_path / "second") == arrays_in(tmp_path / "fresh")
    run(root, tmp_path / "third", authored=memories)
    assert had(tmp_path / "third").graph == "same"
    assert arrays_in(tmp_path / "third") == arrays_in(tmp_path / "first")


# Verifies REQ-IDX-016.
def test_full_reads_nothing_of_the_cache(cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    given = extracted(monkeypatch)
    run(project_in(tmp_path), tmp_path / "second", full=True)
    assert len(given) == FILES


def test_switched_off_nothing_is_read_or_written(cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = project_in(tmp_path)
    before = [path.stat().st_mtime_ns for path in sorted(cache.rglob("*"))]
    given = extracted(monkeypatch)
    write("src/shop/new.py", ANOTHER)(root)
    run(root, tmp_path / "second", cache=False)
    assert len(given) == FILES + 1
    assert [path.stat().st_mtime_ns for path in sorted(cache.rglob("*"))] == before


# Verifies REQ-SEC-015.
@pytest.mark.parametrize(
    ("name", "damage"),
    [("columns.bin", "flip"), ("lexical.bin", "cut"), ("about", "flip"), ("constants.bin", "remove")]
    + [("state.sqlite", damage) for damage in ("cut", "flip", "remove")],
)
def test_a_damaged_graph_is_not_used(cache: Path, tmp_path: Path, name: str, damage: str) -> None:
    [snapshot] = snapshots_in(cache)
    file = snapshot / name
    content = file.read_bytes()
    if damage == "cut":
        file.write_bytes(content[: len(content) // 2])
    elif damage == "flip":
        # In the state, some pages hold nothing: a byte that is in use.
        at = content.index(b"src/shop/cart.py") if name == "state.sqlite" else len(content) // 2
        file.write_bytes(content[:at] + bytes([content[at] ^ 1]) + content[at + 1 :])
    else:
        file.unlink()
    root = project_in(tmp_path)
    run(root, tmp_path / "second")
    run(root, tmp_path / "fresh", cache=False)
    assert arrays_in(tmp_path / "second") == arrays_in(tmp_path / "fresh")
    run(root, tmp_path / "third")
    assert arrays_in(tmp_path / "third") == arrays_in(tmp_path / "fresh")
    assert had(tmp_path / "third").graph in ("same", "")


# Verifies REQ-SEC-001.
def test_nothing_of_another_repository_is_taken(cache: Path, tmp_path: Path) -> None:
    """A repository with some of the files of a private one learns nothing of the others."""
    root = tmp_path / "hostile"
    for path in ("src/shop/cart.py", "docs/notes.md", "web/index.js", "web/total.js"):
        write(path, BASE[path])(root)
    run(root, tmp_path / "second")
    assert had(tmp_path / "second").files == 4
    for file in (tmp_path / "second").rglob("*"):
        assert file.is_dir() or b"money" not in file.read_bytes().replace(b"shop.money", b"")


# Verifies REQ-SEC-001.
def test_an_edit_leaves_nothing_of_the_file_that_differs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reuse, "LEAST_FILES", 1)
    monkeypatch.setenv("LOREGRAPH_CACHE_DIR", str(tmp_path / "cache"))
    root = project_in(tmp_path)
    write("src/shop/money.py", BASE["src/shop/money.py"].replace("helper", "zyxwsecret"))(root)
    run(root, tmp_path / "first")
    assert b"zyxwsecret" in arrays_in(tmp_path / "first")["columns.bin"]
    write("src/shop/money.py", BASE["src/shop/money.py"])(root)
    run(root, tmp_path / "second")
    assert had(tmp_path / "second").graph == "edit"
    for file in (tmp_path / "second").rglob("*"):
        assert file.is_dir() or b"zyxwsecret" not in file.read_bytes()


def test_two_files_of_one_text_keep_their_own_problems(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cache: Path
) -> None:
    """The hash is of the text, the remark is of the bytes: Windows-1252 here, UTF-8 there."""
    root = project_in(tmp_path)
    (root / "src/shop/base.py").write_bytes("# café\n".encode("cp1252"))
    run(root, tmp_path / "first", full=True)
    (root / "src/shop/base.py").write_bytes("# café\n".encode())
    given = extracted(monkeypatch)
    report = run(root, tmp_path / "second")
    assert "src/shop/base.py" in given
    assert not [problem for problem in report.problems if "Windows-1252" in problem.message]


# Verifies REQ-SEC-017.
def test_a_full_disk_costs_the_cache_and_nothing_else(
    cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = project_in(tmp_path)
    write("src/shop/new.py", ANOTHER)(root)

    def full(base: Path, source: Any, target_base: Path, target: Path, mode: int = 0) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(rooted, "copy", full)
        run(root, tmp_path / "second")
    assert had(tmp_path / "second").problem == "No space left on device"
    assert not had(tmp_path / "second").kept
    assert [path for path in (cache / "snapshots").iterdir() if path.name.startswith("building")] == []
    run(root, tmp_path / "fresh", cache=False)
    assert arrays_in(tmp_path / "second") == arrays_in(tmp_path / "fresh")


def test_a_cache_that_cannot_be_made_costs_nothing_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reuse, "LEAST_FILES", 1)
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("LOREGRAPH_CACHE_DIR", str(tmp_path / "file" / "cache"))
    run(project_in(tmp_path), tmp_path / "store")
    assert "columns.bin" in arrays_in(tmp_path / "store")
    assert had(tmp_path / "store").problem != ""


def test_what_is_too_large_is_not_kept(cache: Path, tmp_path: Path) -> None:
    root = project_in(tmp_path)
    write("src/shop/new.py", ANOTHER)(root)
    run(root, tmp_path / "second", cache_max_bytes=10_000)
    assert "cache_max_bytes is 10,000" in had(tmp_path / "second").problem
    assert len(snapshots_in(cache)) == 1


def test_a_graph_is_found_by_the_code_that_made_it(cache: Path) -> None:
    [snapshot] = snapshots_in(cache)
    version, _, token = snapshot.name.partition("-")
    assert version == code_version()
    assert list(Snapshots(version, 1 << 30).all()) == [token]
    assert Snapshots("0" * 12, 1 << 30).all() == {}
    assert Snapshots("0" * 12, 1 << 30).exact(token) is None
