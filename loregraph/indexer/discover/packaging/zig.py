"""Zig: resolves `@import("x.zig")` and `@import("name")` without running build.zig."""

from __future__ import annotations

from typing import Final

from loregraph.indexer.discover.packaging.include import IncludeLayout
from loregraph.indexer.discover.packaging.reader import ancestors, folder_of, join

_MADE: Final = frozenset({"builtin", "root"})
"""Modules that the compiler generates for each program."""


def module_file(files: IncludeLayout, importing_path: str, module: str) -> str | None:
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
