"""What tests of all packages share: a git repository to make changes in, and what makes indexing cheap."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# Tests time nothing: how long an example takes says how busy the machine is.
settings.register_profile("loregraph", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("loregraph")


@pytest.fixture(scope="session", autouse=True)
def _data_folder_of_the_tests(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """What loregraph keeps for a user is not kept for whoever runs the tests."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("LOREGRAPH_HOME", str(tmp_path_factory.mktemp("data")))
        # What one test indexed is not taken by another: tests of the cache have one of their own.
        patch.setenv("LOREGRAPH_CACHE", "false")
        patch.delenv("LOREGRAPH_TRUST", raising=False)
        yield


@pytest.fixture(scope="session")
def parsers() -> None:
    """The parsers and queries that fixtures need most, loaded in this process: workers are forked from it and have
    them, where each would load them again for its few files."""
    from loregraph.indexer.extract.file import extract

    for language in ("python", "javascript", "typescript", "go", "java", "rust"):
        extract("a", b"", language)


@pytest.fixture(scope="module")
def engine_later(parsers: None) -> Iterator[None]:
    """The engine's file is left to the first query, as it is after every index but the first: it is made of the
    columns, and costs more than all the rest of indexing a small project."""
    from loregraph.graph import engine_build, store

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(engine_build, "build", lambda _: store.engine_identity())
        yield


NOT_INSTALLED = "not installed; `python3 run.py integration` does it"


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "integration(module): needs this module of the extra `integration`")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Files with tests of servers come last: drivers leave threads behind, with which workers cannot be forked, and
    each index of a later test would start its own."""
    last = {item.path for item in items if item.get_closest_marker("integration")}
    items.sort(key=lambda item: item.path in last)


def pytest_runtest_setup(item: pytest.Item) -> None:
    for mark in item.iter_markers("integration"):
        (module,) = mark.args
        if find_spec(module) is None:
            pytest.skip(f"{module} is {NOT_INSTALLED}")


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    left_out = [report for report in terminalreporter.stats.get("skipped", ()) if NOT_INSTALLED in str(report.longrepr)]
    if left_out:
        terminalreporter.write_line(f"{len(left_out)} tests of servers were skipped: what they need is {NOT_INSTALLED}")


@dataclass(frozen=True)
class Repository:
    root: Path

    def git(self, *arguments: str) -> str:
        done = subprocess.run(["git", *arguments], cwd=self.root, check=True, capture_output=True, text=True)
        return done.stdout.strip()

    def write(self, path: str, text: str) -> None:
        (self.root / path).parent.mkdir(parents=True, exist_ok=True)
        (self.root / path).write_text(text, encoding="utf-8")

    def replace(self, path: str, old: str, new: str) -> None:
        text = (self.root / path).read_text(encoding="utf-8")
        assert old in text
        self.write(path, text.replace(old, new))

    def commit(self, message: str = "x") -> str:
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", message)
        return self.git("rev-parse", "HEAD")


@pytest.fixture
def git_identity(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """Commits by nobody in particular, under no configuration of the machine."""
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(tmp_path_factory.mktemp("git") / "config"))
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    for role in ("AUTHOR", "COMMITTER"):
        monkeypatch.setenv(f"GIT_{role}_NAME", "A")
        monkeypatch.setenv(f"GIT_{role}_EMAIL", "a@example.com")


@pytest.fixture
def repository(tmp_path: Path, git_identity: None) -> Repository:
    if shutil.which("git") is None:
        pytest.skip("git is not installed")
    root = tmp_path / "repository"
    root.mkdir()
    made = Repository(root)
    made.git("init", "-q")
    return made
