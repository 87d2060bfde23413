"""Objective-C: names are global, as C's are."""

from __future__ import annotations

from loregraph.indexer.languages.packaging import layout
from loregraph.indexer.languages.packaging.include import external_package as header_package


class Layout(layout.Layout):
    """A pod is called as its folder is."""

    def module_name(self, path: str, package: str = "") -> str:
        """Names are global; what a file declares as its package only gathers the parts of classes."""
        return ""

    def external_package(self, module: str) -> str:
        """The framework of a header, or that of C's library."""
        return header_package(module)
