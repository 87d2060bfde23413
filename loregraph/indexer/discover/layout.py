"""The layout of a project: components, source roots, module names, and how each language's imports map to files.

`read_layout` reads the packaging files once (pyproject.toml, package.json, tsconfig.json, go.mod, Cargo.toml, pom.xml,
…); after that every question is answered from memory. All paths are POSIX and relative to the root. Answers name only
files of the project; what is not in the project is None, and `external_package` says what to call it. A broken
packaging file is a problem in `problems`, never an error. The rules of each language stand in its folder's `layout.py`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from importlib import import_module
from pathlib import Path
from typing import Any, Final

from loregraph.graph.model import Component
from loregraph.indexer import languages
from loregraph.indexer.discover.components import component_folders, find_components
from loregraph.indexer.discover.packaging_files import is_packaging
from loregraph.indexer.languages import registry
from loregraph.indexer.languages.packaging.include import Includes
from loregraph.indexer.languages.packaging.layout import Layout
from loregraph.indexer.languages.packaging.reader import PackagingReader, ancestors, folder_of
from loregraph.indexer.outside.shapes import Shapes, standard_library
from loregraph.indexer.problems import PathProblem

FOLDERS: Final = tuple(sorted({language.layout for language in registry.LANGUAGES if language.layout}))
"""Folders of languages that have a `layout.py`."""


class ProjectLayout:
    """The layout of one project; immutable. Made by `read_layout`."""

    components: tuple[Component, ...]
    """Every component, sorted by id; `component:.` is always included."""
    problems: tuple[PathProblem, ...]

    def __init__(
        self,
        layouts: Mapping[str, Layout],
        components: tuple[Component, ...],
        problems: tuple[PathProblem, ...],
        packages: Mapping[str, str],
        includes: Includes,
    ) -> None:
        self._layouts = layouts
        self._includes = includes
        self.components = components
        self.problems = problems
        self._declared = packages
        self._ids = component_folders(components)
        self._inner: dict[str, str] = {}
        self._shapes: Shapes | None = None

    def with_shapes(self, shapes: Shapes) -> ProjectLayout:
        """The same layout with the declarations of modules outside the project, in addition to the standard
        library's."""
        made = copy(self)
        made._shapes = shapes
        return made

    def with_packages(self, packages: Mapping[str, str]) -> ProjectLayout:
        """The same layout with the package that each file declares (`FileFacts.package`): path → package."""
        layouts = {folder: layout.with_packages(packages) for folder, layout in zip(FOLDERS, self._all(), strict=True)}
        made = ProjectLayout(layouts, self.components, self.problems, dict(packages), self._includes)
        made._shapes = self._shapes
        return made

    @property
    def shapes(self) -> Shapes:
        """The declarations of modules outside the project."""
        return self._shapes or standard_library()

    # Components

    def component_of(self, path: str) -> str:
        """Id of the innermost component that contains the file `path`."""
        return self._component_around(folder_of(path))

    def parent_component(self, component_id: str) -> str | None:
        """Id of the component around a component; None for `component:.`."""
        folder = component_id.removeprefix("component:")
        return None if folder == "." else self._component_around(folder_of(folder))

    def dependencies(self, component_id: str) -> tuple[str, ...]:
        """Names of the packages that a component's packaging files declare as dependencies, sorted; as written there
        (`group:artifact` for Maven and Gradle, module paths for Go), Python's normalised as in PEP 503."""
        folder = component_id.removeprefix("component:")
        folder = "" if folder == "." else folder
        return tuple(sorted({name for one in self._all() for name in one.requirements.get(folder, ())}))

    def _all(self) -> list[Layout]:
        return [self._layouts[folder] for folder in FOLDERS]

    def _component_around(self, folder: str) -> str:
        found = self._inner.get(folder)
        if found is None:
            found = next(self._ids[around] for around in ancestors(folder) if around in self._ids)
            self._inner[folder] = found
        return found

    # Names

    def module_name(self, path: str, package: str = "", language: str = "") -> str:
        """The qualified name of a file in its language; a definition's is `<module_name>.<qualname>`, and `<qualname>`
        alone where this is "".

        Python `flask.app`; Java, Kotlin, Scala, C#, PHP the package (declared, else by folder); Go the folder from
        go.mod (`pkg/http`; the last segment of the module's path for its root); Rust `crate.module`; Dart
        `package/src/library`; JavaScript and TypeScript `@scope/package/path`; C and C++ "", their names are global.
        `package` is what the file declares, `language` what discovery found where the file's name does not tell (a
        script with a `#!` line).
        """
        language = registry.code_of(language or registry.by_path(path) or "")
        known = registry.BY_NAME.get(language)
        if known is None or known.document or known.global_names:
            return ""
        if not known.layout:
            return package
        return self._layouts[known.layout].module_name(path, package or self._declared.get(path, ""))

    def include_file(self, importing_path: str, text: str) -> str | None:
        """File that `#include "x.h"` or `<x.h>` reads, in any language. `text` with its angle brackets; quotes may be
        left out."""
        return self._includes.file(importing_path, text)

    def of(self, language: str) -> Any:
        """What the folder of a language says of where its files are: a `Layout`, with what the language's style of
        imports asks beside (`resolve.layout`)."""
        known = registry.BY_NAME.get(registry.code_of(language))
        return self._layouts[known.layout] if known is not None and known.layout else _PLAIN

    # Outside the project

    def external_package(self, language: str, module: str, importing_path: str = "") -> str:
        """The package in `external:<package>.<name>` for a module that no method above finds.

        Python the top-level module, npm the package with its scope (`node:fs` for Node's own), Go the module's path
        (the import path in the standard library), Rust the crate, Java the package or the group of a declared
        dependency, C and C++ `std`, `libc` or the header's first folder. "" where `module` is a path in the project.
        """
        found: str = self.of(language).external_package(module)
        return found


# Implements REQ-GRA-004.
def read_layout(root: Path, paths: Iterable[str]) -> ProjectLayout:
    """The layout of the project at `root` whose files are `paths` (`Discovery.paths`)."""
    files = sorted(set(paths))
    packaging = [path for path in files if is_packaging(path)]
    reader = PackagingReader(root)
    layouts = {folder: _made(folder, files, packaging, reader) for folder in FOLDERS}
    components = find_components(files, packaging, layouts)
    return ProjectLayout(layouts, components, tuple(sorted(set(reader.problems))), {}, Includes(files))


def remembered_layout(
    root: Path, paths: Iterable[str], components: tuple[Component, ...], packages: Mapping[str, str]
) -> ProjectLayout:
    """The layout of `read_layout` and `with_packages`, where `components` and `packages` are known to be unchanged:
    each language family's part is only read when needed. Has no `problems`."""
    files = sorted(set(paths))
    return ProjectLayout(_LateLayouts(root, files, packages), components, (), packages, Includes(files))


def _made(folder: str, files: Sequence[str], packaging: Sequence[str], reader: PackagingReader) -> Layout:
    made: Layout = import_module(f"{languages.__name__}.{folder}.layout").Layout(files, packaging, reader)
    return made


class _LateLayouts(dict[str, Layout]):
    """The layouts of all folders, each made when it is first asked for."""

    def __init__(self, root: Path, files: Sequence[str], packages: Mapping[str, str]) -> None:
        super().__init__()
        self._files = files
        self._packages = packages
        self._reader = PackagingReader(root)

    def __missing__(self, folder: str) -> Layout:
        packaging = [path for path in self._files if is_packaging(path)]
        found = self[folder] = _made(folder, self._files, packaging, self._reader).with_packages(self._packages)
        return found


_PLAIN: Final = Layout((), (), PackagingReader(Path()))
