"""C and C++: what `#include` reads, without the compiler's command line."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from loregraph.indexer.languages.packaging import layout
from loregraph.indexer.languages.packaging.include import external_package as header_package
from loregraph.indexer.languages.packaging.reader import PackagingReader, folder_of

_CMAKE_PROJECT: Final = re.compile(r"^[^\S\n]*+project\s*+\(\s*+[\"']?([\w.+-]+)", re.IGNORECASE | re.MULTILINE)
_CMAKE_TARGET: Final = re.compile(
    r"^[^\S\n]*+add_(?:library|executable)\s*+\(\s*+[\"']?([\w.+-]+)", re.IGNORECASE | re.MULTILINE
)
_MESON_PROJECT: Final = re.compile(r"^[^\S\n]*+project\s*+\(\s*+'([^']+)'", re.MULTILINE)


class Layout(layout.Layout):
    """What a project of CMake or Meson is called. What an include reads says `packaging.include`, in any language."""

    def __init__(self, paths: Iterable[str], packaging: Iterable[str], reader: PackagingReader) -> None:
        self.names: dict[str, str] = {}
        """Folder that builds on its own → its name."""
        for path in packaging:
            name = path.rpartition("/")[2]
            if name == "CMakeLists.txt":
                text = re.sub(r"#[^\n]*", "", reader.text(path))
                match = _CMAKE_PROJECT.search(text) or _CMAKE_TARGET.search(text)
                if match is not None:
                    self.names[folder_of(path)] = match[1]
            elif name == "meson.build":
                match = _MESON_PROJECT.search(reader.text(path))
                if match is not None:
                    self.names[folder_of(path)] = match[1]

    def project_name(self, file: str, folder: str) -> str | None:
        """None where a build file names no project or target."""
        return self.names.get(folder)

    def module_name(self, path: str, package: str = "") -> str:
        """Names are global."""
        return ""

    def external_package(self, text: str) -> str:
        """`std` for C++'s own headers, `libc` for C's and POSIX's, else the first folder or the header's name."""
        return header_package(text)
