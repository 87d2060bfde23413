"""Where things are in a project: components, source roots, module names, and how each language's imports find files.

`read_layout` reads the packaging files once (pyproject.toml, package.json, tsconfig.json, go.mod, Cargo.toml, pom.xml,
…); after that every question is answered from memory. All paths are POSIX and relative to the root. Answers name only
files of the project; what is not in the project is None, and `external_package` says what to call it. A broken
packaging file is a problem in `problems`, never an error. The rules of each language stand in `packaging/`.
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
    """The layout of one project; answers never change. Made by `read_layout`."""

    components: tuple[Component, ...]
    """Every component, sorted by id; `component:.` is always among them."""
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
        """The same layout knowing what modules outside the project declare, beside the standard library."""
        made = copy(self)
        made._shapes = shapes
        return made

    def with_packages(self, packages: Mapping[str, str]) -> ProjectLayout:
        """The same layout knowing the package that each file declares (`FileFacts.package`): path → package."""
        old = self._layouts
        jvm = old.jvm.with_packages(packages)
        layouts = Layouts(old.python, old.node, old.go, old.rust, jvm, old.include, old.dart)
        made = ProjectLayout(layouts, self.components, self.problems, dict(packages))
        made._shapes = self._shapes
        return made

    @property
    def shapes(self) -> Shapes:
        """What modules outside the project declare."""
        return self._shapes or standard_library()

    # Components

    def component_of(self, path: str) -> str:
        """Id of the innermost component that holds the file `path`."""
        return self._component_around(folder_of(path))

    def parent_component(self, component_id: str) -> str | None:
        """Id of the component around a component; None for `component:.`."""
        folder = component_id.removeprefix("component:")
        return None if folder == "." else self._component_around(folder_of(folder))

    def dependencies(self, component_id: str) -> tuple[str, ...]:
        """Names of the packages that a component's own packaging files declare to need, sorted; as written there
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
        """Qualified name of what the file is to its language; a definition's is `<module_name>.<qualname>`, and
        `<qualname>` alone where this is "".

        Python `flask.app`; Java, Kotlin, Scala, C#, PHP the package (declared, else by folder); Go the folder from
        go.mod (`pkg/http`; the last segment of the module's path for its root); Rust `crate.module`; Dart
        `package/src/library`;
        JavaScript and TypeScript `@scope/package/path`; C and C++ "", their names are global. `package` is what the
        file declares, `language` what discovery found where the name alone does not tell (a script with a `#!` line).
        """
        language = language or registry.by_path(path) or ""
        namer = _NAMERS.get(language)
        if namer is not None:
            return namer(self._layouts, path, package or self._declared.get(path, ""))
        return package if language in registry.SOURCES else ""

    # Python

    def python_module_file(self, dotted: str, importing_path: str = "") -> str | None:
        """File of a module or package (`a/b.py`, `a/b/__init__.py`; `.pyi` where there is no `.py`), absolute name.

        Source roots around `importing_path` win over others. None for a namespace package (see
        `python_package_dir`) and for what is not in the project. Relative imports: see `python_absolute`.
        """
        return self._layouts.python.module_file(dotted, importing_path) if dotted else None

    def python_package_dir(self, dotted: str, importing_path: str = "") -> str | None:
        """Folder of a package, namespace packages included; None where `dotted` is no package of the project."""
        return self._layouts.python.package_dir(dotted, importing_path) if dotted else None

    def python_absolute(self, importing_path: str, level: int, module: str) -> str | None:
        """Absolute dotted name of `from <level dots><module> import …` written in a file; None when it leaves the
        source root. "" means the source root itself."""
        return self._layouts.python.absolute(importing_path, level, module)

    # JavaScript and TypeScript

    def node_resolve(self, importing_path: str, specifier: str) -> str | None:
        """File that an import, require or re-export of `specifier` reads.

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
        """Longest prefix of a path that is a module's file, and the segments left over.

        `segments` may begin with crate, self, super or the name of a crate of the project; else they are tried as a
        module beneath the importing file's own. `crate::a::Foo` gives (`src/a.rs`, ("Foo",)). A leading `self` or
        `super` is meant from the file's own module: within `mod x {}` the caller takes one `super` off first.
        """
        return self._layouts.rust.module_file(importing_path, segments)

    # Java, Kotlin, Scala

    def java_type_file(self, dotted: str, importing_path: str = "") -> str | None:
        """File that holds a type by its qualified name; `a.Outer.Inner` finds `Outer`'s file."""
        return self._layouts.jvm.type_file(dotted, importing_path)

    def java_package_files(self, package: str) -> tuple[str, ...]:
        """Files of a package, sorted; empty where the project does not have it."""
        return self._layouts.jvm.package_files(package)

    # Dart

    def dart_library(self, importing_path: str, uri: str) -> str | None:
        """File of a library or part: `package:http/http.dart`, `src/client.dart`."""
        return self._layouts.dart.library(importing_path, uri)

    # Lua, Zig and shell scripts

    def lua_module_file(self, importing_path: str, module: str) -> str | None:
        """File that `require` loads for a module: `a.b` as `a/b.lua` or `a/b/init.lua` below some root."""
        return lua.module_file(self._layouts.include, importing_path, module)

    def zig_module_file(self, importing_path: str, module: str) -> str | None:
        """File that `@import` reads: `x.zig` beside the importing file, or the one that a module's name is given to."""
        return zig.module_file(self._layouts.include, importing_path, module)

    def script_file(self, importing_path: str, text: str) -> str | None:
        """File that a script sources or runs: `./x.sh` from its own folder, `lib/x.sh` from one that is not known."""
        return shell.script_file(self._layouts.include, importing_path, text)

    # C and C++

    def include_file(self, importing_path: str, text: str) -> str | None:
        """File that `#include "x.h"` or `<x.h>` reads. `text` with its angle brackets; quotes may be left out."""
        return self._layouts.include.file(importing_path, text)

    # What is not in the project

    def external_package(self, language: str, module: str, importing_path: str = "") -> str:
        """Package to put into `external:<package>.<name>` for a module that no method above finds.

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
    """Layout of the project at `root` whose files are `paths` (`Discovery.paths`)."""
    files = sorted(set(paths))
    packaging = [path for path in files if is_packaging(path)]
    reader = PackagingReader(root)
    layouts = Layouts(**{family: made(files, packaging, reader) for family, made in _FAMILIES.items()})
    components = find_components(files, packaging, layouts)
    return ProjectLayout(layouts, components, tuple(sorted(reader.problems)), {})


def remembered_layout(
    root: Path, paths: Iterable[str], components: tuple[Component, ...], packages: Mapping[str, str]
) -> ProjectLayout:
    """The layout that `read_layout` and `with_packages` give, where `components` and `packages` are known to be those
    that they did: what belongs to one family of languages is read when it is asked for. It tells no problems."""
    return ProjectLayout(_LateLayouts(root, sorted(set(paths)), packages), components, (), packages)


class _LateLayouts(Layouts):
    """The layouts of all families, each made when it is first asked for."""

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
