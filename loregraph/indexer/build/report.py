"""The report of an index run."""

from __future__ import annotations

from msgspec import Struct


class Progress(Struct, frozen=True):
    """The progress of a run. `phase`: discover, extract, resolve, embed, store; `total` is 0 where it is unknown."""

    phase: str
    done: int = 0
    total: int = 0


class FileCounts(Struct, frozen=True):
    """Numbers of files by their outcome in this run; `failed` and `unsupported` count all present ones."""

    indexed: int = 0
    unchanged: int = 0
    removed: int = 0
    failed: int = 0
    unsupported: int = 0


class ReportedProblem(Struct, frozen=True):
    """Something in the project that could not be read. `line` is 0 where there is no specific line."""

    path: str
    line: int
    message: str


class Seconds(Struct, frozen=True):
    """Wall-clock seconds by phase."""

    discover: float = 0.0
    extract: float = 0.0
    resolve: float = 0.0
    embed: float = 0.0
    store: float = 0.0
    total: float = 0.0


class Totals(Struct, frozen=True):
    """The size of the graph after a run."""

    functions: int = 0
    classes: int = 0
    components: int = 0
    requirements: int = 0
    relationships: dict[str, int] = {}
    unresolved: dict[str, int] = {}
    """Calls without an edge, by the reason."""
    generated: dict[str, int] = {}
    """Files whose functions and classes are not counted, by the reason."""


class IndexReport(Struct, frozen=True):
    """The result of `pipeline.index`: the JSON form of `loregraph index`."""

    files: FileCounts
    functions: int
    classes: int
    components: int
    requirements: int
    relationships: dict[str, int]
    problems: tuple[ReportedProblem, ...]
    seconds: Seconds
    unresolved: dict[str, int] = {}
    generation: int = 0
    generated: dict[str, int] = {}
    languages: dict[str, int] = {}
    """Number of files of each language in the graph."""
    resolved: int = 0
    """Number of files whose calls were resolved in this run: after an edit, those that it may affect."""
