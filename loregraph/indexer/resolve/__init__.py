"""Resolution: facts of all files → edges between symbols, each with the reason it was found."""

from loregraph.indexer.resolve.engine import Limits
from loregraph.indexer.resolve.resolver import FileResolution, Resolution, resolve

__all__ = ["FileResolution", "Limits", "Resolution", "resolve"]
