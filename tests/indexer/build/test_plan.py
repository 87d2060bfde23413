"""Facts and graphs made by other code are made again: what that code is, is hashed."""

from __future__ import annotations

import shutil
import subprocess
import sys
from importlib import resources
from pathlib import Path

import pytest

import loregraph
from loregraph.indexer.build import plan

INSTALLED = Path(loregraph.__file__).parent
HASHED = [package.removeprefix("loregraph.") for package in plan.PACKAGES]
MODULES = sorted(
    path.relative_to(INSTALLED).as_posix()
    for package in HASHED
    for suffix in ("*.py", "*.scm", "*.jsonl")
    for path in (INSTALLED / package).rglob(suffix)
)
TOP = sorted(path.name for path in INSTALLED.glob("*.py"))


@pytest.fixture(scope="module")
def copies(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of what is hashed, to change."""
    folder = tmp_path_factory.mktemp("installed")
    for package in HASHED:
        shutil.copytree(INSTALLED / package, folder / package, ignore=shutil.ignore_patterns("__pycache__"))
    return folder


@pytest.fixture(scope="module")
def before(copies: Path) -> dict[str, bytes]:
    """Package → its version before anything changes."""
    return {package: plan.content_of(copies / package) for package in HASHED}


@pytest.mark.parametrize("module", MODULES)
def test_every_module_changes_the_version(copies: Path, before: dict[str, bytes], module: str) -> None:
    package, changed = module.split("/", maxsplit=1)[0], copies / module
    content = changed.read_bytes()
    changed.write_bytes(content[:-1] + bytes([content[-1] ^ 1]) if content else b"\n")
    try:
        assert plan.content_of(copies / package) != before[package]
    finally:
        changed.write_bytes(content)


def test_the_same_content_is_the_same_version(copies: Path, before: dict[str, bytes]) -> None:
    for package, version in before.items():
        module = next(module for module in MODULES if module.startswith(f"{package}/"))
        content = (copies / module).read_bytes()
        (copies / module).write_bytes(content + b"\n")
        (copies / module).write_bytes(content)
        assert plan.content_of(copies / package) == version


@pytest.mark.parametrize("module", TOP)
def test_every_module_above_them_changes_the_version(tmp_path: Path, module: str) -> None:
    for name in TOP:
        shutil.copy(INSTALLED / name, tmp_path / name)
    before = plan.content_of(tmp_path, deep=False)
    (tmp_path / module).write_bytes((INSTALLED / module).read_bytes() + b"\n")
    assert plan.content_of(tmp_path, deep=False) != before


def test_modules_that_exchange_their_contents_change_the_version(copies: Path) -> None:
    one, other = copies / "graph" / "terms.py", copies / "graph" / "embedders.py"
    before, contents = plan.content_of(copies / "graph"), (one.read_bytes(), other.read_bytes())
    one.write_bytes(contents[1])
    other.write_bytes(contents[0])
    try:
        assert plan.content_of(copies / "graph") != before
    finally:
        one.write_bytes(contents[0])
        other.write_bytes(contents[1])


def test_the_version_is_of_the_installed_packages_and_parsers(monkeypatch: pytest.MonkeyPatch) -> None:
    installed = plan.code_version.__wrapped__()
    assert installed == plan.code_version()
    monkeypatch.setattr(plan, "_parsers", lambda: "tree_sitter-0.26.9.dist-info")
    assert plan.code_version.__wrapped__() != installed
    monkeypatch.undo()
    assert "tree_sitter-0." in plan._parsers()
    assert "tree_sitter_language_pack-0." in plan._parsers()
    monkeypatch.setattr(plan, "content_of", lambda package, deep=True: b"another")
    assert plan.code_version.__wrapped__() != installed
    assert {resources.files(package).joinpath("__init__.py").is_file() for package in plan.PACKAGES} == {True}


def test_what_a_worker_loads_is_hashed() -> None:
    """Else a change there would give other facts under the same version."""
    code = """
import sys
from loregraph.indexer.build import workers
from loregraph.indexer.languages import spec_of
from loregraph.indexer.languages.registry import FOLDERS, reader_of
import loregraph.indexer.extract.file, loregraph.indexer.source, loregraph.indexer.requirements.documents
import loregraph.graph.embedders, loregraph.graph.lexical, loregraph.graph.terms
for language in FOLDERS:
    reader_of(language) or spec_of(language)
print(*(name for name in sys.modules if name.split(".")[0] == "loregraph"))
"""
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert "loregraph.indexer.languages.kotlin.expressions" in loaded
    stray = {name for name in loaded if not name.startswith(plan.PACKAGES) and name.count(".") > 1}
    assert not stray, "hash these too"


def test_compiled_modules_beside_their_sources_do_not_change_the_version(tmp_path: Path) -> None:
    (tmp_path / "engine.py").write_text("limit = 8\n", encoding="utf-8")
    before = plan.content_of(tmp_path)
    (tmp_path / "engine.cpython-313-x86_64-linux-gnu.so").write_bytes(b"\x7fELF")
    (tmp_path / "engine.cp313-win_amd64.pyd").write_bytes(b"MZ")
    assert plan.content_of(tmp_path) == before
