"""A small indexed project whose pages are asked for without a browser."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from loregraph.cli.main import main
from loregraph.memory.api import ProjectMemory
from loregraph.viewer.application import Service
from loregraph.viewer.security import Access
from loregraph.viewer.served import ServedProject

DESK = Path(__file__).resolve().parents[2] / "fixtures" / "gates" / "base"
PORT = 4321
ORIGIN = f"http://127.0.0.1:{PORT}"


def indexed_desk(folder: Path) -> Path:
    """A copy of the project, indexed without vectors."""
    root = Path(shutil.copytree(DESK, folder / "desk"))
    assert main(["--root", str(root), "index", "--no-embed", "--jobs", "1"], standalone_mode=False) == 0
    return root


@contextmanager
def written_by_ann(folder: Path) -> Iterator[None]:
    """The memories of a data folder of their own; git knows Ann."""
    config = folder / "gitconfig"
    config.write_text("[user]\n\tname = Ann Lee\n\temail = ann@example.org\n", encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GIT_CONFIG_GLOBAL", str(config))
        patch.setenv("GIT_CONFIG_NOSYSTEM", "1")
        patch.setenv("LOREGRAPH_EMBEDDER", "none")
        yield


class Desk:
    """The pages of the project at `root`, as a browser that was let in gets them."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.served = ServedProject(root)
        self.access = Access("t" * 43, PORT)
        service = Service(self.served, self.access)
        self.client = TestClient(service.application(), base_url=ORIGIN, follow_redirects=False)
        self.client.cookies.set(self.access.cookie_name, self.access.session)

    @property
    def memory(self) -> ProjectMemory:
        with self.served.reading() as project:
            return project.memory

    def get(self, path: str, **values: Any) -> Any:
        return self.client.get(path, params=values or None)

    def post(self, action: str, **values: Any) -> Any:
        """A form of our own pages."""
        data = {"key": self.access.key, **values}
        return self.client.post(f"/do/{action}", data=data, headers={"origin": ORIGIN})

    def close(self) -> None:
        self.served.close()
