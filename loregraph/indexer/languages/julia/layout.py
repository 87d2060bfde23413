"""Julia: what packages are called, and which file `include` reads."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from loregraph.indexer.languages.packaging import layout
from loregraph.indexer.languages.packaging.named import NamedPackages
from loregraph.indexer.languages.packaging.reader import PackagingReader, folder_of, join

_NAME: Final = re.compile(r"^name[^\S\n]*+=[^\S\n]*+\"([\w.]+)\"", re.MULTILINE)


class Layout(NamedPackages):
    """The packages of a project and its files."""

    def __init__(self, paths: Iterable[str], packaging: Iterable[str], reader: PackagingReader) -> None:
        self._read("Project.toml", _NAME, packaging, reader)
        self._files = layout.Files(paths)

    def declared_package(self, name: str) -> str | None:
        """The module of the package's `src/`, as extraction calls it by its path."""
        folder = self.folders.get(name)
        if folder is None:
            return None
        return f"{folder}/src/".lstrip("/").replace(".", "_")

    def file_of(self, importing_path: str, module: str) -> str | None:
        """The file of a path that is meant from the including file's folder."""
        path = join(folder_of(importing_path), module)
        return path if path is not None and path != importing_path and self._files.has(path) else None

    def module_name(self, path: str, package: str) -> str:
        """`Shop.Money` for a file of the package's module `Money`."""
        name = self.name_around(path)
        inner = [part for part in package.split(".")[1:] if part.isidentifier() and part != name]
        return ".".join([name, *inner]) if name else ".".join(inner)
