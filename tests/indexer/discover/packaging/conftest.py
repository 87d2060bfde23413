"""A project from a mapping of paths to texts, and its layout."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from loregraph.indexer.discover.layout import ProjectLayout, read_layout

Laid = Callable[[dict[str, str]], ProjectLayout]


@pytest.fixture
def laid(tmp_path: Path) -> Laid:
    """Writes the files and reads the layout; every file is one of the project."""

    def make(files: dict[str, str]) -> ProjectLayout:
        for path, text in files.items():
            target = tmp_path / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text)
        return read_layout(tmp_path, files)

    return make
