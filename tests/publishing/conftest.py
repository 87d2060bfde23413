"""A repository with a few commits whose graphs are published."""

from __future__ import annotations

from pathlib import Path

import pytest

from loregraph.project import Project
from tests.conftest import Repository
from tests.shop import SHOP, written


class Shop:
    """A clone of the shop, and what is done with it. Without vectors: they cost a second each time."""

    def __init__(self, repository: Repository) -> None:
        self.repository = repository
        self.root = repository.root
        self.project = Project(repository.root, embedder="none")

    def clone(self, name: str) -> Shop:
        root = self.root.parent / name
        self.repository.git("clone", "-q", str(self.root), str(root))
        return Shop(Repository(root))

    def commit(self, price: float) -> str:
        self.repository.write(
            "shop/extra.py", f"from shop.cart import checkout\n\n\ndef buy():\n    checkout([{price}])\n"
        )
        return self.repository.commit(str(price))

    def callers(self, symbol: str = "round_price") -> list[str]:
        return [hit.id for hit in self.project.callers(symbol)]


@pytest.fixture
def shop(repository: Repository, engine_later: None) -> Shop:
    written(repository.root, SHOP)
    repository.commit("The shop")
    return Shop(repository)


@pytest.fixture
def place(tmp_path: Path) -> Path:
    return tmp_path / "place"


def files_in(folder: Path) -> list[str]:
    """The files below a folder, sorted."""
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())
