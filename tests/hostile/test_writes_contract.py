"""Nothing but `loregraph.rooted` makes, changes or removes a file: read from the syntax of every module."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "loregraph"
MODULES = sorted(path for path in PACKAGE.rglob("*.py") if path != PACKAGE / "rooted.py")

TEMPORARY = "the system's folder for temporary files, under a name that nobody can guess"
LOCK = "its path comes from rooted.lock_path"
ALLOWED = {
    ("graph/cypher_worker.py", "tempfile.TemporaryDirectory"): TEMPORARY,
    ("indexer/revision.py", "tempfile.TemporaryDirectory"): TEMPORARY,
    ("graph/export.py", "tempfile.TemporaryDirectory"): TEMPORARY,
    ("graph/parquet.py", "tempfile.TemporaryDirectory"): TEMPORARY,
    ("publishing/publish.py", "tempfile.TemporaryDirectory"): TEMPORARY,
    ("publishing/pull.py", "tempfile.TemporaryDirectory"): TEMPORARY,
    ("batch/job.py", "tempfile.TemporaryDirectory"): TEMPORARY,
    ("doctor.py", "tempfile.TemporaryDirectory"): TEMPORARY,
    ("mcp_server/probe.py", "tempfile.TemporaryFile"): TEMPORARY,
    ("graph/generation.py", "FileLock"): LOCK,
    ("graph/store.py", "FileLock"): LOCK,
    ("graph/watch_turn.py", "FileLock"): LOCK,
    ("memory/journal_file.py", "FileLock"): LOCK,
    ("memory/access.py", "FileLock"): LOCK,
    ("user_files.py", "FileLock"): LOCK,
    ("bridges/team_file.py", "FileLock"): LOCK,
    ("bridges/team_meta.py", "FileLock"): LOCK,
    ("memory/journal_file.py", "os.ftruncate"): "of a descriptor that rooted.open_append gave",
    (
        "graph/state.py",
        "sqlite3.connect",
    ): "its path has been through rooted.plain, as those that SQLite makes beside it",
    ("cli/main.py", "os.open"): "os.devnull",
    ("pytest_plugin.py", "tempfile.mkdtemp"): TEMPORARY,
    ("runs/coverage_data.py", "sqlite3.connect"): "opened read-only and immutable",
}
"""(module, call) → why it may."""

OF_OS = set(
    "chmod chown ftruncate lchmod link makedirs mkdir mkfifo mknod remove removedirs rename renames replace rmdir "
    "symlink truncate unlink utime".split()
)
OF_PATHS = set("chmod hardlink_to lchmod mkdir rename rmdir symlink_to unlink write_bytes write_text".split())
OF_SHUTIL = set("copy copy2 copyfile copymode copystat copytree make_archive move rmtree unpack_archive".split())
OF_ARRAYS = set("save savez savez_compressed savetxt tofile".split())
WRITE_FLAGS = {"O_WRONLY", "O_RDWR", "O_CREAT", "O_APPEND", "O_TRUNC"}


def writes(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """(line, call) of each call that may make, change or remove a file."""
    for call in ast.walk(tree):
        if not isinstance(call, ast.Call):
            continue
        name = ast.unparse(call.func)
        owner, _, last = name.rpartition(".")
        found = (
            (owner == "os" and last in OF_OS)
            or (owner == "os" and last == "open" and WRITE_FLAGS & words(call))
            or (owner == "shutil" and last in OF_SHUTIL)
            or (owner == "tempfile")
            or (owner == "sqlite3" and last == "connect")
            or (last == "FileLock")
            or (owner in ("np", "numpy") and last in OF_ARRAYS)
            or (last == "tofile")
            or (last == "memmap" and mode_of(call, 2) not in ("r", "c"))
            or (owner and owner not in ("os", "shutil", "rooted") and last in OF_PATHS)
            or (owner and last == "touch" and not call.args)
            # str.replace takes two texts, datetime's and msgspec's name what they replace.
            or (owner and last == "replace" and len(call.args) == 1 and not call.keywords)
            or (last == "open" and owner != "os" and set(mode_of(call, 1 if owner in ("", "io") else 0)) & set("wax+"))
        )
        if found:
            yield call.lineno, name


def words(call: ast.Call) -> set[str]:
    return {node.attr for node in ast.walk(call) if isinstance(node, ast.Attribute)}


def mode_of(call: ast.Call, position: int) -> str:
    given = [keyword.value for keyword in call.keywords if keyword.arg == "mode"] or call.args[position : position + 1]
    return given[0].value if given and isinstance(given[0], ast.Constant) and isinstance(given[0].value, str) else ""


def test_writes_are_seen_in_every_form() -> None:
    source = """
open(path, "w"); path.open("ab"); path.open(mode="r+b"); io.open(p, "x")
os.open(p, os.O_WRONLY | os.O_CREAT); os.unlink(p); os.replace(a, b)
path.write_text(t); path.write_bytes(b); path.touch(); path.mkdir(parents=True); path.unlink(); path.replace(other)
shutil.rmtree(p); shutil.copyfile(a, b); tempfile.mkdtemp(); sqlite3.connect(p); FileLock(p); np.save(p, a)
np.memmap(p, dtype=d, mode="w+"); a.tofile(p)
"""
    assert len(list(writes(ast.parse(source)))) == 21


def test_reads_and_texts_are_no_writes() -> None:
    source = """
open(path); path.open("rb"); os.open(p, os.O_RDONLY); text.replace("a", "b"); at.replace(tzinfo=UTC)
structs.replace(memory, tags=tags); journal.file.replace(data, stamp); rooted.write(base, path, b""); State.open(path)
np.memmap(file, dtype=d, mode="r"); rooted.touch(base, path); os.fdopen(descriptor, "wb")
"""
    assert list(writes(ast.parse(source))) == []


# Verifies REQ-SEC-001.
@pytest.mark.parametrize("module", MODULES, ids=lambda path: path.relative_to(PACKAGE).as_posix())
def test_only_one_module_writes(module: Path) -> None:
    inner = module.relative_to(PACKAGE).as_posix()
    source = module.read_text(encoding="utf-8")
    found = [(line, call) for line, call in writes(ast.parse(source)) if (inner, call) not in ALLOWED]
    assert not found, f"{inner} writes by itself; loregraph.rooted does that: {found}"


def test_every_exception_is_needed() -> None:
    there = {
        (path.relative_to(PACKAGE).as_posix(), call)
        for path in MODULES
        for _, call in writes(ast.parse(path.read_text(encoding="utf-8")))
    }
    assert set(ALLOWED) <= there
