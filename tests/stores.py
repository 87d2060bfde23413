"""Stores that tests copy: a copy is not believed until whoever made it says so."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from loregraph.graph import ownership
from loregraph.graph.generation import StoreFolder
from loregraph.user_files import data_folder


def adopted(root: Path) -> Path:
    """The project at `root`, whose store was copied there, with the store marked as this user's own."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("LOREGRAPH_TRUST", "1")
        with StoreFolder(root / ".loregraph").writer():
            pass
    return root


def same_key(home: Path) -> Path:
    """The folder that is to be the data folder, with the key of the one that is: stores made before are believed."""
    home.mkdir(parents=True, exist_ok=True)
    if (key := data_folder() / ownership.KEY_FILE).is_file():
        shutil.copy(key, home)
    return home
