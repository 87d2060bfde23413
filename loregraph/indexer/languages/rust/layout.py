"""Rust: crates, crate roots and the files of modules, by Cargo's conventions and manifests."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

from msgspec import Struct

from loregraph.indexer.languages.packaging import layout
from loregraph.indexer.languages.packaging.reader import PackagingReader, ancestors, folder_of, join, table

_TARGET_FOLDERS: Final = {"bin": "src/bin", "example": "examples", "test": "tests", "bench": "benches"}
_AUTOMATIC: Final = {"bin": "autobins", "example": "autoexamples", "test": "autotests", "bench": "autobenches"}
_DEPENDENCIES: Final = ("dependencies", "dev-dependencies", "build-dependencies")


class CrateRoot(Struct, frozen=True):
    """The root file of a crate's modules. `folder` contains its modules, `name` is its name in paths."""

    path: str
    folder: str
    name: str
    package: str
    """The folder of its Cargo.toml."""
    is_library: bool


class Layout(layout.Layout):
    """The Rust crates and modules of a project. Folders are relative to the root; "" is the root."""

    def __init__(self, paths: Iterable[str], packaging: Iterable[str], reader: PackagingReader) -> None:
        self._sorted = sorted(path for path in paths if path.endswith(".rs"))
        self._files = frozenset(self._sorted)
        self.names: dict[str, str] = {}
        """Folder of a package → its name."""
        self.requirements: dict[str, tuple[str, ...]] = {}
        self._aliases: dict[str, dict[str, str]] = {}
        """Folder of a package → the crate names its code uses → folders of packages in the project."""
        self._roots: dict[str, CrateRoot] = {}
        manifests = {
            folder_of(path): reader.toml(path) for path in packaging if path.rpartition("/")[2] == "Cargo.toml"
        }
        for folder, data in sorted(manifests.items()):
            self._read_package(folder, data)
        if not self._roots:
            self._assume_roots()
        self._libraries: dict[str, CrateRoot] = {}
        self._library_of = {root.package: root for root in self._roots.values() if root.is_library}
        for root in sorted(self._roots.values(), key=lambda one: (one.folder.count("/"), one.path)):
            if root.is_library:
                self._libraries.setdefault(root.name, root)
        for folder, data in sorted(manifests.items()):
            self._read_dependencies(folder, data, manifests)
        self._by_folder: dict[str, list[CrateRoot]] = {}
        for root in self._roots.values():
            self._by_folder.setdefault(root.folder, []).append(root)
        for roots in self._by_folder.values():
            roots.sort(key=lambda one: (not one.is_library, not one.path.endswith("/main.rs"), one.path))

    def project_name(self, file: str, folder: str) -> str | None:
        """None for a workspace, but at the root."""
        return self.names.get(folder, "" if folder == "" else None)

    def entries(self, folder: str) -> Iterator[tuple[str, str]]:
        """The library of a package."""
        root = self._library_of.get(folder)
        if root is not None:
            yield root.name, root.path

    def module_name(self, path: str, package: str = "") -> str:
        """`crate.module.inner`."""
        root, modules = self._place(path)
        return ".".join([root.name, *modules]) if root else path.removesuffix(".rs").replace("/", ".")

    def module_file(self, importing_path: str, segments: Sequence[str]) -> tuple[str, tuple[str, ...]] | None:
        """The longest prefix of a path that is a module's file, and the remaining segments. See `ProjectLayout`."""
        if not segments:
            return None
        root, modules = self._place(importing_path)
        first = segments[0]
        if first == "crate" or first in ("self", "super"):
            if root is None:
                return None
            return self._descend(root, *_anchored(modules, segments))
        if root is not None:
            child = self._file(root, (*modules, first))
            if child is not None and child != importing_path:
                return self._descend(root, (*modules, first), tuple(segments[1:]))
        library = self._library(first, root)
        if library is not None:
            return self._descend(library, (), tuple(segments[1:]))
        return None

    def external_package(self, module: str) -> str:
        """The crate: the first segment of a path."""
        return module.removeprefix("::").partition("::")[0]

    def _library(self, name: str, root: CrateRoot | None) -> CrateRoot | None:
        """The library known to a crate as `name`."""
        if root is not None:
            folder = self._aliases.get(root.package, {}).get(name)
            if folder is not None:
                return self._library_of.get(folder)
            # A package's binaries and tests see its own library without declaring it.
            own = self._library_of.get(root.package)
            if own is not None and own.name == name:
                return own
        return self._libraries.get(name)

    def _descend(self, root: CrateRoot, modules: tuple[str, ...], rest: tuple[str, ...]) -> tuple[str, tuple[str, ...]]:
        """The deepest file along `modules` + `rest`; whatever remains is inline or an item."""
        whole = (*modules, *rest)
        for count in range(len(whole), 0, -1):
            found = self._file(root, whole[:count])
            if found is not None:
                return found, whole[count:]
        return root.path, whole

    def _file(self, root: CrateRoot, modules: tuple[str, ...]) -> str | None:
        if not modules:
            return root.path
        stem = "/".join((root.folder, *modules)) if root.folder else "/".join(modules)
        for candidate in (f"{stem}.rs", f"{stem}/mod.rs"):
            if candidate in self._files and candidate != root.path:
                return candidate
        return None

    def _place(self, path: str) -> tuple[CrateRoot | None, tuple[str, ...]]:
        """The crate of a file and the path of its module in it."""
        if path in self._roots:
            return self._roots[path], ()
        for folder in ancestors(folder_of(path)):
            roots = self._by_folder.get(folder)
            if roots:
                inner = path[len(folder) :].lstrip("/").removesuffix(".rs")
                inner = inner.removesuffix("/mod")
                return roots[0], tuple(inner.split("/"))
        return None, ()

    def _read_package(self, folder: str, data: dict[str, Any]) -> None:
        package = table(data, "package")
        name = package.get("name")
        if not isinstance(name, str):
            return
        self.names[folder] = name
        crate = name.replace("-", "_")
        library = table(data, "lib")
        library_name = library.get("name", crate)
        self._root(folder, library.get("path", "src/lib.rs"), str(library_name).replace("-", "_"), is_library=True)
        self._root(folder, "src/main.rs", crate)
        build = package.get("build", "build.rs")
        if isinstance(build, str):
            self._root(folder, build, f"{crate}.build")
        for kind, usual in _TARGET_FOLDERS.items():
            rows = data.get(kind)
            for row in rows if isinstance(rows, list) else ():
                target = table(row)
                target_name = str(target.get("name", crate))
                for path in (target.get("path"), f"{usual}/{target_name}.rs", f"{usual}/{target_name}/main.rs"):
                    if isinstance(path, str):
                        self._root(folder, path, target_name.replace("-", "_"))
            if package.get(_AUTOMATIC[kind]) is False:
                continue
            start = join(folder, usual) or usual
            # A file that other targets use as a module (`tests/common.rs`) is also a target of its own to Cargo, so
            # `_file` allows both.
            for path in self._beneath(start):
                inner = path[len(start) + 1 :]
                if "/" not in inner:
                    self._root("", path, inner.removesuffix(".rs").replace("-", "_"), package=folder)
                elif inner.count("/") == 1 and inner.endswith("/main.rs"):
                    self._root("", path, inner.partition("/")[0].replace("-", "_"), package=folder)

    def _beneath(self, folder: str) -> list[str]:
        # "0" is the character after "/".
        return self._sorted[bisect_left(self._sorted, f"{folder}/") : bisect_left(self._sorted, f"{folder}0")]

    def _root(self, folder: str, path: Any, name: str, *, package: str | None = None, is_library: bool = False) -> None:
        full = join(folder, path) if isinstance(path, str) else None
        if full is not None and full in self._files and full not in self._roots:
            owner = folder if package is None else package
            self._roots[full] = CrateRoot(full, folder_of(full), name, owner, is_library)

    def _assume_roots(self) -> None:
        """Crate roots of sources without a Cargo.toml: every lib.rs and main.rs, else each file by itself."""
        for path in self._sorted:
            folder, _, name = path.rpartition("/")
            if name in ("lib.rs", "main.rs"):
                above = folder.removesuffix("src").rstrip("/").rpartition("/")[2]
                crate = above.replace("-", "_") or "crate"
                self._roots[path] = CrateRoot(path, folder, crate, folder, name == "lib.rs")

    def _read_dependencies(self, folder: str, data: dict[str, Any], manifests: dict[str, dict[str, Any]]) -> None:
        shared: dict[str, Any] = {}
        shared_folder = folder
        for around in ancestors(folder):
            if around in manifests and table(manifests[around], "workspace"):
                shared, shared_folder = table(manifests[around], "workspace", "dependencies"), around
                break
        tables = [table(data, key) for key in _DEPENDENCIES]
        for target in table(data, "target").values():
            tables += [table(target, key) for key in _DEPENDENCIES]
        aliases: dict[str, str] = {}
        required = set()
        for dependencies in tables:
            for alias, written in dependencies.items():
                row, start = table(written), folder
                if row.get("workspace") is True:
                    row, start = {**table(shared.get(alias)), **row}, shared_folder
                required.add(str(row.get("package", alias)))
                local = join(start, row["path"]) if isinstance(row.get("path"), str) else None
                if local is None or local not in self.names:
                    continue
                library = self._library_of.get(local)
                renamed = "package" in row
                aliases[alias.replace("-", "_") if renamed or library is None else library.name] = local
        self._aliases[folder] = aliases
        self.requirements[folder] = tuple(sorted(required))


def _anchored(modules: tuple[str, ...], segments: Sequence[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Module path and rest of a path that begins with crate, self or super."""
    base = () if segments[0] == "crate" else modules
    number = 0
    while number < len(segments) and segments[number] in ("crate", "self", "super"):
        if segments[number] == "super":
            base = base[:-1]
        number += 1
    return base, tuple(segments[number:])
