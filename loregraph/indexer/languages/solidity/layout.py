"""Solidity: which file an import reads, after remappings.txt, foundry.toml and the names of npm packages."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from loregraph.indexer.languages.packaging import layout
from loregraph.indexer.languages.packaging.npm import package_folders, split_specifier
from loregraph.indexer.languages.packaging.reader import PackagingReader, ancestors, folder_of, join, strings

MAX_PATH: Final = 4_096
"""Characters of an import that is looked for: no longer one names a file (PATH_MAX of Linux)."""


class Layout(layout.Layout):
    """Where a project's Solidity files are. Folders are relative to the root; "" is the root."""

    def __init__(self, paths: Iterable[str], packaging: Iterable[str], reader: PackagingReader) -> None:
        self._files = frozenset(path for path in paths if path.endswith(".sol"))
        self._remappings: dict[str, dict[str, str]] = {}
        """Folder with settings → what a path may begin with → what that stands for, relative to the folder."""
        self._packages: dict[str, str] = {}
        """npm's name of a package of the project → its folder."""
        self._lengths: dict[str, list[int]] = {}
        """Folder with settings → the lengths of what a path may begin with, the longest first."""
        if not self._files:
            return
        self._packages = package_folders(packaging, reader)
        for path in packaging:
            name = path.rpartition("/")[2]
            if name == "remappings.txt":
                self._note(folder_of(path), reader.text(path).split())
            elif name == "foundry.toml":
                profiles = reader.toml(path).get("profile")
                chosen = profiles.get("default") if isinstance(profiles, dict) else None
                listed = chosen.get("remappings") if isinstance(chosen, dict) else None
                self._note(folder_of(path), strings(listed))
        for folder, known in self._remappings.items():
            self._lengths[folder] = sorted({len(prefix) for prefix in known}, reverse=True)

    def _note(self, folder: str, lines: Iterable[str]) -> None:
        known = self._remappings.setdefault(folder, {})
        for line in lines:
            prefix, equals, target = line.partition("=")
            if equals and prefix:
                known[prefix.rpartition(":")[2]] = target

    def file_of(self, importing_path: str, module: str) -> str | None:
        """The file that an import reads: beside the importing file, by a remapping, in a library's folder as Foundry
        lays them out, in a package of the project, or from a folder around. None for one that is not the project's."""
        folder = folder_of(importing_path)
        if module.startswith("."):
            return self._known(join(folder, module))
        if len(module) > MAX_PATH:
            return None
        first, _, rest = module.partition("/")
        for around in ancestors(folder):
            candidates = [*self._remapped(around, module), module]
            candidates += [f"{place}/{module}" for place in ("src", "contracts", "lib", "node_modules")]
            candidates += [f"lib/{first}/{place}/{rest}" for place in ("src", "contracts")]
            for candidate in candidates:
                found = self._known(join(around, candidate))
                if found is not None:
                    return found
        name, inner = split_specifier(module)
        package = self._packages.get(name)
        return self._known(join(package, inner)) if package is not None else None

    def external_package(self, module: str) -> str:
        """`@openzeppelin/contracts`, `forge-std`; the host of an address; "" for what is a path."""
        if module.startswith((".", "/", "#")):
            return ""
        if module.startswith(("http:", "https:")):
            return module.partition(":")[2].strip("/").partition("/")[0]
        return split_specifier(module)[0]

    def _remapped(self, folder: str, text: str) -> list[str]:
        """What a path is by the remappings of one folder, by the longest of those that begin it first."""
        known = self._remappings.get(folder, {})
        # By its own beginnings: there may be as many remappings as imports.
        beginnings = ((text[:length], text[length:]) for length in self._lengths.get(folder, ()) if length <= len(text))
        return [known[prefix] + rest for prefix, rest in beginnings if prefix in known]

    def _known(self, path: str | None) -> str | None:
        return path if path in self._files else None
