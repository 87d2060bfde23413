"""The names of packaging files. Each language family's are read by a module beside this one."""

from __future__ import annotations

from typing import Final

from loregraph.indexer.languages import registry

_NAMES: Final = tuple(file.name for file, _ in registry.PACKAGING)
FILENAMES: Final = frozenset(name for name in _NAMES if not name.startswith(".")).union(
    *(language.packaging_settings for language in registry.LANGUAGES)
)
_ENDINGS: Final = tuple(name for name in _NAMES if name.startswith("."))


def is_packaging(path: str) -> bool:
    """Whether a path is a packaging file's: one that describes its folder."""
    name = path[path.rfind("/") + 1 :]
    if name in FILENAMES or name.endswith(_ENDINGS):
        return True
    # tsconfig.base.json and the like, which other configurations extend.
    return name.startswith("tsconfig.") and name.endswith(".json")
