"""Resolution: facts of all files → edges between symbols, each with the reason it was found."""

from loregraph.indexer.resolution.engine import Limits
from loregraph.indexer.resolution.resolver import FileResolution, Resolution, resolve

__all__ = ["FileResolution", "Limits", "Resolution", "resolve"]
