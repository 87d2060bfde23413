"""Dart: packages and libraries, after pubspec.yaml."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from loregraph.indexer.languages.packaging import layout
from loregraph.indexer.languages.packaging.reader import PackagingReader, ancestors, folder_of, is_within, join

_NAME: Final = re.compile(r"^name:[ \t]*[\"']?(\w+)", re.MULTILINE)
_DEPENDENCIES: Final = re.compile(r"^(?:dev_)?dependencies:[ \t]*\n((?:[ \t#][^\n]*\n|\n)*)", re.MULTILINE)
_DEPENDENCY: Final = re.compile(r"^ {2}(\w+):", re.MULTILINE)


class Layout(layout.Layout):
    """The Dart packages of a project. Folders are relative to the root; "" is the root."""

    def __init__(self, paths: Iterable[str], packaging: Iterable[str], reader: PackagingReader) -> None:
        self._files = frozenset(path for path in paths if path.endswith(".dart"))
        self.names: dict[str, str] = {}
        """Folder of a pubspec.yaml → the package's name."""
        self.requirements: dict[str, tuple[str, ...]] = {}
        self._folders: dict[str, list[str]] = {}
        for path in packaging:
            if path.rpartition("/")[2] == "pubspec.yaml":
                self._read(folder_of(path), reader.text(path))
        for folder in sorted(self.names, key=lambda one: (one.count("/"), one)):
            self._folders.setdefault(self.names[folder], []).append(folder)

    def file_of(self, importing_path: str, uri: str) -> str | None:
        """The file of a library or part by its URI: `package:` or relative to the importing file."""
        if uri.startswith("package:"):
            package, _, rest = uri.removeprefix("package:").partition("/")
            importing = folder_of(importing_path)
            folders = sorted(self._folders.get(package, ()), key=lambda folder: not is_within(importing, folder))
            for folder in folders:
                path = join(folder, f"lib/{rest}")
                if path in self._files:
                    return path
            return None
        if ":" in uri:
            return None
        path = join(folder_of(importing_path), uri)
        return path if path in self._files else None

    def module_name(self, path: str, package: str = "") -> str:
        """`http/src/client` for `lib/src/client.dart` of the package `http`, `http/test/client_test` beside `lib`; the
        path alone outside any package."""
        stem = path.removesuffix(".dart")
        folder = next((around for around in ancestors(folder_of(path)) if around in self.names), None)
        if folder is None:
            return stem
        inner = stem[len(folder) :].lstrip("/").removeprefix("lib/")
        return f"{self.names[folder]}/{inner}"

    def external_package(self, uri: str) -> str:
        """`http` for `package:http/http.dart`, `dart:io` itself; "" for a path in the project."""
        if uri.startswith("package:"):
            return uri.removeprefix("package:").partition("/")[0]
        return uri if uri.startswith("dart:") else ""

    def _read(self, folder: str, text: str) -> None:
        match = _NAME.search(text)
        if match is not None:
            self.names[folder] = match[1]
        blocks = "".join(found[1] for found in _DEPENDENCIES.finditer(f"{text}\n"))
        self.requirements[folder] = tuple(sorted(set(_DEPENDENCY.findall(blocks))))
