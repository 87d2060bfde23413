"""Lua: resolves `require "a.b"` without the program's `package.path`.

A module's name is a path below some root: the project, `lua/`, `src/`, `lib/`, or any folder around the importing file.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from loregraph.indexer.languages.packaging import layout
from loregraph.indexer.languages.packaging.reader import PackagingReader, ancestors, folder_of, join

ROOTS: Final = ("lua", "src", "lib", "spec", "share/lua/5.1")
"""Folders commonly in `package.path`."""


class Layout(layout.Layout):
    """Where a project's modules are."""

    def __init__(self, paths: Iterable[str], packaging: Iterable[str], reader: PackagingReader) -> None:
        self._files = layout.Files(paths)

    def file_of(self, importing_path: str, module: str) -> str | None:
        """The file that `require` loads."""
        return _module_file(self._files, importing_path, module)

    def module_name(self, path: str, package: str = "") -> str:
        """`telescope.utils` for `lua/telescope/utils.lua`."""
        return _module_name(path)


def _module_file(files: layout.Files, importing_path: str, module: str) -> str | None:
    """The file of a module; a name with a leading dot is relative to the importing file. None for a module outside the
    project, or an ambiguous one."""
    folder = folder_of(importing_path)
    if module.startswith("."):
        return _relative(files, importing_path, module)
    name = module.replace(".", "/").strip("/")
    if not name or "//" in name:
        return None
    for root in _roots(files, folder, "/" in name):
        found = _in(files, root, name)
        if found is not None:
            return found
    if "/" not in name:
        return None
    for ending in (f"{name}.lua", f"{name}/init.lua"):
        listed = files.ending(ending)
        if listed:
            return listed[0] if len(listed) == 1 else None
    return None


def _in(files: layout.Files, root: str, name: str) -> str | None:
    for candidate in (f"{name}.lua", f"{name}/init.lua"):
        path = join(root, candidate)
        if path is not None and files.has(path):
            return path
    return None


def _roots(files: layout.Files, folder: str, several: bool) -> Iterator[str]:
    """Candidate roots for a name, nearest first. A folder that is itself a package is not a root for a plain name:
    `require "cjson"` in `kong/tools/` does not mean `kong/tools/cjson.lua`."""
    for around in ancestors(folder):
        if several or _is_root(files, around):
            yield around
        for root in ROOTS:
            yield f"{around}/{root}" if around else root


def _is_root(files: layout.Files, folder: str) -> bool:
    if not folder:
        return True
    parts = folder.split("/")
    if any(part in ROOTS for part in parts[:-1]):
        return False
    return not any(files.has(f"{'/'.join(parts[:count])}/init.lua") for count in range(1, len(parts) + 1))


def _relative(files: layout.Files, importing_path: str, module: str) -> str | None:
    """`require(... .. ".b")`: below the requiring module, or beside it."""
    name = module.strip(".").replace(".", "/")
    if not name:
        return None
    folder = folder_of(importing_path)
    stem = importing_path.rpartition("/")[2].removesuffix(".lua")
    below = folder if stem == "init" else join(folder, stem)
    found = {_in(files, root, name) for root in (below, folder) if root is not None} - {None}
    return found.pop() if len(found) == 1 else None


def _module_name(path: str) -> str:
    """`telescope.utils` for `lua/telescope/utils.lua`."""
    parts = path.removesuffix(".lua").split("/")
    if len(parts) > 1 and parts[-1] == "init":
        parts.pop()
    if len(parts) > 1 and parts[0] in ROOTS[:3]:
        parts = parts[1:]
    return ".".join(parts)
