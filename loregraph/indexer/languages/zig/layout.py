"""Zig: resolves `@import("x.zig")` and `@import("name")` without running build.zig."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from loregraph.indexer.languages.packaging import layout
from loregraph.indexer.languages.packaging.reader import PackagingReader, ancestors, folder_of, join

_MADE: Final = frozenset({"builtin", "root"})
"""Modules that the compiler generates for each program."""


class Layout(layout.Layout):
    """Where a project's modules are."""

    def __init__(self, paths: Iterable[str], packaging: Iterable[str], reader: PackagingReader) -> None:
        self._files = layout.Files(paths)

    def file_of(self, importing_path: str, module: str) -> str | None:
        """The file that `@import` reads."""
        return _module_file(self._files, importing_path, module)


def _module_file(files: layout.Files, importing_path: str, module: str) -> str | None:
    """The file of a module: a path beside the importing file, or the file with its name in a conventional place
    (`src/name.zig`, `name/name.zig`), nearest first. None for a module outside the project."""
    folder = folder_of(importing_path)
    if module.endswith(".zig"):
        path = join(folder, module)
        return path if path is not None and files.has(path) else None
    if not module.isidentifier() or module in _MADE:
        return None
    for around in ancestors(folder):
        for place in ("src", module, "lib", f"lib/{module}", ""):
            path = join(around, f"{place}/{module}.zig" if place else f"{module}.zig")
            if path is not None and files.has(path):
                return path
    return None
