"""Protocol Buffers: which file an import reads. The compiler is told folders (`-I`) that imports are below; any folder
around the importing file may be one."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from loregraph.indexer.languages.packaging import layout
from loregraph.indexer.languages.packaging.reader import PackagingReader, ancestors, folder_of, join

ROOTS: Final = ("", "proto", "protos", "pb", "api", "src/main/proto", "third_party")
"""Folders below one around the importing file that imports commonly begin in."""
MAX_PATH: Final = 4_096
"""Characters of an import that is looked for (PATH_MAX of Linux)."""


class Layout(layout.Layout):
    """Where a project's .proto files are."""

    def __init__(self, paths: Iterable[str], packaging: Iterable[str], reader: PackagingReader) -> None:
        self._files = frozenset(path for path in paths if path.endswith(".proto"))

    def file_of(self, importing_path: str, module: str) -> str | None:
        """The file that an import reads; None for one that is not the project's."""
        if len(module) > MAX_PATH or module.startswith(("/", ".")):
            return None
        for around in ancestors(folder_of(importing_path)):
            for root in ROOTS:
                found = join(around, f"{root}/{module}" if root else module)
                if found in self._files:
                    return found
        return None

    def external_package(self, module: str) -> str:
        """The first folder of what other projects declare: `google`."""
        return module.partition("/")[0] if "/" in module else ""
