"""Packages that a file in their folder names, and that are imported by that name from anywhere (R, Julia)."""

from __future__ import annotations

import re
from collections.abc import Iterable

from loregraph.indexer.languages.packaging.layout import Layout
from loregraph.indexer.languages.packaging.reader import PackagingReader, ancestors, folder_of


class NamedPackages(Layout):
    """What the packages of a project are called. A folder whose file gives no name is none."""

    names: dict[str, str]
    folders: dict[str, str]
    """Name of a package → its folder; of several with a name the first."""

    def _read(self, file: str, pattern: re.Pattern[str], packaging: Iterable[str], reader: PackagingReader) -> None:
        """Read the names from all files called `file`: the first group of `pattern`."""
        self.names, self.folders = {}, {}
        for path in packaging:
            if path.rpartition("/")[2] == file and (match := pattern.search(reader.text(path))) is not None:
                self.names[folder_of(path)] = match[1]
                self.folders.setdefault(match[1], folder_of(path))

    def project_name(self, file: str, folder: str) -> str | None:
        """None where the file gives no name."""
        return self.names.get(folder)

    def name_around(self, path: str) -> str:
        """The name of the innermost package around a file, or ""."""
        return next((self.names[around] for around in ancestors(folder_of(path)) if around in self.names), "")
