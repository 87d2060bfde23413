"""Shell scripts: the file that `source "$DIR/lib.sh"` reads and the one that `./build.sh` runs.

A path is relative to a folder known only to the running script. Extraction encodes which one in the text: `./` and
`../` are relative to the script's own folder, anything else to an unknown one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from loregraph.indexer.languages.packaging import layout
from loregraph.indexer.languages.packaging.reader import PackagingReader, folder_of, join

_SUFFIXES: Final = ("", ".sh", ".bash")
_ELSEWHERE: Final = re.compile(r"[~$*?]|^/")


class Layout(layout.Layout):
    """Where a project's scripts are."""

    def __init__(self, paths: Iterable[str], packaging: Iterable[str], reader: PackagingReader) -> None:
        self._files = layout.Files(paths)

    def file_of(self, importing_path: str, text: str) -> str | None:
        """The script that is sourced or run."""
        return _script_file(self._files, importing_path, text)

    def external_package(self, module: str) -> str:
        """A script outside the project has no package: always ""."""
        return ""


def _script_file(files: layout.Files, importing_path: str, text: str) -> str | None:
    """The script that a path means; None for one outside the project, or an ambiguous one.

    A path from an unknown folder is tried in the script's own folder and the project's root, then matched against the
    ends of all paths, where it must be unique.
    """
    if not text or _ELSEWHERE.search(text):
        return None
    folder = folder_of(importing_path)
    exact = text.startswith(("./", "../"))
    for suffix in _SUFFIXES:
        near = join(folder, text + suffix)
        if near is not None and near != importing_path and files.has(near):
            return near
        if exact:
            continue
        top = join("", text + suffix)
        if top is not None and top != importing_path and files.has(top):
            return top
        ending = "/".join(part for part in (text + suffix).split("/") if part not in ("", ".", ".."))
        found = [path for path in files.ending(ending) if path != importing_path] if ending else []
        if found:
            return found[0] if len(found) == 1 else None
    return None
