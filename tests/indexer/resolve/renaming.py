"""The same project with one folder renamed: nothing but the order of its paths is another one.

What a rule reads of a path may be a folder's name (`src`, `tests`) and how folders lie in one another; what it may not
read is which path comes first. So the layout stays the one of the project as it is: `RenamedLayout` answers for the
new paths what that one answers for the old ones, and edges are compared under the old names.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import msgspec

from loregraph.config import load_settings
from loregraph.graph.model import Edge, External
from loregraph.indexer.discover.files import discover
from loregraph.indexer.discover.layout import ProjectLayout, read_layout
from loregraph.indexer.extract.file import extract
from loregraph.indexer.facts import FileFacts, decode, encode
from loregraph.indexer.languages import registry
from loregraph.indexer.outside.shapes import Shapes
from loregraph.indexer.resolve import Resolution
from loregraph.indexer.resolve.layout import Layout
from loregraph.indexer.source import read_source

MAX_BYTES = 2_000_000

Sources = Mapping[str, tuple[str, bytes]]
"""Path → (language, text)."""


def sources_in(root: Path) -> tuple[dict[str, tuple[str, bytes]], tuple[str, ...]]:
    """The source files of the project at `root`, and all paths that its layout is made of."""
    discovery = discover(root, load_settings(root))
    found: dict[str, tuple[str, bytes]] = {}
    for file in discovery.files:
        if file.language in registry.SUPPORTED:
            text, _ = read_source(root / file.path, MAX_BYTES)
            if text is not None:
                found[file.path] = (file.language, text)
    return found, discovery.paths


def facts_of(sources: Sources) -> dict[str, FileFacts]:
    """Facts as the store gives them back: no two expressions are one object."""
    return {path: decode(encode(extract(path, text, language))) for path, (language, text) in sources.items()}


def layout_of(root: Path, paths: Iterable[str], facts: Mapping[str, FileFacts]) -> ProjectLayout:
    """The layout of a project, with the packages that its files declare."""
    return read_layout(root, paths).with_packages({path: f.package for path, f in facts.items() if f.package})


class Renaming:
    """One folder's new name. Raises ValueError where the new name is taken."""

    def __init__(self, old: str, new: str, paths: Iterable[str]) -> None:
        self.old = old
        self.new = new
        if any(path.startswith(f"{new}/") for path in paths):
            raise ValueError(f"there are files in {new} already: choose another name")

    def there(self, path: str) -> str:
        """The new path of a file or folder."""
        return self._moved(path, self.old, self.new)

    def back(self, path: str) -> str:
        """The old path of a file or folder."""
        return self._moved(path, self.new, self.old)

    def id_back(self, ident: str) -> str:
        """An id as it was: `new/a.py::f` → `old/a.py::f`, `component:new` → `component:old`."""
        if ident.startswith("external:"):
            return ident
        if ident.startswith("component:"):
            return f"component:{self.back(ident.removeprefix('component:'))}"
        path, separator, inner = ident.partition("::")
        return f"{self.back(path)}{separator}{inner}"

    def edges_back(self, edges: Iterable[Edge]) -> list[Edge]:
        """Edges with the ids that their ends had."""
        return [msgspec.structs.replace(e, source=self.id_back(e.source), target=self.id_back(e.target)) for e in edges]

    def sources(self, sources: Sources) -> dict[str, tuple[str, bytes]]:
        """The files under their new paths."""
        return {self.there(path): held for path, held in sources.items()}

    @staticmethod
    def _moved(path: str, old: str, new: str) -> str:
        return f"{new}{path[len(old) :]}" if path == old or path.startswith(f"{old}/") else path


def last(folder: str) -> str:
    """A new place for a folder that sorts last. Its own name stays: rules read `tests` and `src`, and what a module's
    path ends with."""
    return f"z/{folder}"


class RenamedFiles:
    """What a language says of where files are, for the paths that `renaming` gives them."""

    def __init__(self, layout: Any, language: str, renaming: Renaming) -> None:
        self._of = layout
        self._language = language
        self._there = renaming.there
        self._back = renaming.back

    def _file(self, path: str | None) -> str | None:
        return self._there(path) if path is not None else None

    def file_of(self, importing_path: str, module: str) -> str | None:
        return self._file(self._of.file_of(self._back(importing_path), module))

    def package_dir(self, name: str, importing_path: str = "") -> str | None:
        return self._file(self._of.package_dir(name, self._back(importing_path)))

    def package_files(self, name: str) -> tuple[str, ...]:
        own = self._back(name) if self._language == "go" else name
        return tuple(sorted(map(self._there, self._of.package_files(own))))

    def declared_package(self, name: str) -> str | None:
        found: str | None = self._of.declared_package(name)
        return found

    def module_file(self, one: str, other: Any) -> Any:
        if self._language != "rust":
            return self._file(self._of.module_file(one, self._back(other)))
        found = self._of.module_file(self._back(one), other)
        return (self._there(found[0]), found[1]) if found is not None else None

    def absolute(self, importing_path: str, level: int, module: str) -> str | None:
        found: str | None = self._of.absolute(self._back(importing_path), level, module)
        return found

    def type_file(self, dotted: str, importing_path: str = "") -> str | None:
        return self._file(self._of.type_file(dotted, self._back(importing_path)))


class RenamedLayout:
    """`layout` for the paths that `renaming` gives the files."""

    def __init__(self, layout: Layout, renaming: Renaming) -> None:
        self._of = layout
        self._renaming = renaming
        self._there = renaming.there
        self._back = renaming.back

    @property
    def shapes(self) -> Shapes:
        return self._of.shapes

    def component_of(self, path: str) -> str:
        found = self._of.component_of(self._back(path))
        return f"component:{self._there(found.removeprefix('component:'))}"

    def module_name(self, path: str, package: str = "") -> str:
        return self._of.module_name(self._back(path), package)

    def of(self, language: str) -> RenamedFiles:
        return RenamedFiles(self._of.of(language), language, self._renaming)

    def include_file(self, importing_path: str, text: str) -> str | None:
        return self._file(self._of.include_file(self._back(importing_path), text))

    def _file(self, path: str | None) -> str | None:
        return self._there(path) if path is not None else None

    def external_package(self, language: str, module: str, importing_path: str = "") -> str:
        return self._of.external_package(language, module, self._back(importing_path))


Found = tuple[dict[tuple[str, str, str], Edge], dict[str, External]]
"""(relation, source, target) → edge, and id → external symbol."""


def found_by(resolution: Resolution, renaming: Renaming | None = None) -> Found:
    """What a resolution found, under the old names where a folder was renamed."""
    edges = [edge for file in resolution.files.values() for edge in file.edges]
    if renaming is not None:
        edges = renaming.edges_back(edges)
    return {(e.rel, e.source, e.target): e for e in edges}, {e.id: e for e in resolution.externals}
