"""SQL: a script that another one reads (`\\i schema.sql`) is a file of the project, or nothing."""

from __future__ import annotations

from loregraph.indexer.languages.packaging import layout


class Layout(layout.Layout):
    """Scripts are included as headers are (`languages/packaging/include.py`)."""

    def external_package(self, module: str) -> str:
        """A script outside the project has no package: always ""."""
        return ""
