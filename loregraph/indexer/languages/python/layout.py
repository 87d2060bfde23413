"""Python: source roots, module names and absolute imports.

A source root is a folder that is on `sys.path` when the code runs. Those declared in packaging files, `src` folders,
the projects' own folders and the root come first; the folder above a top-level package is one too, and a plain script
finds the modules beside it.
"""

from __future__ import annotations

import keyword
import re
import sys
from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import Any, Final

from loregraph.indexer.languages.packaging import layout
from loregraph.indexer.languages.packaging.reader import (
    PackagingReader,
    ancestors,
    folder_of,
    join,
    strings,
    table,
)

_SUFFIXES: Final = (".py", ".pyw", ".pyi")
_NOT_PACKAGES: Final = frozenset(
    {
        "ci", "bin", "debian", "doc", "docs", "documentation", "manpages", "news", "newsfragments", "changelog", "test",
        "tests", "unit_test", "unit_tests", "integration_tests", "example", "examples", "scripts", "tools", "util",
        "utils", "python", "build", "benchmark", "benchmarks", "exercise", "exercises", "htmlcov", "tasks", "fabfile",
        "site_scons", "services", "packages", "apps", "libs", "projects", "samples", "demo", "demos", "backend",
        "server", "third_party", "vendor", "plugins", "contrib",
    }
)  # fmt: skip
"""First folders of a flat layout that setuptools' automatic discovery excludes, and those of monorepos."""
_CONVENTIONAL: Final = ("src", "lib")
_SETUP_PACKAGE_DIR: Final = re.compile(r"package_dir\s*=\s*\{\s*(['\"])\1\s*:\s*(['\"])(?P<folder>[^'\"]+)\2")
_SETUP_FIND: Final = re.compile(r"find(?:_namespace)?_packages\(\s*(?:where\s*=\s*)?(['\"])(?P<folder>[^'\"]+)\1")
_SETUP_NAME: Final = re.compile(r"\bname\s*=\s*(['\"])(?P<name>[A-Za-z0-9][A-Za-z0-9._-]*)\1")
_SETUP_NEEDS: Final = re.compile(r"\binstall_requires\s*=\s*\[([^\]]*+)\]")
_QUOTED: Final = re.compile(r"['\"]([^'\"\n]++)['\"]")
_SCRIPTS: Final = frozenset({"setup", "conftest", "noxfile", "fabfile", "manage", "tasks"})
_REQUIREMENT: Final = re.compile(r"\s*([A-Za-z0-9][A-Za-z0-9._-]*)")


class Layout(layout.Layout):
    """The Python modules of a project. All folders are relative to the root, "" is the root."""

    def __init__(self, paths: Iterable[str], packaging: Iterable[str], reader: PackagingReader) -> None:
        self._files = frozenset(path for path in paths if path.endswith(_SUFFIXES))
        # An `__init__` at the root makes the project itself a package: nothing in it can import that by name.
        self._packages = frozenset(folder_of(path) for path in self._files if _stem(path) == "__init__") - {""}
        self._folders = frozenset(
            around for folder in {folder_of(path) for path in self._files} for around in ancestors(folder)
        )
        self.names: dict[str, str] = {}
        """Folder of a project → the name of its distribution."""
        self.requirements: dict[str, tuple[str, ...]] = {}
        """Folder of a project → names of the distributions it needs, normalised (PEP 503)."""
        self._scripted: dict[str, str] = {}
        """Folder of a setup.py → the name that it gives."""
        self._projects: set[str] = set()
        self._declared: set[str] = set()
        for path in packaging:
            self._read(path, reader)
        self._conventional = {
            folder
            for folder in self._folders
            if folder.rpartition("/")[2] in _CONVENTIONAL and folder not in self._packages
        }
        tops = {folder_of(package) for package in self._packages} - self._packages
        self._sure = {"", *self._projects, *self._declared, *self._conventional} - self._packages
        self._derived = tops - self._sure
        self._names_by_folder: dict[str, str] = {}
        self._orders: dict[str, tuple[str, ...]] = {}
        self._found: dict[tuple[str, str], str | None] = {}
        self._providers: dict[str, tuple[str, ...]] = {}

    @property
    def roots(self) -> tuple[str, ...]:
        """Every source root, sorted."""
        return tuple(sorted(self._sure | self._derived))

    precedence = 3

    def packages(self) -> Iterator[layout.Package]:
        """Folders with an `__init__` module."""
        for folder in self._packages:
            yield layout.Package(folder, self.package_name(folder), "python-package")

    def project_name(self, file: str, folder: str) -> str | None:
        """None where a pyproject.toml only configures tools."""
        return self.names.get(folder, "") if folder in self._projects else None

    def published(self, folder: str) -> str:
        return _normalised(self.names.get(folder) or self._scripted.get(folder, ""))

    def entries(self, folder: str) -> Iterator[tuple[str, str]]:
        """The packages and modules that a distribution installs: what stands in its source roots, but for what is never
        installed."""
        for root in self.roots:
            below = root[len(folder) :].strip("/").split("/")
            if self._project_around(root) != folder or not _NOT_PACKAGES.isdisjoint(below):
                continue
            for path in sorted(self._tops.get(root, ())):
                name = self.module_name(path)
                if name.partition(".")[0] not in _NOT_PACKAGES and _stem(path) not in _SCRIPTS:
                    yield name, path

    @cached_property
    def _tops(self) -> dict[str, list[str]]:
        """Source root → the files of the packages and modules directly in it."""
        found: dict[str, list[str]] = {}
        for path in self._files:
            folder = folder_of(path)
            if _stem(path) == "__init__":
                if folder_of(folder) not in self._packages and folder in self._packages:
                    found.setdefault(self._root_of(folder), []).append(path)
            elif folder not in self._packages and folder in self._sure:
                found.setdefault(folder, []).append(path)
        return found

    def _project_around(self, folder: str) -> str | None:
        return next((around for around in ancestors(folder) if around in self.names or around in self._scripted), None)

    def module_name(self, path: str, package: str = "") -> str:
        """The dotted name of a module's file; for an `__init__` that of the package."""
        stem = _stem(path)
        package = self.package_name(folder_of(path))
        return package if stem == "__init__" and package else f"{package}.{stem}" if package else stem

    def package_name(self, folder: str) -> str:
        """The dotted name of a folder relative to its source root, "" for a source root itself."""
        name = self._names_by_folder.get(folder)
        if name is None:
            root = self._root_of(folder)
            name = folder[len(root) :].strip("/").replace("/", ".")
            self._names_by_folder[folder] = name
        return name

    def external_package(self, module: str) -> str:
        """The top-level module: `os` for `os.path`."""
        return module.partition(".")[0]

    def absolute(self, importing_path: str, level: int, module: str) -> str | None:
        """The absolute name of a relative import; None where it leaves its source root."""
        if level == 0:
            return module
        package = self.package_name(folder_of(importing_path))
        parts = package.split(".") if package else []
        if level - 1 > len(parts):
            return None
        kept = parts[: len(parts) - (level - 1)]
        return ".".join([*kept, *([module] if module else [])])

    def module_file(self, dotted: str, importing_path: str = "") -> str | None:
        """File of a module or package by its absolute name (`a/b.py`, `a/b/__init__.py`; `.pyi` where there is no
        `.py`). Source roots around `importing_path` win over others. None for a namespace package and for what the
        project does not have."""
        if not dotted:
            return None
        key = (folder_of(importing_path), dotted)
        if key in self._found:
            return self._found[key]
        found = None
        relative = dotted.replace(".", "/")
        for root in self._order(importing_path):
            found = self._file(f"{root}/{relative}" if root else relative)
            if found is not None:
                break
        else:
            for root in self._elsewhere(dotted):
                found = self._file(f"{root}/{relative}" if root else relative)
                if found is not None:
                    break
        self._found[key] = found
        return found

    def package_dir(self, dotted: str, importing_path: str = "") -> str | None:
        """The folder of a package by its absolute name, with or without an `__init__`."""
        if not dotted:
            return None
        relative = dotted.replace(".", "/")
        namespace = None
        for root in (*self._order(importing_path), *self._elsewhere(dotted)):
            folder = f"{root}/{relative}" if root else relative
            if folder in self._packages:
                return folder
            if namespace is None and folder in self._folders:
                namespace = folder
        return namespace

    def _file(self, stem: str) -> str | None:
        # The import system's order: a package before a module of the same name. Stubs where there is no source.
        for candidate in (f"{stem}/__init__.py", f"{stem}.py", f"{stem}.pyw", f"{stem}/__init__.pyi", f"{stem}.pyi"):
            if candidate in self._files:
                return candidate
        return None

    def _root_of(self, folder: str) -> str:
        """The source root of the modules in a folder."""
        base = folder
        while base in self._packages:
            base = folder_of(base)
        if base in self._sure:
            return base
        root = next(around for around in ancestors(base) if around in self._sure)
        between = base[len(root) :].strip("/").split("/")
        sourced = root in self._declared or root in self._conventional
        if base in self._derived and not sourced:
            # A package below folders that are not packages: a namespace package if a real project could ship it so,
            # else the folder above it is the source root.
            is_namespace = root in self._projects and between[0].lower() not in _NOT_PACKAGES
            if not (is_namespace and all(_is_module_name(part) for part in between)):
                return base
        if all(_is_module_name(part) for part in between):
            return root
        return base

    def _order(self, importing_path: str) -> tuple[str, ...]:
        """The source roots available to a file, nearest first."""
        folder = folder_of(importing_path)
        order = self._orders.get(folder)
        if order is None:
            roots = [
                around
                for around in ancestors(folder)
                if around in self._sure
                or around in self._derived
                or (around == folder and folder not in self._packages)
            ]
            # A project's own `src` is on the path of its tests and scripts too.
            for root in tuple(roots):
                roots.extend(
                    sorted(
                        inner
                        for inner in self._declared | self._conventional
                        if folder_of(inner) == root and inner not in roots
                    )
                )
            order = tuple(roots)
            self._orders[folder] = order
        return order

    def _elsewhere(self, dotted: str) -> tuple[str, ...]:
        """Source roots not around the importing file that have a top-level name; none unless it is certain: another
        project's `utils` is not what `import utils` means, and nothing here shadows the standard library."""
        top = dotted.partition(".")[0]
        found = self._providers.get(top)
        if found is None:
            found = ()
            if top not in sys.stdlib_module_names:
                for roots in (self._sure, self._derived):
                    having = [root for root in sorted(roots) if self._provides(root, top)]
                    if having:
                        found = tuple(having) if len(having) == 1 else ()
                        break
            self._providers[top] = found
        return found

    def _provides(self, root: str, top: str) -> bool:
        stem = f"{root}/{top}" if root else top
        return self._file(stem) is not None or (stem in self._folders and root in self._sure)

    def _read(self, path: str, reader: PackagingReader) -> None:
        folder, _, name = path.rpartition("/")
        if name == "pyproject.toml":
            self._read_pyproject(folder, reader.toml(path))
        elif name == "setup.cfg":
            config = reader.ini(path)
            if config.has_section("metadata") or config.has_section("options"):
                self._projects.add(folder)
                self._name(folder, config.get("metadata", "name", fallback=""))
            for line in config.get("options", "package_dir", fallback="").splitlines():
                key, _, value = line.partition("=")
                if not key.strip() and value.strip():
                    self._declare(folder, value.strip())
            self._declare(folder, config.get("options.packages.find", "where", fallback="").strip())
            self._require(folder, config.get("options", "install_requires", fallback="").splitlines())
        elif name.endswith(".txt"):
            self._require(folder, reader.text(path).splitlines())
        elif name == "setup.py":
            self._projects.add(folder)
            text = reader.text(path)
            if (given := _SETUP_NAME.search(text)) is not None:
                self._scripted.setdefault(folder, given["name"])
            for block in _SETUP_NEEDS.findall(text):
                self._require(folder, _QUOTED.findall(block))
            for pattern in (_SETUP_PACKAGE_DIR, _SETUP_FIND):
                for match in pattern.finditer(text):
                    self._declare(folder, match["folder"])

    def _read_pyproject(self, folder: str, data: dict[str, Any]) -> None:
        tool = table(data, "tool")
        project = table(data, "project") or table(tool, "poetry") or table(tool, "flit", "metadata")
        if project or "build-system" in data:
            self._projects.add(folder)
        name = project.get("name", project.get("module", ""))
        self._name(folder, name if isinstance(name, str) else "")
        self._require(folder, strings(project.get("dependencies")))
        self._require(folder, table(tool, "poetry", "dependencies"))
        for extra in (*table(project, "optional-dependencies").values(), *table(data, "dependency-groups").values()):
            self._require(folder, strings(extra))
        for group in table(tool, "poetry", "group").values():
            self._require(folder, table(group, "dependencies"))
        setuptools = table(tool, "setuptools")
        root = table(setuptools, "package-dir").get("")
        for where in (*strings(root), *strings(table(setuptools, "packages", "find").get("where"))):
            self._declare(folder, where)
        packages = table(tool, "poetry").get("packages")
        for package in packages if isinstance(packages, list) else ():
            self._declare(folder, *strings(table(package).get("from")))
        targets = table(tool, "hatch", "build", "targets")
        for target in ("wheel", "editable"):
            for package in strings(table(targets, target).get("packages")):
                self._declare(folder, package.strip("/").rpartition("/")[0])
            for source in strings(table(targets, target).get("sources")):
                self._declare(folder, source)
        for where in (
            *strings(table(tool, "pdm", "build").get("package-dir")),
            *strings(table(tool, "maturin").get("python-source")),
            *strings(table(tool, "uv", "build-backend").get("module-root")),
            *strings(table(tool, "pytest", "ini_options").get("pythonpath")),
        ):
            self._declare(folder, where)

    def _declare(self, folder: str, where: str = "") -> None:
        root = join(folder, where) if where else None
        if root and root != folder and root in self._folders:
            self._declared.add(root)

    def _name(self, folder: str, name: str) -> None:
        if name and folder not in self.names:
            self.names[folder] = name

    def _require(self, folder: str, requirements: Iterable[str]) -> None:
        names = set(self.requirements.get(folder, ()))
        for requirement in requirements:
            match = _REQUIREMENT.match(requirement)
            if match is not None and match[1].lower() != "python":
                names.add(_normalised(match[1]))
        self.requirements[folder] = tuple(sorted(names))


def _normalised(name: str) -> str:
    """The name of a distribution as PEP 503 compares it."""
    return re.sub(r"[-_.]+", "-", name).lower()


def _stem(path: str) -> str:
    name = path[path.rfind("/") + 1 :]
    return name.rpartition(".")[0] or name


def _is_module_name(part: str) -> bool:
    return part.isidentifier() and not keyword.iskeyword(part)
