"""The packages of a project as SCIP's symbols name them: manager, name and version, from its packaging files."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any, Final

from loregraph.graph.columns import GraphColumns
from loregraph.indexer.languages import registry
from loregraph.scip.symbols import Package

_TABLES: Final = (("project",), ("package",), ("tool", "poetry"), ("workspace", "package"), ())
"""Where packaging files in TOML and JSON have the version of the package."""
_MANAGERS: Final = {file.kind: file.manager for file, _ in registry.PACKAGING if file.manager}
_LONGEST: Final = 200
"""Characters of a version."""


class Packages:
    """Finds packages by path. `read` gives the content of a file of the project, None where there is none."""

    def __init__(self, columns: GraphColumns, read: Callable[[str], bytes | None]) -> None:
        self._columns = columns
        self._read = read
        self._components = {
            columns.path(node): node for node in columns.nodes("Component").tolist() if columns.kind(node) in _MANAGERS
        }
        self.of_folder = cache(self._of_folder)

    def of(self, path: str) -> Package:
        """The package of the innermost component around `path` that a packaging file names."""
        for folder in _folders(path):
            if folder in self._components:
                return self.of_folder(folder)
        return Package()

    def _of_folder(self, folder: str) -> Package:
        node = self._components[folder]
        kind = self._columns.kind(node)
        files = [file.name for file, _ in registry.PACKAGING if file.kind == kind]
        below = "" if folder == "." else f"{folder}/"
        name = self._columns.name(node)
        return Package(
            _MANAGERS[kind],
            "" if name == "." else name,
            next((version for file in files if (version := self._version(below + file))), ""),
        )

    def _version(self, path: str) -> str:
        """The version in a packaging file in TOML or JSON; "" where it has none, or another form."""
        ending = path.rpartition(".")[2]
        raw = self._read(path) if ending in ("toml", "json") else None
        if raw is None:
            return ""
        try:
            text = raw.decode()
            said = tomllib.loads(text) if ending == "toml" else json.loads(text)
        except (ValueError, RecursionError):
            return ""
        for table in _TABLES:
            found: Any = said
            for key in (*table, "version"):
                found = found.get(key) if isinstance(found, dict) else None
            if isinstance(found, str):
                return found[:_LONGEST]
        return ""


def _folders(path: str) -> Iterator[str]:
    while path and path != ".":
        yield path
        path = path.rpartition("/")[0]
    yield "."
