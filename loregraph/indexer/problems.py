"""What is wrong with a file of the project, in words: a broken file is data, never an exception."""

from __future__ import annotations

from msgspec import Struct


class PathProblem(Struct, frozen=True, order=True):
    """Something about one path. `line` is 0 where no line is to blame; `path` is "." for the project as a whole."""

    path: str
    line: int
    message: str
