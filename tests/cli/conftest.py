"""One small project, indexed once, for the tests that only ask."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from loregraph.cli.main import main

from ..shop import SHOP, written
from ..stores import adopted

FILES = {
    **SHOP,
    "shop/money.py": SHOP["shop/money.py"]
    + """

def run() -> None:
    pass
""",
    "shop/jobs.py": """
from shop.cart import checkout


def run() -> float:
    return checkout([1.0])
""",
}


@dataclass(frozen=True)
class Result:
    """What one command line left: exit code and both streams."""

    code: int
    out: str
    err: str


Run = Callable[..., Result]


def write_project(root: Path) -> Path:
    return written(root, FILES)


@pytest.fixture(scope="module", autouse=True)
def _engine_later(_indexed: Path, engine_later: None) -> None:
    """Only the project that all share has the engine's file from the start."""


@pytest.fixture(autouse=True)
def own_environment(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> None:
    """No setting of whoever runs the tests reaches them."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path_factory.mktemp("config")))
    for name in ("LOREGRAPH_STORE", "LOREGRAPH_EMBEDDER", "LOREGRAPH_DEBUG"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    """Runs `loregraph` with the given words in this process."""

    def call(*words: str | Path) -> Result:
        capsys.readouterr()
        code = main([str(word) for word in words], standalone_mode=False)
        captured = capsys.readouterr()
        return Result(code, captured.out, captured.err)

    return call


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project that is not indexed yet, the test's own."""
    return write_project(tmp_path / "project")


@pytest.fixture(scope="session")
def _indexed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = write_project(tmp_path_factory.mktemp("indexed"))
    assert main(["--root", str(root), "index", "--json", "--jobs", "1"], standalone_mode=False) == 0
    return root


@pytest.fixture
def indexed(_indexed: Path) -> Path:
    """An indexed project that tests share and must not change."""
    return _indexed


@pytest.fixture
def copied(_indexed: Path, tmp_path: Path) -> Path:
    """An indexed project that the test may change."""
    return adopted(Path(shutil.copytree(_indexed, tmp_path / "copied")))
