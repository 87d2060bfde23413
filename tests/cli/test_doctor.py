"""`doctor`."""

from __future__ import annotations

import json
from importlib.machinery import ExtensionFileLoader
from pathlib import Path

import pytest

from loregraph import doctor
from loregraph.config import load_settings, store_path
from loregraph.doctor import Check
from loregraph.graph.generation import StoreFolder
from loregraph.indexer.build import reuse
from loregraph.indexer.resolve import engine

from .conftest import Run


def test_doctor_tries_everything(run: Run, indexed: Path) -> None:
    result = run("--root", indexed, "doctor", "--json")
    checks = {check["name"]: check for check in json.loads(result.out)}
    assert result.code == 0
    assert {"python", "grammars", "engine", "embedder", "git", "store", "locks"} <= set(checks)
    assert {check["status"] for check in checks.values()} <= {"ok", "warning"}
    assert all(set(check) == {"name", "status", "detail", "suggestion"} for check in checks.values())


def test_doctor_says_whether_compiled_code_runs(run: Run, project: Path) -> None:
    def said() -> str:
        checks = json.loads(run("--root", project, "doctor", "--json").out)
        return str(next(check["detail"] for check in checks if check["name"] == "code"))

    loader = ExtensionFileLoader(engine.__name__, "engine.so")
    compiled = isinstance(engine.__loader__, ExtensionFileLoader)
    assert said().startswith("compiled, " if compiled else "plain Python")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(engine, "__loader__", loader)
        assert said().startswith("compiled, ")


# Verifies REQ-CLI-011.
def test_what_does_not_work_is_said_with_what_to_do(
    run: Run, project: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("LOREGRAPH_EMBEDDER", f"fastembed:{tmp_path / 'nosuch'}")
    result = run("--root", project, "doctor", "--json")
    checks = {check["name"]: check for check in json.loads(result.out)}
    assert checks["embedder"]["status"] == "failed"
    assert checks["embedder"]["suggestion"] != ""
    assert result.code == 3


def test_a_line_a_check_for_people(run: Run, indexed: Path) -> None:
    out = run("--root", indexed, "doctor").out
    assert any(line.split()[:2] == ["ok", "engine"] for line in out.splitlines())


def test_doctor_names_the_hosts_that_start_loregraph(
    run: Run, project: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    monkeypatch.setattr("loregraph.orphans.program", lambda name: None)
    assert doctor.hosts(project).detail.startswith("none starts loregraph")
    run("--root", project, "install", "zed", "--yes")
    found = doctor.hosts(project)
    assert (found.status, found.detail.split(",")[0]) == ("warning", "started by .zed/settings.json")
    monkeypatch.setattr("loregraph.orphans.program", lambda name: f"/bin/{name}")
    assert doctor.hosts(project).status == "ok"


def cache_of(root: Path, store: str = "") -> Check:
    settings = load_settings(root, store=store)
    return doctor.cache(settings, StoreFolder(store_path(root, settings)))


def test_the_cache_is_said_and_cleared(
    run: Run, project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LOREGRAPH_CACHE_DIR", str(tmp_path / "cache"))
    assert "off (cache = false)" in cache_of(project).detail
    monkeypatch.setenv("LOREGRAPH_CACHE", "true")
    monkeypatch.setattr(reuse, "LEAST_FILES", 1)
    assert cache_of(project).detail == f"{tmp_path / 'cache' / 'snapshots'}: 0 graphs, 0 MB of at most 1,074 MB"
    run("--root", project, "index", "--no-embed")
    said = cache_of(project)
    assert said.status == "ok"
    assert ": 1 graph, " in said.detail
    assert said.detail.endswith("; its own graph was kept")
    run("--root", project, "--store", tmp_path / "store", "index", "--no-embed")
    assert cache_of(project, str(tmp_path / "store")).detail.endswith("; the last index took its whole graph")
    result = run("--root", project, "doctor", "--clear-cache")
    assert result.err.startswith("removed from the cache: ")
    assert any(line.split()[:2] == ["ok", "cache"] for line in result.out.splitlines())
    assert ": 0 graphs, " in cache_of(project).detail


def test_a_cache_that_cannot_be_used_is_said(project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("LOREGRAPH_CACHE_DIR", str(tmp_path / "file" / "cache"))
    monkeypatch.setenv("LOREGRAPH_CACHE", "true")
    said = cache_of(project)
    assert said.status == "warning"
    assert "cannot be written to" in said.detail
    assert "LOREGRAPH_CACHE_DIR" in said.suggestion
