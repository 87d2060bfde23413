"""Shell scripts: which file `source "$DIR/lib.sh"` reads and which one `./build.sh` runs.

A path is written relative to a folder that only the running script knows. Extraction says which it is, by how the text
that it gives begins: `./` and `../` are from the script's own folder, anything else from one that is not known.
"""

from __future__ import annotations

import re
from typing import Final

from loregraph.indexer.discover.packaging.include import IncludeLayout
from loregraph.indexer.discover.packaging.reader import folder_of, join

_SUFFIXES: Final = ("", ".sh", ".bash")
_ELSEWHERE: Final = re.compile(r"[~$*?]|^/")


def script_file(files: IncludeLayout, importing_path: str, text: str) -> str | None:
    """The script that a path means; None for one that is not the project's, or that could be several.

    Of a path from an unknown folder the script's own folder and the project's root are tried, then every file whose
    path ends so: there may be only one.
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
