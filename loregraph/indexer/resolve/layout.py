"""The interface to the project's layout that resolution needs: a part of `discover.layout.ProjectLayout`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from loregraph.indexer.outside.shapes import Shapes


class Layout(Protocol):
    """Answers where imports lead. See `discover.layout.ProjectLayout` for each method."""

    @property
    def shapes(self) -> Shapes: ...

    def component_of(self, path: str) -> str: ...

    def module_name(self, path: str, package: str = "") -> str: ...

    def of(self, language: str) -> Any: ...

    def include_file(self, importing_path: str, text: str) -> str | None: ...

    def external_package(self, language: str, module: str, importing_path: str = "") -> str: ...


class FileLayout(Protocol):
    """What all styles of imports that lead to files ask."""

    def file_of(self, importing_path: str, module: str) -> str | None: ...

    def package_dir(self, name: str, importing_path: str) -> str | None: ...


class DottedLayout(FileLayout, Protocol):
    """Style `dotted`: modules by dotted names (Python)."""

    def module_file(self, dotted: str, importing_path: str) -> str | None: ...

    def absolute(self, importing_path: str, level: int, module: str) -> str | None: ...


class NamedLayout(FileLayout, Protocol):
    """Styles `library` (R) and `included` (Julia): what the files of a package declare (`FileFacts.package`), by the
    package's name."""

    def declared_package(self, name: str) -> str | None: ...


class PackageLayout(FileLayout, Protocol):
    """Styles `folder` (Go, Terraform) and `type` (Java): packages of several files."""

    def package_files(self, name: str) -> tuple[str, ...]: ...


class TypeLayout(PackageLayout, Protocol):
    """Style `type`: a type by its qualified name (Java)."""

    def type_file(self, dotted: str, importing_path: str) -> str | None: ...


class PathLayout(FileLayout, Protocol):
    """Style `path`: modules within one another (Rust): the file of the longest prefix that is a module's, and the
    segments left over."""

    def module_file(self, importing_path: str, segments: Sequence[str]) -> tuple[str, tuple[str, ...]] | None: ...


def shared_folders(one: str, other: str) -> int:
    """The number of leading folders that two paths share."""
    count = 0
    for a, b in zip(one.split("/")[:-1], other.split("/")[:-1], strict=False):
        if a != b:
            break
        count += 1
    return count
