"""Problems with files of the project, in words: a broken file is data, never an exception."""

from __future__ import annotations

from msgspec import Struct


class PathProblem(Struct, frozen=True, order=True):
    """A problem with one path. `line` is 0 where there is no specific line; `path` is "." for the project as a
    whole."""

    path: str
    line: int
    message: str
