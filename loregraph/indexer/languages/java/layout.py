"""Java, Kotlin and Scala: packages and the files of types.

The declaration in a file decides its package; the folder is only used until declarations are known. So a type is found
by declared package and file name, whatever its source root.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Final

from loregraph.indexer.languages.packaging import layout
from loregraph.indexer.languages.packaging.reader import PackagingReader, ancestors, folder_of, shared_depth

if TYPE_CHECKING:
    from typing import Self
    from xml.etree.ElementTree import Element

SUFFIXES: Final = (".java", ".kt", ".scala")
_SOURCE_ROOT: Final = re.compile(
    r"^(?P<root>(?:.*/)?src/[^/]+/(?:java|kotlin|scala|groovy|resources)(?:-[^/]+)?)(?:/|$)"
)
_PLAIN_ROOT: Final = re.compile(r"^(?P<root>(?:.*/)?(?:src|source|sources|java|test|tests))/")
_TOP_LEVEL: Final = frozenset({"com", "org", "net", "edu", "gov", "io", "de", "fr", "uk", "jp", "javax", "jakarta"})
"""First segments of packages that reveal a source root without a usual name."""
_GRADLE_DEPENDENCY: Final = re.compile(
    r"\b(?:\w*[iI]mplementation|\w*[aA]pi|\w*[cC]ompileOnly|\w*[rR]untimeOnly|\w*[cC]ompile|\w*[aA]nnotationProcessor|ksp"
    r"|kapt|classpath)\s*+(?:\(\s*+)?(?:platform\s*+\(\s*+)?[\"']([\w.-]++):([\w.-]++)(?::[^\"']*+)?[\"']"
)
_GRADLE_NAME: Final = re.compile(r"rootProject\.name\s*=\s*[\"']([^\"']+)[\"']")
_SBT_NAME: Final = re.compile(r"^[^\S\n]*+name\s*+:=\s*+\"([^\"]+)\"", re.MULTILINE)
_STANDARD: Final = ("java", "javax", "jdk", "sun", "kotlin", "scala")


class Layout(layout.Layout):
    """The packages and types of a project. Folders are relative to the root; "" is the root."""

    def __init__(self, paths: Iterable[str], packaging: Iterable[str], reader: PackagingReader) -> None:
        self._files = tuple(sorted(path for path in paths if path.endswith(SUFFIXES)))
        self.names: dict[str, str] = {}
        """Folder of a build file → the name it gives."""
        self.requirements: dict[str, tuple[str, ...]] = {}
        """Folder of a build file → `group:artifact` of what it needs."""
        self._coordinates: dict[str, str] = {}
        """Folder of a pom.xml → `group:artifact` of what it builds."""
        for path in packaging:
            name = path.rpartition("/")[2]
            folder = folder_of(path)
            if name == "pom.xml":
                self._read_pom(folder, reader.xml(path))
            elif name.startswith(("build.gradle", "settings.gradle")):
                self._read_gradle(folder, reader.text(path), _GRADLE_NAME)
            elif name == "build.sbt":
                self._read_gradle(folder, reader.text(path), _SBT_NAME)
        groups = {name.partition(":")[0] for names in self.requirements.values() for name in names}
        self._groups = sorted(groups, key=lambda group: (-len(group), group))
        self._roots: dict[str, str] = {}
        self._packages: dict[str, str] = {}
        self._declare({})

    def with_packages(self, packages: Mapping[str, str]) -> Self:
        """The same with the packages that files declare."""
        other = object.__new__(type(self))
        other.__dict__.update(self.__dict__)
        other._declare(packages)
        return other

    def published(self, folder: str) -> str:
        return self._coordinates.get(folder, "")

    def entries(self, folder: str) -> Iterator[tuple[str, str]]:
        """The packages of an artifact, without those of its tests."""
        found = set()
        for path in self._files:
            inner = folder_of(path)
            around = next((one for one in ancestors(inner) if one in self._coordinates), None)
            if around == folder and self._packages.get(path) and "/src/test/" not in f"/{inner}/":
                found.add((self._packages[path], inner))
        yield from sorted(found)
        # What imports from an artifact of a declared dependency may be called by its group alone.
        yield self._coordinates[folder].partition(":")[0], folder

    precedence = 1
    named_by_package = True

    def packages(self) -> Iterator[layout.Package]:
        """Folders with source files, under the package that the first of these declares."""
        for folder, package in {folder_of(path): self._packages[path] for path in reversed(self._files)}.items():
            if package:
                yield layout.Package(folder, package, "java-package")

    def module_name(self, path: str, package: str) -> str:
        """The package of a file: declared, else by its folder."""
        return package or self._packages.get(path, "") or self._by_folder(path)

    def type_file(self, dotted: str, importing_path: str = "") -> str | None:
        """The file of a type by its qualified name, or of an enclosing type."""
        name = dotted
        while name:
            found = self._types.get(name)
            if found:
                return self._nearest(found, importing_path)
            name = name.rpartition(".")[0]
        return None

    def package_files(self, package: str) -> tuple[str, ...]:
        """Files of a package, sorted."""
        return tuple(self._by_package.get(package, ()))

    def external_package(self, module: str) -> str:
        """`java.util` for `java.util.List`; the group of a declared dependency where it begins the name."""
        parts = [part for part in module.removesuffix(".*").split(".") if part]
        lower = []
        for part in parts:
            if not part[:1].islower():
                break
            lower.append(part)
        if len(lower) == len(parts) and len(parts) > 1 and not module.endswith(".*"):
            # No type in the name: a function or a whole package.
            lower = parts[:-1]
        package = ".".join(lower)
        if parts and parts[0] in _STANDARD:
            return package or parts[0]
        for group in self._groups:
            if package == group or package.startswith(f"{group}."):
                return group
        return package or (parts[0] if parts else "")

    def _declare(self, packages: Mapping[str, str]) -> None:
        types: dict[str, list[str]] = {}
        by_package: dict[str, list[str]] = {}
        known: dict[str, str] = {}
        for path in self._files:
            package = packages[path] if path in packages else self._by_folder(path)
            known[path] = package
            stem = path[path.rfind("/") + 1 : path.rfind(".")]
            types.setdefault(f"{package}.{stem}" if package else stem, []).append(path)
            by_package.setdefault(package, []).append(path)
        self._packages, self._types, self._by_package = known, types, by_package

    def _by_folder(self, path: str) -> str:
        folder = folder_of(path)
        package = self._roots.get(folder)
        if package is None:
            package = _guessed_package(folder)
            self._roots[folder] = package
        return package

    def _nearest(self, paths: list[str], importing_path: str) -> str:
        """Of several files with a type (main and test, several modules), the one nearest to the importing file."""
        if len(paths) == 1 or not importing_path:
            return paths[0]
        return max(paths, key=lambda path: (shared_depth(path, importing_path), [-ord(letter) for letter in path]))

    def _read_pom(self, folder: str, top: Element | None) -> None:
        if top is None:
            return
        name = (top.findtext("artifactId") or "").strip()
        if name:
            self.names[folder] = name
            own = (top.findtext("groupId") or top.findtext("parent/groupId") or "").strip()
            self._coordinates[folder] = f"{own}:{name}"
        found = set()
        for dependency in (*top.findall("dependencies/dependency"), *top.findall("profiles/*/dependencies/dependency")):
            group = (dependency.findtext("groupId") or "").strip()
            artifact = (dependency.findtext("artifactId") or "").strip()
            if group and artifact and "${" not in group:
                found.add(f"{group}:{artifact}")
        self.requirements[folder] = tuple(sorted(found))

    def _read_gradle(self, folder: str, text: str, name: re.Pattern[str]) -> None:
        match = name.search(text)
        if match is not None:
            self.names[folder] = match[1]
        found = {f"{group}:{artifact}" for group, artifact in _GRADLE_DEPENDENCY.findall(text)}
        self.requirements[folder] = tuple(sorted(found | set(self.requirements.get(folder, ()))))


def _guessed_package(folder: str) -> str:
    """The package of a folder by convention: below `src/<set>/java`, else below `src`, else from `com` or `org` on."""
    match = _SOURCE_ROOT.match(folder)
    if match is None:
        parts = folder.split("/")
        for number, part in enumerate(parts):
            if part in _TOP_LEVEL and number + 1 < len(parts):
                return ".".join(parts[number:])
        match = _PLAIN_ROOT.match(f"{folder}/")
        if match is None:
            return ""
    return folder[len(match["root"]) :].strip("/").replace("/", ".")
