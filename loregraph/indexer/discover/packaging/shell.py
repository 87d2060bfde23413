"""Shell scripts: the file that `source "$DIR/lib.sh"` reads and the one that `./build.sh` runs.

A path is relative to a folder known only to the running script. Extraction encodes which one in the text: `./` and
`../` are relative to the script's own folder, anything else to an unknown one.
"""

from __future__ import annotations

import re
from typing import Final

from loregraph.indexer.discover.packaging.include import IncludeLayout
from loregraph.indexer.discover.packaging.reader import folder_of, join

_SUFFIXES: Final = ("", ".sh", ".bash")
_ELSEWHERE: Final = re.compile(r"[~$*?]|^/")


def script_file(files: IncludeLayout, importing_path: str, text: str) -> str | None:
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
