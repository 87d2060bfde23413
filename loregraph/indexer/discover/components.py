"""Components: folders that are packages or built on their own, their names, and their contents."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Final

from loregraph.graph.model import Component
from loregraph.indexer.discover.packaging.dart import DartLayout
from loregraph.indexer.discover.packaging.go import GoLayout
from loregraph.indexer.discover.packaging.include import IncludeLayout
from loregraph.indexer.discover.packaging.jvm import JvmLayout
from loregraph.indexer.discover.packaging.node import NodeLayout
from loregraph.indexer.discover.packaging.python import PythonLayout
from loregraph.indexer.discover.packaging.reader import ancestors, folder_of
from loregraph.indexer.discover.packaging.rust import RustLayout
from loregraph.indexer.languages import registry

ROOT_ID: Final = "component:."


class Layouts:
    """The layouts of all language families."""

    def __init__(
        self,
        python: PythonLayout,
        node: NodeLayout,
        go: GoLayout,
        rust: RustLayout,
        jvm: JvmLayout,
        include: IncludeLayout,
        dart: DartLayout,
    ) -> None:
        self.python, self.node, self.go, self.rust, self.jvm, self.include = python, node, go, rust, jvm, include
        self.dart = dart


# Implements REQ-GRA-005.
def find_components(paths: Iterable[str], packaging: Iterable[str], layouts: Layouts) -> tuple[Component, ...]:
    """The components of a project, sorted by id. `paths` are the files in the graph."""
    files = tuple(paths)
    main = _main_languages(files)
    found = _packages(layouts)
    found.update(_building(packaging, layouts, main, found))
    root = found.pop("", None)
    name = root.name if root is not None and root.name else "."
    components = [
        Component(
            id=ROOT_ID,
            name=name,
            qualified_name=name,
            kind=root.kind if root is not None else "project",
            path=".",
            language=root.language if root is not None else main.get("", ""),
        )
    ]
    held = set(main)
    components += [component for folder, component in found.items() if folder in held]
    return tuple(sorted(components, key=lambda component: component.id))


def component_folders(components: Iterable[Component]) -> Mapping[str, str]:
    """Component's folder ("" for the root) → its id."""
    return {("" if component.path == "." else component.path): component.id for component in components}


def _packages(layouts: Layouts) -> dict[str, Component]:
    """Folders that are packages because of their files: Python, Go, Java."""
    found = {}
    for folder, package in layouts.jvm.folders.items():
        if package:
            found[folder] = _component(folder, package.rpartition(".")[2], package, "java-package", "java")
    for folder in layouts.go.folders:
        if folder:
            name = layouts.go.package_name(folder)
            found[folder] = _component(folder, folder.rpartition("/")[2], name, "go-package", "go")
    for folder in layouts.python.packages:
        dotted = layouts.python.package_name(folder)
        found[folder] = _component(folder, folder.rpartition("/")[2], dotted, "python-package", "python")
    return found


def _building(
    packaging: Iterable[str], layouts: Layouts, main: Mapping[str, str], packages: Mapping[str, Component]
) -> dict[str, Component]:
    """Folders that are built on their own, by their packaging files."""
    names = {path: folder_of(path) for path in packaging}
    found: dict[str, Component] = {}
    # The first matching file names the folder; files that only hold settings (a package.json without a name) were
    # removed.
    for file, language in registry.PACKAGING:
        ending, kind = file.name, file.kind
        for path, folder in names.items():
            if folder in found or not path.endswith(ending) or not _is_named(path, ending):
                continue
            name = _declared_name(ending, folder, layouts)
            if name is None:
                continue
            spoken = main.get(folder, "") if language in ("javascript", "cpp", "c", "java") else language
            package = packages.get(folder)
            if kind in ("python-project", "cmake-project", "meson-project") and package is not None:
                # A package whose folder also has build files is named as it is imported.
                continue
            found[folder] = _component(
                folder, name or folder.rpartition("/")[2], name or folder, kind, spoken or language
            )
    return found


def _is_named(path: str, ending: str) -> bool:
    return ending.startswith(".") or path == ending or path.endswith(f"/{ending}")


def _declared_name(ending: str, folder: str, layouts: Layouts) -> str | None:
    """The name that a packaging file gives its folder, "" where it gives none, None where the folder is no
    component."""
    if ending == "package.json":
        package = layouts.node.packages.get(folder)
        builds = package is not None and (package.name or "workspaces" in package.data or package.dependencies)
        return package.name if package is not None and builds else None
    if ending == "Cargo.toml":
        return layouts.rust.names.get(folder, "" if folder == "" else None)
    if ending in ("CMakeLists.txt", "meson.build"):
        return layouts.include.names.get(folder)
    if ending in ("pyproject.toml", "setup.py"):
        return layouts.python.names.get(folder, "") if layouts.python.is_project(folder) else None
    if ending == "go.mod":
        return layouts.go.package_name(folder) if folder in layouts.go.modules else None
    if ending == "pubspec.yaml":
        return layouts.dart.names.get(folder, "")
    return layouts.jvm.names.get(folder, "")


def _component(folder: str, name: str, qualified_name: str, kind: str, language: str) -> Component:
    return Component(
        id=f"component:{folder}", name=name, qualified_name=qualified_name, kind=kind, path=folder, language=language
    )


def _main_languages(files: Iterable[str]) -> dict[str, str]:
    """Folder → the language of most source files in and below it, "" where there are only documents."""
    counts: dict[str, Counter[str]] = {}
    for path in files:
        language = registry.by_path(path) or ""
        for folder in ancestors(folder_of(path)):
            counts.setdefault(folder, Counter())[language] += 1
    main = {}
    for folder, counter in counts.items():
        sources = [(number, name) for name, number in counter.items() if name in registry.SOURCES]
        main[folder] = min(sources, key=lambda row: (-row[0], row[1]))[1] if sources else ""
    return main
