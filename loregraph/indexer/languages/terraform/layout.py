"""Terraform: which folders are modules, and which one a module's `source` names."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

from loregraph.indexer.languages.packaging import layout
from loregraph.indexer.languages.packaging.reader import PackagingReader, folder_of, join

_SCHEME: Final = re.compile(r"^(?:\w++::)?(?:\w++://)?(?:[\w.-]++@)?")


class Layout(layout.Layout):
    """A project's modules. Folders are relative to the root; "" is the root."""

    def __init__(self, paths: Iterable[str], packaging: Iterable[str], reader: PackagingReader) -> None:
        self._files: dict[str, list[str]] = {}
        """Folder of a module → its files."""
        for path in sorted(paths):
            if path.endswith((".tf", ".tofu")):
                self._files.setdefault(folder_of(path), []).append(path)

    def packages(self) -> Iterator[layout.Package]:
        for folder in filter(None, self._files):
            yield layout.Package(folder, folder, "terraform-module")

    def module_name(self, path: str, package: str = "") -> str:
        """The folder of a module; "" for the root's."""
        return folder_of(path)

    def package_dir(self, source: str, importing_path: str) -> str | None:
        """The folder of the module that a local path names; None for one that is not the project's."""
        if not source.startswith("."):
            return None
        folder = join(folder_of(importing_path), source.partition("?")[0].replace("//", "/").rstrip("/"))
        return folder if folder in self._files else None

    def package_files(self, folder: str) -> tuple[str, ...]:
        """The files of a module, sorted."""
        return tuple(self._files.get(folder, ()))

    def external_package(self, source: str) -> str:
        """`terraform-aws-modules/vpc/aws` for a module of the registry, host and path of a repository; "" for a local
        path."""
        if source.startswith("."):
            return ""
        text = _SCHEME.sub("", source).partition("?")[0].partition("//")[0]
        return text.removesuffix(".git").replace(":", "/")
