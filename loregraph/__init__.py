"""loregraph turns a repository into a graph that can be questioned.

>>> import loregraph
>>> with loregraph.open("path/to/repository") as project:
...     report = project.index()
...     hits = project.search("retry with backoff", limit=5)
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import os

    from loregraph.project import Project

__all__ = ["__version__", "open"]

__version__ = "0.2.0"


def open(
    path: str | os.PathLike[str] = ".", *, store: str | os.PathLike[str] | None = None, **settings: Any
) -> Project:
    """The project that `path` lies in, as a context manager. See `loregraph.project.open_project`."""
    from loregraph.project import open_project

    return open_project(path, store=store, **settings)
