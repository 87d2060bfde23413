"""The layout of a project: components, source roots, module names, and how each language's imports map to files.

`read_layout` reads the packaging files once (pyproject.toml, package.json, tsconfig.json, go.mod, Cargo.toml, pom.xml,
…); after that all answers come from memory. All paths are POSIX and relative to the root. Answers only name files of
the project; for anything else they are None, and `external_package` gives the package. A broken packaging file is a
problem in `problems`, never an error. The rules of each language are in `packaging/`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from copy import copy
from pathlib import Path
from typing import Any, Final

from loregraph.graph.model import Component
from loregraph.indexer.discover.components import Layouts, component_folders, find_components
from loregraph.indexer.discover.packaging import dart, include, is_packaging, lua, node, python, rust, shell, zig
from loregraph.indexer.discover.packaging.dart import DartLayout
from loregraph.indexer.discover.packaging.go import GoLayout
from loregraph.indexer.discover.packaging.include import IncludeLayout
from loregraph.indexer.discover.packaging.jvm import JvmLayout
from loregraph.indexer.discover.packaging.node import NodeLayout
from loregraph.indexer.discover.packaging.python import PythonLayout
from loregraph.indexer.discover.packaging.reader import PackagingReader, ancestors, folder_of
from loregraph.indexer.discover.packaging.rust import RustLayout
from loregraph.indexer.languages import registry
from loregraph.indexer.outside.shapes import Shapes, standard_library
from loregraph.indexer.problems import PathProblem


class ProjectLayout:
    """The layout of one project; immutable. Made by `read_layout`."""

    components: tuple[Component, ...]
    """Every component, sorted by id; `component:.` is always included."""
    problems: tuple[PathProblem, ...]

    def __init__(
        self,
        layouts: Layouts,
        components: tuple[Component, ...],
        problems: tuple[PathProblem, ...],
        packages: Mapping[str, str],
    ) -> None:
        self._layouts = layouts
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
        old = self._layouts
        jvm = old.jvm.with_packages(packages)
        layouts = Layouts(old.python, old.node, old.go, old.rust, jvm, old.include, old.dart)
        made = ProjectLayout(layouts, self.components, self.problems, dict(packages))
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
        layouts = self._layouts
        package = layouts.node.packages.get(folder)
        families = (layouts.python, layouts.go, layouts.rust, layouts.jvm, layouts.dart)
        found = {name for family in families for name in family.requirements.get(folder, ())}
        return tuple(sorted(found.union(package.dependencies if package else ())))

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
        namer = _NAMERS.get(language)
        if namer is not None:
            return namer(self._layouts, path, package or self._declared.get(path, ""))
        return package if language in registry.SOURCES else ""

    # Python

    def python_module_file(self, dotted: str, importing_path: str = "") -> str | None:
        """The file of a module or package by absolute name (`a/b.py`, `a/b/__init__.py`; `.pyi` where there is no
        `.py`).

        Source roots around `importing_path` take precedence. None for a namespace package (see `python_package_dir`)
        and for modules outside the project. Relative imports: see `python_absolute`.
        """
        return self._layouts.python.module_file(dotted, importing_path) if dotted else None

    def python_package_dir(self, dotted: str, importing_path: str = "") -> str | None:
        """The folder of a package, namespace packages included; None where `dotted` is no package of the project."""
        return self._layouts.python.package_dir(dotted, importing_path) if dotted else None

    def python_absolute(self, importing_path: str, level: int, module: str) -> str | None:
        """The absolute dotted name of `from <level dots><module> import …` in a file; None where it leaves the source
        root. "" is the source root itself."""
        return self._layouts.python.absolute(importing_path, level, module)

    # JavaScript and TypeScript

    def node_resolve(self, importing_path: str, specifier: str) -> str | None:
        """The file that an import, require or re-export of `specifier` reads.

        Relative paths, tsconfig paths and baseUrl, `#imports`, packages of the project by name.
        """
        return self._layouts.node.resolve(importing_path, specifier)

    # Go

    def go_package_dir(self, import_path: str, importing_path: str = "") -> str | None:
        """Folder of a Go package of the project, "" for the root."""
        return self._layouts.go.package_dir(import_path, importing_path)

    def go_package_files(self, directory: str) -> tuple[str, ...]:
        """The `.go` files directly in a folder, tests included, sorted."""
        return self._layouts.go.files(directory)

    # Rust

    def rust_module_file(self, importing_path: str, segments: Sequence[str]) -> tuple[str, tuple[str, ...]] | None:
        """The longest prefix of a path that is a module's file, and the remaining segments.

        `segments` may begin with crate, self, super or the name of a crate of the project; otherwise they are tried as
        a module below the importing file's own. `crate::a::Foo` gives (`src/a.rs`, ("Foo",)). A leading `self` or
        `super` is relative to the file's own module: within `mod x {}` the caller removes one `super` first.
        """
        return self._layouts.rust.module_file(importing_path, segments)

    # Java, Kotlin, Scala

    def java_type_file(self, dotted: str, importing_path: str = "") -> str | None:
        """The file that defines a type by its qualified name; `a.Outer.Inner` finds `Outer`'s file."""
        return self._layouts.jvm.type_file(dotted, importing_path)

    def java_package_files(self, package: str) -> tuple[str, ...]:
        """The files of a package, sorted; empty where the project does not have it."""
        return self._layouts.jvm.package_files(package)

    # Dart

    def dart_library(self, importing_path: str, uri: str) -> str | None:
        """The file of a library or part: `package:http/http.dart`, `src/client.dart`."""
        return self._layouts.dart.library(importing_path, uri)

    # Lua, Zig and shell scripts

    def lua_module_file(self, importing_path: str, module: str) -> str | None:
        """The file that `require` loads for a module: `a.b` as `a/b.lua` or `a/b/init.lua` below some root."""
        return lua.module_file(self._layouts.include, importing_path, module)

    def zig_module_file(self, importing_path: str, module: str) -> str | None:
        """The file that `@import` reads: `x.zig` beside the importing file, or the root file of a named module."""
        return zig.module_file(self._layouts.include, importing_path, module)

    def script_file(self, importing_path: str, text: str) -> str | None:
        """The file that a script sources or runs: `./x.sh` from its own folder, `lib/x.sh` from an unknown one."""
        return shell.script_file(self._layouts.include, importing_path, text)

    # C and C++

    def include_file(self, importing_path: str, text: str) -> str | None:
        """The file that `#include "x.h"` or `<x.h>` reads. `text` includes angle brackets; quotes are optional."""
        return self._layouts.include.file(importing_path, text)

    # Outside the project

    def external_package(self, language: str, module: str, importing_path: str = "") -> str:
        """The package in `external:<package>.<name>` for a module that no method above finds.

        Python the top-level module, npm the package with its scope (`node:fs` for Node's own), Go the module's path
        (the import path in the standard library), Rust the crate, Java the package or the group of a declared
        dependency, C and C++ `std`, `libc` or the header's first folder. "" where `module` is a path in the project.
        """
        if language == "go":
            return self._layouts.go.external_package(module)
        if language in _JVM:
            return self._layouts.jvm.external_package(module)
        return _EXTERNAL.get(language, _first_segment)(module)


# Implements REQ-GRA-004.
def read_layout(root: Path, paths: Iterable[str]) -> ProjectLayout:
    """The layout of the project at `root` whose files are `paths` (`Discovery.paths`)."""
    files = sorted(set(paths))
    packaging = [path for path in files if is_packaging(path)]
    reader = PackagingReader(root)
    layouts = Layouts(**{family: made(files, packaging, reader) for family, made in _FAMILIES.items()})
    components = find_components(files, packaging, layouts)
    return ProjectLayout(layouts, components, tuple(sorted(reader.problems)), {})


def remembered_layout(
    root: Path, paths: Iterable[str], components: tuple[Component, ...], packages: Mapping[str, str]
) -> ProjectLayout:
    """The layout of `read_layout` and `with_packages`, where `components` and `packages` are known to be unchanged:
    each language family's part is only read when needed. Has no `problems`."""
    return ProjectLayout(_LateLayouts(root, sorted(set(paths)), packages), components, (), packages)


class _LateLayouts(Layouts):
    """The layouts of all families, each made on first use."""

    def __init__(self, root: Path, files: Sequence[str], packages: Mapping[str, str]) -> None:
        self._files = files
        self._packages = packages
        self._reader = PackagingReader(root)

    def __getattr__(self, name: str) -> Any:
        made = _FAMILIES.get(name)
        if made is None:
            raise AttributeError(name)
        packaging = [path for path in self._files if is_packaging(path)]
        found = made(self._files, packaging, self._reader)
        if isinstance(found, JvmLayout):
            found = found.with_packages(self._packages)
        setattr(self, name, found)
        return found


_FAMILIES: Final[dict[str, Callable[[Sequence[str], Sequence[str], PackagingReader], Any]]] = {
    "python": PythonLayout,
    "node": NodeLayout,
    "go": GoLayout,
    "rust": RustLayout,
    "jvm": JvmLayout,
    "include": IncludeLayout,
    "dart": DartLayout,
}


def _first_segment(module: str) -> str:
    for separator in ("\\", "::", ".", "/"):
        module = module.strip(separator).partition(separator)[0]
    return module


_JVM: Final = ("java", "kotlin", "scala")
_NODE: Final = ("javascript", "typescript", "tsx")

_NAMERS: Final[dict[str, Callable[[Layouts, str, str], str]]] = {
    "python": lambda layouts, path, _: layouts.python.module_name(path),
    "go": lambda layouts, path, _: layouts.go.module_name(path),
    "rust": lambda layouts, path, _: layouts.rust.module_name(path),
    "dart": lambda layouts, path, _: layouts.dart.module_name(path),
    "elixir": lambda *_: "",
    "lua": lambda _, path, __: lua.module_name(path),
    "c": lambda *_: "",
    "cpp": lambda *_: "",
    **dict.fromkeys(_NODE, lambda layouts, path, _: layouts.node.module_name(path)),
    **dict.fromkeys(_JVM, lambda layouts, path, package: package or layouts.jvm.package_of(path)),
}

_EXTERNAL: Final[dict[str, Callable[[str], str]]] = {
    "python": python.external_package,
    "rust": rust.external_package,
    "dart": dart.external_package,
    "c": include.external_package,
    "cpp": include.external_package,
    "bash": lambda _: "",
    **dict.fromkeys(_NODE, node.external_package),
}
