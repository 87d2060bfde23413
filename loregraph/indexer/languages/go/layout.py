"""Go: modules and packages, after go.mod."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

from loregraph.indexer.languages.packaging import layout
from loregraph.indexer.languages.packaging.reader import PackagingReader, ancestors, folder_of, is_within, join

_COMMENT: Final = re.compile(r"//[^\n]*")
_MODULE: Final = re.compile(r"^[^\S\n]*+module\s++[\"`]?([^\s\"`]+)", re.MULTILINE)
_BLOCK: Final = re.compile(r"^[^\S\n]*+(require|replace)\s*+\(([^)]*+)(?:\)|\Z)", re.MULTILINE)
_LINE: Final = re.compile(r"^[^\S\n]*+(require|replace)[ \t]++([^\s(][^\n]*+)$", re.MULTILINE)
_VERSION: Final = re.compile(r"^v\d+$")


class Layout(layout.Layout):
    """The Go packages of a project. Folders are relative to the root; "" is the root."""

    def __init__(self, paths: Iterable[str], packaging: Iterable[str], reader: PackagingReader) -> None:
        self._files: dict[str, list[str]] = {}
        for path in sorted(path for path in paths if path.endswith(".go")):
            self._files.setdefault(folder_of(path), []).append(path)
        self.modules: dict[str, str] = {}
        """Folder of a go.mod → its module path."""
        self.requirements: dict[str, tuple[str, ...]] = {}
        self._folders: dict[str, list[str]] = {}
        """Module path → folders that hold it, outermost first."""
        self._replaced: dict[str, str] = {}
        for path in packaging:
            if path.rpartition("/")[2] == "go.mod":
                self._read(folder_of(path), reader.text(path))
        for folder in sorted(self.modules, key=lambda one: (one.count("/"), one)):
            self._folders.setdefault(self.modules[folder], []).append(folder)
        self._required = sorted({name for names in self.requirements.values() for name in names}, key=len, reverse=True)

    precedence = 2

    def packages(self) -> Iterator[layout.Package]:
        for folder in filter(None, self._files):
            yield layout.Package(folder, self.package_name(folder), "go-package")

    def project_name(self, file: str, folder: str) -> str | None:
        return self.package_name(folder) if folder in self.modules else None

    def published(self, folder: str) -> str:
        return self.modules.get(folder, "")

    def entries(self, folder: str) -> Iterator[tuple[str, str]]:
        """The packages of a module by their import paths."""
        module = self.modules[folder]
        for inner in sorted(self._files):
            if self._module_around(inner) == folder:
                below = inner[len(folder) :].strip("/")
                yield (f"{module}/{below}" if below else module), inner

    def module_name(self, path: str, package: str = "") -> str:
        """A file's folder relative to its go.mod; for the module's own folder the last segment of the module's path."""
        return self.package_name(folder_of(path))

    def package_name(self, folder: str) -> str:
        """The same for a folder; its path where no go.mod applies."""
        module = self._module_around(folder)
        if module is None:
            return folder or "main"
        if folder == module:
            parts = [part for part in self.modules[module].split("/") if not _VERSION.match(part)]
            return parts[-1] if parts else self.modules[module]
        return folder[len(module) :].lstrip("/")

    def package_dir(self, import_path: str, importing_path: str = "") -> str | None:
        """The folder of a package by its import path."""
        importing = folder_of(importing_path)
        if import_path.startswith("."):
            folder = join(importing, import_path)
            return folder if folder in self._files else None
        module = import_path
        while module:
            for start in self._folders_of(module, importing):
                folder = join(start, import_path[len(module) :].lstrip("/"))
                if folder in self._files:
                    return folder
            module = module.rpartition("/")[0]
        for around in ancestors(importing):
            for inner in ("vendor", "src"):
                folder = join(around, f"{inner}/{import_path}")
                if folder in self._files:
                    return folder
        # Before modules, or with go.mod left out: packages beside each other.
        return import_path if not self.modules and import_path in self._files else None

    def package_files(self, folder: str) -> tuple[str, ...]:
        """The Go files directly in a folder, tests included, sorted."""
        return tuple(self._files.get(folder, ()))

    def external_package(self, import_path: str) -> str:
        """The module of a package; the import path itself in the standard library."""
        first = import_path.partition("/")[0]
        for module in self._required:
            if import_path == module or import_path.startswith(f"{module}/"):
                return module
        if "." not in first:
            return import_path
        parts = import_path.split("/")
        count = 3 if first in ("github.com", "gitlab.com", "bitbucket.org", "golang.org", "google.golang.org") else 2
        if first == "google.golang.org" or first == "gopkg.in":
            count = 2
        if len(parts) > count and _VERSION.match(parts[count]):
            count += 1
        return "/".join(parts[:count])

    def _module_around(self, folder: str) -> str | None:
        return next((around for around in ancestors(folder) if around in self.modules), None)

    def _folders_of(self, module: str, importing: str) -> list[str]:
        """The folders of a module, those around the importing file first."""
        found = list(self._folders.get(module, ()))
        if module in self._replaced:
            found.append(self._replaced[module])
        return sorted(found, key=lambda folder: not is_within(importing, folder))

    def _read(self, folder: str, text: str) -> None:
        text = _COMMENT.sub("", text)
        match = _MODULE.search(text)
        if match is not None:
            self.modules[folder] = match[1]
        lines = [(kind, line) for kind, body in _BLOCK.findall(text) for line in body.splitlines()]
        lines += _LINE.findall(_BLOCK.sub("", text))
        required = set()
        for kind, line in lines:
            words = [word.strip('"`') for word in line.split()]
            if kind == "require" and words:
                required.add(words[0])
            elif kind == "replace" and "=>" in words:
                target = words[words.index("=>") + 1 :]
                local = join(folder, target[0]) if target and target[0].startswith(".") else None
                if local is not None:
                    self._replaced[words[0]] = local
        self.requirements[folder] = tuple(sorted(required))
