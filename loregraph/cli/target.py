"""Which project a command is about."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from loregraph.project import Project


@dataclass(frozen=True)
class Target:
    """What `--root` and `--store` name. None: to be found."""

    root: Path | None
    store: Path | None

    def open(self, path: Path | None = None, **settings: Any) -> Project:
        """The project at the root that is named, else the one that `path`, else the working folder, lies in."""
        from loregraph.project import Project, open_project

        if self.root is None:
            return open_project(path or Path(), store=self.store, **settings)
        project = Project(self.root, store=self.store, **settings)
        if path is not None:
            project.inside(path)
        return project
