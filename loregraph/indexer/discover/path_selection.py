"""Restricts a run to a part of the project; the rest of the graph stays as it is."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

import msgspec

from loregraph.config import Settings
from loregraph.graph.state import FileState
from loregraph.indexer.discover.files import Discovery, is_wanted


class PathSelection(msgspec.Struct, frozen=True, kw_only=True):
    """`paths` are files and folders relative to the root, "." for all of it; below a folder, `include` and `exclude`
    select, with patterns as in .gitignore, relative to that folder. Files in or below `force` are read again even if
    they seem unchanged."""

    paths: tuple[str, ...] = ()
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    force: tuple[str, ...] = ()

    def chooses(self) -> Callable[[str], bool]:
        """Whether a path is selected. Raises ConfigError for an invalid pattern."""
        wanted = is_wanted(Settings(include=self.include, exclude=self.exclude))

        def chosen(path: str) -> bool:
            return any(path == top or (below(path, top) and wanted(relative(path, top))) for top in self.paths)

        return chosen

    def forced(self, known: Iterable[str]) -> list[str]:
        """The files among `known` that have to be read again."""
        chosen = self.chooses()
        return [path for path in known if chosen(path) and any(path == top or below(path, top) for top in self.force)]

    def narrowed(self, discovery: Discovery, known: Mapping[str, FileState]) -> Discovery:
        """`discovery` as if no other file had been changed or added. Removed files are removed."""
        chosen = self.chooses()
        files, settled = [], set()
        for file in discovery.files:
            if chosen(file.path):
                files.append(file)
            elif (before := known.get(file.path)) is not None:
                settled.add(file.path)
                files.append(msgspec.structs.replace(file, stamp=before.stamp, language=before.language))
        return msgspec.structs.replace(discovery, files=tuple(files), settled=frozenset(settled))


def below(path: str, folder: str) -> bool:
    return folder == "." or path.startswith(f"{folder}/")


def relative(path: str, folder: str) -> str:
    return path if folder == "." else path[len(folder) + 1 :]
