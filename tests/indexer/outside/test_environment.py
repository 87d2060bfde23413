"""Stubs and typed packages of the folders that the configuration names."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

import pytest

from loregraph.config import load_settings
from loregraph.graph.columns import GraphColumns
from loregraph.graph.generation import StoreFolder
from loregraph.indexer.outside import environment
from loregraph.indexer.outside.environment import read_environment
from loregraph.indexer.pipeline import index

SESSION = """
from collections.abc import Iterator
from typing import Optional, Type, TypeVar, Union
import re
T = TypeVar("T")
class Session:
    def get(self, entity: Union[Type[T], str], ident: int) -> Optional[T]: ...
    def all(self, entity: type[T]) -> Iterator[T]: ...
    def pattern(self) -> re.Pattern[str]: ...
"""
CODE = """
    from store import Session
    class Item:
        def use(self): pass
    def main(session: Session):
        session.get(Item, 1).use()
        session.pattern().match("a")
    def loop(session: Session):
        for item in session.all(Item): item.use()
    """


def written(root: Path, files: dict[str, str]) -> Path:
    for path, text in files.items():
        target = root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(dedent(text))
    return root


LAYOUTS: dict[str, tuple[str, dict[str, str]]] = {
    "a folder of modules": ("typings", {"typings/store.pyi": SESSION}),
    "a folder of packages": (
        "typings",
        {"typings/store/__init__.pyi": "from .session import *", "typings/store/session.pyi": SESSION},
    ),
    "a package of stubs": (
        "site-packages/store-stubs",
        {"site-packages/store-stubs/__init__.pyi": "from store.session import Session as Session",
         "site-packages/store-stubs/session.pyi": SESSION},
    ),
    "a typed package": (
        "site-packages",
        {"site-packages/store/__init__.py": "from .session import Session", "site-packages/store/py.typed": "",
         "site-packages/store/session.py": SESSION},
    ),
}  # fmt: skip


@pytest.mark.parametrize(("folder", "files"), LAYOUTS.values(), ids=LAYOUTS.keys())
# Verifies REQ-RES-003, REQ-RES-017.
def test_where_stubs_stand(tmp_path: Path, folder: str, files: dict[str, str]) -> None:
    found = read_environment(written(tmp_path, files), [folder])
    assert found.problems == ()
    shape = found.shapes().find("store.Session.get")
    assert shape is not None
    kinds = ["U", [["K", ["T", "T"]]]]
    assert shape.signatures[0][2][0][2] in (kinds, kinds[1][0])
    assert shape.signatures[0][3] == ["T", "T"]
    assert found.shapes().find("store.Session.pattern").signatures[0][3] == "re.Pattern"  # type: ignore[union-attr]
    assert found.shapes().find("re.match") is not None


# Verifies REQ-SEC-010.
def test_what_is_no_stub_is_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    outside = written(tmp_path / "outside", {"secret.pyi": SESSION})
    root = written(tmp_path / "root", {"typings/store.pyi": SESSION, "typings/code.py": SESSION})
    (root / "typings" / "secret.pyi").symlink_to(outside / "secret.pyi")
    (root / "typings" / "linked").symlink_to(outside)
    found = read_environment(root, ["typings", "missing", "typings/linked"])
    assert [p.path for p in found.problems] == ["missing", "typings/linked"]
    shapes = found.shapes()
    assert shapes.find("store.Session.get") is not None
    assert [shapes.find(f"{m}.Session.get") for m in ("code", "secret", "linked.secret")] == [None, None, None]
    monkeypatch.setattr(environment, "MAX_FILES", 1)
    assert "more than 1 files and folders" in read_environment(root, ["typings"]).problems[0].message


# Verifies REQ-RES-003.
def test_the_digest_is_of_what_is_read(tmp_path: Path) -> None:
    root = written(tmp_path, {"typings/store.pyi": SESSION, "typings/store.py": "a = 1"})
    first = read_environment(root, ["typings"]).digest
    written(root, {"typings/store.py": "a = 2", "typings/README": "text"})
    assert read_environment(root, ["typings"]).digest == first
    written(root, {"typings/store.pyi": SESSION + "\n"})
    assert read_environment(root, ["typings"]).digest != first


# Verifies REQ-SEC-002.
def test_a_repository_names_no_folder_outside_itself(tmp_path: Path) -> None:
    root = written(tmp_path / "root", {"loregraph.toml": 'stubs = ["../elsewhere"]'})
    settings = load_settings(root)
    assert settings.stubs == ()
    assert [one.key for one in settings.ignored] == ["stubs"]
    assert load_settings(root, stubs=["../elsewhere"]).stubs == ("../elsewhere",)
    written(root, {"loregraph.toml": 'stubs = [".venv/lib/python3.12/site-packages/store"]'})
    assert load_settings(root).ignored == ()


def calls(root: Path) -> set[tuple[str, str]]:
    with StoreFolder(root / ".loregraph").lease() as lease:
        return {(e.source, e.target) for e in GraphColumns(lease.path).all_edges() if e.rel == "CALLS"}


# Verifies REQ-IDX-011.
def test_stubs_count_where_the_configuration_names_them(tmp_path: Path) -> None:
    root = written(tmp_path, {"m.py": CODE, "site/store.pyi": SESSION})
    use = {("m.py::main", "m.py::Item.use"), ("m.py::loop", "m.py::Item.use")}

    def run() -> int:
        return index(root, load_settings(root), jobs=1, embed=False).generation

    first = run()
    assert not use & calls(root)
    written(root, {"loregraph.toml": 'stubs = ["site"]'})
    second = run()
    assert second > first
    assert use <= calls(root)
    assert ("m.py::main", "external:re.Pattern.match") in calls(root)
    written(root, {"m.py": CODE + "def more(session: Session): session.get(Item, 2).use()\n"})
    third = run()
    assert {*use, ("m.py::more", "m.py::Item.use")} <= calls(root)
    written(root, {"site/store.pyi": SESSION.replace("Iterator[T]", "None")})
    assert run() > third
    assert ("m.py::loop", "m.py::Item.use") not in calls(root)
    assert ("m.py::main", "m.py::Item.use") in calls(root)
