"""R: what packages are called, and which file `source` runs."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from loregraph.indexer.languages.packaging import layout
from loregraph.indexer.languages.packaging.named import NamedPackages
from loregraph.indexer.languages.packaging.reader import PackagingReader, ancestors, folder_of, join

_NAME: Final = re.compile(r"^Package:[^\S\n]*+([\w.]+)", re.MULTILINE)


class Layout(NamedPackages):
    """The packages of a project and its scripts."""

    def __init__(self, paths: Iterable[str], packaging: Iterable[str], reader: PackagingReader) -> None:
        self._read("DESCRIPTION", _NAME, packaging, reader)
        self._files = layout.Files(paths)

    def declared_package(self, name: str) -> str | None:
        """The name space of the package's `R/`, as extraction calls it by its path."""
        folder = self.folders.get(name)
        if folder is None:
            return None
        return ".".join(f"{part.replace('.', '_')}/" for part in f"{folder}/R".split("/") if part)

    def file_of(self, importing_path: str, module: str) -> str | None:
        """The file of a path that is meant from the working folder, which is the script's or one around it."""
        if not module or module.startswith(("/", "~")) or ":" in module:
            return None
        for around in ancestors(folder_of(importing_path)):
            path = join(around, module)
            if path is not None and path != importing_path and self._files.has(path):
                return path
        return None

    def module_name(self, path: str, package: str) -> str:
        """The name of the package that holds a file, "" for a script."""
        return self.name_around(path)
