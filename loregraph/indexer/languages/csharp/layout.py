"""C#: the packages that project files make and need. Where types are is said by their namespaces alone."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from loregraph.indexer.languages.packaging import layout
from loregraph.indexer.languages.packaging.reader import PackagingReader, folder_of

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

PROJECT: Final = ".csproj"


class Layout(layout.Layout):
    """The packages of a project. Folders are relative to the root; "" is the root."""

    def __init__(self, paths: Iterable[str], packaging: Iterable[str], reader: PackagingReader) -> None:
        self._published: dict[str, str] = {}
        """Folder of a project file → the package that it makes."""
        self.requirements: dict[str, tuple[str, ...]] = {}
        for path in sorted(packaging):
            if path.endswith(PROJECT) and (top := reader.xml(path)) is not None:
                self._read(path, top)

    def published(self, folder: str) -> str:
        return self._published.get(folder, "")

    def _read(self, path: str, top: Element) -> None:
        folder = folder_of(path)
        named = top.findtext("PropertyGroup/PackageId") or top.findtext("PropertyGroup/AssemblyName") or ""
        stem = path.rpartition("/")[2].removesuffix(PROJECT)
        # Names of packages are compared in lower case; `$(…)` is computed by the build.
        name = named.strip() if named.strip() and "$" not in named else stem
        self._published.setdefault(folder, name.lower())
        needed = {one.get("Include", "").strip().lower() for one in top.findall("ItemGroup/PackageReference")}
        self.requirements[folder] = tuple(sorted({*self.requirements.get(folder, ()), *needed} - {""}))
