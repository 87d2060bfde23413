"""The same project with one folder renamed: nothing but the order of its paths is another one.

What a rule reads of a path may be a folder's name (`src`, `tests`) and how folders lie in one another; what it may not
read is which path comes first. So the layout stays the one of the project as it is: `RenamedLayout` answers for the
new paths what that one answers for the old ones, and edges are compared under the old names.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

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


class RenamedLayout:
    """`layout` for the paths that `renaming` gives the files."""

    def __init__(self, layout: Layout, renaming: Renaming) -> None:
        self._of = layout
        self._there = renaming.there
        self._back = renaming.back

    @property
    def shapes(self) -> Shapes:
        return self._of.shapes

    def _file(self, path: str | None) -> str | None:
        return self._there(path) if path is not None else None

    def component_of(self, path: str) -> str:
        found = self._of.component_of(self._back(path))
        return f"component:{self._there(found.removeprefix('component:'))}"

    def module_name(self, path: str, package: str = "") -> str:
        return self._of.module_name(self._back(path), package)

    def python_module_file(self, dotted: str, importing_path: str = "") -> str | None:
        return self._file(self._of.python_module_file(dotted, self._back(importing_path)))

    def python_package_dir(self, dotted: str, importing_path: str = "") -> str | None:
        return self._file(self._of.python_package_dir(dotted, self._back(importing_path)))

    def python_absolute(self, importing_path: str, level: int, module: str) -> str | None:
        return self._of.python_absolute(self._back(importing_path), level, module)

    def node_resolve(self, importing_path: str, specifier: str) -> str | None:
        return self._file(self._of.node_resolve(self._back(importing_path), specifier))

    def go_package_dir(self, import_path: str, importing_path: str = "") -> str | None:
        return self._file(self._of.go_package_dir(import_path, self._back(importing_path)))

    def go_package_files(self, directory: str) -> tuple[str, ...]:
        return tuple(sorted(map(self._there, self._of.go_package_files(self._back(directory)))))

    def rust_module_file(self, importing_path: str, segments: Sequence[str]) -> tuple[str, tuple[str, ...]] | None:
        found = self._of.rust_module_file(self._back(importing_path), segments)
        return (self._there(found[0]), found[1]) if found is not None else None

    def java_type_file(self, dotted: str, importing_path: str = "") -> str | None:
        return self._file(self._of.java_type_file(dotted, self._back(importing_path)))

    def java_package_files(self, package: str) -> tuple[str, ...]:
        return tuple(sorted(map(self._there, self._of.java_package_files(package))))

    def dart_library(self, importing_path: str, uri: str) -> str | None:
        return self._file(self._of.dart_library(self._back(importing_path), uri))

    def lua_module_file(self, importing_path: str, module: str) -> str | None:
        return self._file(self._of.lua_module_file(self._back(importing_path), module))

    def zig_module_file(self, importing_path: str, module: str) -> str | None:
        return self._file(self._of.zig_module_file(self._back(importing_path), module))

    def script_file(self, importing_path: str, text: str) -> str | None:
        return self._file(self._of.script_file(self._back(importing_path), text))

    def include_file(self, importing_path: str, text: str) -> str | None:
        return self._file(self._of.include_file(self._back(importing_path), text))

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
