"""Where the files of a language are in a project, and what they are called: what a folder's `layout.py` says.

`Layout` is that of a language which says nothing of it. A language, or several (`Language.layout`), has a subclass of
that name in its folder's `layout.py`. It is made of all files of the project, reads the packaging files once, and
answers from memory. Paths are POSIX and relative to the root; answers name only files of the project. What an import
style of `resolve/import_styles.py` asks beside these methods stands in the protocols of `resolve/layout.py`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from typing import Self

    from loregraph.indexer.languages.packaging.reader import PackagingReader


class Package(NamedTuple):
    """A folder that is a package by what lies in it; `kind` is that of the component."""

    folder: str
    qualified_name: str
    kind: str


class Files:
    """The files of a project, by their paths and by the ends of these."""

    def __init__(self, paths: Iterable[str]) -> None:
        self._paths = paths

    @cached_property
    def _all(self) -> frozenset[str]:
        return frozenset(self._paths)

    @cached_property
    def _by_name(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for path in sorted(self._all):
            found.setdefault(path[path.rfind("/") + 1 :], []).append(path)
        return found

    def has(self, path: str) -> bool:
        """Whether a file is the project's."""
        return path in self._all

    def ending(self, text: str) -> list[str]:
        """The files whose path ends with the names in `text`, sorted."""
        return [path for path in self._by_name.get(text.rpartition("/")[2], ()) if f"/{path}".endswith(f"/{text}")]


class Layout:
    """See the module. `names` has the name that packaging files give to a folder, `requirements` the packages that they
    declare to need."""

    named_by_package = False
    """The last part of a package's name is the component's, and not the folder's."""
    precedence = 0
    """Of what several languages make of a folder, the one of the highest counts."""

    names: Mapping[str, str] = MappingProxyType({})
    requirements: Mapping[str, Sequence[str]] = MappingProxyType({})

    def __init__(self, paths: Iterable[str], packaging: Iterable[str], reader: PackagingReader) -> None:
        pass

    def with_packages(self, packages: Mapping[str, str]) -> Self:
        """The same knowing the package that each file declares (`FileFacts.package`): path → package."""
        return self

    def packages(self) -> Iterable[Package]:
        """Folders that are packages by what lies in them."""
        return ()

    def project_name(self, file: str, folder: str) -> str | None:
        """The name that a packaging file called `file` gives to its folder, "" where it gives none; None where it makes
        no component of it."""
        return self.names.get(folder, "")

    def published(self, folder: str) -> str:
        """The name by which other projects depend on what a folder builds, as `requirements` has it; "" for none."""
        return self.names.get(folder, "")

    def entries(self, folder: str) -> Iterable[tuple[str, str]]:
        """What other projects import of what a folder builds: names, as in `external_package` or below one, and the
        files, or folders, that they mean."""
        return ()

    def module_name(self, path: str, package: str) -> str:
        """The qualified name of what a file is to its language; `package` is what it declares, or ""."""
        return package

    def external_package(self, module: str) -> str:
        """The package to put into `external:<package>.<name>` for a module that is not the project's."""
        for separator in ("\\", "::", ".", "/"):
            module = module.strip(separator).partition(separator)[0]
        return module

    def file_of(self, importing_path: str, module: str) -> str | None:
        """The file that an import, include or call for a file of `module` reads."""
        return None

    def package_dir(self, name: str, importing_path: str) -> str | None:
        """The folder of a package of the project, "" for the root."""
        return None
