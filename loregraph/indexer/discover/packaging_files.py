"""Packaging files: what they are called."""

from __future__ import annotations

from typing import Final

from loregraph.indexer.languages import registry

_NAMES: Final = frozenset(file.name for file, _ in registry.PACKAGING)
_SETTINGS: Final = frozenset(name for language in registry.LANGUAGES for name in language.packaging_settings)
FILENAMES: Final = frozenset(name for name in _NAMES | _SETTINGS if not name.startswith(".") and "*" not in name)
_ENDINGS: Final = tuple(sorted(name for name in _NAMES if name.startswith(".")))
_GLOBS: Final = tuple(sorted(name.split("*") for name in _SETTINGS if "*" in name))


def is_packaging(path: str) -> bool:
    """Whether a path is that of a packaging file: one that says what its folder is and what is in it."""
    name = path[path.rfind("/") + 1 :]
    if name in FILENAMES or name.endswith(_ENDINGS):
        return True
    return any(name.startswith(first) and name.endswith(last) for first, last in _GLOBS)
